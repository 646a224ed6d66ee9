"""Learned checks by topic: questions that are declined (`CLOSED`), and a model's sentences that claim (`CLAIMED`).

`python -m training.claims` fits the weights. They need the sentence vector of the router's own embedder.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from metier.packs.life.safety._crisis_head import (
    CRISIS_WORDS,
    CrisisHead,
    Floats,
    build_head,
    compute_word_features,
    read_weights,
)

_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class TopicCheck:
    """A check: its weights, its groups of words, its topics, and the score above which a text is caught."""

    weights: Path
    words: Path
    topics: tuple[str, ...]
    limit: float

    @property
    def notes(self) -> Path:
        """File with the checksum of the weights."""
        return self.weights.with_suffix(".json")


@dataclass(frozen=True, slots=True)
class TopicHead:
    """Weights of a check, and those that tell its topics from each other, a row for each."""

    check: TopicCheck
    weights: CrisisHead
    words_alone: CrisisHead
    topics: Floats

    def score(self, folded: str, vector: Floats | None) -> float:
        """About 1 for a text that is caught, -1 for anything else; by words alone if there is no vector."""
        found = compute_word_features(folded, self.check.words)
        return self.words_alone.score(found) if vector is None else self.weights.score(found, vector)

    def choose_topic(self, vector: Floats) -> str:
        """The topic that the vector fits best."""
        return self.check.topics[int(np.argmax(self.topics @ vector))]


_TOPICS: Final = ("lifespan", "illness", "pregnancy", "stocks", "lottery", "lawsuit")
# docs/design/life.md has what was measured at the limits.
CLOSED: Final = TopicCheck(_FOLDER / "closed_head.npz", CRISIS_WORDS, _TOPICS, -0.1)
CLAIMED: Final = TopicCheck(_FOLDER / "claim_head.npz", _FOLDER / "claim_words.toml", (*_TOPICS, "fate"), -0.15)


@cache
def load_topic_head(check: TopicCheck) -> TopicHead:
    """Load the shipped weights; `Unavailable` if the file is not the one that was shipped."""
    found = read_weights(check.weights, read_topic_notes(check)["sha256"])
    return TopicHead(check, build_head(found, "full"), build_head(found, "words"), found["topics"])


@cache
def read_topic_notes(check: TopicCheck) -> Mapping[str, str]:
    """Checksum of the weights, the embedder they belong to, and what they were learned from."""
    found: dict[str, str] = json.loads(check.notes.read_text("utf-8"))
    return found
