"""Shaft angle: pulses and speed to phase, resampling at equal angles, average over revolutions, speed from a tacho."""

import numpy as np
import numpy.typing as npt

from metier.packs.phm.signals._checks import FloatArray, check_rate, check_signal, check_varies

__all__ = [
    "average_revolutions",
    "find_pulses",
    "integrate_speed",
    "measure_speed",
    "resample_at_angles",
    "trace_phase",
]

_MIN_PULSES = 4
_MAX_ANGLE_SAMPLES = 50_000_000


def find_pulses(tacho: npt.ArrayLike, *, fs: float) -> FloatArray:
    """Times in seconds of the rising edges through the middle of the range, with a hysteresis of a fifth of it."""
    array = check_varies(check_signal(tacho, min_length=8, what="the tacho signal"), what="the tacho signal")
    if array.ndim != 1:
        raise ValueError("a tacho signal has one channel")
    low, high = (float(value) for value in np.percentile(array, [1, 99]))
    if low == high:
        low, high = float(array.min()), float(array.max())
    middle, margin = (low + high) / 2, (high - low) / 10
    state = np.zeros(array.size, dtype=np.int8)
    state[array > middle + margin] = 1
    state[array < middle - margin] = -1
    known = np.flatnonzero(state)
    rises = known[1:][(state[known[1:]] == 1) & (state[known[:-1]] == -1)]
    starts = known[:-1][(state[known[1:]] == 1) & (state[known[:-1]] == -1)]
    if rises.size < _MIN_PULSES:
        raise ValueError(f"the tacho signal has {rises.size} pulses, at least {_MIN_PULSES} are needed")
    before, after = array[starts], array[rises]
    share = np.clip((middle - before) / (after - before), 0, 1)
    return np.asarray((starts + share * (rises - starts)) / check_rate(fs))


def trace_phase(pulses: npt.ArrayLike, *, samples: int, fs: float, pulses_per_rev: float = 1) -> FloatArray:
    """Shaft angle in revolutions at each sample; NaN before the first and after the last pulse."""
    from scipy.interpolate import PchipInterpolator

    times = check_signal(pulses, min_length=_MIN_PULSES, what="the list of pulses")
    if pulses_per_rev <= 0:
        raise ValueError(f"pulses per revolution must be positive, not {pulses_per_rev!r}")
    curve = PchipInterpolator(times, np.arange(times.size) / pulses_per_rev, extrapolate=False)
    phase: FloatArray = curve(np.arange(samples) / check_rate(fs))
    return phase


def integrate_speed(speed_hz: npt.ArrayLike, *, fs: float) -> FloatArray:
    """Shaft angle in revolutions from a speed channel in revolutions per second."""
    speed = check_signal(speed_hz, min_length=8, what="the speed signal")
    if float(speed.min()) <= 0:
        raise ValueError("the speed falls to zero or below: no angle can be followed through a standstill")
    step = (speed[1:] + speed[:-1]).astype(np.float64) / (2 * check_rate(fs))
    return np.concatenate([[0.0], np.cumsum(step)])


def measure_speed(tacho: npt.ArrayLike, *, fs: float, pulses_per_rev: float = 1) -> FloatArray:
    """Speed in revolutions per second at each sample, from tacho pulses; held before the first and after the last."""
    times = find_pulses(tacho, fs=fs)
    rate = 1 / (np.diff(times) * pulses_per_rev)
    centers = (times[1:] + times[:-1]) / 2
    return np.interp(np.arange(np.asarray(tacho).size) / fs, centers, rate)


def resample_at_angles(x: npt.ArrayLike, phase: npt.ArrayLike, *, samples_per_rev: int) -> FloatArray:
    """Signal at equal angles from the first whole revolution on, `samples_per_rev` samples a revolution.

    The record is first sampled at least as densely as in time and then decimated, so no high frequency is folded down.
    """
    from scipy.interpolate import CubicSpline
    from scipy.signal import resample_poly

    array = check_signal(x, min_length=16)
    angle = np.asarray(phase, dtype=np.float64)
    if angle.shape != (array.shape[-1],):
        raise ValueError(f"the phase has {angle.size} samples, the signal {array.shape[-1]}")
    if samples_per_rev < 8:
        raise ValueError(f"at least 8 samples per revolution are needed, not {samples_per_rev}")
    inside = np.flatnonzero(np.isfinite(angle))
    angle, array = angle[inside], array[..., inside]
    if angle.size < 16 or bool((np.diff(angle) <= 0).any()):
        raise ValueError("the shaft angle must rise from sample to sample")
    first, last = int(np.ceil(angle[0])), int(np.floor(angle[-1]))
    if last - first < 1:
        raise ValueError(f"the record covers {angle[-1] - angle[0]:.2f} revolutions, at least one whole is needed")
    dense = max(1, int(np.ceil(1 / (float(np.diff(angle).min()) * samples_per_rev))))
    count = (last - first) * samples_per_rev * dense
    if count > _MAX_ANGLE_SAMPLES:
        raise ValueError("the speed changes too much for one record; cut it into parts of steadier speed")
    grid = first + np.arange(count) / (samples_per_rev * dense)
    index = np.interp(grid, angle, np.arange(angle.size, dtype=np.float64))
    turned = CubicSpline(np.arange(angle.size), array, axis=-1)(index)
    if dense > 1:
        turned = resample_poly(turned, 1, dense, axis=-1, padtype="line")
    result: FloatArray = turned.astype(array.dtype, copy=False)
    return result


def average_revolutions(x: npt.ArrayLike, *, samples_per_rev: int) -> tuple[FloatArray, int]:
    """Mean revolution of an angle-domain signal, and over how many revolutions it was taken."""
    array = check_signal(x, min_length=samples_per_rev)
    turns = array.shape[-1] // samples_per_rev
    if turns < 2:
        raise ValueError("an average over revolutions needs at least 2 whole revolutions")
    cut = array[..., : turns * samples_per_rev].reshape(*array.shape[:-1], turns, samples_per_rev)
    return np.asarray(cut.mean(axis=-2)), turns
