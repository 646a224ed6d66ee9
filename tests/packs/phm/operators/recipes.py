"""For each operator the shortest way to reach it: parameters and inputs, each a root or another operator."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from metier.flow import Axis, Value
from metier.json_values import JsonValue

FS = 4096.0
SHAFT_HZ = 16.0
FAULT_HZ = 57.0


class Recipe(NamedTuple):
    """Parameters and inputs of an operator; an input is the name of a root, an operator or `operator:variant`."""

    params: Mapping[str, JsonValue]
    inputs: tuple[str, ...]


def _signal(array: object, unit: str = "g", kind: str = "vibration") -> Value:
    values = np.asarray(array, dtype=np.float64)
    return Value(values, ("time",), Axis("time", 1 / FS, 0.0, "s"), unit, kind)


def build_roots() -> dict[str, Value]:
    """A bearing-like record, a second channel, a tacho, a speed, a torque, and a table of features over records."""
    rng = np.random.default_rng(42)
    time = np.arange(8192) / FS
    noise = rng.standard_normal(time.size)
    impacts = np.convolve(
        np.mod(time * FAULT_HZ, 1) < FAULT_HZ / FS, np.exp(-np.arange(60) / 8) * np.cos(np.arange(60))
    )
    record = 3 * impacts[: time.size] + np.sin(2 * np.pi * SHAFT_HZ * time) + 0.3 * noise
    table = rng.normal(0, 1, (60, 3)) + np.array([1.0, 5.0, 9.0])
    table[40:] += np.linspace(0.5, 10, 20)[:, None]
    index = Axis("index", 3600.0, 0.0, "s")
    names: Mapping[str, JsonValue] = {"names": ["rms", "kurtosis", "crest"]}
    return {
        "x": _signal(record),
        "y": _signal(0.5 * np.roll(record, 3) + 0.1 * rng.standard_normal(time.size)),
        "short": _signal(record[:1024]),
        "kernel": _signal(np.hanning(15)),
        "tacho": _signal(np.mod(time * SHAFT_HZ, 1) < 0.3, "V", "tacho"),
        "speed": _signal(np.full(time.size, 60 * SHAFT_HZ), "rpm", "speed"),
        "torque": _signal(20 + 0.1 * noise, "N m", "torque"),
        "table": Value(table, ("record", "feature"), None, "", "features", names),
        "healthy": Value(table[:40], ("record", "feature"), None, "", "features", names),
        "series": Value(table[:, 0], ("record",), index, "g", "features", {"names": ["rms"]}),
        "other_series": Value(table[:, 1], ("record",), index, "g", "features", {"names": ["rms"]}),
    }


def _aggregates() -> dict[str, Recipe]:
    plain = "mean std var max min rms abs_mean peak peak_to_peak skew kurtosis shape_factor crest_factor impulse_factor"
    plain += " clearance_factor zero_crossing_rate hjorth_parameters time_features entropy permutation_entropy"
    spectral = (
        "spectral_centroid spectral_spread spectral_skewness spectral_kurtosis spectral_flatness spectral_entropy"
    )
    return {
        **{name: Recipe({}, ("x",)) for name in plain.split()},
        **{name: Recipe({}, ("psd",)) for name in spectral.split()},
        **{name: Recipe({}, ("tsa_difference",)) for name in ("fm4", "m6a", "m8a")},
        "approximate_entropy": Recipe({}, ("short",)),
        "sample_entropy": Recipe({}, ("short",)),
        "select": Recipe({"index": 1}, ("patch",)),
        "band_power": Recipe({"bands": [[10, 100], [100, 1000]]}, ("psd",)),
        "line_amplitude": Recipe({"frequency": SHAFT_HZ}, ("fft",)),
        "sideband_ratio": Recipe({"center": 4 * FAULT_HZ, "spacing": SHAFT_HZ}, ("envelope_spectrum",)),
        "order_band_energy": Recipe({"bands": [[0.5, 1.5]]}, ("fft:order",)),
        "fft:order": Recipe({}, ("order_tracking",)),
        "harmonic_score": Recipe({"frequency": FAULT_HZ}, ("envelope_spectrum",)),
        "fm0": Recipe({"teeth": 23}, ("time_synchronous_average",)),
        "velocity_rms": Recipe({}, ("x",)),
        "monotonicity": Recipe({}, ("health_index",)),
    }


def _transforms() -> dict[str, Recipe]:
    return {
        "fft": Recipe({}, ("x",)),
        "fft:complex": Recipe({"output": "complex"}, ("x",)),
        "fft:complex_y": Recipe({"output": "complex"}, ("y",)),
        "psd": Recipe({}, ("x",)),
        "zoom_spectrum": Recipe({"band_hz": [10, 100]}, ("x",)),
        "power_to_db": Recipe({}, ("psd",)),
        "cepstrum": Recipe({}, ("x",)),
        "lifter": Recipe({"low_s": 0.05, "high_s": 0.07}, ("x",)),
        "detrend": Recipe({}, ("x",)),
        "denoise_wavelet": Recipe({}, ("x",)),
        "savgol_filter": Recipe({"window_length": 11, "polyorder": 2}, ("x",)),
        "tkeo": Recipe({}, ("x",)),
        "scale": Recipe({"factor": 9.80665, "unit": "m/s2"}, ("x",)),
        "filter": Recipe({"filter_type": "band", "cutoff": [500, 900]}, ("x",)),
        "resample": Recipe({"target_fs": 2048}, ("x",)),
        "integrate": Recipe({"band_hz": [10, 1000]}, ("x",)),
        "differentiate": Recipe({}, ("x",)),
        "adaptive_filter": Recipe({}, ("short",)),
        "normalize": Recipe({}, ("x",)),
        "smooth_trend": Recipe({}, ("series",)),
        "pca": Recipe({"n_components": 2}, ("table",)),
        "clean_record": Recipe({}, ("x",)),
        "fft:y": Recipe({}, ("y",)),
        "cepstrum_prewhitening": Recipe({}, ("x",)),
        "kurtogram_filter": Recipe({}, ("x",)),
        "hilbert_envelope": Recipe({}, ("x",)),
        "envelope_spectrum": Recipe({"band_hz": [300, 1500]}, ("x",)),
        "enhanced_envelope_spectrum": Recipe({"max_alpha_hz": 200}, ("x",)),
        "spectral_kurtosis_curve": Recipe({}, ("x",)),
        "speed_from_tacho": Recipe({}, ("tacho",)),
        "angle_resample": Recipe({"shaft_hz": SHAFT_HZ}, ("x",)),
        "time_synchronous_average": Recipe({}, ("order_tracking",)),
        "time_synchronous_average:speed": Recipe({}, ("order_tracking:speed",)),
        "tsa_regular": Recipe({"teeth": 23}, ("time_synchronous_average",)),
        "tsa_residual": Recipe({"teeth": 23}, ("time_synchronous_average",)),
        "tsa_residual:speed": Recipe({"teeth": 23}, ("time_synchronous_average:speed",)),
        "tsa_difference": Recipe({"teeth": 23}, ("time_synchronous_average",)),
        "health_index": Recipe({"baseline": 40}, ("table",)),
    }


def _expansions_and_multi() -> dict[str, Recipe]:
    return {
        "patch": Recipe({"patch_size": 1024, "stride": 512}, ("x",)),
        "time_delay_embedding": Recipe({"dimension": 3, "delay": 2}, ("x",)),
        "stft": Recipe({}, ("x",)),
        "spectrogram": Recipe({}, ("x",)),
        "mel_spectrogram": Recipe({"n_fft": 1024, "hop_length": 256}, ("x",)),
        "wavelet_transform": Recipe({"f_min": 20, "f_max": 1500, "count": 8}, ("x",)),
        "wigner_ville_distribution": Recipe({}, ("short",)),
        "vqt": Recipe({"fmin": 64, "n_bins": 40}, ("x",)),
        "vmd": Recipe({"K": 2}, ("short",)),
        "emd": Recipe({}, ("short",)),
        "wavelet_packet": Recipe({}, ("x",)),
        "cyclic_modulation_spectrum": Recipe({"max_alpha_hz": 200}, ("x",)),
        "order_tracking": Recipe({}, ("x", "tacho")),
        "order_tracking:speed": Recipe({}, ("x", "speed")),
        "torque_normalize": Recipe({"reference": 10}, ("x", "torque")),
        "energy_ratio": Recipe({}, ("tsa_difference", "tsa_regular")),
        "na4": Recipe({}, ("tsa_residual", "tsa_residual:speed")),
        "nb4": Recipe({"teeth": 23}, ("time_synchronous_average", "time_synchronous_average:speed")),
        "subtract": Recipe({}, ("x", "y")),
        "element_wise_product": Recipe({}, ("x", "y")),
        "arithmetic": Recipe({"operation": "add"}, ("x", "y")),
        "concatenate": Recipe({}, ("rms", "kurtosis", "time_features")),
        "cross_correlation": Recipe({}, ("x", "y")),
        "convolution": Recipe({}, ("x", "kernel")),
        "dtw_distance": Recipe({}, ("series", "other_series")),
        "coherence": Recipe({}, ("x", "y")),
        "transfer_function": Recipe({}, ("x", "y")),
        "phase_difference": Recipe({}, ("fft:complex", "fft:complex_y")),
        "distance": Recipe({}, ("time_features", "time_features:y")),
        "time_features:y": Recipe({}, ("y",)),
        "trendability": Recipe({}, ("series", "other_series")),
        "prognosability": Recipe({}, ("series", "other_series")),
    }


def _decisions() -> dict[str, Recipe]:
    labels: Sequence[JsonValue] = ["inner", "outer"]
    return {
        "score_similarity": Recipe({"labels": labels}, ("time_features", "time_features:y", "time_features")),
        "similarity_classifier": Recipe({"labels": labels}, ("time_features", "time_features:y", "time_features")),
        "classify_by_top_k": Recipe({}, ("score_similarity",)),
        "ks_test": Recipe({}, ("x", "y")),
        "threshold": Recipe({"threshold": 4}, ("kurtosis",)),
        "rule_based_decision": Recipe({"rules": [["kurtosis", ">", 4], ["rms", ">", 0.1]]}, ("time_features",)),
        "find_peaks": Recipe({}, ("envelope_spectrum",)),
        "harmonic_analysis": Recipe({"fundamental_hz": FAULT_HZ}, ("envelope_spectrum",)),
        "anomaly_scorer": Recipe({}, ("table", "healthy")),
        "outlier_detection": Recipe({}, ("table",)),
        "change_point_detection": Recipe({}, ("series",)),
        "signal_quality": Recipe({}, ("x",)),
        "kurtogram": Recipe({}, ("x",)),
        "harmonic_test": Recipe(
            {"frequencies_hz": {"fault": FAULT_HZ, "other": 75.0}, "shaft_hz": SHAFT_HZ, "side_band_hz": SHAFT_HZ},
            ("envelope_spectrum",),
        ),
        "bearing_test": Recipe({"bearing": "9,7.94,39.04,0", "shaft_hz": FAULT_HZ / 3.5848}, ("envelope_spectrum",)),
        "speed_refinement": Recipe({"shaft_hz": 1.03 * SHAFT_HZ}, ("fft", "fft:y")),
        "unexplained_lines": Recipe({"shaft_hz": SHAFT_HZ}, ("envelope_spectrum",)),
        "iso_20816": Recipe({"machine_class": "II"}, ("x",)),
        "control_chart": Recipe({"baseline": 30}, ("series",)),
        "remaining_useful_life": Recipe({"threshold": 40}, ("series",)),
    }


def list_recipes() -> Mapping[str, Recipe]:
    """Recipe of every operator; those with a variant (`fft:order`) serve as inputs of others."""
    return {**_aggregates(), **_transforms(), **_expansions_and_multi(), **_decisions()}
