"""Score of a message by the learned parts of the crisis check: of a short one by its parts, of a long one by blocks."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from metier.errors import MetierError
from metier.packs.life.safety._crisis_head import CrisisHead, compute_word_features, load_head, normalize_vector
from metier.packs.life.safety._crisis_parts import COUNTS, list_caught, split_blocks, split_parts
from metier.packs.life.safety._crisis_tuned import TunedScorer

Floats = NDArray[np.float32]
# Of a message in parts, those whose words alone score highest are embedded.
_MAX_EMBEDDED: Final = 6
_MAX_BLOCKS: Final = 3
# How the two learned parts are weighed; fitted on scores of whole authors that were left out.
_HEAD_SHARE: Final = 0.5
_TUNED_SHARE: Final = 0.13
_SHIFT: Final = 0.03
# What the gravest sentence of a block adds to the block's own score, and how the sum is put on the scale of sentences.
_SENTENCE_SHARE: Final = 1.5
_BLOCK_SHARE: Final = 0.21
_BLOCK_SHIFT: Final = 0.15
# Above it a sentence of a long message is asked about, whatever the block tells that it stands in.
_ALONE_BOUND: Final = 0.75
_NOTHING: Final = -1.0


class SentenceEmbedder(Protocol):
    """What the check needs of an embedder."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Floats: ...


@dataclass(frozen=True, slots=True)
class MessageScore:
    """Score of a message, and what it is without pieces torn out of it. `by_words`: no embedder was there."""

    score: float
    of_whole: float
    by_words: bool


@dataclass(frozen=True, slots=True)
class MessageScorer:
    """Scores messages with words and, where they are there, with sentence vectors and the tuned encoder.

    With an encoder `for_blocks` a message is read in blocks, which a short one is not.
    """

    embedder: SentenceEmbedder | None = None
    tuned: TunedScorer | None = None
    for_blocks: TunedScorer | None = None

    def score(self, text: str) -> MessageScore:
        """The score of a message; raises `Unavailable` if the weights of words are damaged."""
        if self.embedder is not None and self.tuned is not None and self.for_blocks is not None:
            with suppress(MetierError):
                return _score_blocks(text, self.embedder, self.tuned, self.for_blocks)
        return self._score_parts(text)

    def _score_parts(self, text: str) -> MessageScore:
        """The highest score of the parts of a message, of those that say something."""
        bounds = split_parts(text)
        parts = _choose_gravest(list(bounds))
        vectors = self._embed(parts)
        scores = _score_by_head(parts, vectors)
        if vectors is not None and self.tuned is not None:
            scores = _blend_all(scores, self.tuned, parts)
        found = [(bounds[part], score) for part, score in zip(parts, scores, strict=True) if score > bounds[part]]
        of_whole = max((score for bound, score in found if bound == COUNTS), default=_NOTHING)
        return MessageScore(max((score for _, score in found), default=_NOTHING), of_whole, by_words=vectors is None)

    def _embed(self, parts: Sequence[str]) -> Floats | None:
        if self.embedder is None or not parts:
            return None
        try:
            return self.embedder.embed(parts)
        except MetierError:
            return None


def blend(head: float, tuned: float) -> float:
    """One score of the head's and the tuned encoder's, on the scale of the head's."""
    return _HEAD_SHARE * head + _TUNED_SHARE * tuned + _SHIFT


def _score_blocks(text: str, embedder: SentenceEmbedder, tuned: TunedScorer, for_blocks: TunedScorer) -> MessageScore:
    """The score of the gravest block: what it tells as a whole, and what its gravest sentence tells alone."""
    blocks = split_blocks(text)
    parts = [*_choose_gravest([one for block in blocks for one in block.sentences]), *list_caught(text)]
    if not parts:
        return MessageScore(_NOTHING, _NOTHING, by_words=False)
    heads = _score_by_head(parts, embedder.embed(parts))
    alone = dict(zip(parts, map(blend, heads, tuned.score(parts)), strict=True))
    gravest = {
        block: max(alone[one] for one in block.sentences if one in alone)
        for block in blocks
        if alone.keys() & block.sentences
    }
    chosen = sorted(gravest, key=lambda block: gravest[block])[-_MAX_BLOCKS:]
    together = for_blocks.score([block.text for block in chosen])
    found = max(score + _SENTENCE_SHARE * gravest[block] for block, score in zip(chosen, together, strict=True))
    of_whole, highest = _BLOCK_SHARE * found + _BLOCK_SHIFT, max(alone.values())
    return MessageScore(max(of_whole, highest if highest > _ALONE_BOUND else _NOTHING), of_whole, by_words=False)


def _choose_gravest(parts: list[str]) -> list[str]:
    """Of many parts those whose words alone score highest."""
    if len(parts) <= _MAX_EMBEDDED:
        return parts
    head = load_head(with_vectors=False)
    return sorted(parts, key=lambda part: _score(head, part, None))[-_MAX_EMBEDDED:]


def _score_by_head(parts: Sequence[str], vectors: Floats | None) -> list[float]:
    head = load_head(with_vectors=vectors is not None)
    rows = [None] * len(parts) if vectors is None else list(vectors)
    return [_score(head, part, row) for part, row in zip(parts, rows, strict=True)]


def _blend_all(heads: list[float], tuned: TunedScorer, parts: Sequence[str]) -> list[float]:
    try:
        return [blend(head, found) for head, found in zip(heads, tuned.score(parts), strict=True)]
    except MetierError:
        return heads


def _score(head: CrisisHead, part: str, row: Floats | None) -> float:
    return head.score(compute_word_features(part), None if row is None else normalize_vector(row))
