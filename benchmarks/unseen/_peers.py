"""Peers of the left-out comparison: words, characters, sentence vectors with logistic regression, the plain recipe."""

import math
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from metier.routing import plain_encoders
from metier.skills import Skill
from metier.textsearch import extract_terms, has_cjk
from training import CachedEncoder

Floats: TypeAlias = NDArray[np.float32]
# Scores of every skill (columns) for every message (rows).
Peer: TypeAlias = Callable[[Sequence[Skill], Sequence[str]], Floats]

_K1, _B = 1.5, 0.75
_RECIPE_WEIGHT = 1.5


class PeerEncoders:
    """Plain encoders of both views, with vectors kept in a folder."""

    def __init__(self, cache: Path) -> None:
        plain = plain_encoders()
        self._encoders = {view: CachedEncoder(plain[view], cache / f"peers-{view}.npz") for view in plain}

    def encode(self, texts: Sequence[str], views: Sequence[str]) -> Floats:
        """Unit vectors of texts, those of several views side by side."""
        rows = [self._encoders[view](texts) for view in views]
        unit = [one / np.maximum(np.linalg.norm(one, axis=1, keepdims=True), 1e-9) for one in rows]
        return np.hstack(unit).astype(np.float32)


def list_peers(encoders: PeerEncoders, *, chinese: bool) -> Mapping[str, Peer]:
    """Peers by name; MiniLM reads no Chinese."""
    both = ("use",) if chinese else ("use", "mini")
    found: dict[str, Peer] = {
        "BM25": _rank_bm25,
        "char TF-IDF": _rank_tfidf,
        "USE-m + LR": _make_logistic(encoders, ("use",)),
    }
    if not chinese:
        found["MiniLM + LR"] = _make_logistic(encoders, ("mini",))
        found["both + LR"] = _make_logistic(encoders, both)
    found["plain recipe"] = _make_recipe(encoders, both)
    return MappingProxyType(found)


def _list_texts(skill: Skill) -> list[str]:
    return [text for text in (skill.title, skill.description, *skill.examples) if text]


def _tokenize(text: str) -> list[str]:
    return [word for word in extract_terms(text).words if not (has_cjk(word) and len(word) == 1)]


def _rank_bm25(skills: Sequence[Skill], messages: Sequence[str]) -> Floats:
    return _score_bm25(skills, messages)[0]


def _score_bm25(skills: Sequence[Skill], messages: Sequence[str]) -> tuple[Floats, Floats]:
    """BM25 over words (Chinese: pairs of characters), and the most that each message could score."""
    documents = [Counter(_tokenize("\n".join(_list_texts(skill)))) for skill in skills]
    holders: dict[str, list[tuple[int, int]]] = {}
    for at, counts in enumerate(documents):
        for term, count in counts.items():
            holders.setdefault(term, []).append((at, count))
    lengths = np.array([max(counts.total(), 1) for counts in documents])
    usual = _K1 * (1 - _B + _B * lengths / lengths.mean())
    scores = np.zeros((len(messages), len(skills)), dtype=np.float32)
    most = np.zeros(len(messages), dtype=np.float32)
    for row, message in enumerate(messages):
        for term in dict.fromkeys(_tokenize(message)):
            held = holders.get(term, [])
            weight = math.log(1 + (len(skills) - len(held) + 0.5) / (len(held) + 0.5))
            most[row] += weight * (_K1 + 1)
            for at, count in held:
                scores[row, at] += weight * count * (_K1 + 1) / (count + usual[at])
    return scores, np.maximum(most, 1e-6)


def _rank_tfidf(skills: Sequence[Skill], messages: Sequence[str]) -> Floats:
    text = import_module("sklearn.feature_extraction.text")
    vectorizer = text.TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 4), sublinear_tf=True)
    rows = vectorizer.fit_transform(["\n".join(_list_texts(skill)) for skill in skills])
    found: Floats = (vectorizer.transform(list(messages)) @ rows.T).toarray().astype(np.float32)
    return found


def _make_logistic(encoders: PeerEncoders, views: Sequence[str]) -> Peer:
    def rank(skills: Sequence[Skill], messages: Sequence[str]) -> Floats:
        told = [(text, at) for at, skill in enumerate(skills) for text in _list_texts(skill)]
        head = import_module("sklearn.linear_model").LogisticRegression(C=10.0, max_iter=100)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            head.fit(encoders.encode([text for text, _ in told], views), [at for _, at in told])
        found: Floats = head.predict_proba(encoders.encode(messages, views)).astype(np.float32)
        return found

    return rank


def _make_recipe(encoders: PeerEncoders, views: Sequence[str]) -> Peer:
    """Cosine to the centroid of a skill's texts, plus 1.5 times BM25 as a share of what the message could score."""

    def rank(skills: Sequence[Skill], messages: Sequence[str]) -> Floats:
        centroids = np.array([encoders.encode(_list_texts(skill), views).mean(axis=0) for skill in skills])
        centroids /= np.linalg.norm(centroids, axis=1, keepdims=True)
        asked = encoders.encode(messages, views)
        asked /= np.linalg.norm(asked, axis=1, keepdims=True)
        words, most = _score_bm25(skills, messages)
        found: Floats = asked @ centroids.T + _RECIPE_WEIGHT * words / most[:, None]
        return found

    return rank
