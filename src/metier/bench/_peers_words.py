"""Peers that count words or characters, with the defaults of their libraries."""

from collections.abc import Sequence
from importlib import import_module

import numpy as np

from metier.skills import Skill


def told_texts(skill: Skill) -> tuple[str, ...]:
    """What a peer is told of a skill: name, description where there is one, examples. The same for all."""
    return tuple(text for text in (skill.title, skill.description, *skill.examples) if text)


def best(ids: Sequence[str], scores: "np.ndarray[tuple[int], np.dtype[np.floating]]") -> list[tuple[str, float]]:
    """The three best ids of a row of scores; the earlier among equals."""
    order = np.argsort(-scores, kind="stable")[:3]
    return [(ids[at], float(scores[at])) for at in order]


class Bm25:
    """bm25s over one document for each skill, its own tokenizer and stop words."""

    def __init__(self) -> None:
        self._bm25s = import_module("bm25s")

    def fit(self, skills: Sequence[Skill]) -> None:
        """Index the skills."""
        self._ids = [skill.id for skill in skills]
        tokens = self._bm25s.tokenize(["\n".join(told_texts(skill)) for skill in skills], show_progress=False)
        self._index = self._bm25s.BM25()
        self._index.index(tokens, show_progress=False)

    def route(self, message: str) -> list[tuple[str, float]]:
        """The skills with the best scores; none where no word is known."""
        (words,) = self._bm25s.tokenize([message], show_progress=False, return_ids=False)
        scores = self._index.get_scores(words) if words else np.zeros(len(self._ids), dtype=np.float32)
        return best(self._ids, scores) if scores.any() else []


class CharTfidf:
    """scikit-learn's TF-IDF of one to four characters, one document for each skill, by cosine."""

    def __init__(self) -> None:
        text = import_module("sklearn.feature_extraction.text")
        self._vectorizer = text.TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 4), sublinear_tf=True)

    def fit(self, skills: Sequence[Skill]) -> None:
        """Count the skills' characters."""
        self._ids = [skill.id for skill in skills]
        self._rows = self._vectorizer.fit_transform(["\n".join(told_texts(skill)) for skill in skills])

    def route(self, message: str) -> list[tuple[str, float]]:
        """The skills with the nearest counts."""
        return best(self._ids, (self._rows @ self._vectorizer.transform([message]).T).toarray()[:, 0])
