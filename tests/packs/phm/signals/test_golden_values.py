"""Signal functions against values that were worked out by hand or by the raw library, which takes a second to load."""

import math
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt
import pytest

from metier.packs.phm.signals import _batches as batches
from metier.packs.phm.signals import _checks as checks
from metier.packs.phm.signals import _comparisons as comparisons
from metier.packs.phm.signals import _cyclic as cyclic
from metier.packs.phm.signals import _decisions as decisions
from metier.packs.phm.signals import _decompositions as decompositions
from metier.packs.phm.signals import _filters as filters
from metier.packs.phm.signals import _gears as gears
from metier.packs.phm.signals import _orders as orders
from metier.packs.phm.signals import _severity as severity
from metier.packs.phm.signals import _spectra as spectra
from metier.packs.phm.signals import _statistics as statistics
from metier.packs.phm.signals import _time_frequency as maps
from metier.packs.phm.signals import _trends as trends

FS = 1024.0
T = np.arange(4096) / FS
SINE = 3 * np.sin(2 * np.pi * 64 * T)
NOISE = np.random.default_rng(7).standard_normal(8192)
MODULATED = (1 + 0.5 * np.cos(2 * np.pi * 8 * T)) * np.sin(2 * np.pi * 200 * T)
IMPULSES = (np.arange(4096) % 64 == 0).astype(float)
CHIRP = np.cos(2 * np.pi * (50 + 100 * np.arange(1024) / FS) * np.arange(1024) / FS)  # 50 to 250 Hz in a second


def _differences(table: Mapping[str, tuple[object, object, float]]) -> list[str]:
    """Rows whose found value is not the expected one within the tolerance (absolute, and relative to the expected)."""
    return [
        f"{name}: {np.asarray(found)!r} instead of {np.asarray(expected)!r}"
        for name, (found, expected, tolerance) in table.items()
        if not np.allclose(np.asarray(found), np.asarray(expected), rtol=tolerance, atol=tolerance)
    ]


def test_statistics_of_a_sine_and_of_noise_have_their_textbook_values() -> None:
    from scipy import stats

    root = np.sqrt(np.abs(SINE)).mean()
    w = 2 * np.pi * 64 / FS
    table = {
        "rms": (statistics.compute_rms(SINE), 3 / math.sqrt(2), 1e-12),
        "abs_mean": (statistics.compute_abs_mean(SINE), np.mean(np.abs(SINE)), 1e-12),
        "peak": (statistics.compute_peak(-SINE), 3, 1e-12),
        "peak_to_peak": (statistics.compute_peak_to_peak(SINE), 6, 1e-12),
        "variance": (statistics.compute_variance(SINE + 5), 4.5, 1e-12),
        "skew": (statistics.compute_skewness(NOISE), stats.skew(NOISE), 1e-12),
        "kurtosis of a sine": (statistics.compute_kurtosis(SINE), 1.5, 1e-12),
        "kurtosis": (statistics.compute_kurtosis(NOISE), stats.kurtosis(NOISE, fisher=False), 1e-12),
        "shape_factor": (statistics.compute_shape_factor(SINE), math.pi / (2 * math.sqrt(2)), 0.01),
        "crest_factor": (statistics.compute_crest_factor(SINE), math.sqrt(2), 1e-12),
        "impulse_factor": (statistics.compute_impulse_factor(SINE), math.pi / 2, 0.01),
        "clearance_factor": (statistics.compute_clearance_factor(SINE), 3 / (root * root), 1e-12),
        "zero_crossing_rate": (statistics.compute_zero_crossing_rate(np.cos(2 * np.pi * 64 * T), fs=FS), 128, 0.01),
        "hjorth": (statistics.compute_hjorth(SINE, fs=FS), [4.5, 2 * FS * math.sin(w / 2), 1.0], 2e-3),
        "tkeo": (statistics.compute_tkeo(SINE), 9 * math.sin(w) ** 2 * np.ones(4094), 1e-9),
        "impulses: kurtosis is the period": (statistics.compute_kurtosis(IMPULSES), 64, 0.05),
    }
    assert _differences(table) == []


