"""Task types of a message by meaning and cues: a linear model per type, fitted by `python -m training.task_types`."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.tasks._cues import CUE_COUNT, compute_cues, has_two_parts

Floats = NDArray[np.float64]
Embed = Callable[[str], NDArray[np.float32] | None]
_FILE: Final = "task_type_model.json"
# Weights of the two kinds of input, so that one regularisation fits both.
_MEANING_SCALE: Final = 3.0
_CUE_SCALE: Final = 0.7
_MIN_FIRST: Final = 0.4
_MIN_SECOND: Final = 0.5
_MIN_SECOND_IN_ONE_PART: Final = 0.8


@dataclass(frozen=True, slots=True, eq=False)
class TaskTypeModel:
    """Weights by task type for the vectors of one embedder, whatever its version."""

    embedder: str
    types: tuple[str, ...]
    weights: Floats
    talk: Floats

    def score(self, message: str, vector: NDArray[np.float32]) -> Mapping[str, float]:
        """Probability of each task type; a message may have several."""
        scores = 1 / (1 + np.exp(-(compute_features(message, vector) @ self.weights)))
        return MappingProxyType({name: float(one) for name, one in zip(self.types, scores, strict=True)})

    def score_talk(self, message: str, vector: NDArray[np.float32]) -> float:
        """Probability that words alone answer the message: thanks, a word's meaning, what everybody knows."""
        return float(1 / (1 + np.exp(-(compute_features(message, vector) @ self.talk))))

    def to_json(self) -> dict[str, object]:
        weights, talk = np.round(self.weights, 4).tolist(), np.round(self.talk, 4).tolist()
        return {"embedder": self.embedder, "types": list(self.types), "weights": weights, "talk": talk}


def compute_features(message: str, vector: NDArray[np.float32]) -> Floats:
    """Inputs of the model: the direction of the vector and the cues."""
    length = float(np.linalg.norm(vector)) or 1.0
    cues = compute_cues(message)
    cues[:-1] *= _CUE_SCALE
    return np.concatenate([vector.astype(np.float64) / length * _MEANING_SCALE, cues])


def choose_types(message: str, scores: Mapping[str, float]) -> tuple[str, ...]:
    """The likeliest type, and the next one if the message may ask for two things; none if none is likely."""
    ranked: Sequence[str] = sorted(scores, key=lambda name: -scores[name])
    if not ranked or scores[ranked[0]] < _MIN_FIRST:
        return ()
    least = _MIN_SECOND if has_two_parts(message) else _MIN_SECOND_IN_ONE_PART
    return (ranked[0], *(name for name in ranked[1:2] if scores[name] >= least))


@cache
def load_type_model() -> TaskTypeModel:
    """Load the shipped model."""
    read = json.loads((files("metier.tasks") / "data" / _FILE).read_text("utf-8"))
    weights, talk = (np.array(read[name], dtype=np.float64) for name in ("weights", "talk"))
    if weights.shape != (len(talk), len(read["types"])) or len(talk) <= CUE_COUNT:
        raise ValueError(f"{_FILE} is damaged")
    return TaskTypeModel(str(read["embedder"]), tuple(read["types"]), weights, talk)
