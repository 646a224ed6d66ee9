"""BM25 over one document per skill, on a scale that does not depend on the catalog.

A score is the share of the message's idf weight that the skill's terms cover: 0 none, about 1 all, up to 4 when the
skill repeats them. Terms unknown to the catalog count in the message's weight, so an unrelated message scores low
against every skill.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from metier.textsearch import Bm25, Terms, extract_terms, has_cjk

Floats = NDArray[np.float32]

_K1 = 3.0
_B = 0.3


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """Score per skill, and the share of the message's weight in terms that any skill has."""

    values: Floats
    known: float


@dataclass(frozen=True, slots=True)
class LexicalDocument:
    """Term counts of a skill as one string and one array, a tenth of the memory of a dict."""

    joined: str
    counts: NDArray[np.int32]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "LexicalDocument":
        """Count the terms of a skill's texts."""
        counted = count_terms(texts)
        return cls(" ".join(counted), np.fromiter(counted.values(), np.int32, len(counted)))

    @property
    def terms(self) -> list[str]:
        """Distinct terms."""
        return self.joined.split()

    def count_without(self, text: str) -> Counter[str]:
        """Term counts without one of the texts."""
        return Counter(dict(zip(self.terms, self.counts.tolist(), strict=True))) - count_terms([text])


def count_terms(texts: Sequence[str]) -> Counter[str]:
    """Count the terms of all texts together."""
    counted: Counter[str] = Counter()
    for text in texts:
        found = extract_terms(text)
        counted.update(found.words)
        counted.update(found.pieces)
    return counted


class LexicalIndex:
    """Inverted index from term to skills, built in one pass."""

    def __init__(self, documents: Sequence[LexicalDocument]) -> None:
        self._size = len(documents)
        self._vocabulary: dict[str, int] = {}
        known = self._vocabulary
        sizes = np.array([len(doc.counts) for doc in documents], dtype=np.int64)
        term_ids = np.fromiter(
            (known.setdefault(term, len(known)) for doc in documents for term in doc.terms), np.int32, sizes.sum()
        )
        rows = np.repeat(np.arange(self._size, dtype=np.int32), sizes)
        counts = np.concatenate([np.zeros(0, np.float32), *(doc.counts for doc in documents)], dtype=np.float32)
        lengths = np.array([max(doc.counts.sum(), 1) for doc in documents], dtype=np.float32)
        self._mean_length = float(lengths.mean()) if self._size else 1.0
        frequency = np.bincount(term_ids, minlength=len(known))
        self._idf: Floats = _compute_idf(self._size, frequency.astype(np.float32))
        self._unknown_idf = float(_compute_idf(self._size, np.zeros(1, dtype=np.float32))[0])
        relative = lengths[rows] / np.float32(self._mean_length)
        weights = self._idf[term_ids] * counts * (_K1 + 1) / (counts + _K1 * (1 - _B + _B * relative))
        order = np.argsort(term_ids, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(frequency)])
        self._rows, self._weights = rows[order], weights[order].astype(np.float32)
        self._common = {term: at for at, term in enumerate(np.flatnonzero(2 * frequency > self._size).tolist())}
        self._everywhere: Floats = np.zeros((len(self._common), self._size), dtype=np.float32)
        for term, at in self._common.items():
            self._everywhere[at, self._rows[self._span(term)]] = self._weights[self._span(term)]

    def score(self, message: Terms) -> LexicalScores:
        """Score every skill for the terms of a message."""
        total = np.zeros(self._size, dtype=np.float32)
        groups = [dict.fromkeys(group) for group in message if group]
        known = weight = 0.0
        for group in groups:
            found = [self._vocabulary[term] for term in group if term in self._vocabulary]
            mine = float(self._idf[found].sum()) if found else 0.0
            ideal = mine + self._unknown_idf * (len(group) - len(found))
            known, weight = known + mine, weight + ideal
            if found:
                total += self._sum_weights(found) / (ideal * len(groups))
        return LexicalScores(total, known / weight if weight else 0.0)

    def score_one(self, message: Terms, document: Counter[str]) -> float:
        """Score a document that is not in the index as if it were."""
        length = max(sum(document.values()), 1)
        bm25 = Bm25(self._size, self._mean_length, _K1, _B)
        groups = [dict.fromkeys(group) for group in message if group]
        score = 0.0
        for group in groups:
            idf = {term: self._get_idf(term) for term in group}
            score += bm25.score(idf, document, length) / (sum(idf.values()) * len(groups))
        return score

    def _get_idf(self, term: str) -> float:
        at = self._vocabulary.get(term)
        return self._unknown_idf if at is None else float(self._idf[at])

    def has_term(self, term: str) -> bool:
        """Whether any skill has the term."""
        return term in self._vocabulary

    def find_shared_words(self, words: Sequence[str], skill: int) -> tuple[str, ...]:
        """Words shared by a message and a skill, in message order; overlapping Chinese bigrams are joined."""
        found: list[str] = []
        joins = False
        for word in words:
            has = self._skill_has_term(word, skill)
            if has and joins and has_cjk(word) and len(word) == 2 and found[-1][-1] == word[0]:
                found[-1] += word[1]
            elif has and not (has_cjk(word) and len(word) == 1):
                found.append(word)
            joins = has and len(word) == 2 and has_cjk(word)
        return tuple(dict.fromkeys(found))

    def _skill_has_term(self, term: str, skill: int) -> bool:
        at = self._vocabulary.get(term)
        if at is None:
            return False
        rows = self._rows[self._span(at)]
        place = int(rows.searchsorted(np.int32(skill)))
        return place < len(rows) and int(rows[place]) == skill

    def _sum_weights(self, term_ids: list[int]) -> Floats:
        """Summed term weights per skill.

        Terms that most skills have are rows of a dense matrix: for an English message they are three quarters of all
        additions.
        """
        rare = [self._span(term) for term in term_ids if term not in self._common]
        rows = np.concatenate([self._rows[:0], *(self._rows[span] for span in rare)])
        weights = np.concatenate([self._weights[:0], *(self._weights[span] for span in rare)])
        common = self._everywhere[[self._common[term] for term in term_ids if term in self._common]]
        found: Floats = np.bincount(rows, weights, minlength=self._size).astype(np.float32) + common.sum(axis=0)
        return found

    def _span(self, term: int) -> slice:
        return slice(self._starts[term], self._starts[term + 1])


def _compute_idf(size: int, frequency: Floats) -> Floats:
    idf: Floats = np.log(1 + (size - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    return idf