def test_the_eleven_features_are_the_single_functions_and_keep_float32() -> None:
    from scipy import stats

    records = np.stack([SINE, NOISE[:4096], MODULATED])
    features = dict(zip(statistics.FEATURE_NAMES, statistics.compute_features(records).T, strict=True))
    table = {
        "mean": (features["mean"], records.mean(axis=1), 1e-12),
        "std": (features["std"], records.std(axis=1), 1e-12),
        "rms": (features["rms"], statistics.compute_rms(records), 1e-12),
        "peak": (features["peak"], statistics.compute_peak(records), 1e-12),
        "peak_to_peak": (features["peak_to_peak"], np.ptp(records, axis=1), 1e-12),
        "skew": (features["skew"], stats.skew(records, axis=1), 1e-9),
        "kurtosis": (features["kurtosis"], stats.kurtosis(records, axis=1, fisher=False), 1e-9),
        "crest_factor": (features["crest_factor"], statistics.compute_crest_factor(records), 1e-12),
        "shape_factor": (features["shape_factor"], statistics.compute_shape_factor(records), 1e-12),
        "impulse_factor": (features["impulse_factor"], statistics.compute_impulse_factor(records), 1e-12),
        "clearance_factor": (features["clearance_factor"], statistics.compute_clearance_factor(records), 1e-12),
    }
    assert list(table) == list(statistics.FEATURE_NAMES)
    assert _differences(table) == []
    assert statistics.compute_features(records.astype(np.float32)).dtype == np.float32


def test_entropies_know_order_from_chaos() -> None:
    uniform = np.linspace(0, 1, 1000)
    short = NOISE[:300]
    table = {
        "histogram of a uniform sample": (statistics.compute_histogram_entropy(uniform, bins=10), math.log(10), 1e-9),
        "permutation of a ramp": (statistics.compute_permutation_entropy(uniform), 0, 1e-12),
        "permutation of noise": (statistics.compute_permutation_entropy(NOISE), 1, 1e-3),
        "permutation by hand": (
            statistics.compute_permutation_entropy([4, 7, 9, 10, 6, 11, 3], order=2),
            0.9183 / 1,
            1e-4,
        ),
        "approximate": (statistics.compute_approximate_entropy(short), _approximate_by_loops(short), 1e-9),
        "sample": (statistics.compute_sample_entropy(short), _sample_by_loops(short), 1e-9),
    }
    assert _differences(table) == []
    assert float(table["approximate"][0]) != pytest.approx(float(table["sample"][0]), rel=0.05)


def _distances(x: npt.NDArray[np.float64], m: int, count: int) -> npt.NDArray[np.float64]:
    rows = np.array([x[i : i + m] for i in range(count)])
    return np.asarray(np.abs(rows[:, None] - rows[None]).max(axis=-1))


def _approximate_by_loops(x: npt.NDArray[np.float64], m: int = 2) -> float:
    r = 0.2 * x.std()
    phi = [np.log((_distances(x, k, len(x) - k + 1) <= r).mean(axis=1)).mean() for k in (m, m + 1)]
    return float(phi[0] - phi[1])


def _sample_by_loops(x: npt.NDArray[np.float64], m: int = 2) -> float:
    r, count = 0.2 * x.std(), len(x) - m
    pairs = [(_distances(x, k, count) <= r).sum() - count for k in (m, m + 1)]
    return float(-math.log(pairs[1] / pairs[0]))


def test_spectra_have_the_amplitude_the_power_and_the_place_of_a_sine() -> None:
    from scipy import signal as sps

    amplitude, step = spectra.compute_amplitude_spectrum(SINE, fs=FS)
    complex_, _ = spectra.compute_complex_spectrum(np.cos(2 * np.pi * 64 * T + 0.7), fs=FS)
    density, density_step = spectra.compute_psd(NOISE, fs=FS, nperseg=512)
    zoomed, zoom_step = spectra.compute_zoom_spectrum(SINE, fs=FS, band=(60, 70), lines=1000)
    line, place = spectra.compute_line_amplitude(amplitude, 64.4, step=step)
    flat = np.ones(101)
    table = {
        "step": (step, 0.25, 1e-12),
        "amplitude": (amplitude[256], 3, 1e-9),
        "mean is removed": (spectra.compute_amplitude_spectrum(SINE + 100, fs=FS)[0][:4], 0, 1e-9),
        "phase": (np.angle(complex_[256]), 0.7, 1e-9),
        "psd is the variance": (density.sum() * density_step, NOISE.var(), 0.03),
        "psd is scipy's": (density, sps.welch(NOISE, FS, nperseg=512)[1], 1e-12),
        "zoom finds the line": (60 + zoom_step * zoomed.argmax(), 64, 0.01),
        "zoom amplitude": (zoomed.max(), 3, 1e-3),
        "line amplitude": ([line, place], [3, 64], 1e-9),
        "band power": (spectra.compute_band_power(density, [(0, 256), (257, 512)], step=density_step).sum(), 1, 0.04),
        "decibels": (spectra.compute_power_to_db([1e-12, 1, 100], top_db=60), [-40, 0, 20], 1e-9),
        "centroid": (spectra.compute_spectral_centroid([0, 1, 0, 3], step=10), 25, 1e-12),
        "spread": (spectra.compute_spectral_spread([0, 1, 0, 1], step=10), 10, 1e-12),
        "skewness of a symmetric spectrum": (spectra.compute_spectral_moment(flat, order=3), 0, 1e-9),
        "kurtosis of a flat spectrum": (spectra.compute_spectral_moment(flat, order=4), 1.8, 1e-3),
        "flatness of white": (spectra.compute_spectral_flatness(flat), 1, 1e-12),
        "flatness of a tone": (spectra.compute_spectral_flatness(amplitude), 0, 1e-6),
        "entropy of white": (spectra.compute_spectral_entropy(flat), 1, 1e-12),
        "entropy of a tone": (spectra.compute_spectral_entropy([0, 1, 0]), 0, 1e-12),
    }
    assert _differences(table) == []
    assert spectra.compute_amplitude_spectrum(SINE.astype(np.float32), fs=FS)[0].dtype == np.float32


