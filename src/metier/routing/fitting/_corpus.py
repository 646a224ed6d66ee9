"""Labelled messages to learn from, and their vectors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.routing._dense import unit

Floats = NDArray[np.float32]
# Under this name a corpus keeps messages that no skill is for.
OUTSIDE: Final = ""

Encode = Callable[[Sequence[str]], Floats]


@dataclass(frozen=True, slots=True)
class Corpus:
    """What people say for each skill, and what each skill says of itself.

    Corpora of one `family` come from one source; two of them that name the same skills in two languages teach a view to
    cross from one to the other.
    """

    name: str
    family: str
    messages: Mapping[str, tuple[str, ...]]
    about: Mapping[str, tuple[str, ...]]
    chinese: bool = False


@dataclass(frozen=True, slots=True)
class Encoded:
    """A corpus in one view, before any map: unit vectors of the messages and of what each skill says of itself."""

    messages: Mapping[str, Floats]
    about: Mapping[str, Floats]

    def mapped(self, by: Floats) -> "Encoded":
        """The same, times a map."""
        return Encoded(
            {skill: rows @ by for skill, rows in self.messages.items()},
            {skill: rows @ by for skill, rows in self.about.items()},
        )


def encode_corpus(corpus: Corpus, encode: Encode) -> Encoded:
    """Every text of a corpus as a unit vector."""
    return Encoded(_encoded(corpus.messages, encode), _encoded(corpus.about, encode))


def _encoded(texts: Mapping[str, tuple[str, ...]], encode: Encode) -> dict[str, Floats]:
    flat = [text for said in texts.values() for text in said]
    rows = unit(encode(flat)) if flat else np.zeros((0, 1), dtype=np.float32)
    ends = np.cumsum([len(said) for said in texts.values()])
    return dict(zip(texts, np.split(rows, ends[:-1]), strict=True)) if texts else {}
