"""Learned part of the check for questions on what is never foretold: whether a message asks one, and on which topic.

`python -m training.claims` fits the weights. They need the sentence vector of the router's own embedder.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from metier.packs.life.safety._crisis_head import CrisisHead, Floats, WordFeatures, build_head, read_weights

HEAD_FILE: Final = Path(__file__).with_name("closed_head.npz")
NOTES_FILE: Final = HEAD_FILE.with_suffix(".json")
TOPICS: Final = ("lifespan", "illness", "pregnancy", "stocks", "lottery", "lawsuit")
# Above it a question inside a reading is declined; docs/design/life.md has what was measured at it.
LIMIT: Final = -0.1


@dataclass(frozen=True, slots=True)
class ClosedHead:
    """Weights of the check, and how the middle vector of each topic differs from that of all."""

    weights: CrisisHead
    topics: Floats

    def score(self, words: WordFeatures, vector: Floats) -> float:
        """About 1 for a question that is declined, -1 for anything else."""
        return self.weights.score(words, vector)

    def choose_topic(self, vector: Floats) -> str:
        """The topic whose questions are nearest."""
        return TOPICS[int(np.argmax(self.topics @ vector))]


@cache
def load_closed_head() -> ClosedHead:
    """Load the shipped weights; `Unavailable` if the file is not the one that was shipped."""
    found = read_weights(HEAD_FILE, read_closed_notes()["sha256"])
    return ClosedHead(build_head(found, "full"), found["topics"])


@cache
def read_closed_notes() -> Mapping[str, str]:
    """Checksum of the weights, the embedder they belong to, and what they were learned from."""
    found: dict[str, str] = json.loads(NOTES_FILE.read_text("utf-8"))
    return found