def test_filters_do_to_a_sine_what_theory_says() -> None:
    inner = slice(512, -512)
    both = SINE + np.sin(2 * np.pi * 300 * T)
    low = filters.compute_filtered(both, fs=FS, filter_type="low", cutoff=150)
    velocity = filters.compute_integral(SINE, fs=FS, band=(10, 400))
    resampled, rate = filters.compute_resampled(SINE, fs=FS, target_fs=768)
    slow = 3 * np.sin(2 * np.pi * 8 * T)
    noisy = slow + 0.5 * NOISE[:4096]
    clean = filters.compute_wavelet_denoised(noisy, wavelet="sym8")
    periodic, rest = filters.filter_adaptively(SINE + 0.3 * NOISE[:4096])
    table = {
        "low pass without phase shift": (low[inner], SINE[inner], 1e-3),
        "high pass": (
            filters.compute_filtered(both, fs=FS, filter_type="high", cutoff=150)[inner],
            (both - SINE)[inner],
            0.01,
        ),
        "stop": (
            filters.compute_filtered(both, fs=FS, filter_type="stop", cutoff=[200, 400])[inner],
            SINE[inner],
            0.02,
        ),
        "z score": (filters.compute_normalized(SINE + 4).std(), 1, 1e-12),
        "min max": (np.ptp(filters.compute_normalized(SINE, method="min_max")), 1, 1e-12),
        "detrend": (filters.compute_detrended(5 + 2 * T), 0, 1e-9),
        "integral": (velocity, -3 * np.cos(2 * np.pi * 64 * T) / (2 * np.pi * 64), 1e-9),
        "integral twice": (
            filters.compute_integral(SINE, fs=FS, band=(10, 400), times=2),
            -SINE / (2 * np.pi * 64) ** 2,
            1e-9,
        ),
        "derivative": (filters.compute_derivative(T * T, fs=FS)[1:-1], 2 * T[1:-1], 1e-9),
        "resampled rate": (rate, 768, 1e-12),
        "resampled": (resampled[200:-200], 3 * np.sin(2 * np.pi * 64 * np.arange(3072) / 768)[200:-200], 1e-2),
        "savgol keeps a parabola": (filters.compute_savgol(T * T, window_length=11, polyorder=2), T * T, 1e-9),
        "adaptive filter parts": (periodic + rest, SINE + 0.3 * NOISE[:4096], 1e-12),
    }
    assert _differences(table) == []
    assert np.std(clean - slow) < 0.5 * np.std(noisy - slow)
    assert np.std(rest[2048:]) < 0.5
    assert np.std(periodic[2048:]) == pytest.approx(3 / math.sqrt(2), rel=0.1)


def test_a_narrow_low_band_at_a_high_rate_does_not_diverge() -> None:
    """The (b, a) form in one direction reached 1e13 in this band."""
    filtered = filters.compute_filtered(np.tile(NOISE, 4), fs=12_000, filter_type="band", cutoff=[5, 20], order=5)
    assert np.abs(filtered).max() < np.abs(NOISE).max()


