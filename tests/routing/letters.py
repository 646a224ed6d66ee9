"""An embedder simple enough to check by hand, and routing texts for it."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from metier.routing.text import RoutingText


class Letters:
    """Counts letters: texts of the same letters are alike. Remembers what it was asked."""

    dimension = 26

    def __init__(self, name: str = "letters-1") -> None:
        self.name = name
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.extend(texts)
        counts = np.array([[text.count(chr(ord("a") + at)) for at in range(26)] for text in texts], dtype=np.float32)
        lengths = np.maximum(np.linalg.norm(counts, axis=1, keepdims=True), 1e-9)
        unit: NDArray[np.float32] = (counts / lengths).astype(np.float32, copy=False)
        return unit


def text_of(skill: str, *examples: str, about: str = "") -> RoutingText:
    """The routing text of a skill with these examples."""
    lines = (*examples, "about", about)
    return RoutingText(
        skill=skill,
        group="",
        digest=hashlib.sha256("\n".join(lines).encode()).hexdigest(),
        examples=examples,
        about=(about,) if about else (),
        labels=(),
        triggers=(),
    )
