"""Values that travel along the edges of a DAG: an array with its dimensions, axis, unit and kind."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import numpy as np

from metier.errors import InvalidInput
from metier.json_values import JsonInvalid, JsonObject, JsonValue, copy_json

# Float or complex of any width: numpy's own functions return wider types than a stricter alias would take.
Array: TypeAlias = "np.ndarray[tuple[Any, ...], np.dtype[Any]]"
NO_DOMAIN: Final = "none"


@dataclass(frozen=True, slots=True)
class Axis:
    """Regular axis of the last dimension: what it counts, its step and its start.

    The step is given by the data and never assumed: a sampling rate that is not known is asked for.
    """

    domain: str
    step: float
    start: float = 0.0
    unit: str = ""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.step) and self.step > 0 and math.isfinite(self.start)):
            message = f"an axis has a step above zero and a finite start, not {self.step!r} and {self.start!r}"
            raise InvalidInput(message, hint="give the sampling rate, or the width of a bin")

    @property
    def rate(self) -> float:
        """Samples per unit of the axis: the sampling rate in Hz for an axis in seconds."""
        return 1.0 / self.step

    def to_json(self) -> JsonObject:
        return {"domain": self.domain, "step": self.step, "start": self.start, "unit": self.unit}

    @classmethod
    def from_json(cls, data: JsonObject) -> "Axis":
        """Read an axis written by `to_json`."""
        step, start = data["step"], data.get("start", 0.0)
        if not isinstance(step, int | float) or not isinstance(start, int | float):
            raise InvalidInput("the step and start of an axis are numbers", hint='{"domain": "time", "step": 0.001}')
        return cls(str(data["domain"]), float(step), float(start), str(data.get("unit", "")))


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """An array (float or complex, read-only) with everything an operator must know to treat it rightly.

    `kind` and `unit` are words of the pack ("pressure", "kPa"); the unit is "" without dimension and "?" if unknown.
    `notes` hold small facts: names of features, a band that was chosen, the fields of a decision.
    """

    array: Array
    dims: tuple[str, ...]
    axis: Axis | None
    unit: str
    kind: str
    notes: Mapping[str, JsonValue] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "array", _read_only(self.array))
        object.__setattr__(self, "dims", tuple(self.dims))
        object.__setattr__(self, "notes", _copy_notes(self.notes))
        if len(self.dims) != self.array.ndim:
            message = f"dims {self.dims!r} do not name the {self.array.ndim} dimensions of shape {self.array.shape!r}"
            raise InvalidInput(message, hint="one name for each dimension, such as ('channel', 'time')")
        if self.axis is not None and not self.dims:
            raise InvalidInput("a single number has no axis", hint="axis=None")
        if not self.kind:
            raise InvalidInput("a value has a kind", hint="a word of the pack, such as 'pressure'")

    @property
    def domain(self) -> str:
        """Domain of the axis; `none` without one."""
        return self.axis.domain if self.axis is not None else NO_DOMAIN

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return tuple(map(int, self.array.shape))

    def describe(self) -> JsonObject:
        """Everything but the array, as JSON."""
        return {
            "shape": list(self.shape),
            "dims": list(self.dims),
            "axis": None if self.axis is None else self.axis.to_json(),
            "unit": self.unit,
            "kind": self.kind,
            "notes": dict(self.notes),
        }


def _read_only(given: object) -> Array:
    array = np.asarray(given)
    if array.dtype.kind in "biu":
        array = array.astype(np.float64)
    if array.dtype.kind not in "fc":
        raise InvalidInput(f"an array of {array.dtype} is no value", hint="float or complex numbers")
    seen = array.view()
    seen.flags.writeable = False
    return seen


def _copy_notes(notes: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    try:
        copied = copy_json(dict(notes))
    except JsonInvalid as error:
        raise InvalidInput(f"the notes of a value are no JSON: {error}", hint="numbers, texts, lists, maps") from error
    return dict(copied) if isinstance(copied, Mapping) else {}