def test_maps_over_time_and_frequency_show_where_the_energy_is() -> None:
    stft, step = maps.compute_stft(SINE, fs=FS, nperseg=256, hop=64)
    power, power_step = maps.compute_spectrogram(NOISE, fs=FS)
    mel, mel_step = maps.compute_mel_spectrogram(SINE, fs=FS, n_fft=512, hop=128, n_mels=32)
    frequencies = maps.list_wavelet_frequencies(FS, f_min=16, f_max=256, count=33)
    wavelets = maps.compute_wavelet_map(SINE, fs=FS, frequencies=frequencies)
    wigner, wigner_step = maps.compute_wigner_ville(CHIRP, fs=FS)
    vqt = maps.compute_vqt(SINE, fs=FS, f_min=16, n_bins=49, bins_per_octave=12, hop=16)
    ridge = wigner[200:824].argmax(axis=-1) * wigner_step
    loudest = 2595 * math.log10(1 + 64 / 700) / mel_step - 1
    table = {
        "stft shape": (stft.shape, (61, 129), 0),
        "stft amplitude": (stft[:, 16], 3, 1e-9),
        "stft step": (step, 4, 0),
        "power is the variance": (power.sum(axis=-1).mean() * power_step, NOISE.var(), 0.05),
        "mel band": (mel.mean(axis=0).argmax(), round(loudest), 0),
        "wavelet ridge": (frequencies[wavelets[:, 2048].argmax()], 64, 1e-6),
        "wigner follows the chirp": (ridge, 50 + 200 * np.arange(200, 824) / FS, 1.0 / 50),
        "wigner sums to the squared envelope": (wigner[200:824].sum(axis=-1), 1, 0.05),
        "wigner is no diagonal": (np.count_nonzero(np.abs(wigner) > 1e-3) > 10 * len(CHIRP), True, 0),
        "vqt amplitude": (vqt[32:-32, 24], 3, 0.01),
        "vqt has one ridge": (vqt[32:-32].argmax(axis=-1), 24, 0),
    }
    assert _differences(table) == []


def test_decompositions_give_the_parts_back() -> None:
    slow, fast = np.sin(2 * np.pi * 10 * T[:2048]), 0.5 * np.sin(2 * np.pi * 120 * T[:2048])
    both = slow + fast
    modes, centers = decompositions.compute_vmd(both, fs=FS, modes=2)
    imfs = decompositions.compute_emd(both)
    packets, rate, bands = decompositions.compute_wavelet_packet(NOISE, fs=FS, level=3)
    tone, _, _ = decompositions.compute_wavelet_packet(SINE, fs=FS, level=3)
    patches = decompositions.compute_patches(np.arange(10.0), patch_size=4, stride=3)
    plane = np.outer(np.arange(20.0), [3, 4]) + 1
    scores, share = decompositions.compute_principal_components(plane.reshape(2, 10, 2), n_components=1)
    inner = slice(200, -200)
    table = {
        "vmd centres": (centers, [10, 120], 0.02),
        "vmd modes": (modes[:, inner], np.stack([slow, fast])[:, inner], 0.05),
        "emd sums to the signal": (imfs.sum(axis=0), both, 1e-9),
        "emd begins with the fast part": (np.corrcoef(imfs[0], fast)[0, 1] > 0.95, True, 0),
        "packet energy": ((packets * packets).sum(), (NOISE * NOISE).sum(), 1e-6),
        "packet rate": (rate, 128, 0),
        "packet of the sine": ((tone * tone).sum(axis=-1).argmax(), 1, 0),
        "packet band": (bands[1], (64, 128), 0),
        "patches begin at sample 0": (patches, [[0, 1, 2, 3], [3, 4, 5, 6], [6, 7, 8, 9]], 0),
        "delays": (decompositions.compute_delay_embedding([1.0, 2, 3, 4], dimension=2, delay=2), [[1, 2], [3, 4]], 0),
        "pca share": (share, [1], 1e-9),
        "pca scores": (np.abs(scores[:, 0]), 5 * np.abs(np.arange(20) - 9.5), 1e-9),
    }
    assert _differences(table) == []


def test_cepstra_find_echoes_and_families() -> None:
    echo = NOISE[:4096].copy()
    echo[100:] += 0.6 * NOISE[:3996]
    cepstrum, step = spectra.compute_cepstrum(echo, fs=FS)
    power, _ = spectra.compute_cepstrum(echo, fs=FS, kind="power")
    removed = spectra.compute_liftered(echo, fs=FS, low=95 / FS, high=105 / FS)
    again, _ = spectra.compute_cepstrum(removed, fs=FS)
    table = {
        "echo": (20 + cepstrum[20:].argmax(), 100, 0),
        "half of the echo's gain": (cepstrum[100], 0.3, 0.1),
        "power": (power, np.square(2 * cepstrum), 1e-12),
        "step": (step, 1 / FS, 0),
        "lifter removes it": (again[100], 0, 0.03),
    }
    assert _differences(table) == []


