"""Operators between a signal and its spectrum, and aggregates of a spectrum."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from metier.flow import Axis, Operator, Value
from metier.language import BilingualText
from metier.packs.phm.operators._build import (
    SIGNALS,
    SPECTRUM,
    TIME_SIGNAL,
    Params,
    as_number,
    as_numbers,
    as_pair,
    as_text,
    as_whole,
    axis_of,
    band,
    choice,
    make_like,
    make_value,
    number,
    params_of,
    port,
    positive,
    say,
    spectral_axis,
    square_unit,
    whole,
)
from metier.packs.phm.signals import _gears as gears
from metier.packs.phm.signals import _spectra as spectra
from metier.packs.phm.signals._checks import FloatArray

if TYPE_CHECKING:
    from metier.json_values import JsonObject

_FEATURES = port("feature", ("features",), ("none",))
_WAVE = port("signal", (*SIGNALS, "envelope"), ("time", "angle"))


def list_spectral() -> Iterator[Operator]:
    """Spectra, cepstra and figures of a spectrum."""
    yield from _transforms()
    yield from _cepstral()
    yield from (_figure_operator(name, text, function) for name, text, function in _figure_rows())
    yield from _band_operators()
    yield from _line_operators()


def _transforms() -> Iterator[Operator]:
    window = choice("taper of the record", spectra.WINDOWS, "hann")
    yield Operator(
        "fft",
        "transform",
        say(
            "单边频谱：幅值（正弦幅值 A 显示为 A）或复数",
            "One-sided spectrum: amplitudes (a sine of amplitude A shows A), or complex with phase",
        ),
        params_of(output=choice("what is given", ("amplitude", "complex"), "amplitude"), window=window),
        (_WAVE,),
        port("spectrum", ("spectrum", "order_spectrum", "complex_spectrum"), ("frequency", "order")),
        _compute_fft,
    )
    yield Operator(
        "psd",
        "transform",
        say("Welch 功率谱密度", "Welch's power spectral density"),
        params_of(
            nperseg=whole("samples of a segment", 1024, low=8, high=10_000_000),
            overlap=number("share by which segments overlap", 0.5, low=0, high=0.95),
            window=window,
        ),
        (_WAVE,),
        port("spectrum", ("psd",), ("frequency", "order")),
        _compute_psd,
    )
    yield Operator(
        "zoom_spectrum",
        "transform",
        say("细化谱：在窄带内以更多谱线显示幅值", "Zoom FFT: amplitudes of a narrow band in many lines"),
        params_of(band_hz=band("band, Hz or orders"), lines=whole("lines of the result", 1024, low=16, high=65_536)),
        (_WAVE,),
        port("spectrum", ("spectrum", "order_spectrum"), ("frequency", "order")),
        _compute_zoom,
    )
    yield Operator(
        "power_to_db",
        "transform",
        say("换算为分贝", "Decibels of a power, cut top_db below the maximum"),
        params_of(ref=positive("power at 0 dB", 1.0), top_db=positive("range in dB", 80.0)),
        (
            port(
                "spectrum",
                ("psd", "spectrogram", "spectrum", "envelope_spectrum", "order_spectrum"),
                ("frequency", "order"),
            ),
        ),
        port("decibels", ("decibels",), ("frequency", "order")),
        _compute_db,
    )


def _compute_fft(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    if as_text(params, "output") == "complex":
        array, step = spectra.compute_complex_spectrum(source.array, fs=axis.rate, window=as_text(params, "window"))
        return _spectrum(source, array, spectral_axis(axis, step), source.unit, "complex_spectrum")
    magnitude, step = spectra.compute_amplitude_spectrum(source.array, fs=axis.rate, window=as_text(params, "window"))
    kind = "order_spectrum" if axis.domain == "angle" else "spectrum"
    return _spectrum(source, magnitude, spectral_axis(axis, step), source.unit, kind)


def _spectrum(source: Value, array: object, axis: Axis, unit: str, kind: str) -> Value:
    return make_value(array, (*source.dims[:-1], axis.domain), axis, unit, kind, source=source)


def _compute_psd(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, step = spectra.compute_psd(
        source.array,
        fs=axis.rate,
        nperseg=as_whole(params, "nperseg"),
        overlap=as_number(params, "overlap"),
        window=as_text(params, "window"),
    )
    where = spectral_axis(axis, step)
    return _spectrum(source, array, where, f"{square_unit(source.unit)}/{where.unit}", "psd")


def _compute_zoom(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    pair = as_pair(params, "band_hz") or (0.0, axis.rate / 2)
    array, step = spectra.compute_zoom_spectrum(source.array, fs=axis.rate, band=pair, lines=as_whole(params, "lines"))
    kind = "order_spectrum" if axis.domain == "angle" else "spectrum"
    return _spectrum(source, array, spectral_axis(axis, step, pair[0]), source.unit, kind)


def _compute_db(values: Sequence[Value], params: Params) -> Value:
    power = values[0].array
    if values[0].kind not in ("psd", "spectrogram"):
        power = power * power
    array = spectra.compute_power_to_db(power, ref=as_number(params, "ref"), top_db=as_number(params, "top_db"))
    return make_like(values[0], array, unit="dB", kind="decibels")


def _cepstral() -> Iterator[Operator]:
    yield Operator(
        "cepstrum",
        "transform",
        say("倒频谱：谐波族与边带族显示为一根谱线", "Cepstrum: a family of harmonics or side bands becomes one line"),
        params_of(kind=choice("real IDFT(ln|X|) or power |IDFT(ln|X|^2)|^2", ("real", "power"), "real")),
        (TIME_SIGNAL,),
        port("cepstrum", ("cepstrum",), ("quefrency",)),
        _compute_cepstrum,
    )
    yield Operator(
        "lifter",
        "transform",
        say(
            "倒频谱编辑：去掉一段倒频率内的谐波族",
            "Cepstral editing: removes the families of a range of quefrencies from the signal",
        ),
        params_of(low_s=positive("begin of the range, seconds"), high_s=positive("end of the range, seconds")),
        (TIME_SIGNAL,),
        port("signal", SIGNALS, ("time",)),
        _compute_liftered,
    )


def _compute_cepstrum(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, step = spectra.compute_cepstrum(source.array, fs=axis.rate, kind=as_text(params, "kind"))
    return _spectrum(source, array, Axis("quefrency", step, 0.0, "s"), "", "cepstrum")


def _compute_liftered(values: Sequence[Value], params: Params) -> Value:
    source = values[0]
    low, high = as_number(params, "low_s"), as_number(params, "high_s")
    return make_like(source, spectra.compute_liftered(source.array, fs=axis_of(source).rate, low=low, high=high))


_Figure = Callable[[FloatArray, Axis], FloatArray]


def _power(x: FloatArray) -> FloatArray:
    return np.asarray(x * x)


def _centroid(x: FloatArray, axis: Axis) -> FloatArray:
    return spectra.compute_spectral_centroid(x, step=axis.step, start=axis.start)


def _spread(x: FloatArray, axis: Axis) -> FloatArray:
    return spectra.compute_spectral_spread(x, step=axis.step, start=axis.start)


def _skewness(x: FloatArray, _: Axis) -> FloatArray:
    return spectra.compute_spectral_moment(x, order=3)


def _kurtosis(x: FloatArray, _: Axis) -> FloatArray:
    return spectra.compute_spectral_moment(x, order=4)


def _flatness(x: FloatArray, _: Axis) -> FloatArray:
    return spectra.compute_spectral_flatness(x)


def _entropy(x: FloatArray, _: Axis) -> FloatArray:
    return spectra.compute_spectral_entropy(x)


def _figure_rows() -> Sequence[tuple[str, BilingualText, _Figure]]:
    return (
        ("spectral_centroid", say("谱质心（频率加权平均）", "Centroid of the power over frequency"), _centroid),
        ("spectral_spread", say("谱展宽（频率标准差）", "Standard deviation of frequency, power as weight"), _spread),
        (
            "spectral_skewness",
            say("谱偏度：功率在频率上的分布", "Skewness of the power as a distribution over frequency"),
            _skewness,
        ),
        (
            "spectral_kurtosis",
            say(
                "谱峭度（频谱形状，平坦谱为 1.8）；冲击性见 spectral_kurtosis_curve",
                "Kurtosis of the power over frequency (1.8 if flat); impacts: spectral_kurtosis_curve",
            ),
            _kurtosis,
        ),
        (
            "spectral_flatness",
            say("谱平坦度：白噪声近 1，纯音近 0", "Flatness of the power: near 1 for white noise, 0 for a tone"),
            _flatness,
        ),
        ("spectral_entropy", say("谱熵（0 到 1）", "Entropy of the power, 0 to 1"), _entropy),
    )


def _figure_operator(name: str, text: BilingualText, function: _Figure) -> Operator:
    return Operator(
        name, "aggregate", text, params_of(), (SPECTRUM,), _FEATURES, partial(_compute_figure, name, function)
    )


def _compute_figure(name: str, function: _Figure, values: Sequence[Value], _: Params) -> Value:
    """Figure of the power: amplitudes are squared, densities taken as they are."""
    source, axis = values[0], axis_of(values[0])
    power = source.array if source.kind in ("psd", "spectrogram") else _power(source.array)
    unit = axis.unit if name in ("spectral_centroid", "spectral_spread") else ""
    return make_value(
        function(power, axis), source.dims[:-1], None, unit, "features", notes={"names": [name]}, source=source
    )


def _band_operators() -> Iterator[Operator]:
    pair: JsonObject = {"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 2, "maxItems": 2}
    bands: JsonObject = {"type": "array", "items": pair, "minItems": 1, "maxItems": 200}
    yield Operator(
        "band_power",
        "aggregate",
        say("功率谱密度在各频带内的功率", "Power of a density within each band"),
        params_of(bands={**bands, "description": "bands [[low, high], ...]"}),
        (port("spectrum", ("psd", "spectrogram"), ("frequency", "order")),),
        _FEATURES,
        _compute_band_power,
    )
    yield Operator(
        "order_band_energy",
        "aggregate",
        say(
            "各阶次带内的能量（幅值平方和的一半）",
            "Energy within each band of orders (half the sum of squared amplitudes)",
        ),
        params_of(bands={**bands, "description": "bands of orders [[low, high], ...]"}),
        (port("spectrum", ("order_spectrum",), ("order",)),),
        _FEATURES,
        _compute_order_energy,
    )


def _line_operators() -> Iterator[Operator]:
    lines = port("spectrum", ("spectrum", "order_spectrum", "envelope_spectrum"), ("frequency", "order"))
    yield Operator(
        "line_amplitude",
        "aggregate",
        say("某频率附近最大谱线的幅值", "Largest line near a frequency or order"),
        params_of(frequency=positive("Hz or order"), tolerance=number("relative half width", 0.01, low=0, high=0.5)),
        (lines,),
        _FEATURES,
        _compute_line,
    )
    yield Operator(
        "sideband_ratio",
        "aggregate",
        say("边带平均幅值与中心谱线之比", "Mean amplitude of the side bands over that of the centre line"),
        params_of(
            center=positive("centre line, Hz or order"),
            spacing=positive("distance of the side bands"),
            count=whole("side bands on each side", 3, low=1, high=20),
        ),
        (lines,),
        _FEATURES,
        _compute_sidebands,
    )


def _read_bands(params: Params) -> list[tuple[float, float]]:
    listed = params["bands"]
    pairs = [as_numbers(one) for one in listed] if isinstance(listed, Sequence) and not isinstance(listed, str) else []
    return [(one[0], one[1]) for one in pairs]


def _compute_band_power(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    bands = _read_bands(params)
    array = spectra.compute_band_power(source.array, bands, step=axis.step)
    names = [f"band_{low:g}_{high:g}" for low, high in bands]
    unit = source.unit.removesuffix(f"/{axis.unit}")
    return make_value(
        array, (*source.dims[:-1], "feature"), None, unit, "features", notes={"names": names}, source=source
    )


def _compute_order_energy(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    bands = _read_bands(params)
    energy = spectra.compute_band_power(_power(source.array) / (2 * axis.step), bands, step=axis.step)
    names = [f"orders_{low:g}_{high:g}" for low, high in bands]
    dims = (*source.dims[:-1], "feature")
    return make_value(energy, dims, None, square_unit(source.unit), "features", notes={"names": names}, source=source)


def _compute_line(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    frequency = as_number(params, "frequency")
    amplitude, place = spectra.compute_line_amplitude(
        source.array, frequency - axis.start, step=axis.step, tolerance=as_number(params, "tolerance")
    )
    notes = {"names": [f"line_{frequency:g}"], "found": (np.ravel(place) + axis.start).tolist()[:64]}
    return make_value(amplitude, source.dims[:-1], None, source.unit, "features", notes=notes, source=source)


def _compute_sidebands(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    ratio = gears.compute_sideband_ratio(
        source.array,
        step=axis.step,
        center=as_number(params, "center"),
        spacing=as_number(params, "spacing"),
        count=as_whole(params, "count"),
    )
    return make_value(ratio, source.dims[:-1], None, "", "features", notes={"names": ["sideband_ratio"]}, source=source)
