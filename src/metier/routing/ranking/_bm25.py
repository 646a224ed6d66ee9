"""Words: the share of a message's telling words that a skill has.

Term counts saturate as in BM25. The weight of a term is its rarity relative to the most common term of the message, not
to the number of skills: an unrelated skill, which shares no term with the message, changes no score of another. A score
is 0 for no term, about 1 for all, up to 4 when the skill repeats them. Terms unknown to the catalog count in the
message's weight, so an unrelated message scores low against every skill.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from metier.routing.text import WordSynonyms
from metier.textsearch import Terms, extract_terms, has_cjk

Floats = NDArray[np.float32]

_K1 = 3.0
_B = 0.3
# A fixed length instead of the catalog's mean, so that other skills do not change a score.
_TYPICAL_TERMS = 400
# Rare words count more than their logarithm says: +1 to +2 points on descriptions.
_RARITY_POWER = 2.0
# A synonym is worth a little less than the word itself. As terms of their own, the six synonyms of one word outweighed
# it: of 355 examples of five packs, each left out in turn, 14 were surely wrong, now 8. More for a skill that has
# several of them was no better.
_SYNONYM_WORTH = 0.8
# A term of more than an eighth of the skills is a row of a dense matrix of at most 8 MB.
_DENSE_SHARE = 8
_MAX_DENSE_NUMBERS = 2_000_000


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
        left = dict(zip(self.terms, self.counts.tolist(), strict=True))
        for term, count in count_terms([text]).items():  # `Counter.__sub__` goes through all terms of the skill
            if left.get(term, 0) > count:
                left[term] -= count
            else:
                left.pop(term, None)
        return Counter(left)


# Id (-1 if unknown) and weight of each term of a group.
_Weighed = tuple[NDArray[np.int64], Floats]


def _list_groups(message: Terms) -> list[list[str]]:
    return [list(dict.fromkeys(group)) for group in message if group]


def _weigh_synonym(
    message: Terms, weighed: Sequence[_Weighed], one: WordSynonyms
) -> tuple[Sequence[NDArray[np.bool_]], float]:
    """Which terms of the message are those of the word that is said, and what a synonym of it is worth."""
    said = {*one.said.words, *one.said.pieces}
    parts = [np.array([term in said for term in group], dtype=np.bool_) for group in _list_groups(message)]
    shares = [float(weights[part].sum() / weights.sum()) for (_, weights), part in zip(weighed, parts, strict=True)]
    return parts, _SYNONYM_WORTH * sum(shares) / max(len(shares), 1)


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
        frequency = np.bincount(term_ids, minlength=len(known))
        self._frequency: Floats = frequency.astype(np.float32)
        weights = _saturate(counts, lengths[rows])
        order = np.argsort(term_ids, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(frequency)])
        self._rows, self._weights = rows[order], weights[order].astype(np.float32)
        common = _find_common(frequency, self._size)
        # Row of each term in the dense matrix, -1 if it is not there.
        self._common_places = np.full(len(known), -1, dtype=np.int64)
        self._common_places[common] = np.arange(len(common))
        self._everywhere: Floats = np.zeros((len(common), self._size), dtype=np.float32)
        for at, term in enumerate(common.tolist()):
            self._everywhere[at, self._rows[self._span(term)]] = self._weights[self._span(term)]

    def score(self, message: Terms, synonyms: Sequence[WordSynonyms] = ()) -> LexicalScores:
        """Score every skill for the terms of a message; a word that it says in other words counts nearly as much."""
        weighed = [self._weigh(group) for group in _list_groups(message)]
        whole = sum(float(weights.sum()) for _, weights in weighed)
        known = sum(float(weights[ids >= 0].sum()) for ids, weights in weighed)
        values = self._sum_shares(weighed, [ids >= 0 for ids, _ in weighed])
        for one in synonyms:
            values += self._score_lacking(message, weighed, one)
        return LexicalScores(values, known / whole if whole else 0.0)

    def _score_lacking(self, message: Terms, weighed: Sequence[_Weighed], one: WordSynonyms) -> Floats:
        """What each skill is to get for a word of the message that it says in other words, beside what it has of it."""
        parts, worth = _weigh_synonym(message, weighed, one)
        held = self._sum_shares(weighed, [part & (ids >= 0) for (ids, _), part in zip(weighed, parts, strict=True)])
        best: Floats = np.max([self.score(other).values for other in one.others], axis=0)
        more: Floats = np.maximum(np.float32(worth) * np.minimum(best, 1) - held, 0)
        return more

    def _sum_shares(self, weighed: Sequence[_Weighed], chosen: Sequence[NDArray[np.bool_]]) -> Floats:
        """Score of each skill for the chosen terms of a message."""
        found, shares = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.float32)]
        for (ids, weights), used in zip(weighed, chosen, strict=True):
            found.append(ids[used])
            shares.append(weights[used] / np.float32(weights.sum() * len(weighed)))
        return self._sum_weights(np.concatenate(found), np.concatenate(shares))

    def score_groups(self, groups: Sequence[Sequence[str]]) -> Floats:
        """Share of the groups of which each skill has a term; a group weighs by how few skills have one."""
        held: Floats = np.zeros((len(groups), self._size), dtype=np.float32)
        for row, group in zip(held, groups, strict=True):
            for term in group:
                if (found := self._vocabulary.get(term)) is not None:
                    row[self._rows[self._span(found)]] = 1
        counts = held.sum(axis=1)
        rarity = np.log1p((counts.max(initial=0) + 1) / (counts + np.float32(0.5))) ** np.float32(_RARITY_POWER)
        shares: Floats = rarity @ held / max(rarity.sum(), np.float32(1))
        return shares

    def score_one(self, message: Terms, document: Counter[str], synonyms: Sequence[WordSynonyms] = ()) -> float:
        """Score a document that is not in the index as if it were."""
        length = np.float32(max(sum(document.values()), 1))
        groups, shares = _list_groups(message), []
        weighed = [self._weigh(group) for group in groups]
        for group, (_, weights) in zip(groups, weighed, strict=True):
            counts = np.array([document.get(term, 0) for term in group], dtype=np.float32)
            shares.append(weights * _saturate(counts, length) / (float(weights.sum()) * len(groups)))
        score = sum(float(share.sum()) for share in shares)
        for one in synonyms:
            parts, worth = _weigh_synonym(message, weighed, one)
            held = sum(float(share[part].sum()) for share, part in zip(shares, parts, strict=True))
            best = max(self.score_one(other, document) for other in one.others)
            score += max(worth * min(best, 1) - held, 0)
        return score

    def _weigh(self, terms: Sequence[str]) -> _Weighed:
        """Id (-1 if unknown) and weight of each term: rarer than the message's most common term weighs more."""
        ids = np.fromiter(map(self._vocabulary.get, terms, repeat(-1)), np.int64, len(terms))
        frequency: Floats = np.zeros(len(ids), dtype=np.float32)
        frequency[ids >= 0] = self._frequency[ids[ids >= 0]]
        rarity = np.log1p((frequency.max() + 1) / (frequency + np.float32(0.5)))
        weights: Floats = (rarity**_RARITY_POWER).astype(np.float32)
        return ids, weights

    def weigh_words(self, words: Sequence[str]) -> float:
        """How rare the words of a text are that skills have: what to look at first in a long message."""
        ids = [found for term in dict.fromkeys(words) if (found := self._vocabulary.get(term)) is not None]
        rarity = np.log1p((self._size + 1) / (self._frequency[ids] + np.float32(0.5)))
        return float((rarity**_RARITY_POWER).sum())

    @property
    def terms(self) -> Collection[str]:
        """Words and pieces that any skill has."""
        return self._vocabulary.keys()

    def has_term(self, term: str) -> bool:
        """Whether any skill has the term."""
        return term in self._vocabulary

    def find_shared_words(self, words: Sequence[str], skill: int) -> tuple[str, ...]:
        """Words shared by a message and a skill, in message order; overlapping Chinese bigrams are joined."""
        found: list[str] = []
        joins = False
        held = self._find_held_terms(words, skill)
        for word in words:
            has = word in held
            if has and joins and has_cjk(word) and len(word) == 2 and found[-1][-1] == word[0]:
                found[-1] += word[1]
            elif has and not (has_cjk(word) and len(word) == 1):
                found.append(word)
            joins = has and len(word) == 2 and has_cjk(word)
        return tuple(dict.fromkeys(found))

    def _find_held_terms(self, words: Sequence[str], skill: int) -> frozenset[str]:
        known = [word for word in dict.fromkeys(words) if word in self._vocabulary]
        ids = np.fromiter(map(self._vocabulary.__getitem__, known), np.int64, len(known))
        at, sizes = self._list_entries(ids)
        held = np.repeat(np.arange(len(known)), sizes)[self._rows[at] == skill]
        return frozenset(known[place] for place in held.tolist())

    def _sum_weights(self, term_ids: NDArray[np.int64], weights: Floats) -> Floats:
        """Summed weights per skill.

        Terms that many skills have are rows of a dense matrix: for an English message they are nearly all additions.
        """
        places = self._common_places[term_ids]
        is_common = places >= 0
        rare, shares = term_ids[~is_common], weights[~is_common]
        at, sizes = self._list_entries(rare)
        held = self._weights[at] * np.repeat(shares, sizes)
        found: Floats = np.bincount(self._rows[at], held, minlength=self._size).astype(np.float32)
        if is_common.any():
            found += weights[is_common] @ self._everywhere[places[is_common]]
        return found

    def _list_entries(self, term_ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Positions of all entries of the terms, one run after the other, and the length of each run."""
        starts, sizes = self._starts[term_ids], self._frequency[term_ids].astype(np.int64)
        return np.arange(sizes.sum()) + np.repeat(starts - (sizes.cumsum() - sizes), sizes), sizes

    def _span(self, term: int) -> slice:
        return slice(self._starts[term], self._starts[term + 1])


def _find_common(frequency: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Terms to keep as dense rows: of many skills, the most common first, as far as the memory reaches.

    A dense row costs as much as a list of a tenth of its length.
    """
    most = max(_MAX_DENSE_NUMBERS // max(size, 1), 1)
    able = np.flatnonzero(frequency * _DENSE_SHARE > size)
    return np.sort(able[np.argsort(-frequency[able], kind="stable")[:most]])


def _saturate(counts: Floats, lengths: Floats | np.float32) -> Floats:
    """BM25's term counts: repeating a term counts less each time, and less in a long text."""
    usual = _K1 * (1 - _B + _B * lengths / np.float32(_TYPICAL_TERMS))
    found: Floats = (counts * (_K1 + 1) / (counts + usual)).astype(np.float32, copy=False)
    return found