def test_orders_are_found_in_a_run_up() -> None:
    fs = 5000.0
    time = np.arange(int(10 * fs)) / fs
    speed = 10 + 2 * time
    angle = 10 * time + time * time
    signal = np.sin(2 * np.pi * 3.585 * angle)
    tacho = (np.mod(angle * 4, 1) < 0.5).astype(float)
    pulses = orders.find_pulses(tacho, fs=fs)
    phase = orders.trace_phase(pulses, samples=time.size, fs=fs, pulses_per_rev=4)
    turned = orders.resample_at_angles(signal, orders.integrate_speed(speed, fs=fs), samples_per_rev=64)
    spectrum, step = spectra.compute_amplitude_spectrum(turned, fs=64, window="hann")
    by_tacho = spectra.compute_amplitude_spectrum(
        orders.resample_at_angles(signal, phase, samples_per_rev=64), fs=64, window="hann"
    )
    teeth = np.sin(2 * np.pi * 8 * angle) + 0.5 * np.random.default_rng(1).standard_normal(angle.size)
    average, turns = orders.average_revolutions(
        orders.resample_at_angles(teeth, orders.integrate_speed(speed, fs=fs), samples_per_rev=64), samples_per_rev=64
    )
    table = {
        "pulses": (pulses.size, 4 * 200, 2 / 800),
        "phase": (np.nanmax(phase) - np.nanmin(phase), (pulses.size - 1) / 4, 1e-3),
        "speed": (orders.measure_speed(tacho, fs=fs, pulses_per_rev=4)[1000:-1000], speed[1000:-1000], 0.03),
        "angle": (orders.integrate_speed(speed, fs=fs), angle, 1e-9),
        "order": (spectrum.argmax() * step, 3.585, 0.002),
        "order by tacho": (by_tacho[0].argmax() * by_tacho[1], 3.585, 0.002),
        "amplitude": (spectrum.max(), 1, 0.1),
        "turns": (turns, 200, 0.01),
        "average": (average, np.sin(2 * np.pi * 8 * np.arange(64) / 64), 0.12),
    }
    assert _differences(table) == []


def test_gear_metrics_have_their_values_for_a_sound_and_a_damaged_gear() -> None:
    angle = np.arange(1024) / 1024
    mesh = 2 * np.cos(2 * np.pi * 20 * angle) + np.cos(2 * np.pi * 40 * angle)
    sides = 0.4 * np.cos(2 * np.pi * 21 * angle)
    shaft = np.cos(2 * np.pi * angle)
    far = 0.1 * np.cos(2 * np.pi * 33 * angle)
    parts = gears.split_average(mesh + sides + shaft + far + 7, teeth=20)
    noise = np.random.default_rng(3).standard_normal((10, 200_000))
    grown = np.stack([far, far, 3 * far])
    variance = np.mean(far * far)
    na4 = 1.5 * (9 * variance) ** 2 / ((variance * (1 + 1 + 9)) / 3) ** 2
    spectrum = np.zeros(200)
    spectrum[[90, 100, 110]] = 1, 4, 3
    modulated = (1 + 0.5 * np.cos(2 * np.pi * angle)) * np.cos(2 * np.pi * 20 * angle)
    table = {
        "regular": (parts.regular, mesh + sides + shaft, 1e-9),
        "residual": (parts.residual, sides + far, 1e-9),
        "difference": (parts.difference, far, 1e-9),
        "fm0": (gears.compute_fm0(mesh, teeth=20), np.ptp(mesh) / 3, 1e-9),
        "fm4 of a sine": (gears.compute_fm4(far), 1.5, 1e-9),
        "fm4": (gears.compute_fm4(noise).mean(), 3, 0.02),
        "m6a": (gears.compute_m6a(noise).mean(), 15, 0.03),
        "m8a": (gears.compute_m8a(noise).mean(), 105, 0.08),
        "energy ratio": (gears.compute_energy_ratio(far, mesh), 0.1 / math.sqrt(5), 1e-9),
        "na4": (gears.compute_na4(grown), [1.5, 1.5, na4], 1e-9),
        "mesh envelope": (gears.compute_mesh_envelope(modulated, teeth=20), 1 + 0.5 * np.cos(2 * np.pi * angle), 1e-9),
        "side bands": (gears.compute_sideband_ratio(spectrum, step=1, center=100, spacing=10, count=1), 0.5, 1e-9),
    }
    assert _differences(table) == []


