"""Aggregate operators over a time or angle signal: one figure (or one small vector) per record."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from metier.flow import Operator, Value
from metier.json_values import JsonValue
from metier.language import BilingualText
from metier.packs.phm.operators._build import (
    WAVES,
    Params,
    as_number,
    as_whole,
    axis_of,
    make_value,
    number,
    params_of,
    port,
    say,
    square_unit,
    whole,
)
from metier.packs.phm.signals import _statistics as statistics
from metier.packs.phm.signals._checks import FloatArray, check_signal

_FEATURES = port("feature", ("features",), ("none",))
_WAVE = port("signal", WAVES, ("time", "angle"))
_ANY = port("values")


def list_statistics() -> Iterator[Operator]:
    """Operators that reduce the last axis of a signal."""
    yield from (_reduce(*row, _ANY) for row in _plain_rows())
    yield from (_reduce(*row, _WAVE) for row in _wave_rows())
    yield from _rate_operators()
    yield from _entropy_operators()
    yield _select_operator()


def _mean(x: FloatArray) -> FloatArray:
    return np.asarray(check_signal(x, min_length=1).mean(axis=-1))


def _std(x: FloatArray) -> FloatArray:
    return np.sqrt(statistics.compute_variance(x))


def _max(x: FloatArray) -> FloatArray:
    return np.asarray(check_signal(x, min_length=1).max(axis=-1))


def _min(x: FloatArray) -> FloatArray:
    return np.asarray(check_signal(x, min_length=1).min(axis=-1))


_Row = tuple[str, BilingualText, Callable[[FloatArray], FloatArray], str]


def _plain_rows() -> Sequence[_Row]:
    return (
        ("mean", say("沿最后一维的平均值", "Mean along the last axis"), _mean, "same"),
        ("std", say("标准差（除以 N）", "Standard deviation (divided by N)"), _std, "same"),
        ("var", say("方差（除以 N）", "Variance (divided by N)"), statistics.compute_variance, "square"),
        ("max", say("最大值", "Maximum"), _max, "same"),
        ("min", say("最小值", "Minimum"), _min, "same"),
    )


def _wave_rows() -> Sequence[_Row]:
    return (
        ("rms", say("均方根值", "Root mean square"), statistics.compute_rms, "same"),
        ("abs_mean", say("绝对平均值", "Mean of the absolute values"), statistics.compute_abs_mean, "same"),
        (
            "peak",
            say("绝对峰值；削波信号会被拒绝", "Largest absolute value; a clipped record is refused"),
            statistics.compute_peak,
            "same",
        ),
        ("peak_to_peak", say("峰峰值", "Maximum minus minimum"), statistics.compute_peak_to_peak, "same"),
        (
            "skew",
            say("偏度，对称分布为 0", "Skewness, 0 for a symmetric distribution"),
            statistics.compute_skewness,
            "none",
        ),
        (
            "kurtosis",
            say(
                "峭度（不减 3）：高斯噪声为 3，正弦为 1.5", "Kurtosis, nothing subtracted: 3 for noise, 1.5 for a sine"
            ),
            statistics.compute_kurtosis,
            "none",
        ),
        (
            "shape_factor",
            say("波形因子：均方根 / 绝对平均", "RMS over mean absolute value"),
            statistics.compute_shape_factor,
            "none",
        ),
        ("crest_factor", say("峰值因子：峰值 / 均方根", "Peak over RMS"), statistics.compute_crest_factor, "none"),
        (
            "impulse_factor",
            say("脉冲因子：峰值 / 绝对平均", "Peak over mean absolute value"),
            statistics.compute_impulse_factor,
            "none",
        ),
        (
            "clearance_factor",
            say("裕度因子：峰值 / 方根幅值", "Peak over the squared mean root"),
            statistics.compute_clearance_factor,
            "none",
        ),
    )


def _reduce(
    name: str, text: BilingualText, function: Callable[[FloatArray], FloatArray], rule: str, source: object
) -> Operator:
    inputs = (source,) if isinstance(source, type(_ANY)) else (_ANY,)
    return Operator(
        name,
        "aggregate",
        text,
        params_of(),
        inputs,
        _FEATURES,
        partial(_compute_reduced, name, function, rule),
        engine="inline",
    )


def _unit(value: Value, rule: str) -> str:
    return {"same": value.unit, "none": "", "square": square_unit(value.unit)}[rule]


def _compute_reduced(
    name: str, function: Callable[[FloatArray], FloatArray], rule: str, values: Sequence[Value], _: Params
) -> Value:
    return _figure(values[0], name, function(values[0].array), _unit(values[0], rule))


def _figure(
    source: Value, name: str, array: FloatArray, unit: str, notes: Mapping[str, JsonValue] | None = None
) -> Value:
    dims = source.dims[:-1] if array.ndim == source.array.ndim - 1 else (*source.dims[:-1], "feature")
    return make_value(array, dims, None, unit, "features", notes={"names": [name], **(notes or {})}, source=source)


def _rate_operators() -> Iterator[Operator]:
    yield Operator(
        "zero_crossing_rate",
        "aggregate",
        say("每秒过零次数（去均值后）", "Sign changes around the mean per second"),
        params_of(),
        (_WAVE,),
        _FEATURES,
        _compute_crossings,
        engine="inline",
    )
    yield Operator(
        "hjorth_parameters",
        "aggregate",
        say("Hjorth 参数：活动性、移动性、复杂性", "Hjorth parameters: activity, mobility (rad/s), complexity"),
        params_of(),
        (_WAVE,),
        _FEATURES,
        _compute_hjorth,
        engine="inline",
    )
    yield Operator(
        "time_features",
        "aggregate",
        say(
            "一次算出十一个时域特征", "Eleven time-domain features in one pass: " + ", ".join(statistics.FEATURE_NAMES)
        ),
        params_of(),
        (_WAVE,),
        _FEATURES,
        _compute_features,
        engine="inline",
    )


def _compute_crossings(values: Sequence[Value], _: Params) -> Value:
    source = values[0]
    axis = axis_of(source)
    rate = statistics.compute_zero_crossing_rate(source.array, fs=axis.rate)
    return _figure(source, "zero_crossing_rate", rate, f"1/{axis.unit or axis.domain}")


def _compute_hjorth(values: Sequence[Value], _: Params) -> Value:
    source = values[0]
    array = statistics.compute_hjorth(source.array, fs=axis_of(source).rate)
    return _figure(source, "hjorth", array, "", {"names": ["activity", "mobility", "complexity"]})


def _compute_features(values: Sequence[Value], _: Params) -> Value:
    source = values[0]
    return _figure(
        source, "features", statistics.compute_features(source.array), "", {"names": list(statistics.FEATURE_NAMES)}
    )


def _entropy_operators() -> Iterator[Operator]:
    patterns = params_of(
        m=whole("length of the patterns", 2, low=1, high=10),
        r_coeff=number("tolerance in standard deviations", 0.2, low=0.01, high=2),
    )
    yield Operator(
        "entropy",
        "aggregate",
        say("直方图香农熵（奈特）", "Shannon entropy of the histogram in nats"),
        params_of(num_bins=whole("bins of the histogram", 100, low=2, high=10_000)),
        (_WAVE,),
        _FEATURES,
        _compute_entropy,
    )
    yield Operator(
        "permutation_entropy",
        "aggregate",
        say(
            "排列熵（0 到 1）：斜坡为 0，白噪声近 1",
            "Permutation entropy, 0 to 1: 0 for a ramp, near 1 for white noise",
        ),
        params_of(
            order=whole("length of the patterns", 3, low=2, high=7),
            delay=whole("samples between the values", 1, low=1, high=10_000),
        ),
        (_WAVE,),
        _FEATURES,
        _compute_permutation_entropy,
        engine="process",
    )
    yield Operator(
        "approximate_entropy",
        "aggregate",
        say("近似熵（Pincus，计入自身匹配）", "Approximate entropy (Pincus 1991, self-matches counted)"),
        patterns,
        (_WAVE,),
        _FEATURES,
        _compute_approximate_entropy,
        engine="process",
    )
    yield Operator(
        "sample_entropy",
        "aggregate",
        say("样本熵（不计自身匹配）", "Sample entropy (Richman 2000, no self-matches)"),
        patterns,
        (_WAVE,),
        _FEATURES,
        _compute_sample_entropy,
        engine="process",
    )


def _compute_entropy(values: Sequence[Value], params: Params) -> Value:
    array = statistics.compute_histogram_entropy(values[0].array, bins=as_whole(params, "num_bins"))
    return _figure(values[0], "entropy", array, "")


def _compute_permutation_entropy(values: Sequence[Value], params: Params) -> Value:
    order, delay = as_whole(params, "order"), as_whole(params, "delay")
    return _figure(
        values[0],
        "permutation_entropy",
        statistics.compute_permutation_entropy(values[0].array, order=order, delay=delay),
        "",
    )


def _compute_approximate_entropy(values: Sequence[Value], params: Params) -> Value:
    m, r_coeff = as_whole(params, "m"), as_number(params, "r_coeff")
    return _figure(
        values[0],
        "approximate_entropy",
        statistics.compute_approximate_entropy(values[0].array, m=m, r_coeff=r_coeff),
        "",
    )


def _compute_sample_entropy(values: Sequence[Value], params: Params) -> Value:
    m, r_coeff = as_whole(params, "m"), as_number(params, "r_coeff")
    return _figure(
        values[0], "sample_entropy", statistics.compute_sample_entropy(values[0].array, m=m, r_coeff=r_coeff), ""
    )


def _select_operator() -> Operator:
    return Operator(
        "select",
        "aggregate",
        say(
            "取第一维中的一项（通道、模态、频带、窗口）",
            "One entry of the first dimension: a channel, mode, band or window",
        ),
        params_of(index=whole("which one, from 0; -1 is the last", low=-1_000_000, high=1_000_000)),
        (_ANY,),
        port("entry"),
        _compute_selected,
        engine="inline",
    )


def _compute_selected(values: Sequence[Value], params: Params) -> Value:
    source, index = values[0], as_whole(params, "index")
    if source.array.ndim < 2:
        raise ValueError("the value has a single record: there is nothing to select")
    count = source.array.shape[0]
    if not -count <= index < count:
        raise ValueError(f"there is no entry {index}: the value has {count} ({source.dims[0]})")
    return make_value(
        source.array[index],
        source.dims[1:],
        source.axis,
        source.unit,
        source.kind,
        notes={f"{source.dims[0]}": index},
        source=source,
    )
