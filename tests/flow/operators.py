"""A few operators on made-up data, enough to build every shape of DAG."""

import time
from collections.abc import Mapping, Sequence

import numpy as np

from metier.flow import Axis, Operator, OperatorRegistry, Port, Value
from metier.json_values import JsonObject, JsonValue
from metier.language import BilingualText

COMPUTED: list[str] = []  # names of operators that really ran


def record(length: int = 64, rate: float = 64.0, *, scale: float = 1.0) -> Value:
    time_s = np.arange(length) / rate
    return Value(scale * np.sin(2 * np.pi * 8 * time_s), ("time",), Axis("time", 1 / rate, unit="s"), "g", "signal")


def scale(inputs: Sequence[Value], params: Mapping[str, JsonValue]) -> Value:
    COMPUTED.append("scale")
    (one,) = inputs
    factor = params["factor"]
    assert isinstance(factor, int | float)
    return Value(one.array * factor, one.dims, one.axis, one.unit, one.kind)


def spectrum(inputs: Sequence[Value], params: Mapping[str, JsonValue]) -> Value:
    COMPUTED.append("spectrum")
    (one,) = inputs
    assert one.axis is not None
    length = one.array.shape[-1]
    if length < 8:
        raise ValueError(f"{length} samples are too few for a spectrum")
    axis = Axis("frequency", one.axis.rate / length, unit="Hz")
    return Value(np.abs(np.fft.rfft(one.array)) / length, (*one.dims[:-1], "frequency"), axis, one.unit, "spectrum")


def peak(inputs: Sequence[Value], params: Mapping[str, JsonValue]) -> Value:
    COMPUTED.append("peak")
    (one,) = inputs
    assert one.axis is not None
    return Value(np.asarray(one.array.argmax() * one.axis.step), (), None, "Hz", "features", {"names": ["peak"]})


def add(inputs: Sequence[Value], params: Mapping[str, JsonValue]) -> Value:
    COMPUTED.append("add")
    first = inputs[0]
    return Value(np.sum([one.array for one in inputs], axis=0), first.dims, first.axis, first.unit, first.kind)


def misbehave(inputs: Sequence[Value], params: Mapping[str, JsonValue]) -> Value:
    (one,) = inputs
    how = params["how"]
    if how == "nan":
        return Value(one.array / np.zeros(one.array.shape), one.dims, one.axis, "", "signal")
    if how == "kind":
        return Value(one.array, one.dims, one.axis, "", "nonsense")
    if how == "large":
        return Value(np.zeros((40, *one.array.shape)), ("row", *one.dims), one.axis, "", "signal")
    if how == "slow":
        time.sleep(60)
    if how == "none":
        return None  # type: ignore[return-value]
    raise KeyError("a bug in the operator")


def operators() -> tuple[Operator, ...]:
    def text(words: str) -> BilingualText:
        return BilingualText(words, words)

    number: JsonObject = {"type": "object", "properties": {"factor": {"type": "number", "default": 2.0}}}
    hows: JsonObject = {"type": "object", "properties": {"how": {"type": "string"}}, "required": ["how"]}
    signal = Port("signal", ("signal",), ("time",))
    lines = Port("spectrum", ("spectrum",), ("frequency",))
    return (
        Operator("scale", "transform", text("multiply"), number, (signal,), signal, scale),
        Operator("spectrum", "transform", text("amplitudes"), {}, (signal,), lines, spectrum),
        Operator("peak", "aggregate", text("largest line"), {}, (lines,), Port("peak", ("features",)), peak),
        Operator("add", "multi", text("sum"), {}, (Port("signals", ("signal",), many=True),), signal, add),
        Operator("misbehave", "transform", text("fails"), hows, (signal,), signal, misbehave),
        Operator("far", "transform", text("fails"), hows, (signal,), signal, misbehave, engine="process"),
    )


def registry() -> OperatorRegistry:
    return OperatorRegistry(operators())
