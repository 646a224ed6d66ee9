"""Every signal function answers data it cannot treat with a sentence, never with NaN or a bare library error."""

import warnings
from collections.abc import Callable

import numpy as np

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

FS = 1000.0
GOOD = np.random.default_rng(1).standard_normal(1024)
Array = np.ndarray

ONE_SIGNAL: tuple[tuple[str, Callable[[Array], object]], ...] = (
    ("kurtosis", statistics.compute_kurtosis),
    ("skewness", statistics.compute_skewness),
    ("crest", statistics.compute_crest_factor),
    ("clearance", statistics.compute_clearance_factor),
    ("features", statistics.compute_features),
    ("hjorth", lambda x: statistics.compute_hjorth(x, fs=FS)),
    ("zero crossings", lambda x: statistics.compute_zero_crossing_rate(x, fs=FS)),
    ("histogram entropy", statistics.compute_histogram_entropy),
    ("permutation entropy", statistics.compute_permutation_entropy),
    ("approximate entropy", statistics.compute_approximate_entropy),
    ("sample entropy", statistics.compute_sample_entropy),
    ("normalize", filters.compute_normalized),
    ("denoise", filters.compute_wavelet_denoised),
    ("cepstrum", lambda x: spectra.compute_cepstrum(x, fs=FS)),
    ("wavelet", lambda x: maps.compute_wavelet_map(x, fs=FS, frequencies=[50.0, 100.0])),
    ("wigner", lambda x: maps.compute_wigner_ville(x, fs=FS)),
    ("vmd", lambda x: decompositions.compute_vmd(x, fs=FS, modes=2)),
    ("emd", decompositions.compute_emd),
    ("cyclic", lambda x: cyclic.compute_cyclic_modulation(x, fs=FS, max_alpha=20)),
    ("severity", lambda x: severity.compute_velocity_rms(x, fs=FS, unit="g", band=(10, 400))),
    ("tacho", lambda x: orders.find_pulses(x, fs=FS)),
    ("peaks", lambda x: decisions.list_peaks(x, step=1)),
    ("change points", decisions.find_change_points),
    ("fm4", gears.compute_fm4),
)


