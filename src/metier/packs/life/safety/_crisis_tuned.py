"""Tuned part of the crisis check: the router's encoder with weights of its own, whose vector is turned into a score.

`python -m training.crisis_tuned` learns the weights (7 MB in half precision). The token vectors are the encoder's, in
memory once. For blocks of long messages the upper layers have weights that whole messages taught as well.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from metier.packs.life.safety._crisis_head import read_arrays

Floats = NDArray[np.float32]
TUNED_FILE: Final = Path(__file__).with_name("crisis_tuned.npz")
LONG_FILE: Final = Path(__file__).with_name("crisis_long.npz")
# The vector's numbers are small; with it the row that weighs them learns at the pace of the rest.
SCALE: Final = 4.0
_ROW: Final = "row"
_BIAS: Final = "bias"


class TunedEmbedder(Protocol):
    """The encoder with the weights of the check."""

    def embed(self, texts: Sequence[str]) -> Floats: ...


@runtime_checkable
class TunableEmbedder(Protocol):
    """An embedder whose encoder can be opened with other weights; the router's is one."""

    def open_tuned(self, weights: Mapping[str, Floats]) -> TunedEmbedder | None: ...


@dataclass(frozen=True, slots=True)
class TunedScorer:
    """Scores folded texts: above 0 danger is likelier than not."""

    embedder: TunedEmbedder
    row: Floats
    bias: float

    def score(self, texts: Sequence[str]) -> list[float]:
        """A score for each text."""
        return [float(one) for one in self.embedder.embed(texts) @ self.row * SCALE + self.bias]


def load_tuned(embedder: object) -> TunedScorer | None:
    """Load the shipped weights; None for an embedder without its own graph, `Unavailable` if the file is another."""
    return _load(embedder, TUNED_FILE)


def load_long(embedder: object) -> TunedScorer | None:
    """Load the weights for blocks of long messages; None and `Unavailable` as of `load_tuned`."""
    return _load(embedder, TUNED_FILE, LONG_FILE)


def _load(embedder: object, *files: Path) -> TunedScorer | None:
    if not isinstance(embedder, TunableEmbedder):
        return None
    return _load_once(_Opener(type(embedder), embedder.open_tuned), files)


@dataclass(frozen=True, slots=True)
class _Opener:
    """Embedders of one kind open the same encoder, so that it is in a process once."""

    kind: type
    open_tuned: Callable[[Mapping[str, Floats]], TunedEmbedder | None] = field(compare=False)


@cache
def _load_once(opener: _Opener, files: tuple[Path, ...]) -> TunedScorer | None:
    """Open the encoder with the weights of the files, of which a later one has what differs."""
    stored = {name: one for file in files for name, one in read_arrays(file, read_notes(file)["sha256"]).items()}
    weights = {name: one.astype(np.float32) for name, one in stored.items()}
    row, bias = weights.pop(_ROW), weights.pop(_BIAS)
    tuned = opener.open_tuned(weights)
    return None if tuned is None else TunedScorer(tuned, row, float(bias[0]))


@cache
def read_notes(file: Path) -> Mapping[str, str]:
    """Checksum of weights and what they were learned from."""
    found: dict[str, str] = json.loads(file.with_suffix(".json").read_text("utf-8"))
    return MappingProxyType(found)
