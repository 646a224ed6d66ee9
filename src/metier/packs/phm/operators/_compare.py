"""Multi operators: two or more values become one."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from metier.flow import Axis, Operator, Value
from metier.packs.phm.operators._build import (
    SIGNALS,
    SPECTRA,
    Params,
    as_number,
    as_text,
    as_texts,
    as_whole,
    axis_of,
    choice,
    make_value,
    number,
    one_channel,
    params_of,
    port,
    say,
    spectral_axis,
    whole,
)
from metier.packs.phm.signals import _comparisons as comparisons

_FEATURES = port("feature", ("features",), ("none",))
_KINDS = (*SIGNALS, *SPECTRA, "envelope", "features")


def list_comparisons() -> Iterator[Operator]:
    """Operators with several inputs."""
    yield from _sample_wise()
    yield from _time_pairs()
    yield from _cross_spectral()
    yield from _vector_pairs()


def _sample_wise() -> Iterator[Operator]:
    first, second = port("first", _KINDS), port("second", _KINDS)
    yield Operator(
        "subtract",
        "multi",
        say("逐点相减（轴与单位须一致）", "First minus second, sample by sample; axes and units must agree"),
        params_of(),
        (first, second),
        port("difference"),
        partial(_compute_arithmetic, "subtract"),
    )
    yield Operator(
        "element_wise_product",
        "multi",
        say("逐点相乘", "Product, sample by sample"),
        params_of(),
        (first, second),
        port("product"),
        partial(_compute_arithmetic, "multiply"),
    )
    yield Operator(
        "arithmetic",
        "multi",
        say("逐点加、减、乘、除", "Sum, difference, product or quotient, sample by sample"),
        params_of(operation=choice("what is done", ("add", "subtract", "multiply", "divide"))),
        (first, second),
        port("result"),
        partial(_compute_arithmetic, ""),
    )
    yield Operator(
        "concatenate",
        "multi",
        say("把多个特征合成一个特征向量", "Joins features into one vector"),
        params_of(),
        (port("features", ("features",), ("none",), many=True),),
        _FEATURES,
        _compute_joined,
    )


def _check_axes(first: Value, second: Value) -> None:
    one, two = first.axis, second.axis
    if one is None or two is None:
        return
    if one.domain != two.domain or abs(one.step - two.step) > 1e-9 * one.step:
        raise ValueError(
            f"the axes do not agree: {one.domain} in steps of {one.step:g} and {two.domain} in steps of {two.step:g}"
        )


_SIGNS: Mapping[str, str] = {"multiply": "*", "divide": "/"}


def _compute_arithmetic(operation: str, values: Sequence[Value], params: Params) -> Value:
    first, second = values
    operation = operation or as_text(params, "operation")
    _check_axes(first, second)
    unit = first.unit
    if operation in ("add", "subtract") and "?" not in (first.unit, second.unit) and first.unit != second.unit:
        raise ValueError(f"units do not agree: {first.unit!r} and {second.unit!r}; convert one of them (scale)")
    sign = _SIGNS.get(operation)
    if sign is not None:
        unit = "" if sign == "/" and first.unit == second.unit else f"{first.unit or '1'}{sign}{second.unit or '1'}"
    array = comparisons.apply_arithmetic(first.array, second.array, operation=operation)
    if array.ndim != first.array.ndim:
        raise ValueError("the first value must have at least as many dimensions as the second")
    return make_value(array, first.dims, first.axis, unit, first.kind, source=first)


def _compute_joined(values: Sequence[Value], _: Params) -> Value:
    names: list[str] = []
    columns = []
    for value in values:
        listed = as_texts(value.notes.get("names", []))
        is_vector = bool(value.dims) and value.dims[-1] == "feature"
        array = value.array if is_vector else value.array[..., None]
        names += (
            listed
            if len(listed) == array.shape[-1]
            else [f"{value.kind}_{len(names) + k}" for k in range(array.shape[-1])]
        )
        columns.append(array)
    if len({one.shape[:-1] for one in columns}) > 1:
        raise ValueError(f"the features do not fit together: {', '.join(str(one.shape[:-1]) for one in columns)}")
    leading = values[0].dims[:-1] if values[0].dims and values[0].dims[-1] == "feature" else values[0].dims
    joined = np.concatenate(columns, axis=-1)
    return make_value(joined, (*leading, "feature"), None, "", "features", notes={"names": names}, source=values[0])


def _time_pairs() -> Iterator[Operator]:
    first, second = port("first", SIGNALS, ("time",)), port("second", SIGNALS, ("time",))
    yield Operator(
        "cross_correlation",
        "multi",
        say("互相关系数随时延的变化", "Correlation coefficient over the lag"),
        params_of(),
        (first, second),
        port("correlation", ("correlation",), ("lag",)),
        _compute_correlation,
    )
    yield Operator(
        "convolution",
        "multi",
        say("与较短的一维核卷积", "Convolution with a shorter signal of one channel"),
        params_of(mode=choice("length of the result", ("same", "full", "valid"), "same")),
        (first, port("kernel", SIGNALS, ("time",))),
        port("signal", SIGNALS, ("time",)),
        _compute_convolution,
    )
    yield Operator(
        "dtw_distance",
        "multi",
        say("动态时间规整距离", "Distance by dynamic time warping; lengths may differ"),
        params_of(window=number("share of the length by which they may be shifted", 1.0, low=0.001, high=1)),
        (
            port("first", (*SIGNALS, "envelope", "features", "health_index")),
            port("second", (*SIGNALS, "envelope", "features", "health_index")),
        ),
        _FEATURES,
        _compute_warped,
    )


def _compute_correlation(values: Sequence[Value], _: Params) -> Value:
    first, second = values
    _check_axes(first, second)
    step = axis_of(first).step
    array = comparisons.compute_cross_correlation(first.array, second.array)
    axis = Axis("lag", step, -step * (first.array.shape[-1] - 1), "s")
    return make_value(array, (*first.dims[:-1], "lag"), axis, "", "correlation")


def _compute_convolution(values: Sequence[Value], params: Params) -> Value:
    source, kernel = values
    _check_axes(source, kernel)
    array = comparisons.compute_convolution(source.array, kernel.array, mode=as_text(params, "mode"))
    unit = "?" if "?" in (source.unit, kernel.unit) else f"{source.unit} {kernel.unit}".strip()
    return make_value(array, source.dims, source.axis, unit, source.kind, source=source)


def _compute_warped(values: Sequence[Value], params: Params) -> Value:
    distance = comparisons.compute_dtw_distance(
        one_channel(values[0]), one_channel(values[1]), window=as_number(params, "window")
    )
    return make_value(distance, (), None, values[0].unit, "features", notes={"names": ["dtw_distance"]})


def _cross_spectral() -> Iterator[Operator]:
    first, second = port("first", SIGNALS, ("time", "angle")), port("second", SIGNALS, ("time", "angle"))
    segments = params_of(nperseg=whole("samples of a segment", 256, low=16, high=10_000_000))
    yield Operator(
        "coherence",
        "multi",
        say("相干函数（0 到 1）", "Magnitude-squared coherence, 0 to 1"),
        segments,
        (first, second),
        port("coherence", ("coherence",), ("frequency", "order")),
        _compute_coherence,
    )
    yield Operator(
        "transfer_function",
        "multi",
        say(
            "传递函数 H1（复数）：从第一个信号到第二个信号",
            "Transfer function H1 from the first signal to the second, complex",
        ),
        segments,
        (first, second),
        port("transfer", ("transfer_function",), ("frequency", "order")),
        _compute_transfer,
    )
    yield Operator(
        "phase_difference",
        "multi",
        say(
            "两个复频谱的相位差（弧度）；幅值谱没有相位，会被拒绝",
            "Phase of the second complex spectrum minus that of the first, radians",
        ),
        params_of(),
        (
            port("first", ("complex_spectrum",), ("frequency", "order")),
            port("second", ("complex_spectrum",), ("frequency", "order")),
        ),
        port("phase", ("phase",), ("frequency", "order")),
        _compute_phase,
    )


def _compute_coherence(values: Sequence[Value], params: Params) -> Value:
    first, second = values
    _check_axes(first, second)
    array, step = comparisons.compute_coherence(
        first.array, second.array, fs=axis_of(first).rate, nperseg=as_whole(params, "nperseg")
    )
    where = spectral_axis(axis_of(first), step)
    return make_value(array, (*first.dims[:-1], where.domain), where, "", "coherence")


def _compute_transfer(values: Sequence[Value], params: Params) -> Value:
    first, second = values
    _check_axes(first, second)
    array, step = comparisons.compute_transfer_function(
        first.array, second.array, fs=axis_of(first).rate, nperseg=as_whole(params, "nperseg")
    )
    where = spectral_axis(axis_of(first), step)
    unit = "" if first.unit == second.unit else f"{second.unit or '1'}/{first.unit or '1'}"
    return make_value(array, (*first.dims[:-1], where.domain), where, unit, "transfer_function")


def _compute_phase(values: Sequence[Value], _: Params) -> Value:
    first, second = values
    _check_axes(first, second)
    array = comparisons.compute_phase_difference(first.array, second.array)
    return make_value(array, first.dims, first.axis, "rad", "phase")


def _vector_pairs() -> Iterator[Operator]:
    yield Operator(
        "distance",
        "multi",
        say("两个向量的距离", "Distance of two vectors, spectra or signals"),
        params_of(metric=choice("which distance", comparisons.METRICS, "euclidean")),
        (port("first", _KINDS), port("second", _KINDS)),
        _FEATURES,
        _compute_distance,
    )


def _compute_distance(values: Sequence[Value], params: Params) -> Value:
    first, second = values
    _check_axes(first, second)
    array = comparisons.compute_distance(
        np.atleast_1d(first.array), np.atleast_1d(second.array), metric=as_text(params, "metric")
    )
    return make_value(array, first.dims[:-1], None, "", "features", notes={"names": ["distance"]})