def _sentence(call: Callable[[], object]) -> str:
    """What the ValueError says; empty if nothing was raised."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call()
    except ValueError as error:
        return str(error)
    return ""


def test_nan_infinite_empty_short_and_constant_signals_are_refused_with_a_sentence() -> None:
    with_nan, with_inf = GOOD.copy(), GOOD.copy()
    with_nan[5], with_inf[[5, 6]] = np.nan, (np.inf, -np.inf)
    records = {
        "NaN or infinite": (with_nan, with_inf),
        "empty": (np.empty(0),),
        "samples": (np.array([1.0]),),
        "constant": (np.full(1024, 3.3),),
        "complex": (GOOD + 1j,),
    }
    silent = [
        f"{name}: {word}: {said!r}"
        for name, function in ONE_SIGNAL
        for word, given in records.items()
        for record in given
        if word not in (said := _sentence(lambda function=function, record=record: function(record)))  # type: ignore[misc]
    ]
    assert silent == []


def test_a_clipped_record_has_no_peak() -> None:
    clipped = np.clip(GOOD, -0.5, 0.5)
    refused = [statistics.compute_peak, statistics.compute_crest_factor, statistics.compute_features]
    assert [one.__name__ for one in refused if "clipped" not in _sentence(lambda one=one: one(clipped))] == []  # type: ignore[misc]
    assert checks.count_clipped(GOOD) == 0
    assert checks.count_clipped(np.sin(np.arange(2000) * 2 * np.pi / 16 + np.pi / 16)) == 0


def test_wrong_parameters_are_named() -> None:
    spectrum = np.abs(GOOD)
    table = np.random.default_rng(1).standard_normal((20, 3))
    calls: dict[str, tuple[Callable[[], object], str]] = {
        "band above Nyquist": (
            lambda: filters.compute_filtered(GOOD, fs=FS, filter_type="band", cutoff=[10, 600]),
            "500 Hz",
        ),
        "band upside down": (
            lambda: filters.compute_filtered(GOOD, fs=FS, filter_type="band", cutoff=[90, 60]),
            "must rise",
        ),
        "one edge for a band": (
            lambda: filters.compute_filtered(GOOD, fs=FS, filter_type="band", cutoff=50),
            "two cutoff",
        ),
        "filter type": (
            lambda: filters.compute_filtered(GOOD, fs=FS, filter_type="notch", cutoff=50),
            "low, high, band, stop",
        ),
        "order": (
            lambda: filters.compute_filtered(GOOD, fs=FS, filter_type="low", cutoff=50, order=99),
            "between 1 and 10",
        ),
        "rate": (lambda: spectra.compute_psd(GOOD, fs=0), "positive"),
        "rate NaN": (lambda: maps.compute_stft(GOOD, fs=float("nan")), "positive"),
        "integral from zero": (lambda: filters.compute_integral(GOOD, fs=FS, band=(0, 100)), "above 0 Hz"),
        "window": (lambda: spectra.compute_amplitude_spectrum(GOOD, fs=FS, window="kaiserlich"), "unknown window"),
        "savgol": (lambda: filters.compute_savgol(GOOD, window_length=10, polyorder=2), "odd"),
        "wavelet": (lambda: filters.compute_wavelet_denoised(GOOD, wavelet="db99"), "unknown wavelet"),
        "continuous wavelet": (
            lambda: maps.compute_wavelet_map(GOOD, fs=FS, frequencies=[9.0], wavelet="db4"),
            "continuous",
        ),
        "negative spectrum": (lambda: spectra.compute_spectral_centroid(GOOD, step=1), "negative values"),
        "flatness of a raw signal": (lambda: spectra.compute_spectral_flatness(GOOD), "negative values"),
        "zero spectrum": (lambda: spectra.compute_spectral_flatness(np.zeros(50)), "zero everywhere"),
        "band between lines": (lambda: spectra.compute_band_power(spectrum, [(1.1, 1.2)], step=1), "between two lines"),
        "line outside": (lambda: spectra.compute_line_amplitude(spectrum, 5000, step=1), "outside"),
        "straight line": (lambda: statistics.compute_hjorth(np.arange(50.0), fs=FS), "straight line"),
        "entropy order": (lambda: statistics.compute_permutation_entropy(GOOD, order=9), "between 2 and 7"),
        "long entropy": (lambda: statistics.compute_sample_entropy(np.tile(GOOD, 30)), "too many"),
        "long wigner": (lambda: maps.compute_wigner_ville(np.tile(GOOD, 3), fs=FS), "too many"),
        "long modes": (lambda: decompositions.compute_vmd(np.tile(GOOD, 20), fs=FS, modes=2), "too many"),
        "many modes": (lambda: decompositions.compute_vmd(GOOD, fs=FS, modes=50), "1 to 12"),
        "many patches": (
            lambda: decompositions.compute_patches(np.zeros(100_000), patch_size=2000, stride=1),
            "larger stride",
        ),
        "many components": (
            lambda: decompositions.compute_principal_components(table, n_components=9),
            "cannot be had",
        ),
        "vqt bins": (lambda: maps.compute_vqt(GOOD, fs=FS, f_min=100, n_bins=84), "do not fit"),
        "divide by zero": (lambda: comparisons.apply_arithmetic([1.0], [0.0], operation="divide"), "zero in 1"),
        "lengths": (lambda: comparisons.compute_distance(GOOD, GOOD[:9]), "differ in length"),
        "phase of magnitudes": (lambda: comparisons.compute_phase_difference(spectrum, spectrum), "complex spectra"),
        "zero vector": (lambda: comparisons.compute_distance([0.0, 0], [1.0, 1], metric="cosine"), "no direction"),
        "long warp": (lambda: comparisons.compute_dtw_distance(np.zeros(9000), np.zeros(9000)), "too many"),
        "kernel": (lambda: comparisons.compute_convolution(GOOD[:5], GOOD), "longer than the signal"),
        "unit": (lambda: severity.compute_velocity_rms(GOOD, fs=FS, unit="?"), "known unit"),
        "short for 10 Hz": (
            lambda: severity.compute_velocity_rms(GOOD[:200], fs=FS, unit="g", band=(10, 400)),
            "too short",
        ),
        "class": (lambda: severity.find_zone(1.0, machine_class="V"), "unknown machine class"),
        "standstill": (lambda: orders.integrate_speed(np.linspace(10, -1, 100), fs=FS), "standstill"),
        "no pulses": (lambda: orders.find_pulses(np.arange(100.0), fs=FS), "pulses"),
        "less than a turn": (
            lambda: orders.resample_at_angles(GOOD, np.linspace(0, 0.9, 1024), samples_per_rev=64),
            "revolutions",
        ),
        "backwards": (
            lambda: orders.resample_at_angles(GOOD, np.linspace(5, 0, 1024), samples_per_rev=64),
            "must rise",
        ),
        "teeth": (lambda: gears.compute_fm0(GOOD, teeth=700), "too few for 700 teeth"),
        "no mesh": (lambda: gears.compute_fm0(np.cos(2 * np.pi * np.arange(64) / 64), teeth=100), "too few"),
        "alpha": (lambda: cyclic.compute_cyclic_modulation(GOOD, fs=FS, max_alpha=400), "frame rate"),
        "baseline": (lambda: decisions.compute_anomaly_scores(table, table[:3]), "at least 5"),
        "features": (lambda: decisions.compute_anomaly_scores(table[:, :2], table), "do not fit"),
        "contamination": (lambda: decisions.find_outliers(table, contamination=2), "between 0 and 0.5"),
        "rule name": (lambda: decisions.check_rules({"rms": 1}, [("kurtosis", ">", 3)]), "'kurtosis'"),
        "rule sign": (lambda: decisions.check_rules({"rms": 1}, [("rms", "~", 3)]), "unknown comparison"),
        "long series": (lambda: decisions.find_change_points(np.tile(GOOD, 3), model="rbf"), "too long"),
        "flat baseline": (lambda: trends.chart_cusum(np.r_[np.ones(20), 2], baseline=20), "constant"),
        "trend model": (
            lambda: trends.estimate_remaining_life(np.arange(20.0), step=1, threshold=99, model="oracle"),
            "wiener",
        ),
    }
    wrong = {name: said for name, (call, word) in calls.items() if word not in (said := _sentence(call))}
    assert wrong == {}
