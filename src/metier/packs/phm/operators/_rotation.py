"""Operators of rotating machines: order tracking, time-synchronous average, gear metrics."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from metier.flow import Axis, Operator, Value
from metier.language import BilingualText
from metier.packs.phm.operators._build import (
    SIGNALS,
    SPEEDS,
    TIME_SIGNAL,
    Params,
    as_number,
    as_whole,
    axis_of,
    make_like,
    make_value,
    params_of,
    port,
    positive,
    say,
    whole,
)
from metier.packs.phm.signals import _gears as gears
from metier.packs.phm.signals import _orders as orders
from metier.packs.phm.signals._checks import FloatArray, check_signal

if TYPE_CHECKING:
    from metier.json_values import JsonObject

_SHAFT = port("shaft", SPEEDS, ("time",))
_FEATURES = port("feature", ("features",), ("none",))
_AVERAGE = port("average", ("average",), ("angle",))
_TEETH = whole("teeth of the gear", low=3, high=2000)


def list_rotation() -> Iterator[Operator]:
    """Operators in the angle of a shaft."""
    yield from _tracking()
    yield from _parts()
    yield from _single_metrics()
    yield from _record_metrics()


def _tracking() -> Iterator[Operator]:
    per_rev = whole("samples per revolution", 256, low=8, high=16_384)
    pulses = positive("tacho pulses per revolution", 1.0)
    yield Operator(
        "speed_from_tacho",
        "transform",
        say("由键相脉冲求转速（转/秒）", "Speed in revolutions per second from tacho pulses"),
        params_of(pulses_per_rev=pulses),
        (port("tacho", ("tacho",), ("time",)),),
        port("speed", ("speed",), ("time",)),
        _compute_speed,
    )
    yield Operator(
        "order_tracking",
        "multi",
        say(
            "阶次跟踪：按键相或转速重采样到等角度",
            "Order tracking: resamples at equal angles by a tacho or a speed channel",
        ),
        params_of(samples_per_rev=per_rev, pulses_per_rev=pulses),
        (TIME_SIGNAL, _SHAFT),
        port("signal", SIGNALS, ("angle",)),
        _compute_tracked,
    )
    yield Operator(
        "angle_resample",
        "transform",
        say("恒速下按给定转频重采样到等角度", "Resamples at equal angles for a constant shaft speed"),
        params_of(shaft_hz=positive("shaft speed, revolutions per second"), samples_per_rev=per_rev),
        (TIME_SIGNAL,),
        port("signal", SIGNALS, ("angle",)),
        _compute_steady,
    )
    yield Operator(
        "time_synchronous_average",
        "transform",
        say("时域同步平均：多转平均为一转", "Time-synchronous average: the mean revolution of an angle-domain signal"),
        params_of(),
        (port("signal", SIGNALS, ("angle",)),),
        _AVERAGE,
        _compute_average,
    )
    yield Operator(
        "torque_normalize",
        "multi",
        say("按转矩归一化幅值", "Divides the signal by the mean absolute torque over the reference torque"),
        params_of(reference=positive("torque at which the amplitude is to be compared")),
        (TIME_SIGNAL, port("torque", ("torque",), ("time",))),
        port("signal", SIGNALS, ("time",)),
        _compute_torque_normalized,
    )


def _compute_speed(values: Sequence[Value], params: Params) -> Value:
    source = values[0]
    speed = orders.measure_speed(
        source.array.ravel(), fs=axis_of(source).rate, pulses_per_rev=as_number(params, "pulses_per_rev")
    )
    return make_value(speed, ("time",), source.axis, "Hz", "speed")


def _compute_tracked(values: Sequence[Value], params: Params) -> Value:
    source, shaft = values
    axis, shaft_axis = axis_of(source), axis_of(shaft)
    if abs(axis.step - shaft_axis.step) > 1e-9 * axis.step or source.array.shape[-1] != shaft.array.shape[-1]:
        raise ValueError("the shaft channel must have the rate and the length of the signal; resample it first")
    if shaft.kind == "tacho":
        pulses = orders.find_pulses(shaft.array.ravel(), fs=axis.rate)
        per_rev = as_number(params, "pulses_per_rev")
        phase = orders.trace_phase(pulses, samples=source.array.shape[-1], fs=axis.rate, pulses_per_rev=per_rev)
    else:
        phase = orders.integrate_speed(_to_hz(shaft), fs=axis.rate)
    return _resample_turns(source, phase, as_whole(params, "samples_per_rev"))


def _to_hz(shaft: Value) -> FloatArray:
    if shaft.unit in ("Hz", "1/s", "rev/s"):
        return shaft.array.ravel()
    if shaft.unit in ("rpm", "1/min"):
        return np.asarray(shaft.array.ravel() / 60)
    raise ValueError(f"the speed channel must be in Hz or rpm, not {shaft.unit!r}")


def _resample_turns(source: Value, phase: FloatArray, per_rev: int) -> Value:
    array = orders.resample_at_angles(source.array, phase, samples_per_rev=per_rev)
    dims = (*source.dims[:-1], "angle")
    return make_value(array, dims, Axis("angle", 1 / per_rev, 0.0, "rev"), source.unit, source.kind, source=source)


def _compute_steady(values: Sequence[Value], params: Params) -> Value:
    source = values[0]
    phase = np.arange(source.array.shape[-1]) * (as_number(params, "shaft_hz") / axis_of(source).rate)
    return _resample_turns(source, phase, as_whole(params, "samples_per_rev"))


def _compute_average(values: Sequence[Value], _: Params) -> Value:
    source = values[0]
    array, turns = orders.average_revolutions(source.array, samples_per_rev=round(axis_of(source).rate))
    return make_value(
        array, source.dims, source.axis, source.unit, "average", notes={"revolutions": turns}, source=source
    )


def _compute_torque_normalized(values: Sequence[Value], params: Params) -> Value:
    level = float(np.abs(check_signal(values[1].array, what="the torque")).mean())
    if level == 0:
        raise ValueError("the torque is zero: nothing can be referred to it")
    return make_like(values[0], check_signal(values[0].array) * (as_number(params, "reference") / level))


def _parts() -> Iterator[Operator]:
    for index, (name, text) in enumerate(
        (
            (
                "tsa_regular",
                say("规则信号：轴频、啮合谐波及首阶边带", "Regular signal: shaft, mesh harmonics and first side bands"),
            ),
            (
                "tsa_residual",
                say("残余信号：去掉轴频与啮合谐波", "Residual signal: the average without shaft and mesh harmonics"),
            ),
            (
                "tsa_difference",
                say("差分信号：再去掉首阶边带", "Difference signal: the residual without the first side bands"),
            ),
        )
    ):
        output = port("signal", (name,), ("angle",))
        yield Operator(
            name, "transform", text, params_of(teeth=_TEETH), (_AVERAGE,), output, partial(_compute_part, index, name)
        )


def _compute_part(index: int, name: str, values: Sequence[Value], params: Params) -> Value:
    parts = gears.split_average(values[0].array, teeth=as_whole(params, "teeth"))
    return make_like(values[0], parts[index], kind=name)


def _single_metrics() -> Iterator[Operator]:
    yield Operator(
        "fm0",
        "aggregate",
        say(
            "FM0：同步平均峰峰值与啮合幅值和之比",
            "FM0: peak-to-peak of the average over the sum of the mesh amplitudes",
        ),
        params_of(teeth=_TEETH, harmonics=whole("mesh harmonics", 4, low=1, high=50)),
        (_AVERAGE,),
        _FEATURES,
        _compute_fm0,
    )
    yield _moment(
        "fm4",
        say("FM4：差分信号峭度，完好为 3", "FM4: kurtosis of the difference signal, 3 if sound"),
        gears.compute_fm4,
    )
    yield _moment(
        "m6a",
        say("M6A：差分信号六阶矩，完好为 15", "M6A: sixth moment of the difference signal, 15 if sound"),
        gears.compute_m6a,
    )
    yield _moment(
        "m8a",
        say("M8A：差分信号八阶矩，完好为 105", "M8A: eighth moment of the difference signal, 105 if sound"),
        gears.compute_m8a,
    )
    yield Operator(
        "energy_ratio",
        "multi",
        say(
            "能量比：差分信号与规则信号均方根之比",
            "Energy ratio: RMS of the difference signal over that of the regular signal",
        ),
        params_of(),
        (port("difference", ("tsa_difference",), ("angle",)), port("regular", ("tsa_regular",), ("angle",))),
        _FEATURES,
        _compute_energy_ratio,
    )


def _moment(name: str, text: BilingualText, function: Callable[[FloatArray], FloatArray]) -> Operator:
    source = port("difference", ("tsa_difference",), ("angle",))
    return Operator(
        name, "aggregate", text, params_of(), (source,), _FEATURES, partial(_compute_moment, name, function)
    )


def _compute_moment(
    name: str, function: Callable[[FloatArray], FloatArray], values: Sequence[Value], _: Params
) -> Value:
    return _metric(values[0], name, function(values[0].array))


def _metric(source: Value, name: str, array: FloatArray) -> Value:
    return make_value(array, source.dims[:-1], None, "", "features", notes={"names": [name]}, source=source)


def _compute_fm0(values: Sequence[Value], params: Params) -> Value:
    array = gears.compute_fm0(values[0].array, teeth=as_whole(params, "teeth"), harmonics=as_whole(params, "harmonics"))
    return _metric(values[0], "fm0", array)


def _compute_energy_ratio(values: Sequence[Value], _: Params) -> Value:
    return _metric(values[0], "energy_ratio", gears.compute_energy_ratio(values[0].array, values[1].array))


def _record_metrics() -> Iterator[Operator]:
    rows: tuple[tuple[str, BilingualText, JsonObject, str, Callable[[Sequence[Value], Params], Value]], ...] = (
        (
            "na4",
            say(
                "NA4：残余信号四阶矩与历次方差均值之比（按时间顺序输入）",
                "NA4 of the last record: fourth moment of the residual over the mean variance so far (by time)",
            ),
            params_of(),
            "tsa_residual",
            _compute_na4,
        ),
        (
            "nb4",
            say(
                "NB4：啮合带包络的同类指标（按时间顺序输入）",
                "NB4 of the last record: as NA4 on the envelope of the mesh band, in order of time",
            ),
            params_of(teeth=_TEETH),
            "average",
            _compute_nb4,
        ),
    )
    for name, text, params, kind, compute in rows:
        yield Operator(
            name, "multi", text, params, (port("records", (kind,), ("angle",), many=True),), _FEATURES, compute
        )


def _stack_records(values: Sequence[Value]) -> FloatArray:
    rows = [one.array.reshape(-1, one.array.shape[-1]) for one in values]
    if len({one.shape[-1] for one in rows}) > 1:
        raise ValueError("the records must have the same number of samples per revolution")
    return np.concatenate(rows)


def _compute_na4(values: Sequence[Value], _: Params) -> Value:
    return _history("na4", gears.compute_na4(_stack_records(values)))


def _compute_nb4(values: Sequence[Value], params: Params) -> Value:
    envelopes = gears.compute_mesh_envelope(_stack_records(values), teeth=as_whole(params, "teeth"))
    return _history("nb4", gears.compute_na4(envelopes))


def _history(name: str, figures: FloatArray) -> Value:
    listed = [round(float(one), 6) for one in figures[-100:]]
    return make_value(figures[-1], (), None, "", "features", notes={"names": [name], "history": listed})
