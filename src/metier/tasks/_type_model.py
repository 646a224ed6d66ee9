"""Task types of a message by meaning, words and cues: linear models fitted by `python -m training.task_types`."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.tasks._cues import compute_cues
from metier.tasks._second_type import (
    SECOND_COUNT,
    Floats,
    TypeScores,
    compute_second_features,
    list_seconds,
    split_parts,
)
from metier.tasks._word_pieces import compute_pieces

Embed = Callable[[str], NDArray[np.float32] | None]
_FILE: Final = "task_type_model.npz"
_ABOUT: Final = "task_type_model.json"
# Weights of the kinds of input, so that one regularisation fits all.
_MEANING_SCALE: Final = 3.0
_PIECE_SCALE: Final = 2.0
_CUE_SCALE: Final = 0.7
_MIN_FIRST: Final = 0.3
_MIN_SECOND: Final = 0.8


@dataclass(frozen=True, slots=True)
class TypeJudgement:
    """Types of a message with their probabilities, the scores of all types, and that words alone are an answer."""

    types: tuple[str, ...]
    scores: Mapping[str, float] = field(hash=False)
    talk: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class TaskTypeModel:
    """Weights for the vectors of one embedder, whatever its version.

    `shares`: one column for each type and one for none, which compete; `alone`: each type by itself; `second`: for the
    question whether a second type is asked for.
    """

    embedder: str
    types: tuple[str, ...]
    shares: Floats
    alone: Floats
    talk: Floats
    second: Floats

    def judge(self, message: str, embed: Embed) -> TypeJudgement | None:
        """Judge a message; None if the embedder does not accept it. Its parts are embedded only if it has a type."""
        vector = embed(message)
        if vector is None:
            return None
        features = compute_features(message, vector)
        whole = self.read(features)
        scores = {name: float(share) for name, share in zip(self.types, whole.shares[:-1], strict=True)}
        talk = float(_squash(features @ self.talk))
        first = int(whole.shares.argmax())
        if first == len(self.types) or whole.shares[first] < _MIN_FIRST:
            return TypeJudgement((), MappingProxyType(scores), talk)
        chances = self._judge_second(message, whole, self.types[first], embed)
        second = max(chances, key=lambda name: chances[name])
        types = (self.types[first], second) if chances[second] >= _MIN_SECOND else (self.types[first],)
        scores |= {name: chances[name] for name in types[1:]}
        return TypeJudgement(types, MappingProxyType(scores), talk)

    def _judge_second(self, message: str, whole: TypeScores, first: str, embed: Embed) -> dict[str, float]:
        """Probability of each type that can come beside the first."""
        vectors = [(part, vector) for part in split_parts(message) if (vector := embed(part)) is not None]
        readings = [whole, *(self.read(compute_features(part, vector)) for part, vector in vectors)]
        features = {
            name: compute_second_features(message, readings, (first, name), self.types)
            for name in list_seconds(first, self.types)
        }
        return {name: float(_squash(one @ self.second)) for name, one in features.items()}

    def read(self, features: Floats) -> TypeScores:
        """Probabilities of all types for the features of one text."""
        odds = features @ self.shares
        raised = np.exp(odds - odds.max())
        return TypeScores(raised / raised.sum(), _squash(features @ self.alone))

    def to_files(self) -> dict[str, bytes]:
        """Files that `load_type_model` reads: the weights, and their embedder, types and checksum."""
        packed = BytesIO()
        arrays = {name: getattr(self, name).astype(np.float16) for name in ("shares", "alone", "talk", "second")}
        np.savez_compressed(packed, **arrays)
        about = {"embedder": self.embedder, "types": self.types, "sha256": sha256(packed.getvalue()).hexdigest()}
        return {_FILE: packed.getvalue(), _ABOUT: (json.dumps(about, indent=1) + "\n").encode()}


def compute_features(message: str, vector: NDArray[np.float32]) -> Floats:
    """Inputs of the model: the direction of the vector, the pieces of the text, the cues and a constant."""
    length = float(np.linalg.norm(vector)) or 1.0
    cues = compute_cues(message)
    cues[:-1] *= _CUE_SCALE
    meaning = vector.astype(np.float64) / length * _MEANING_SCALE
    return np.concatenate([meaning, compute_pieces(message) * _PIECE_SCALE, cues])


def _squash(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)))


@cache
def load_type_model() -> TaskTypeModel:
    """Load the shipped model."""
    folder = files("metier.tasks") / "data"
    packed, about = (folder / _FILE).read_bytes(), json.loads((folder / _ABOUT).read_text("utf-8"))
    if sha256(packed).hexdigest() != about["sha256"]:
        raise ValueError(f"{_FILE} is damaged")
    with np.load(BytesIO(packed), allow_pickle=False) as read:
        shares, alone, talk, second = (read[name].astype(np.float64) for name in ("shares", "alone", "talk", "second"))
    types = tuple(about["types"])
    if (
        shares.shape != (len(talk), len(types) + 1)
        or alone.shape != (len(talk), len(types))
        or len(second) != SECOND_COUNT
    ):
        raise ValueError(f"{_FILE} does not fit this version")
    return TaskTypeModel(str(about["embedder"]), types, shares, alone, talk, second)
