"""BM25 over one document per skill, on a scale that does not depend on the catalog.

A score is the share of the message's weight that the skill's words carry: 0 nothing, around 1 everything, more (at most
4) when the skill says it again and again. Terms nobody has count in the message's weight, so a message about something
else scores low against every skill.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metier.routing._terms import Terms, has_cjk, terms

Floats = NDArray[np.float32]

_K1 = 3.0
_B = 0.3


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """One score per skill, and how much of the message's weight lies in terms that any skill knows."""

    values: Floats
    known: float


def count_terms(texts: Sequence[str]) -> Counter[str]:
    """The terms of a skill's document."""
    counted: Counter[str] = Counter()
    for text in texts:
        found = terms(text)
        counted.update(found.words)
        counted.update(found.pieces)
    return counted


class LexicalIndex:
    """Postings from term to skills; built in one pass over the skills' term counts."""

    def __init__(self, documents: Sequence[Counter[str]]) -> None:
        self._size = len(documents)
        self._vocabulary: dict[str, int] = {}
        ids = [self._vocabulary.setdefault(term, len(self._vocabulary)) for doc in documents for term in doc]
        term_ids = np.array(ids, dtype=np.int64)
        counts = np.array([count for doc in documents for count in doc.values()], dtype=np.float32)
        rows = np.repeat(
            np.arange(self._size, dtype=np.int32), np.array([len(doc) for doc in documents], dtype=np.int64)
        )
        lengths = np.array([max(sum(doc.values()), 1) for doc in documents], dtype=np.float32)
        self._mean_length = float(lengths.mean()) if self._size else 1.0
        frequency = np.bincount(term_ids, minlength=len(self._vocabulary))
        self._idf: Floats = _idf(self._size, frequency.astype(np.float32))
        self._unknown_idf = float(_idf(self._size, np.zeros(1, dtype=np.float32))[0])
        relative = lengths[rows] / lengths.mean() if self._size else lengths
        weights = self._idf[term_ids] * counts * (_K1 + 1) / (counts + _K1 * (1 - _B + _B * relative))
        order = np.argsort(term_ids, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(frequency)])
        self._rows, self._weights = rows[order], weights[order].astype(np.float32)

    def score(self, message: Terms) -> LexicalScores:
        """The scores of every skill for the terms of a message."""
        total = np.zeros(self._size, dtype=np.float32)
        groups = [dict.fromkeys(group) for group in message if group]
        known = weight = 0.0
        for group in groups:
            found = [self._vocabulary[term] for term in group if term in self._vocabulary]
            mine = float(self._idf[found].sum()) if found else 0.0
            ideal = mine + self._unknown_idf * (len(group) - len(found))
            known, weight = known + mine, weight + ideal
            if found:
                total += self._matched(found) / (ideal * len(groups))
        return LexicalScores(total, known / weight if weight else 0.0)

    def score_one(self, message: Terms, document: Counter[str]) -> float:
        """The score of a document that is not in the index, as if it were."""
        usual = _K1 * (1 - _B + _B * max(sum(document.values()), 1) / self._mean_length)
        groups = [dict.fromkeys(group) for group in message if group]
        score = 0.0
        for group in groups:
            idf = {term: self._idf_of(term) for term in group}
            held = ((idf[term], document[term]) for term in group if document[term] > 0)
            matched = sum(weight * count * (_K1 + 1) / (count + usual) for weight, count in held)
            score += matched / (sum(idf.values()) * len(groups))
        return score

    def _idf_of(self, term: str) -> float:
        at = self._vocabulary.get(term)
        return self._unknown_idf if at is None else float(self._idf[at])

    def knows(self, term: str) -> bool:
        """Whether any skill has the term."""
        return term in self._vocabulary

    def shared(self, words: Sequence[str], skill: int) -> tuple[str, ...]:
        """The words a message and a skill have in common, in the order of the message; Chinese pairs run together."""
        found: list[str] = []
        joins = False
        for word in words:
            has = self._has(word, skill)
            if has and joins and has_cjk(word) and len(word) == 2 and found[-1][-1] == word[0]:
                found[-1] += word[1]
            elif has and not (has_cjk(word) and len(word) == 1):
                found.append(word)
            joins = has and len(word) == 2 and has_cjk(word)
        return tuple(dict.fromkeys(found))

    def _has(self, term: str, skill: int) -> bool:
        at = self._vocabulary.get(term)
        if at is None:
            return False
        rows = self._rows[self._starts[at] : self._starts[at + 1]]
        place = int(rows.searchsorted(np.int32(skill)))
        return place < len(rows) and int(rows[place]) == skill

    def _matched(self, term_ids: list[int]) -> Floats:
        spans = [slice(self._starts[term], self._starts[term + 1]) for term in term_ids]
        rows = np.concatenate([self._rows[span] for span in spans])
        weights = np.concatenate([self._weights[span] for span in spans])
        return np.bincount(rows, weights, minlength=self._size).astype(np.float32)


def _idf(size: int, frequency: Floats) -> Floats:
    idf: Floats = np.log(1 + (size - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    return idf
