"""Nodes of a DAG: a root or one execution of an operator, described without its array."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import Formatter
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from metier.errors import InvalidInput
from metier.flow.dag._value import NO_DOMAIN, Axis
from metier.json_values import JsonObject, JsonValue, clean_json
from metier.language import BilingualText, Language, Sentences

if TYPE_CHECKING:
    from metier.flow.dag._value import Value

NodeState = Literal["done", "failed"]
_MAX_LISTED: Final = 16
_WORDS: Final = Sentences(
    {
        "rms": ("RMS {number}", "有效值 {number}"),
        "min": ("min {number}", "最小 {number}"),
        "max": ("max {number}", "最大 {number}"),
        "mean": ("mean {number}", "平均 {number}"),
        "peak_at": ("peak at {number}", "峰值在 {number}"),
        "judged": ("{verdict}: {measure}", "{verdict}：{measure}"),
    }
)
_SCORE: Final = BilingualText(zh="得分 {score}", en="score {score}")
_FIGURES: Final = ("rms", "min", "max", "mean", "peak_at")
_BLANKS: Final = re.compile(r"\s+(?=\s|（|$)")


@dataclass(frozen=True, slots=True)
class Node:
    """A root (`op_name` is empty) or one execution. `digest` is the key under which its value is stored."""

    id: str
    digest: str
    name: str = ""
    op_name: str = ""
    category: str = "input"
    version: str = ""
    params: JsonObject = field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    state: NodeState = "done"
    error: str = ""
    shape: tuple[int, ...] = ()
    dims: tuple[str, ...] = ()
    axis: Axis | None = None
    unit: str = ""
    kind: str = ""
    notes: JsonObject = field(default_factory=dict)
    key_values: JsonObject = field(default_factory=dict)
    elapsed_ms: float = 0.0
    cached: bool = False

    @property
    def domain(self) -> str:
        """Domain of the value's axis; `none` without one."""
        return self.axis.domain if self.axis is not None else NO_DOMAIN

    @property
    def is_root(self) -> bool:
        """Whether the node was given and not computed."""
        return not self.op_name

    @property
    def title(self) -> str:
        """Name of the root or of the operator."""
        return self.name if self.is_root else self.op_name

    def to_json(self) -> JsonObject:
        """All fields; what `from_json` reads."""
        return {
            "id": self.id,
            "digest": self.digest,
            "name": self.name,
            "op_name": self.op_name,
            "category": self.category,
            "version": self.version,
            "params": self.params,
            "inputs": list(self.inputs),
            "state": self.state,
            "error": self.error,
            "shape": list(self.shape),
            "dims": list(self.dims),
            "axis": None if self.axis is None else self.axis.to_json(),
            "unit": self.unit,
            "kind": self.kind,
            "notes": self.notes,
            "key_values": self.key_values,
            "elapsed_ms": self.elapsed_ms,
            "cached": self.cached,
        }

    def export(self) -> JsonObject:
        """What a model or a reader needs: operator, parameters, inputs, shape, axis, key values or the failure."""
        told: dict[str, JsonValue] = {"id": self.id, "op_name": self.op_name or "input", "category": self.category}
        if self.is_root:
            told["name"] = self.name
        else:
            told |= {"params": self.params, "inputs": list(self.inputs)}
        if self.state == "failed":
            return {**told, "state": "failed", "error": self.error}
        told |= {"shape": list(self.shape), "dims": list(self.dims), "kind": self.kind, "unit": self.unit}
        if self.axis is not None:
            told["axis"] = self.axis.to_json()
        told |= {"key_values": self.key_values}
        return {**told, "notes": self.notes} if self.notes else told

    def describe_result(self, verdict: str, language: Language, measure: BilingualText | None = None) -> str:
        """A decision by its verdict and named score, a number by its value, a signal by its RMS, others by their peak.

        `measure` is the name of the score, with notes and parameters as `{name}`.
        """
        if verdict:
            named = self._name_score(measure, language)
            return _WORDS.render("judged", language, verdict=verdict, measure=named) if named else verdict
        if short := self._describe_short():
            return short
        is_peak = "peak_at" in self.key_values and self.domain != "time"
        return self._describe_figure("peak_at" if is_peak and self.axis is not None else "rms", language)

    def describe_figures(self, language: Language, names: Sequence[str] = ()) -> tuple[str, ...]:
        """All key values of a result that is no decision, each in words with its unit; `names` are those of a list."""
        values = self.key_values.get("values")
        if names and isinstance(values, Sequence) and len(values) == len(names):
            unit = _name_unit(self.unit)
            return tuple(f"{name} {_shorten(one)} {unit}".strip() for name, one in zip(names, values, strict=True))
        if short := self._describe_short():
            return (short,)
        return tuple(told for key in _FIGURES if (told := self._describe_figure(key, language)))

    def _describe_short(self) -> str:
        if "value" in self.key_values:
            return f"= {_shorten(self.key_values['value'])} {_name_unit(self.unit)}".strip()
        listed = _shorten(self.key_values.get("values", ""))
        return f"{listed} {_name_unit(self.unit)}".strip() if listed else ""

    def _describe_figure(self, key: str, language: Language) -> str:
        if key not in self.key_values:
            return ""
        unit = self.axis.unit if key == "peak_at" and self.axis is not None else self.unit
        number = f"{_shorten(self.key_values[key])} {_name_unit(unit)}".strip()
        return _WORDS.render(key, language, number=number)

    def _name_score(self, measure: BilingualText | None, language: Language) -> str:
        score = self.notes.get("score")
        if not isinstance(score, int | float):
            return ""
        known = {name: _round_short(one) for name, one in {**self.params, **self.notes}.items() if one is not None}
        template = _SCORE if measure is None else measure
        if not {name for _, name, _, _ in Formatter().parse(template.text(language)) if name} <= known.keys():
            template = _SCORE  # a node of an older version
        return _BLANKS.sub("", template.text(language).format_map(known))

    @classmethod
    def from_json(cls, data: JsonObject) -> "Node":
        """Read a node written by `to_json`; `InvalidInput` for anything else."""
        axis = data.get("axis")
        elapsed = data.get("elapsed_ms", 0.0)
        return cls(
            id=_read_text(data, "id"),
            digest=_read_text(data, "digest"),
            name=_read_text(data, "name"),
            op_name=_read_text(data, "op_name"),
            category=_read_text(data, "category"),
            version=_read_text(data, "version"),
            params=_read_object(data, "params"),
            inputs=tuple(map(str, _read_list(data, "inputs"))),
            state="failed" if data.get("state") == "failed" else "done",
            error=_read_text(data, "error"),
            shape=tuple(int(one) for one in _read_list(data, "shape") if isinstance(one, int)),
            dims=tuple(map(str, _read_list(data, "dims"))),
            axis=Axis.from_json(axis) if isinstance(axis, Mapping) else None,
            unit=_read_text(data, "unit"),
            kind=_read_text(data, "kind"),
            notes=_read_object(data, "notes"),
            key_values=_read_object(data, "key_values"),
            elapsed_ms=float(elapsed) if isinstance(elapsed, int | float) else 0.0,
            cached=data.get("cached") is True,
        )


