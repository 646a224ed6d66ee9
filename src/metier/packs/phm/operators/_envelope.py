"""Operators for impacts: envelope and its spectrum, spectral kurtosis, cyclic modulation, harmonic score."""

from collections.abc import Iterator, Sequence

from metier.flow import Axis, Operator, Value
from metier.packs.phm.operators._build import (
    SIGNAL,
    TIME_SIGNAL,
    Params,
    as_number,
    as_pair,
    as_whole,
    axis_of,
    band,
    flag,
    make_value,
    number,
    optional,
    params_of,
    port,
    positive,
    say,
    spectral_axis,
    square_unit,
    whole,
)
from metier.packs.phm.signals import _batches as batches
from metier.packs.phm.signals import _cyclic as cyclic

_BAND = optional(band("band in Hz (orders in the angle domain); left out: the full band"))
_ENVELOPE_SPECTRUM = port("spectrum", ("envelope_spectrum",), ("frequency", "order"))


def list_envelopes() -> Iterator[Operator]:
    """Operators for impacts and modulation."""
    yield from _envelopes()
    yield from _cyclic_operators()
    yield _score_operator()


def _envelopes() -> Iterator[Operator]:
    yield Operator(
        "hilbert_envelope",
        "transform",
        say("希尔伯特包络，可选频带与平方", "Hilbert envelope, of the full band or one band, plain or squared"),
        params_of(band_hz=_BAND, squared=flag("square of the envelope", False)),
        (SIGNAL,),
        port("envelope", ("envelope",), ("time", "angle")),
        _compute_envelope,
    )
    yield Operator(
        "envelope_spectrum",
        "transform",
        say(
            "平方包络谱：轴承故障的特征频率在此显现",
            "Squared envelope spectrum: shows the rates of impacts, as of bearing faults",
        ),
        params_of(band_hz=_BAND),
        (SIGNAL,),
        _ENVELOPE_SPECTRUM,
        _compute_envelope_spectrum,
    )


def _compute_envelope(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    pair = as_pair(params, "band_hz")
    notes = {"band_hz": list(pair)} if pair else {}
    if params["squared"]:
        array = batches.compute_squared_envelopes(source.array, fs=axis.rate, band=pair)
        return make_value(array, source.dims, axis, square_unit(source.unit), "envelope", notes=notes, source=source)
    array = batches.compute_envelope(source.array, fs=axis.rate, band=pair)
    return make_value(array, source.dims, axis, source.unit, "envelope", notes=notes, source=source)


def _compute_envelope_spectrum(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    pair = as_pair(params, "band_hz")
    array, step = batches.compute_envelope_spectra(source.array, fs=axis.rate, band=pair)
    where = spectral_axis(axis, step)
    notes = {"band_hz": list(pair)} if pair else {}
    dims = (*source.dims[:-1], where.domain)
    return make_value(array, dims, where, square_unit(source.unit), "envelope_spectrum", notes=notes, source=source)


def _cyclic_operators() -> Iterator[Operator]:
    frames = {
        "max_alpha_hz": positive("highest rate of modulation, Hz"),
        "window": whole("samples of a frame", 64, low=8, high=4096),
        "hop": whole("samples from frame to frame", 8, low=1, high=4096),
    }
    yield Operator(
        "cyclic_modulation_spectrum",
        "expand",
        say(
            "循环调制谱：哪个载波频带以何种频率被调制",
            "Cyclic modulation: depth of modulation over carrier band and rate (rate last)",
        ),
        params_of(**frames),
        (TIME_SIGNAL,),
        port("map", ("cyclic_spectrum",), ("frequency",)),
        _compute_cyclic,
    )
    yield Operator(
        "enhanced_envelope_spectrum",
        "transform",
        say(
            "增强包络谱：各载波调制深度的平均",
            "Enhanced envelope spectrum: depth of modulation, mean over all carriers",
        ),
        params_of(**frames),
        (TIME_SIGNAL,),
        port("spectrum", ("envelope_spectrum",), ("frequency",)),
        _compute_enhanced,
    )
    yield Operator(
        "spectral_kurtosis_curve",
        "transform",
        say(
            "谱峭度曲线（Antoni）：高斯噪声为 0，正弦为 −1，冲击频带为大值",
            "Spectral kurtosis over frequency (Antoni 2006): 0 for noise, -1 for a sine, large where impacts are",
        ),
        params_of(window=whole("samples of a frame", 256, low=16, high=16_384)),
        (TIME_SIGNAL,),
        port("curve", ("kurtosis_curve",), ("frequency",)),
        _compute_kurtosis_curve,
    )


def _compute_cyclic(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, step, carrier = cyclic.compute_cyclic_modulation(
        source.array,
        fs=axis.rate,
        max_alpha=as_number(params, "max_alpha_hz"),
        window=as_whole(params, "window"),
        hop=as_whole(params, "hop"),
    )
    where = Axis("frequency", step, 0.0, "Hz")
    notes = {"carrier_step_hz": carrier}
    return make_value(
        array, (*source.dims[:-1], "carrier", "frequency"), where, "", "cyclic_spectrum", notes=notes, source=source
    )


def _compute_enhanced(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, step = cyclic.compute_enhanced_envelope_spectrum(
        source.array,
        fs=axis.rate,
        max_alpha=as_number(params, "max_alpha_hz"),
        window=as_whole(params, "window"),
        hop=as_whole(params, "hop"),
    )
    where = Axis("frequency", step, 0.0, "Hz")
    return make_value(array, (*source.dims[:-1], "frequency"), where, "", "envelope_spectrum", source=source)


def _compute_kurtosis_curve(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, step = cyclic.compute_spectral_kurtosis(source.array, fs=axis.rate, window=as_whole(params, "window"))
    where = Axis("frequency", step, 0.0, "Hz")
    return make_value(array, (*source.dims[:-1], "frequency"), where, "", "kurtosis_curve", source=source)


def _score_operator() -> Operator:
    return Operator(
        "harmonic_score",
        "aggregate",
        say(
            "谐波得分：各次谐波处最大谱线与局部中位数之比的几何平均",
            "Geometric mean over the harmonics of line / local median; many records at once",
        ),
        params_of(
            frequency=positive("fundamental, Hz or order"),
            count=whole("harmonics", 3, low=1, high=20),
            tolerance=number("relative half width of the search", 0.01, low=0, high=0.2),
        ),
        (port("spectrum", ("envelope_spectrum", "spectrum", "order_spectrum", "psd"), ("frequency", "order")),),
        port("feature", ("features",), ("none",)),
        _compute_score,
    )


def _compute_score(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    if axis.start:
        raise ValueError("harmonics are looked for in a spectrum that begins at zero")
    frequency = as_number(params, "frequency")
    array = batches.score_harmonics_of_many(
        source.array,
        frequency,
        step=axis.step,
        count=as_whole(params, "count"),
        tolerance=as_number(params, "tolerance"),
    )
    return make_value(
        array, source.dims[:-1], None, "", "features", notes={"names": [f"score_{frequency:g}"]}, source=source
    )
