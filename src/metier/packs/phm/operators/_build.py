"""Parts that the tables of operators are made of: parameter schemas, ports, axes, units and values."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias, cast

import numpy as np

from metier.flow import Axis, Port, Value
from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText

Params: TypeAlias = Mapping[str, JsonValue]
Compute: TypeAlias = Callable[[Sequence[Value], Params], Value]

# Measured quantities that vibration functions apply to. A tacho or a speed channel is none of them.
SIGNALS: Final = ("vibration", "velocity", "displacement", "acoustic", "force", "torque", "current", "signal")
WAVES: Final = (*SIGNALS, "envelope", "scalogram")
SPECTRA: Final = ("spectrum", "psd", "envelope_spectrum", "order_spectrum", "spectrogram")
SERIES: Final = ("features", "health_index", "trend")
SPEEDS: Final = ("tacho", "speed")
_KEPT_NOTES: Final = ("record_step", "record_unit", "bands_hz", "centers_hz", "band_hz", "names")
_INTEGRALS: Mapping[str, str] = {"m/s2": "m/s", "mm/s2": "mm/s", "m/s": "m", "mm/s": "mm"}


def say(zh: str, en: str) -> BilingualText:
    """Description of an operator in both languages."""
    return BilingualText(zh=zh, en=en)


def number(
    text: str, default: float | None = None, *, low: float | None = None, high: float | None = None
) -> JsonObject:
    """Schema of a number; required without a default."""
    return _make_number("number", text, default, low, high)


def whole(text: str, default: int | None = None, *, low: int | None = None, high: int | None = None) -> JsonObject:
    """Schema of a whole number; required without a default."""
    return _make_number("integer", text, default, low, high)


def _make_number(kind: str, text: str, default: float | None, low: float | None, high: float | None) -> JsonObject:
    bounds = {"minimum": low, "maximum": high, "default": default}
    return {"type": kind, "description": text, **{key: value for key, value in bounds.items() if value is not None}}


def positive(text: str, default: float | None = None) -> JsonObject:
    """Schema of a number above zero."""
    given: dict[str, JsonValue] = {} if default is None else {"default": default}
    return {"type": "number", "exclusiveMinimum": 0, "description": text, **given}


def choice(text: str, options: Sequence[str], default: str | None = None) -> JsonObject:
    """Schema of one of several words; required without a default."""
    given: dict[str, JsonValue] = {} if default is None else {"default": default}
    return {"type": "string", "enum": list(options), "description": text, **given}


def flag(text: str, default: bool) -> JsonObject:
    """Schema of yes or no."""
    return {"type": "boolean", "description": text, "default": default}


def band(text: str, default: Sequence[float] | None = None) -> JsonObject:
    """Schema of a pair (low, high); required without a default."""
    given: dict[str, JsonValue] = {} if default is None else {"default": list(default)}
    return {
        "type": "array",
        "items": {"type": "number", "minimum": 0},
        "minItems": 2,
        "maxItems": 2,
        "description": text,
        **given,
    }


def optional(schema: JsonObject) -> JsonObject:
    """The same schema for a parameter that may be left out or null."""
    kind = schema["type"]
    options = schema.get("enum")
    more: dict[str, JsonValue] = {"enum": [*options, None]} if isinstance(options, Sequence) else {}
    return {**schema, "type": [kind, "null"], "default": None, **more}


def params_of(**properties: JsonObject) -> JsonObject:
    """Schema of the parameters of an operator; those without a default are required."""
    required = [name for name, one in properties.items() if "default" not in one]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def port(name: str, kinds: Sequence[str] = (), domains: Sequence[str] = (), *, many: bool = False) -> Port:
    """Input or output port."""
    return Port(name, tuple(kinds), tuple(domains), many)


SIGNAL: Final = port("signal", SIGNALS, ("time", "angle"))
TIME_SIGNAL: Final = port("signal", SIGNALS, ("time",))
SPECTRUM: Final = port("spectrum", SPECTRA, ("frequency", "order"))


def axis_of(value: Value) -> Axis:
    """Axis of a value; its absence is said, never filled in."""
    if value.axis is None:
        raise ValueError(f"the {value.kind} has no axis: its sampling rate or step is not known")
    return value.axis


def make_value(
    array: object,
    dims: Sequence[str],
    axis: Axis | None,
    unit: str,
    kind: str,
    *,
    notes: Mapping[str, JsonValue] | None = None,
    source: Value | None = None,
) -> Value:
    """Value with the facts that its source hands down (record step, bands, names)."""
    kept = {name: source.notes[name] for name in _KEPT_NOTES if name in source.notes} if source is not None else {}
    given = cast("np.ndarray[tuple[int, ...], np.dtype[np.float64 | np.complex128]]", np.asarray(array))
    return Value(given, tuple(dims), axis, unit, kind, {**kept, **(notes or {})})


def make_like(source: Value, array: object, **changes: str) -> Value:
    """Value with the dimensions, axis and kind of its source; `unit` and `kind` may change."""
    return make_value(
        array,
        source.dims,
        source.axis,
        changes.get("unit", source.unit),
        changes.get("kind", source.kind),
        notes=source.notes,
    )


def spectral_axis(source: Axis, step: float, start: float = 0.0) -> Axis:
    """Axis of a spectrum: frequency in Hz from time, orders from angle."""
    if source.domain == "angle":
        return Axis("order", step, start, "order")
    return Axis("frequency", step, start, "Hz")


def square_unit(unit: str) -> str:
    """Unit of a square."""
    if unit in ("", "?"):
        return unit
    return f"({unit})2" if "/" in unit else f"{unit}2"


def integral_unit(unit: str) -> str:
    """Unit after one integration over time."""
    return _INTEGRALS.get(unit, unit if unit == "?" else f"{unit} s".strip())


def derivative_unit(unit: str) -> str:
    """Unit of the derivative by time: the one whose integral this unit is, so that both ways lead to known units."""
    known = next((one for one, integral in _INTEGRALS.items() if integral == unit), "")
    return known or (unit if unit == "?" else f"{unit or '1'}/s")


def as_number(params: Params, name: str) -> float:
    """Parameter that the schema has checked to be a number."""
    value = params[name]
    if not isinstance(value, int | float):
        raise ValueError(f"parameter {name!r} must be a number, not {value!r}")
    return float(value)


def as_whole(params: Params, name: str) -> int:
    """Parameter that the schema has checked to be a whole number."""
    return int(as_number(params, name))


def as_text(params: Params, name: str) -> str:
    """Parameter that the schema has checked to be a text."""
    return str(params[name])


def as_pair(params: Params, name: str) -> tuple[float, float] | None:
    """Pair (low, high), or None if it was left out."""
    value = params.get(name)
    if value is None:
        return None
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 2:
        raise ValueError(f"parameter {name!r} needs two numbers, low and high")
    low, high = value
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        raise ValueError(f"parameter {name!r} needs two numbers, low and high")
    return float(low), float(high)


def as_numbers(value: JsonValue) -> list[float]:
    """List of numbers."""
    items = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return [float(one) for one in items if isinstance(one, int | float)]


def as_texts(value: JsonValue) -> list[str]:
    """List of texts."""
    items = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    return [str(one) for one in items]


def one_channel(value: Value) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The only record of a value; several are refused."""
    array = np.asarray(value.array, dtype=np.float64)
    if array.ndim == 0 or array.size != array.shape[-1]:
        raise ValueError(f"one channel is needed, not an array of shape {array.shape}; choose one (select)")
    return cast("np.ndarray[tuple[int], np.dtype[np.float64]]", array.reshape(-1))


def make_decision(
    scores: object, dims: Sequence[str], verdict: str, score: float | None, facts: Mapping[str, JsonValue] | None = None
) -> Value:
    """Decision: its scores as the array, its verdict and facts as notes."""
    shown = None if score is None or not np.isfinite(score) else float(score)
    return make_value(scores, dims, None, "", "decision", notes={"verdict": verdict, "score": shown, **(facts or {})})