def digest_call(op_name: str, version: str, params: JsonObject, inputs: Sequence[str]) -> str:
    """Key of an execution: the operator, its version, all parameters and the keys of the inputs."""
    text = json.dumps([op_name, version, params, list(inputs)], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def digest_value(value: "Value") -> str:
    """Key of a root: its array and everything that describes it."""
    described = json.dumps(value.describe(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    hashed = hashlib.sha256(f"{described}{value.array.dtype.str}".encode())
    hashed.update(np.ascontiguousarray(value.array).data)
    return hashed.hexdigest()


def summarize(value: "Value") -> JsonObject:
    """Key values of an array: all of a short one, otherwise range, mean, RMS and where the largest one lies."""
    array = np.abs(value.array) if value.array.dtype.kind == "c" else value.array
    if array.size == 0:
        return {}
    if array.size <= _MAX_LISTED:
        rounded = [_round(float(one)) for one in array.ravel()]
        return {"value": rounded[0]} if array.ndim == 0 else {"values": rounded}
    flat = array.reshape(-1)
    low, high = float(flat.min()), float(flat.max())
    found: dict[str, JsonValue] = {
        "min": _round(low),
        "max": _round(high),
        "mean": _round(float(flat.mean())),
        # No BLAS: its threads take the cores from executors beside this one.
        "rms": _round(float(np.sqrt(np.einsum("i,i->", flat, flat) / flat.size))),
    }
    if value.axis is not None:
        place = int(flat.argmax() if high >= -low else flat.argmin()) % array.shape[-1]
        found["peak_at"] = _round(value.axis.start + place * value.axis.step)
    return found


def _name_unit(unit: str) -> str:
    return "" if unit == "?" else unit


def _shorten(value: JsonValue) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_shorten, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _round_short(value: JsonValue) -> str:
    """A value within a sentence: three digits, no more of a whole number than it has."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_round_short, value))
    if isinstance(value, float):
        return f"{value:.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.3g}"
    return _shorten(value)


def _round(number: float) -> JsonValue:
    return clean_json(float(f"{number:.6g}"))


def _read_text(data: JsonObject, key: str) -> str:
    found = data.get(key, "")
    if not isinstance(found, str):
        raise InvalidInput(f"{key!r} of a node is no text: {str(found)[:60]!r}", hint="a file written by export")
    return found


def _read_list(data: JsonObject, key: str) -> Sequence[JsonValue]:
    found = data.get(key, [])
    if isinstance(found, str) or not isinstance(found, Sequence):
        raise InvalidInput(f"{key!r} of a node is no list: {str(found)[:60]!r}", hint="a file written by export")
    return found


def _read_object(data: JsonObject, key: str) -> JsonObject:
    found = data.get(key, {})
    if not isinstance(found, Mapping):
        raise InvalidInput(f"{key!r} of a node is no object: {str(found)[:60]!r}", hint="a file written by export")
    return found
