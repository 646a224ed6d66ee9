"""Labelled corpora for training, and their vectors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.routing.ranking import normalize_rows

Floats = NDArray[np.float32]
# Key of the out-of-scope messages in a corpus.
OUT_OF_SCOPE: Final = ""

Encode = Callable[[Sequence[str]], Floats]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Messages by skill, and the title and description texts (`about`) of each skill.

    Corpora of one `family` come from one source; two of them with the same skills in two languages train cross-lingual
    matching.
    """

    name: str
    family: str
    messages: Mapping[str, tuple[str, ...]]
    about: Mapping[str, tuple[str, ...]]
    chinese: bool = False


@dataclass(frozen=True, slots=True)
class EncodedCorpus:
    """Unit vectors of a corpus in one view, by skill."""

    messages: Mapping[str, Floats]
    about: Mapping[str, Floats]

    def apply_map(self, by: Floats) -> "EncodedCorpus":
        """Multiply all vectors by a map."""
        return EncodedCorpus(
            {skill: rows @ by for skill, rows in self.messages.items()},
            {skill: rows @ by for skill, rows in self.about.items()},
        )


def encode_corpus(corpus: Corpus, encode: Encode) -> EncodedCorpus:
    """Encode every text of a corpus as a unit vector."""
    return EncodedCorpus(_encode_texts(corpus.messages, encode), _encode_texts(corpus.about, encode))


def _encode_texts(texts: Mapping[str, tuple[str, ...]], encode: Encode) -> dict[str, Floats]:
    flat = [text for said in texts.values() for text in said]
    rows = normalize_rows(encode(flat)) if flat else np.zeros((0, 1), dtype=np.float32)
    ends = np.cumsum([len(said) for said in texts.values()])
    return dict(zip(texts, np.split(rows, ends[:-1]), strict=True)) if texts else {}
