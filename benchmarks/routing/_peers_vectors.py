"""Peers on sentence vectors: nearest example, and logistic regression."""

from collections.abc import Sequence
from importlib import import_module
from warnings import catch_warnings, simplefilter

import numpy as np

from benchmarks.routing._peers_encoders import Encoder
from benchmarks.routing._peers_words import list_texts, select_best
from metier.skills import Skill


class MaxSimilarity:
    """Scores a skill by its nearest text."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def fit(self, skills: Sequence[Skill]) -> None:
        """Embed the texts of each skill."""
        texts = [list_texts(skill) for skill in skills]
        self._ids = [skill.id for skill in skills]
        self._starts = np.cumsum([0, *map(len, texts)])[:-1]
        self._rows = self._encoder([text for told in texts for text in told])

    def route(self, message: str) -> list[tuple[str, float]]:
        """Rank the skills by cosine."""
        return select_best(self._ids, np.maximum.reduceat(self._rows @ self._encoder([message])[0], self._starts))


class LogisticHead:
    """scikit-learn's logistic regression over the vectors; scores are probabilities."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def fit(self, skills: Sequence[Skill]) -> None:
        """Fit the regression from scratch."""
        told = [(text, skill.id) for skill in skills for text in list_texts(skill)]
        # Unit vectors and few examples need weaker regularisation than the default C = 1.
        self._head = import_module("sklearn.linear_model").LogisticRegression(C=10.0, max_iter=200)
        with catch_warnings():
            simplefilter("ignore", UserWarning)  # it warns when every class has one example
            self._head.fit(self._encoder([text for text, _ in told]), [meant for _, meant in told])
        self._ids = [str(meant) for meant in self._head.classes_]

    def route(self, message: str) -> list[tuple[str, float]]:
        """Rank the skills by probability."""
        return select_best(self._ids, self._head.predict_proba(self._encoder([message]))[0])
