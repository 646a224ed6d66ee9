"""Benchmark: what operators in a DAG cost beside the same calculations written by hand."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from metier.flow import Axis, DagTracker, NodeLimits, OperatorRegistry
from metier.packs.phm.operators._build import make_value
from metier.packs.phm.signals._checks import FloatArray

_FS = 12_000.0
_FAULTS_HZ = (107.3, 162.2, 141.2, 119.3)


@dataclass(frozen=True, slots=True)
class Throughput:
    """CPU seconds for eleven features, the envelope spectrum and four harmonic tests of many records."""

    records: int
    samples: int
    by_hand_s: float
    by_operators_s: float

    @property
    def ratio(self) -> float:
        """Cost of the operators over the cost by hand."""
        return self.by_operators_s / self.by_hand_s


def measure_throughput(records: int = 10_000, samples: int = 2048, *, repeats: int = 2) -> Throughput:
    """Measure both ways on the same noise; the best of `repeats` counts."""
    from metier.packs.phm.operators import list_operators

    noise = np.random.default_rng(0).standard_normal((records, samples))
    registry = OperatorRegistry(list_operators())
    _compute_by_hand(noise[:8])  # loads the libraries
    _compute_by_operators(noise[:8], registry)()
    by_hand = min(_measure(lambda: _compute_by_hand(noise)) for _ in range(repeats))
    by_operators = min(_measure(_compute_by_operators(noise, registry)) for _ in range(repeats))
    return Throughput(records, samples, by_hand, by_operators)


def _measure(job: Callable[[], None]) -> float:
    start = time.process_time()
    job()
    return time.process_time() - start


def _compute_by_operators(records: FloatArray, registry: OperatorRegistry) -> Callable[[], None]:
    """DAG with its root already in place; the call adds the six nodes."""
    tracker = DagTracker(registry, limits=NodeLimits(seconds=None))
    root = tracker.root(
        make_value(records, ("record", "time"), Axis("time", 1 / _FS, 0.0, "s"), "g", "vibration"), "records"
    )

    def run() -> None:
        tracker.add_execution("time_features", {}, [root])
        spectrum = tracker.add_execution("envelope_spectrum", {}, [root])
        for frequency in _FAULTS_HZ:
            tracker.add_execution("harmonic_score", {"frequency": frequency}, [spectrum])

    return run


def _compute_by_hand(records: FloatArray) -> None:
    """The same figures with numpy and scipy alone, as an analyst writes them in a notebook (products, no powers)."""
    from scipy import fft
    from scipy.signal import hilbert

    mean = records.mean(axis=-1)
    centered = records - mean[:, None]
    square = centered * centered
    variance = square.mean(axis=-1)
    deviation = np.sqrt(variance)
    rms = np.sqrt(variance + mean * mean)
    high, low = records.max(axis=-1), records.min(axis=-1)
    peak = np.maximum(high, -low)
    absolute = np.abs(records)
    abs_mean, root = absolute.mean(axis=-1), np.sqrt(absolute).mean(axis=-1)
    skew = (square * centered).mean(axis=-1) / (variance * deviation)
    kurtosis = (square * square).mean(axis=-1) / (variance * variance)
    ratios = (peak / rms, rms / abs_mean, peak / abs_mean, peak / (root * root))
    np.stack([mean, deviation, rms, peak, high - low, skew, kurtosis, *ratios], axis=-1)
    analytic = hilbert(centered, axis=-1)
    envelope = analytic.real * analytic.real + analytic.imag * analytic.imag
    envelope -= envelope.mean(axis=-1, keepdims=True)
    spectrum = np.abs(fft.rfft(envelope, axis=-1)) * (2 / records.shape[-1])
    step = _FS / records.shape[-1]
    for frequency in _FAULTS_HZ:
        _score_by_hand(spectrum, frequency / step)


def _score_by_hand(spectrum: FloatArray, line: float) -> FloatArray:
    total = np.zeros(len(spectrum))
    for number in (1, 2, 3):
        center, half = number * line, max(0.01 * number * line, 1.0)
        peak = spectrum[:, int(np.ceil(center - half)) : int(np.floor(center + half)) + 1].max(axis=-1)
        around = spectrum[:, max(1, int(center - 0.25 * line)) : int(center + 0.25 * line) + 2]
        total += np.log(peak / np.median(around, axis=-1))
    return np.exp(total / 3)
