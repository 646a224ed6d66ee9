"""Expand operators: windows, maps over time and frequency, modes, wavelet packets."""

from collections.abc import Iterator, Sequence

import numpy as np

from metier.flow import Axis, Operator, Value
from metier.json_values import JsonObject
from metier.packs.phm.operators._build import (
    SIGNAL,
    SIGNALS,
    TIME_SIGNAL,
    Params,
    as_number,
    as_text,
    as_whole,
    axis_of,
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
from metier.packs.phm.signals import _time_frequency as maps

_PARTS = port("parts", SIGNALS, ("time", "angle"))
_FRAMES = port("map", ("spectrogram",), ("frequency", "order"))
_WAVELET: JsonObject = {"type": "string", "maxLength": 30}


def list_expansions() -> Iterator[Operator]:
    """Operators that add a dimension."""
    yield from _windows()
    yield from _frame_maps()
    yield from _other_maps()
    yield from _modes()


def _windows() -> Iterator[Operator]:
    yield Operator(
        "patch",
        "expand",
        say("切成等长窗口", "Windows of equal length, the first from sample 0"),
        params_of(
            patch_size=whole("samples of a window", low=2, high=10_000_000),
            stride=whole("samples from one to the next", low=1, high=10_000_000),
        ),
        (SIGNAL,),
        _PARTS,
        _compute_patches,
    )
    yield Operator(
        "time_delay_embedding",
        "expand",
        say("时延嵌入（相空间重构）", "Delayed copies of the signal (phase space)"),
        params_of(dimension=whole("copies", low=2, high=50), delay=whole("samples of delay", low=1, high=1_000_000)),
        (SIGNAL,),
        _PARTS,
        _compute_embedding,
    )


def _compute_patches(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    size, stride = as_whole(params, "patch_size"), as_whole(params, "stride")
    array = decompositions.compute_patches(source.array, patch_size=size, stride=stride)
    notes: JsonObject = {"record_step": stride * axis.step, "record_unit": axis.unit}
    return make_value(
        array, (*source.dims[:-1], "patch", source.dims[-1]), axis, source.unit, source.kind, notes=notes, source=source
    )


def _compute_embedding(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array = decompositions.compute_delay_embedding(
        source.array, dimension=as_whole(params, "dimension"), delay=as_whole(params, "delay")
    )
    return make_value(
        array, (*source.dims[:-1], "delay", source.dims[-1]), axis, source.unit, source.kind, source=source
    )


def _frame_maps() -> Iterator[Operator]:
    frames = params_of(
        nperseg=whole("samples of a frame", 256, low=8, high=1_000_000),
        hop=whole("samples from frame to frame", 64, low=1, high=1_000_000),
    )
    yield Operator(
        "stft",
        "expand",
        say("短时傅里叶变换：各帧的幅值谱", "Short-time Fourier transform: amplitudes per frame, frequency last"),
        frames,
        (SIGNAL,),
        port("map", ("spectrum", "order_spectrum"), ("frequency", "order")),
        _compute_stft,
    )
    yield Operator(
        "spectrogram",
        "expand",
        say("语谱图：各帧的功率谱密度", "Power spectral density per frame, frequency last"),
        frames,
        (SIGNAL,),
        _FRAMES,
        _compute_spectrogram,
    )
    yield Operator(
        "mel_spectrogram",
        "expand",
        say("梅尔语谱图（分贝）", "Spectrogram in mel bands, decibels below the maximum"),
        params_of(
            n_fft=whole("samples of a frame", 2048, low=32, high=1_000_000),
            hop_length=whole("samples from frame to frame", 512, low=1, high=1_000_000),
            n_mels=whole("mel bands", 64, low=2, high=512),
        ),
        (TIME_SIGNAL,),
        port("map", ("decibels",), ("mel",)),
        _compute_mel,
    )


def _frame_notes(params: Params, axis: Axis, hop: str, size: str) -> dict[str, float | str]:
    """Time of the frames: step and centre of the first."""
    first = axis.start + (as_whole(params, size) - 1) / 2 * axis.step
    return {"record_step": as_whole(params, hop) * axis.step, "record_start": first, "record_unit": axis.unit}


def _spectral(axis: Axis, step: float) -> Axis:
    return Axis("order", step, 0.0, "order") if axis.domain == "angle" else Axis("frequency", step, 0.0, "Hz")


def _compute_stft(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, step = maps.compute_stft(
        source.array, fs=axis.rate, nperseg=as_whole(params, "nperseg"), hop=as_whole(params, "hop")
    )
    where = _spectral(axis, step)
    kind = "order_spectrum" if axis.domain == "angle" else "spectrum"
    notes = _frame_notes(params, axis, "hop", "nperseg")
    return make_value(
        array, (*source.dims[:-1], "frame", where.domain), where, source.unit, kind, notes=notes, source=source
    )


def _compute_spectrogram(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, step = maps.compute_spectrogram(
        source.array, fs=axis.rate, nperseg=as_whole(params, "nperseg"), hop=as_whole(params, "hop")
    )
    where = _spectral(axis, step)
    unit = f"{square_unit(source.unit)}/{where.unit}"
    notes = _frame_notes(params, axis, "hop", "nperseg")
    return make_value(
        array, (*source.dims[:-1], "frame", where.domain), where, unit, "spectrogram", notes=notes, source=source
    )


def _compute_mel(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, step = maps.compute_mel_spectrogram(
        source.array,
        fs=axis.rate,
        n_fft=as_whole(params, "n_fft"),
        hop=as_whole(params, "hop_length"),
        n_mels=as_whole(params, "n_mels"),
    )
    notes = _frame_notes(params, axis, "hop_length", "n_fft")
    return make_value(
        array,
        (*source.dims[:-1], "frame", "mel"),
        Axis("mel", step, step, "mel"),
        "dB",
        "decibels",
        notes=notes,
        source=source,
    )


def _other_maps() -> Iterator[Operator]:
    yield Operator(
        "wavelet_transform",
        "expand",
        say(
            "连续小波变换的幅值（尺度按等比频率）",
            "Magnitudes of the continuous wavelet transform at frequencies in equal ratios",
        ),
        params_of(
            f_min=positive("lowest frequency, Hz"),
            f_max=positive("highest frequency, Hz"),
            count=whole("scales", 32, low=2, high=256),
            wavelet={**_WAVELET, "description": "continuous wavelet", "default": "cmor1.5-1.0"},
        ),
        (TIME_SIGNAL,),
        port("map", ("scalogram",), ("time",)),
        _compute_wavelets,
    )
    yield Operator(
        "wigner_ville_distribution",
        "expand",
        say(
            "Wigner-Ville 分布（解析信号，最多 2048 点）",
            "Wigner-Ville distribution of the analytic signal, at most 2048 samples",
        ),
        params_of(),
        (TIME_SIGNAL,),
        port("map", ("distribution",), ("frequency",)),
        _compute_wigner,
    )
    yield Operator(
        "vqt",
        "expand",
        say("变 Q 变换：对数频率轴", "Variable-Q transform: magnitudes over octaves"),
        params_of(
            fmin=positive("lowest frequency, Hz"),
            n_bins=whole("bins", 48, low=1, high=512),
            bins_per_octave=whole("bins per octave", 12, low=1, high=96),
            gamma=number("extra bandwidth, Hz", 0.0, low=0, high=1e6),
            hop_length=whole("samples from frame to frame", 64, low=1, high=1_000_000),
        ),
        (TIME_SIGNAL,),
        port("map", ("constant_q",), ("octave",)),
        _compute_vqt,
    )


def _compute_wavelets(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    frequencies = maps.list_wavelet_frequencies(
        axis.rate, f_min=as_number(params, "f_min"), f_max=as_number(params, "f_max"), count=as_whole(params, "count")
    )
    array = maps.compute_wavelet_map(
        source.array, fs=axis.rate, frequencies=frequencies, wavelet=as_text(params, "wavelet")
    )
    notes = {"centers_hz": [round(float(one), 6) for one in frequencies]}
    return make_value(
        array, (*source.dims[:-1], "scale", "time"), axis, source.unit, "scalogram", notes=notes, source=source
    )


def _compute_wigner(values: Sequence[Value], _: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, step = maps.compute_wigner_ville(source.array, fs=axis.rate)
    notes: dict[str, float | str] = {"record_step": axis.step, "record_unit": axis.unit}
    where = Axis("frequency", step, 0.0, "Hz")
    dims = (*source.dims[:-1], "frame", "frequency")
    return make_value(array, dims, where, square_unit(source.unit), "distribution", notes=notes, source=source)


def _compute_vqt(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    low, per_octave = as_number(params, "fmin"), as_whole(params, "bins_per_octave")
    array = maps.compute_vqt(
        source.array,
        fs=axis.rate,
        f_min=low,
        n_bins=as_whole(params, "n_bins"),
        bins_per_octave=per_octave,
        gamma=as_number(params, "gamma"),
        hop=as_whole(params, "hop_length"),
    )
    where = Axis("octave", 1 / per_octave, float(np.log2(low)), "octave")
    notes: JsonObject = {"record_step": as_whole(params, "hop_length") * axis.step, "record_unit": axis.unit}
    return make_value(
        array, (*source.dims[:-1], "frame", "octave"), where, source.unit, "constant_q", notes=notes, source=source
    )


def _modes() -> Iterator[Operator]:
    yield Operator(
        "vmd",
        "expand",
        say("变分模态分解", "Variational mode decomposition, lowest centre frequency first"),
        params_of(
            K=whole("modes", low=1, high=12),
            alpha=positive("narrowness of the bands", 2000.0),
            tau=number("step of the dual ascent; 0 tolerates noise", 0.0, low=0, high=10),
            tol=positive("relative change that ends the search", 1e-6),
        ),
        (TIME_SIGNAL,),
        _PARTS,
        _compute_vmd,
        engine="process",
    )
    yield Operator(
        "emd",
        "expand",
        say("经验模态分解，高频在前，和为原信号", "Empirical mode decomposition, fastest first; the sum is the signal"),
        params_of(max_imf=whole("modes at most, beside the rest", 6, low=1, high=12)),
        (TIME_SIGNAL,),
        _PARTS,
        _compute_emd,
        engine="process",
    )
    yield Operator(
        "wavelet_packet",
        "expand",
        say(
            "小波包分解：等宽频带的系数，能量守恒",
            "Wavelet packet: coefficients of bands of equal width in order of frequency; energy is kept",
        ),
        params_of(
            wavelet={**_WAVELET, "description": "discrete wavelet", "default": "db8"},
            level=whole("levels: 2^level bands", 3, low=1, high=8),
        ),
        (TIME_SIGNAL,),
        _PARTS,
        _compute_packet,
    )


def _compute_vmd(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, centers = decompositions.compute_vmd(
        source.array,
        fs=axis.rate,
        modes=as_whole(params, "K"),
        alpha=as_number(params, "alpha"),
        tau=as_number(params, "tau"),
        tol=as_number(params, "tol"),
    )
    notes = {"centers_hz": [round(float(one), 6) for one in centers.ravel()[:64]]}
    return make_value(
        array, (*source.dims[:-1], "mode", "time"), axis, source.unit, source.kind, notes=notes, source=source
    )


def _compute_emd(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array = decompositions.compute_emd(source.array, max_imf=as_whole(params, "max_imf"))
    return make_value(array, (*source.dims[:-1], "mode", "time"), axis, source.unit, source.kind, source=source)


def _compute_packet(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    array, rate, bands = decompositions.compute_wavelet_packet(
        source.array, fs=axis.rate, wavelet=as_text(params, "wavelet"), level=as_whole(params, "level")
    )
    where = Axis(axis.domain, 1 / rate, axis.start, axis.unit)
    notes = {"bands_hz": [list(one) for one in bands]}
    return make_value(
        array, (*source.dims[:-1], "band", "time"), where, source.unit, source.kind, notes=notes, source=source
    )
