"""Operators on the condition of a machine: severity, health index, alarms, remaining life."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from metier.flow import Operator, Value
from metier.packs.phm.operators._build import (
    SERIES,
    TIME_SIGNAL,
    Params,
    as_number,
    as_pair,
    as_text,
    as_whole,
    axis_of,
    band,
    choice,
    flag,
    make_decision,
    make_value,
    number,
    one_channel,
    optional,
    params_of,
    port,
    positive,
    say,
    whole,
)
from metier.packs.phm.signals import _severity as severity
from metier.packs.phm.signals import _trends as trends

if TYPE_CHECKING:
    from metier.json_values import JsonValue

_DECISION = port("decision", ("decision",), ("none",))
_FEATURES = port("feature", ("features",), ("none",))
_SERIES = port("series", SERIES)
_RUNS = port("runs", SERIES, many=True)
_DEFAULT_BAND = (10.0, 1000.0)


def list_condition() -> Iterator[Operator]:
    """Operators on severity and trends."""
    yield from _severities()
    yield from _trend_operators()
    yield from _trend_quality()


def _severities() -> Iterator[Operator]:
    yield Operator(
        "velocity_rms",
        "aggregate",
        say("频带内振动速度均方根（mm/s），需已知单位", "Velocity RMS in mm/s within a band; needs a known unit"),
        params_of(band_hz=band("band, Hz", _DEFAULT_BAND)),
        (TIME_SIGNAL,),
        _FEATURES,
        _compute_velocity,
    )
    yield Operator(
        "iso_20816",
        "decision",
        say(
            "ISO 20816 烈度区域 A–D，需已知单位与机器类别",
            "Severity zone A to D of ISO 20816; needs a known unit and the machine class",
        ),
        params_of(
            machine_class=choice(
                "class I-IV of ISO 10816-1, or group and foundation of ISO 20816-3", tuple(severity.MACHINE_CLASSES)
            ),
            band_hz=band("band, Hz", _DEFAULT_BAND),
        ),
        (TIME_SIGNAL,),
        _DECISION,
        _decide_zone,
    )


def _compute_velocity(values: Sequence[Value], params: Params) -> Value:
    return make_value(
        _measure_velocity(values[0], params),
        values[0].dims[:-1],
        None,
        "mm/s",
        "features",
        notes={"names": ["velocity_rms"]},
        source=values[0],
    )


def _measure_velocity(source: Value, params: Params) -> object:
    pair = as_pair(params, "band_hz") or _DEFAULT_BAND
    return severity.compute_velocity_rms(source.array, fs=axis_of(source).rate, unit=source.unit, band=pair)


def _decide_zone(values: Sequence[Value], params: Params) -> Value:
    figures = np.atleast_1d(np.asarray(_measure_velocity(values[0], params)))
    machine_class = as_text(params, "machine_class")
    zones = [severity.find_zone(float(one), machine_class=machine_class) for one in figures.ravel()]
    facts: dict[str, JsonValue] = {
        "zones": list(zones),
        "velocity_mm_s": [round(float(one), 4) for one in figures.ravel()],
        "machine_class": machine_class,
        "limits_mm_s": list(severity.MACHINE_CLASSES[machine_class]),
    }
    return make_decision(figures.ravel(), ("channel",), max(zones), float(figures.max()), facts)


def _trend_operators() -> Iterator[Operator]:
    baseline = whole("first records that are healthy", low=5, high=1_000_000)
    yield Operator(
        "health_index",
        "transform",
        say(
            "健康指标：与初期基线的平滑距离，健康约为 0，报警限为 1",
            "Health index: smoothed distance from the first records, 0 healthy, 1 at the alarm limit",
        ),
        params_of(
            baseline=baseline,
            smoothing=number("weight of the newest record", 0.2, low=0.001, high=1),
            monotone=flag("never falls", False),
        ),
        (port("table", ("features",)),),
        port("index", ("health_index",)),
        _compute_index,
        version="2",
    )
    yield Operator(
        "control_chart",
        "decision",
        say(
            "控制图报警（CUSUM 或 EWMA），给出首次持续报警的记录",
            "Alarm by CUSUM or EWMA, with the first record of the first lasting alarm",
        ),
        params_of(
            baseline=baseline,
            method=choice("chart", ("cusum", "ewma"), "cusum"),
            limit=positive("limit in standard deviations", 5.0),
            lasting=whole("records in a row that make an alarm", 1, low=1, high=10_000),
        ),
        (_SERIES,),
        _DECISION,
        _decide_alarm,
    )
    yield Operator(
        "remaining_useful_life",
        "decision",
        say(
            "剩余寿命及区间；未见退化时不给出数字",
            "Remaining useful life with an interval; no figure while no degradation is seen",
        ),
        params_of(
            threshold=positive("health index at the end of life"),
            model=choice("degradation model", ("wiener", "exponential"), "wiener"),
            confidence=number("confidence of the interval", 0.9, low=0.5, high=0.999),
            step=optional(positive("time from record to record; left out: from the axis")),
        ),
        (_SERIES,),
        _DECISION,
        _decide_life,
    )


def _record_step(source: Value, params: Params | None = None) -> tuple[float, str] | None:
    """Step and unit of the records of a series: as given, by its axis, or handed down from its windows."""
    given = (params or {}).get("step")
    if isinstance(given, int | float):
        return float(given), ""
    if source.axis is not None:
        return source.axis.step, source.axis.unit
    step = source.notes.get("record_step")
    return (float(step), str(source.notes.get("record_unit", ""))) if isinstance(step, int | float) else None


def _compute_index(values: Sequence[Value], params: Params) -> Value:
    source = values[0]
    array = trends.compute_health_index(
        source.array,
        baseline=as_whole(params, "baseline"),
        smoothing=as_number(params, "smoothing"),
        monotone=bool(params["monotone"]),
    )
    return make_value(
        array, source.dims[:1], None, "", "health_index", notes={"names": ["health_index"]}, source=source
    )


def _decide_alarm(values: Sequence[Value], params: Params) -> Value:
    series, baseline, limit = one_channel(values[0]), as_whole(params, "baseline"), as_number(params, "limit")
    draw = trends.chart_cusum if as_text(params, "method") == "cusum" else trends.chart_ewma
    chart = draw(series, baseline=baseline, limit=limit, lasting=as_whole(params, "lasting"))
    facts: dict[str, JsonValue] = {"first_alarm": chart.first_alarm, "limit": chart.limit, "records": int(series.size)}
    verdict = "alarm" if chart.first_alarm is not None else "ok"
    return make_decision(chart.values, ("record",), verdict, float(chart.values.max()), facts)


def _decide_life(values: Sequence[Value], params: Params) -> Value:
    found = _record_step(values[0], params)
    if found is None:
        raise ValueError("the time from record to record is not known: give the parameter step")
    life = trends.estimate_remaining_life(
        one_channel(values[0]),
        step=found[0],
        threshold=as_number(params, "threshold"),
        model=as_text(params, "model"),
        confidence=as_number(params, "confidence"),
    )
    high = life.high if life.high is not None and np.isfinite(life.high) else None
    facts: dict[str, JsonValue] = {
        "life": life.mean,
        "low": life.low,
        "high": high,
        "unit": found[1],
        "model": life.model,
        "reason": life.reason,
    }
    verdict = "no degradation" if life.mean is None else "estimated" if life.mean > 0 else "threshold reached"
    figures = np.array([] if life.mean is None else [life.mean])
    return make_decision(figures, ("life",), verdict, life.mean, facts)


def _trend_quality() -> Iterator[Operator]:
    yield Operator(
        "monotonicity",
        "aggregate",
        say("单调性：|上升次数 − 下降次数| / (N − 1)", "Monotonicity: |rises - falls| / (N - 1)"),
        params_of(),
        (_SERIES,),
        _FEATURES,
        _compute_monotonicity,
    )
    yield Operator(
        "trendability",
        "multi",
        say("趋势一致性：各次运行之间最小相关系数", "Trendability: smallest correlation between runs"),
        params_of(),
        (_RUNS,),
        _FEATURES,
        _compute_trendability,
    )
    yield Operator(
        "prognosability",
        "multi",
        say("可预测性：失效值离散程度", "Prognosability: how close together the runs end"),
        params_of(),
        (_RUNS,),
        _FEATURES,
        _compute_prognosability,
    )


def _compute_monotonicity(values: Sequence[Value], _: Params) -> Value:
    array = trends.compute_monotonicity(values[0].array)
    return make_value(array, values[0].dims[:-1], None, "", "features", notes={"names": ["monotonicity"]})


def _stack_runs(values: Sequence[Value]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    runs = [one_channel(one) for one in values]
    shortest = min(one.size for one in runs)
    grid = np.linspace(0, 1, shortest)
    return np.stack([np.interp(grid, np.linspace(0, 1, one.size), one) for one in runs])


def _compute_trendability(values: Sequence[Value], _: Params) -> Value:
    figure = trends.compute_trendability(_stack_runs(values))
    return make_value(figure, (), None, "", "features", notes={"names": ["trendability"]})


def _compute_prognosability(values: Sequence[Value], _: Params) -> Value:
    figure = trends.compute_prognosability(_stack_runs(values))
    return make_value(figure, (), None, "", "features", notes={"names": ["prognosability"]})