def test_severity_is_the_velocity_in_the_band_and_its_zone() -> None:
    acceleration = 10 * np.sin(2 * np.pi * 80 * np.arange(20_000) / 5000.0)
    expected = 10 / math.sqrt(2) / (2 * math.pi * 80) * 1000
    per_unit = {
        unit: float(severity.compute_velocity_rms(acceleration / scale, fs=5000, unit=unit))
        for unit, scale in {"m/s2": 1, "g": 9.80665, "mm/s2": 0.001}.items()
    }
    table = {
        "units": (list(per_unit.values()), expected, 1e-3),
        "velocity": (severity.compute_velocity_rms(acceleration, fs=5000, unit="mm/s"), 10 / math.sqrt(2), 1e-3),
        "displacement": (
            severity.compute_velocity_rms(acceleration, fs=5000, unit="um"),
            10 / math.sqrt(2) * 2 * math.pi * 80 / 1000,
            1e-3,
        ),
        "outside": (severity.compute_velocity_rms(acceleration, fs=5000, unit="g", band=(200, 1000)), 0, 0.01),
    }
    assert _differences(table) == []
    zones = [severity.find_zone(v, machine_class="II") for v in (1.0, 1.12, 2.0, 7.1, 7.2)]
    assert zones == ["A", "A", "B", "C", "D"]


def test_comparisons_of_two_signals() -> None:
    from scipy import signal as sps

    shifted = np.roll(NOISE[:1024], 5)
    correlation = comparisons.compute_cross_correlation(shifted, NOISE[:1024])
    coherence, step = comparisons.compute_coherence(NOISE, NOISE[::-1] + 0, fs=FS)
    gain, _ = comparisons.compute_transfer_function(NOISE, -2.5 * NOISE, fs=FS)
    first, _ = spectra.compute_complex_spectrum(np.cos(2 * np.pi * 64 * T), fs=FS)
    second, _ = spectra.compute_complex_spectrum(np.cos(2 * np.pi * 64 * T - 1.2), fs=FS)
    table = {
        "add": (comparisons.apply_arithmetic([1, 2], [3, 4], operation="add"), [4, 6], 0),
        "divide": (comparisons.apply_arithmetic([1, 2], [2, 4], operation="divide"), [0.5, 0.5], 0),
        "lag": (correlation.argmax() - 1023, 5, 0),
        "correlation with itself": (comparisons.compute_cross_correlation(SINE, SINE)[4095], 1, 1e-12),
        "convolution": (comparisons.compute_convolution([1.0, 2, 3, 4], [1.0, 1], mode="full"), [1, 3, 5, 7, 4], 1e-12),
        "euclidean": (comparisons.compute_distance([0, 3], [4, 0]), 5, 1e-12),
        "manhattan": (comparisons.compute_distance([0, 3], [4, 0], metric="manhattan"), 7, 1e-12),
        "cosine": (comparisons.compute_distance([0, 3], [4, 0], metric="cosine"), 1, 1e-12),
        "correlation": (comparisons.compute_distance([1, 2, 3], [6, 4, 2], metric="correlation"), 2, 1e-12),
        "similarity": (comparisons.compute_similarity([0, 3], [4, 0], metric="euclidean"), 1 / 6, 1e-12),
        "coherence": (coherence, sps.coherence(NOISE, NOISE[::-1], FS, nperseg=256)[1], 1e-9),
        "coherence step": (step, 4, 0),
        "transfer function": (gain[2:-2], -2.5, 1e-6),
        "phase": (comparisons.compute_phase_difference(first, second)[256], -1.2, 1e-9),
        "warping forgives a shift": (
            comparisons.compute_dtw_distance([0, 0, 1, 2, 1, 0], [0, 1, 2, 1, 0, 0]),
            0,
            1e-12,
        ),
        "warping by hand": (comparisons.compute_dtw_distance([1.0, 2, 3], [2.0, 2, 4]), 2, 1e-12),
        "warping two lengths": (comparisons.compute_dtw_distance([1.0, 3], [1.0, 1, 1, 3]), 0, 1e-12),
    }
    assert _differences(table) == []


def test_modulation_is_found_at_its_rate_and_its_carrier() -> None:
    noise = np.random.default_rng(5).standard_normal(32_768)
    time = np.arange(noise.size) / 4096.0
    band = filters.compute_filtered(noise, fs=4096, filter_type="band", cutoff=[900, 1300])
    signal = (1 + np.cos(2 * np.pi * 37 * time)) * band + 0.2 * noise
    depth, alpha_step, carrier_step = cyclic.compute_cyclic_modulation(signal, fs=4096, max_alpha=100)
    mean, _ = cyclic.compute_enhanced_envelope_spectrum(signal, fs=4096, max_alpha=100)
    line = round(37 / alpha_step)
    kurtosis, step = cyclic.compute_spectral_kurtosis(SINE[:4096] + 0.001 * NOISE[:4096], fs=FS, window=64)
    gauss, _ = cyclic.compute_spectral_kurtosis(noise, fs=4096, window=64)
    table = {
        "rate": (mean.argmax() * alpha_step, 37, 0.01),
        "carrier": (900 <= depth[:, line].argmax() * carrier_step <= 1300, True, 0),
        "alpha is resolved to 1 / T": (alpha_step <= 1.01 / time[-1], True, 0),
        "spectral kurtosis of a sine": (kurtosis[round(64 / step)], -1, 0.01),
        "spectral kurtosis of noise": (gauss, 0, 0.35),
    }
    assert _differences(table) == []


