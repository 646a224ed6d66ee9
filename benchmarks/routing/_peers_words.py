"""Peers on words or characters, with the defaults of their libraries."""

from collections.abc import Sequence
from importlib import import_module

import numpy as np

from metier.skills import Skill


def list_texts(skill: Skill) -> tuple[str, ...]:
    """Texts of a skill that every peer gets: title, description if any, examples."""
    return tuple(text for text in (skill.title, skill.description, *skill.examples) if text)


def select_best(ids: Sequence[str], scores: "np.ndarray[tuple[int], np.dtype[np.floating]]") -> list[tuple[str, float]]:
    """Three best ids by score; ties keep their order."""
    order = np.argsort(-scores, kind="stable")[:3]
    return [(ids[at], float(scores[at])) for at in order]


class Bm25:
    """bm25s with one document per skill, and its own tokenizer and stop words."""

    def __init__(self) -> None:
        self._bm25s = import_module("bm25s")

    def fit(self, skills: Sequence[Skill]) -> None:
        """Index the skills."""
        self._ids = [skill.id for skill in skills]
        tokens = self._bm25s.tokenize(["\n".join(list_texts(skill)) for skill in skills], show_progress=False)
        self._index = self._bm25s.BM25()
        self._index.index(tokens, show_progress=False)

    def route(self, message: str) -> list[tuple[str, float]]:
        """Rank the skills by score; empty if no word is known."""
        (words,) = self._bm25s.tokenize([message], show_progress=False, return_ids=False)
        scores = self._index.get_scores(words) if words else np.zeros(len(self._ids), dtype=np.float32)
        return select_best(self._ids, scores) if scores.any() else []


class CharTfidf:
    """scikit-learn's TF-IDF over character 1- to 4-grams, one document per skill, by cosine."""

    def __init__(self) -> None:
        text = import_module("sklearn.feature_extraction.text")
        self._vectorizer = text.TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 4), sublinear_tf=True)

    def fit(self, skills: Sequence[Skill]) -> None:
        """Vectorise the skills."""
        self._ids = [skill.id for skill in skills]
        self._rows = self._vectorizer.fit_transform(["\n".join(list_texts(skill)) for skill in skills])

    def route(self, message: str) -> list[tuple[str, float]]:
        """Rank the skills by cosine."""
        return select_best(self._ids, (self._rows @ self._vectorizer.transform([message]).T).toarray()[:, 0])
