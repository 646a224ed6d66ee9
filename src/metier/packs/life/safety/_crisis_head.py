"""Learned part of the crisis check: weighs the words of a message and, where there is one, its sentence vector.

`python -m training.crisis` fits the weights. A message is described by the groups of words it has (and which two
together), by its pieces (characters, words and what stands beside them) and by its vector, linearly and squared.
"""

import hashlib
import json
import re
import tomllib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from metier.compiled import compile_constant
from metier.errors import Unavailable

Floats = NDArray[np.float64]
HEAD_FILE: Final = Path(__file__).with_name("crisis_head.npz")
NOTES_FILE: Final = HEAD_FILE.with_suffix(".json")
PIECE_BUCKETS: Final = 1 << 14
CRISIS_WORDS: Final = Path(__file__).with_name("crisis_words.toml")
_CJK_RUN: Final = re.compile("[\u4e00-\u9fff]+")
_WORD: Final = re.compile(r"[a-z0-9']+")
_PARTS: Final = ("bias", "groups", "pairs", "pieces", "vector", "axes", "curves")
# The share of a part of the message in the sum; chosen with whole kinds of sentences left out.
GROUPS_SHARE: Final = 2.0
PAIRS_SHARE: Final = 2.0
PIECES_SHARE: Final = 3.0
VECTOR_SHARE: Final = 4.0
SQUARES_SHARE: Final = 6.0


@dataclass(frozen=True, slots=True)
class WordFeatures:
    """What the words of a message say: a unit vector of groups, and buckets of pieces."""

    groups: Floats
    pieces: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CrisisHead:
    """Weights of the check; without a vector (`vector` empty) for words alone."""

    bias: float
    groups: Floats
    pairs: Floats
    pieces: Floats
    vector: Floats
    axes: Floats
    curves: Floats
    rarity: Floats

    def score(self, words: WordFeatures, vector: Floats | None = None) -> float:
        """About 1 for a person in danger, -1 for anything else."""
        found = words.groups
        total = self.bias + float(found @ self.groups) + float(found @ self.pairs @ found)
        weights = self.rarity[words.pieces]
        length = float(np.sqrt(weights @ weights))
        total += float(weights @ self.pieces[words.pieces]) / length if length else 0.0
        if vector is not None:
            total += float(vector @ self.vector) + float(self.curves @ np.square(self.axes @ vector))
        return total


def compute_word_features(folded: str, words: Path = CRISIS_WORDS) -> WordFeatures:
    """Groups (of the file `words`) and pieces of a folded text."""
    found = np.array([1.0 if one.search(folded) else 0.0 for one in _read_groups(words).values()])
    length = float(np.sqrt(found.sum()))
    buckets = {zlib.crc32(one.encode()) % PIECE_BUCKETS for one in _cut_pieces(folded)}
    return WordFeatures(found / length if length else found, np.array(sorted(buckets), dtype=np.int64))


def find_word_groups(folded: str, words: Path = CRISIS_WORDS) -> frozenset[str]:
    """Names of the groups that a folded text has."""
    return frozenset(name for name, one in _read_groups(words).items() if one.search(folded))


def normalize_vector(row: NDArray[np.float32]) -> Floats:
    """A vector of length one."""
    found: Floats = row.astype(np.float64)
    return found / max(float(np.sqrt(found @ found)), 1e-9)


@cache
def load_head(*, with_vectors: bool) -> CrisisHead:
    """Load the shipped weights; `Unavailable` if the file is not the one that was shipped."""
    return build_head(read_weights(HEAD_FILE, read_head_notes()["sha256"]), "full" if with_vectors else "words")


def build_head(weights: Mapping[str, Floats], prefix: str) -> CrisisHead:
    """The head whose parts are stored under this prefix."""
    parts = {name: weights[f"{prefix}_{name}"] for name in _PARTS}
    return CrisisHead(float(parts.pop("bias")), **parts, rarity=weights["rarity"])


def read_weights(file: Path, sha256: str) -> dict[str, Floats]:
    """Read the arrays of a shipped file in double precision; `Unavailable` if its content is another one."""
    return {name: one.astype(np.float64) for name, one in read_arrays(file, sha256).items()}


def read_arrays(file: Path, sha256: str) -> dict[str, NDArray[np.floating[Any]]]:
    """Read the arrays of a shipped file as they are stored; `Unavailable` if its content is another one."""
    try:
        if hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
            raise ValueError("its content is not the one that was shipped")
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files if name != "allow_pickle"}
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise Unavailable(f"the file {file.name!r} cannot be used: {error}", hint="install metier again") from error


@cache
def read_head_notes() -> Mapping[str, str]:
    """Checksum of the weights, the embedder they belong to, and what they were learned from."""
    found: dict[str, str] = json.loads(NOTES_FILE.read_text("utf-8"))
    return found


@cache
def _read_groups(file: Path) -> Mapping[str, re.Pattern[str]]:
    listed = tomllib.loads(file.read_text("utf-8"))["groups"]
    return MappingProxyType({name: compile_constant(one) for name, one in listed.items()})


def _cut_pieces(folded: str) -> set[str]:
    """Runs of one to three Chinese characters or English words, and pairs with one between them."""
    found: set[str] = set()
    for run in _CJK_RUN.findall(folded):
        text = f"^{run}$"
        found.update(text[at : at + size] for size in (1, 2, 3) for at in range(len(text) - size + 1))
        found.update(f"{text[at]}_{text[at + 2]}" for at in range(len(text) - 2))
    words = ["<", *_WORD.findall(folded), ">"]
    found.update(" ".join(words[at : at + size]) for size in (1, 2, 3) for at in range(len(words) - size + 1))
    found.update(f"{words[at]} _ {words[at + 2]}" for at in range(len(words) - 2))
    return found
