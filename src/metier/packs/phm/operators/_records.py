"""Operators on a record as it was measured: what is wrong with it, and the part of it that can be analysed."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from metier.flow import Operator, Value
from metier.packs.phm.diagnosis._findings import describe_finding
from metier.packs.phm.diagnosis._quality import check_signal, measure_kurtosis
from metier.packs.phm.operators._build import (
    SIGNALS,
    TIME_SIGNAL,
    Params,
    make_decision,
    make_like,
    one_channel,
    optional,
    params_of,
    port,
    positive,
    say,
)

if TYPE_CHECKING:
    from metier.json_values import JsonValue


def list_records() -> Iterator[Operator]:
    """Operators on the quality of a record."""
    yield Operator(
        "signal_quality",
        "decision",
        say(
            "数据质量：NaN、恒值、削波、过短、不是振动",
            "Data quality: NaN, constant, clipped, too short, no vibration",
        ),
        params_of(shaft_hz=optional(positive("shaft speed, to count revolutions, Hz"))),
        (port("signal", (), ("time", "none")),),
        port("decision", ("decision",), ("none",)),
        _decide_quality,
        version="3",
    )
    yield Operator(
        "clean_record",
        "transform",
        say(
            "修补数据：缺失的采样插值，过长的数据取中段",
            "Repaired record: missing samples interpolated, of a long record the middle",
        ),
        params_of(),
        (TIME_SIGNAL,),
        port("signal", SIGNALS, ("time",)),
        _compute_clean,
    )


def _decide_quality(values: Sequence[Value], params: Params) -> Value:
    source, shaft = values[0], params.get("shaft_hz")
    record = one_channel(source)
    rate = 0.0 if source.axis is None else source.axis.rate
    speed, length = float(shaft) if isinstance(shaft, int | float) else None, source.notes.get("length")
    whole = length if isinstance(length, int) else 0
    checked = check_signal(record, rate, speed, kind=source.kind, length=whole)
    samples = checked.samples
    usable = samples if checked.usable and len(samples) else np.zeros(1)
    facts: dict[str, JsonValue] = {
        "usable": checked.usable,
        "short": checked.short,
        "distorted": checked.distorted,
        "repaired": checked.usable and (len(samples) != len(record) or not bool(np.isfinite(record).all())),
        "findings": [describe_finding(one) for one in checked.findings],
        "rms": float(usable.std()),
        "kurtosis": measure_kurtosis(usable),
    }
    verdict = ", ".join(one.code for one in checked.findings) or "good"
    count = float(len(checked.findings))
    return make_decision(count, (), verdict, None, facts)


def _compute_clean(values: Sequence[Value], _: Params) -> Value:
    source = values[0]
    checked = check_signal(one_channel(source), 0.0, None, kind=source.kind)
    if not checked.usable:
        raise ValueError(checked.findings[-1].text("en").rstrip("."))
    return make_like(source, checked.samples)