def test_envelopes_of_many_records_are_those_of_each() -> None:
    from scipy import signal as sps

    records = np.stack([MODULATED, NOISE[:4096], SINE + MODULATED])
    spectra_of_all, step = batches.compute_envelope_spectra(records, fs=FS)
    analytic = sps.hilbert(records - records.mean(axis=-1, keepdims=True), axis=-1)
    banded, _ = batches.compute_envelope_spectra(records[2], fs=FS, band=(150, 250))
    odd = NOISE[:4093]
    line = round(8 / step)
    comb = np.full((2, 400), 2.0)
    comb[0, [50, 100, 150]] = 20, 40, 80
    scores = batches.score_harmonics_of_many(comb, 50, step=1)
    table = {
        "modulation of depth m shows 2 m": (spectra_of_all[0, line], 1.0, 1e-9),
        "and m^2 / 2 at twice the rate": (spectra_of_all[0, 2 * line], 0.125, 1e-9),
        "a band hides what is outside": (banded[line], 1.0, 1e-3),
        "envelope": (batches.compute_envelope(records, fs=FS), np.abs(analytic), 1e-9),
        "squared": (batches.compute_squared_envelopes(records, fs=FS), np.abs(analytic) ** 2, 1e-9),
        "awkward length": (
            batches.compute_squared_envelopes(odd, fs=FS)[100:-100],
            np.abs(sps.hilbert(odd - odd.mean()))[100:-100] ** 2,
            0.1,
        ),
        "scores": (scores, [20, 1], 1e-9),
    }
    assert _differences(table) == []
    assert batches.compute_envelope_spectra(records.astype(np.float32), fs=FS)[0].dtype == np.float32


def test_a_long_record_is_treated_in_blocks_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    from scipy import signal as sps

    record = np.random.default_rng(9).standard_normal(200_000)
    calls: dict[str, Callable[[], npt.ArrayLike]] = {
        "filter": lambda: filters.compute_filtered(record, fs=FS, filter_type="band", cutoff=[100, 200]),
        "integral": lambda: filters.compute_integral(record, fs=FS, band=(20, 400)),
        "envelope": lambda: batches.compute_squared_envelopes(record, fs=FS, band=(100, 300)),
        "psd": lambda: spectra.compute_psd(record, fs=FS, nperseg=1000, overlap=0.3)[0],
        "spectrum": lambda: spectra.compute_amplitude_spectrum(record, fs=FS)[0],
    }
    whole = {name: np.asarray(call()) for name, call in calls.items()}
    for module in (filters, batches, checks):
        monkeypatch.setattr(module, "LONG_RECORD", 50_000)
    monkeypatch.setattr(checks, "_BLOCK", 65_536)
    monkeypatch.setattr(spectra, "_BLOCK", 30_000)
    in_blocks = {name: np.asarray(call()) for name, call in calls.items()}
    inner = {name: slice(10_000, -10_000) if whole[name].size == record.size else slice(None) for name in calls}
    table = {
        name: (in_blocks[name][part], whole[name][part], 0.02 * float(np.abs(whole[name]).max()))
        for name, part in inner.items()
    }
    assert _differences(table) == []
    assert in_blocks["filter"].dtype == np.float32
    assert whole["psd"] == pytest.approx(sps.welch(record, FS, nperseg=1000, noverlap=300)[1])
    windows = {name: spectra._window(name, 64, np.dtype(np.float64)) for name in spectra.WINDOWS}
    assert _differences({name: (one, sps.get_window(name, 64), 1e-12) for name, one in windows.items()}) == []


