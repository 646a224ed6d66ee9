"""Transform operators of a time signal: filters, trends, resampling, integration, denoising."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from metier.flow import Axis, Operator, Value
from metier.json_values import JsonObject
from metier.language import BilingualText
from metier.packs.phm.operators._build import (
    SERIES,
    SIGNAL,
    SIGNALS,
    TIME_SIGNAL,
    Compute,
    Params,
    as_number,
    as_pair,
    as_text,
    as_whole,
    axis_of,
    band,
    choice,
    derivative_unit,
    integral_unit,
    make_like,
    make_value,
    number,
    params_of,
    port,
    positive,
    say,
    square_unit,
    whole,
)
from metier.packs.phm.signals import _decompositions as decompositions
from metier.packs.phm.signals import _filters as filters
from metier.packs.phm.signals import _statistics as statistics
from metier.packs.phm.signals import _trends as trends
from metier.packs.phm.signals._checks import check_signal

_OUT = port("signal", SIGNALS, ("time", "angle"))


def list_filters() -> Iterator[Operator]:
    """Operators from a signal to a signal."""
    for name, text, params, compute in (*_shape_rows(), *_rate_rows()):
        source = SIGNAL if name in _EITHER_DOMAIN else TIME_SIGNAL
        made = Operator(name, "transform", text, params, (source,), _OUT, compute)
        yield replace(made, engine="inline") if name in _INLINE else made
    yield _normalize_operator()
    yield _smooth_operator()
    yield _pca_operator()


_EITHER_DOMAIN = ("detrend", "denoise_wavelet", "savgol_filter", "tkeo", "scale")
_INLINE = ("detrend", "tkeo", "scale", "differentiate")


def _shape_rows() -> Sequence[tuple[str, BilingualText, JsonObject, Compute]]:
    return (
        (
            "detrend",
            say("去均值或去线性趋势", "Removes the mean or the straight line"),
            params_of(type=choice("what is removed", ("linear", "constant"), "linear")),
            _compute_detrended,
        ),
        (
            "denoise_wavelet",
            say("小波阈值降噪", "Wavelet shrinkage with the universal threshold"),
            params_of(
                wavelet={"type": "string", "description": "discrete wavelet", "default": "db8", "maxLength": 20},
                mode=choice("threshold", ("soft", "hard"), "soft"),
                level=whole("levels of detail", 4, low=1, high=12),
            ),
            _compute_denoised,
        ),
        (
            "savgol_filter",
            say("Savitzky-Golay 平滑", "Savitzky-Golay smoothing"),
            params_of(
                window_length=whole("samples of the window, odd", low=3, high=100_001),
                polyorder=whole("order of the polynomial", low=0, high=10),
            ),
            _compute_savgol,
        ),
        ("tkeo", say("Teager-Kaiser 能量", "Teager-Kaiser energy x[n]^2 - x[n-1] x[n+1]"), params_of(), _compute_tkeo),
        (
            "scale",
            say("换算为另一单位", "Multiplies by a factor into another unit"),
            params_of(
                factor=number("factor"),
                unit={"type": "string", "description": "unit of the result", "minLength": 1, "maxLength": 20},
            ),
            _compute_scaled,
        ),
    )


def _rate_rows() -> Sequence[tuple[str, BilingualText, JsonObject, Compute]]:
    cutoff: JsonObject = {
        "type": ["number", "array"],
        "items": {"type": "number"},
        "description": "edge in Hz, or [low, high] for band and stop",
    }
    return (
        (
            "filter",
            say(
                "零相位 Butterworth 滤波（二阶节，双向）",
                "Butterworth filter forwards and backwards: no phase shift, stable in narrow bands",
            ),
            params_of(
                filter_type=choice("what passes", ("low", "high", "band", "stop")),
                cutoff=cutoff,
                order=whole("order of one pass", 4, low=1, high=10),
            ),
            _compute_filtered,
        ),
        (
            "resample",
            say("抗混叠重采样", "Another sampling rate, with an anti-alias filter"),
            params_of(target_fs=positive("new rate, Hz")),
            _compute_resampled,
        ),
        (
            "integrate",
            say(
                "频域积分（加速度→速度→位移），带外置零",
                "Integral in the frequency domain (acceleration, velocity, displacement); nothing outside of the band",
            ),
            params_of(band_hz=band("band in Hz, begins above 0"), times=whole("once or twice", 1, low=1, high=2)),
            _compute_integral,
        ),
        (
            "differentiate",
            say("对时间求导（中心差分）", "Derivative by time (central differences)"),
            params_of(),
            _compute_derivative,
        ),
        (
            "adaptive_filter",
            say(
                "自适应线谱增强：分离周期成分与随机成分",
                "Normalised LMS line enhancer: keeps the random part (bearings) or the periodic part (gears)",
            ),
            params_of(
                keep=choice("which part is given", ("random", "periodic"), "random"),
                taps=whole("filter length", 32, low=1, high=256),
                delay=whole("samples of delay", 64, low=1, high=100_000),
                mu=number("step size", 0.05, low=1e-6, high=1.99),
            ),
            _compute_adaptive,
        ),
    )


def _compute_detrended(values: Sequence[Value], params: Params) -> Value:
    return make_like(values[0], filters.compute_detrended(values[0].array, kind=as_text(params, "type")))


def _compute_denoised(values: Sequence[Value], params: Params) -> Value:
    array = filters.compute_wavelet_denoised(
        values[0].array,
        wavelet=as_text(params, "wavelet"),
        mode=as_text(params, "mode"),
        level=as_whole(params, "level"),
    )
    return make_like(values[0], array)


def _compute_savgol(values: Sequence[Value], params: Params) -> Value:
    length, order = as_whole(params, "window_length"), as_whole(params, "polyorder")
    return make_like(values[0], filters.compute_savgol(values[0].array, window_length=length, polyorder=order))


def _compute_tkeo(values: Sequence[Value], _: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    shifted = Axis(axis.domain, axis.step, axis.start + axis.step, axis.unit)
    array = statistics.compute_tkeo(source.array)
    return make_value(array, source.dims, shifted, square_unit(source.unit), source.kind, source=source)


def _compute_scaled(values: Sequence[Value], params: Params) -> Value:
    array = check_signal(values[0].array, min_length=1)
    return make_like(values[0], array * as_number(params, "factor"), unit=as_text(params, "unit"))


def _compute_filtered(values: Sequence[Value], params: Params) -> Value:
    source, cutoff = values[0], params["cutoff"]
    edges = float(cutoff) if isinstance(cutoff, int | float) else (as_pair(params, "cutoff") or ())
    array = filters.compute_filtered(
        source.array,
        fs=axis_of(source).rate,
        filter_type=as_text(params, "filter_type"),
        cutoff=edges,
        order=as_whole(params, "order"),
    )
    return make_like(source, array)


def _compute_resampled(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, rate = filters.compute_resampled(source.array, fs=axis.rate, target_fs=as_number(params, "target_fs"))
    where = Axis(axis.domain, 1 / rate, axis.start, axis.unit)
    return make_value(array, source.dims, where, source.unit, source.kind, source=source)


_KINDS_AFTER_INTEGRAL: Mapping[str, str] = {"vibration": "velocity", "velocity": "displacement"}
_KINDS_OF_DERIVATIVE: Mapping[str, str] = {after: before for before, after in _KINDS_AFTER_INTEGRAL.items()}


def _compute_integral(values: Sequence[Value], params: Params) -> Value:
    source = values[0]
    times = as_whole(params, "times")
    pair = as_pair(params, "band_hz") or (0.0, 0.0)
    array = filters.compute_integral(source.array, fs=axis_of(source).rate, band=pair, times=times)
    unit, kind = source.unit, source.kind
    if unit == "g":
        array, unit = array * 9.80665, "m/s2"
    for _ in range(times):
        unit, kind = integral_unit(unit), _KINDS_AFTER_INTEGRAL.get(kind, kind)
    return make_like(source, array, unit=unit, kind=kind)


def _compute_derivative(values: Sequence[Value], _: Params) -> Value:
    source = values[0]
    array = filters.compute_derivative(source.array, fs=axis_of(source).rate)
    return make_like(
        source, array, unit=derivative_unit(source.unit), kind=_KINDS_OF_DERIVATIVE.get(source.kind, source.kind)
    )


def _compute_adaptive(values: Sequence[Value], params: Params) -> Value:
    periodic, rest = filters.filter_adaptively(
        values[0].array, taps=as_whole(params, "taps"), delay=as_whole(params, "delay"), mu=as_number(params, "mu")
    )
    return make_like(values[0], rest if as_text(params, "keep") == "random" else periodic)


def _normalize_operator() -> Operator:
    return Operator(
        "normalize",
        "transform",
        say("标准化（零均值单位方差）或归一化到 0–1", "Zero mean and unit deviation, or the range 0 to 1"),
        params_of(method=choice("how", ("z_score", "min_max"), "z_score")),
        (port("values"),),
        port("values"),
        _compute_normalized,
        engine="inline",
    )


def _compute_normalized(values: Sequence[Value], params: Params) -> Value:
    return make_like(values[0], filters.compute_normalized(values[0].array, method=as_text(params, "method")), unit="")


def _smooth_operator() -> Operator:
    return Operator(
        "smooth_trend",
        "transform",
        say("指数加权滑动平均", "Exponentially weighted moving average of a series"),
        params_of(weight=number("weight of the newest value", 0.2, low=0.001, high=1)),
        (port("series", SERIES),),
        port("series", ("trend",)),
        _compute_smooth,
    )


def _compute_smooth(values: Sequence[Value], params: Params) -> Value:
    return make_like(values[0], trends.smooth_trend(values[0].array, weight=as_number(params, "weight")), kind="trend")


def _pca_operator() -> Operator:
    return Operator(
        "pca",
        "transform",
        say(
            "主成分得分（前面各维为记录）",
            "Scores of the principal components; all leading dimensions count as records",
        ),
        params_of(n_components=whole("components kept", low=1, high=100)),
        (port("table", ("features",)),),
        port("scores", ("features",)),
        _compute_components,
    )


def _compute_components(values: Sequence[Value], params: Params) -> Value:
    count = as_whole(params, "n_components")
    scores, share = decompositions.compute_principal_components(values[0].array, n_components=count)
    notes: JsonObject = {
        "names": [f"component_{k + 1}" for k in range(count)],
        "explained": [round(float(one), 6) for one in share],
    }
    return make_value(scores, ("record", "feature"), None, "", "features", notes=notes, source=values[0])