def test_decisions_are_taken_on_plain_numbers() -> None:
    from scipy import stats

    spectrum = np.full(400, 0.01)
    spectrum[[50, 100, 151, 201]] = 5, 3, 2, 1
    found = decisions.list_harmonics(spectrum, 50, step=1, count=4, tolerance=0.01)
    rng = np.random.default_rng(11)
    steps = np.concatenate([rng.normal(0, 1, 120), rng.normal(6, 1, 80)])
    baseline = rng.normal(0, 1, (200, 3)) * [1, 10, 100]
    scores = decisions.compute_anomaly_scores([[0, 0, 0], [0, 0, 900]], baseline)
    outliers, _ = decisions.find_outliers(
        np.concatenate([rng.normal(0, 1, (95, 2)), rng.normal(12, 1, (5, 2))]), contamination=0.05
    )
    same, other = (
        decisions.compare_distributions(NOISE[:4000], NOISE[4000:]),
        decisions.compare_distributions(NOISE, NOISE + 0.2),
    )
    table = {
        "peaks": (decisions.list_peaks(spectrum, step=2, max_peaks=2), [(100, 5), (200, 3)], 1e-12),
        "harmonics": ([one.found for one in found], [50, 100, 151, 201], 1e-12),
        "amplitudes": ([one.amplitude for one in found], [5, 3, 2, 1], 1e-12),
        "signal to noise": (found[0].snr, 500, 1e-9),
        "change point": (decisions.find_change_points(steps), [120], 0.02),
        "change point l1": (decisions.find_change_points(steps, model="l1"), [120], 0.02),
        "change point rbf": (decisions.find_change_points(steps, model="rbf", penalty=1), [120], 0.02),
        "anomaly": (scores.scores[1], 9 / math.sqrt(3), 0.15),
        "outliers": (np.flatnonzero(outliers), np.arange(95, 100), 0),
        "ks": ([same.statistic, other.statistic], [stats.ks_2samp(NOISE[:4000], NOISE[4000:])[0], 0.08], 0.015),
    }
    assert _differences(table) == []
    assert decisions.find_change_points(rng.normal(0, 1, 200)) == []
    assert scores.scores[0] < scores.limit < scores.scores[1]
    assert other.p_value < 1e-6 < same.p_value
    assert decisions.check_rules({"kurtosis": 5, "rms": 1}, [("kurtosis", ">", 4), ("rms", ">", 2)]) == (
        False,
        [True, False],
    )
    assert decisions.check_rules({"kurtosis": 5}, [("kurtosis", ">", 4)], logical_op="OR")[0]


def test_trends_rise_alarm_and_end() -> None:
    rng = np.random.default_rng(2)
    features = rng.normal(0, 1, (300, 2)) + 10
    features[200:] += np.linspace(0, 20, 100)[:, None]
    index = trends.compute_health_index(features, baseline=100)
    ramp = 0.1 * np.arange(50)
    life = trends.estimate_remaining_life(ramp, step=2.0, threshold=10.0)
    growth = trends.estimate_remaining_life(
        np.exp(0.05 * np.arange(60)), step=1.0, threshold=math.exp(4), model="exponential"
    )
    flat = trends.estimate_remaining_life(1 + 0.1 * rng.standard_normal(100), step=1.0, threshold=5)
    shift = np.concatenate([rng.normal(0, 1, 100), rng.normal(3, 1, 30)])
    table = {
        "health": ([np.abs(index[:150]).max() < 1, index[-1] > 4], [True, True], 0),
        "monotone": (
            trends.compute_monotonicity(
                trends.compute_health_index(features, baseline=100, monotone=True) + 1e-6 * np.arange(300)
            ),
            1,
            0,
        ),
        "monotonicity": (trends.compute_monotonicity([1.0, 2, 1, 2, 3]), 0.5, 1e-12),
        "trendability": (trends.compute_trendability([[1.0, 2, 3], [2.0, 4, 6]]), 1, 1e-12),
        "prognosability": (trends.compute_prognosability([[0.0, 5, 10], [0.0, 4, 10]]), 1, 1e-12),
        "smooth": (trends.smooth_trend([1.0, 1, 2], weight=0.5), [1, 1, 1.5], 1e-12),
        "linear life": ([life.mean, life.low, life.high], (10 - 4.9) / 0.05, 1e-6),
        "exponential life": ([growth.mean, growth.low, growth.high], 80 - 59, 1e-3),
        "reached": (trends.estimate_remaining_life(ramp, step=1, threshold=1).mean, 0, 0),
        "cusum": (trends.chart_cusum(shift, baseline=100).first_alarm, 101, 0.02),
        "ewma": (trends.chart_ewma(shift, baseline=100, limit=4).first_alarm, 102, 0.04),
    }
    assert _differences(table) == []
    assert flat.mean is None
    assert "no degradation" in flat.reason


def test_nine_of_ten_intervals_of_remaining_life_hold_the_truth() -> None:
    inside, runs = 0, 300
    for seed in range(runs):
        path = np.cumsum(0.1 + 0.2 * np.random.default_rng(seed).standard_normal(1500))
        threshold = path[200] + 30
        truth = int(np.argmax(path[200:] >= threshold))
        found = trends.estimate_remaining_life(path[:201], step=1.0, threshold=float(threshold))
        inside += found.low is not None and found.high is not None and found.low <= truth <= found.high
    assert 0.85 <= inside / runs <= 0.95
