"""Data quality: what is wrong with the samples themselves, before any diagnosis."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.diagnosis._findings import Finding, make_finding
from metier.packs.phm.diagnosis._names import Name

Array = NDArray[np.float64]

MAX_SAMPLES: Final = 2_000_000
MIN_REVOLUTIONS: Final = 10
_FEW_REVOLUTIONS: Final = 20
_MAX_NOT_FINITE: Final = 0.05
_MIN_CLIPPED: Final = 4
_MAX_LEVEL: Final = 1e15  # above any counts of a converter in any unit
_MIN_LEVEL: Final = 1e-15  # below any noise of a sensor in any unit
_MAX_CLIPPED_SHARE: Final = 0.01  # above it clipping makes lines of its own
_TWO_LEVEL_SHARE: Final = 0.9
_BLOCKS: Final = 20


@dataclass(frozen=True, slots=True, eq=False)
class CheckedSignal:
    """Samples fit for analysis with what was found; `usable` is False if nothing can be said.

    A `short` or `distorted` record has no confident verdict.
    """

    samples: Array
    findings: tuple[Finding, ...]
    usable: bool
    short: bool = False
    distorted: bool = False


def check_signal(
    signal: Array, fs: float, shaft_hz: float | None, *, kind: str = "vibration", length: int = 0
) -> CheckedSignal:
    """Check a channel: numbers, level, clipping, length, and whether it is vibration at all.

    A rate of 0 is an unknown one: what needs it is not checked. `length` counts the samples of the whole record where
    `signal` is its middle.
    """
    findings: list[Finding] = []
    samples = np.ascontiguousarray(signal, np.float64).ravel()
    length = max(length, len(samples))
    if length > MAX_SAMPLES:
        start = max(0, len(samples) - MAX_SAMPLES) // 2
        if fs > 0:
            told = {"seconds": f"{length / fs:.0f}", "used": f"{MAX_SAMPLES / fs:.1f}"}
            findings.append(make_finding("long_record", told))
        samples = samples[start : start + MAX_SAMPLES]
    samples, bad = _fill_gaps(samples)
    if bad:
        share = f"{bad / len(samples):.1%}" if bad / len(samples) >= 0.001 else "< 0.1%"
        if bad > _MAX_NOT_FINITE * len(samples):
            return _reject(samples, findings, make_finding("mostly_not_finite", share=share))
        findings.append(make_finding("not_finite", count=bad, share=share))
    if len(samples) < 2 or np.ptp(samples) <= 1e-12 * max(float(np.abs(samples).max()), 1e-300):
        return _reject(samples, findings, make_finding("constant"))
    if not _MIN_LEVEL <= (level := float(np.abs(samples).max())) <= _MAX_LEVEL:
        return _reject(samples, findings, make_finding("out_of_range", level=f"{level:.3g}"))
    other = _find_other_kind(samples, kind)
    if other:
        return _reject(samples, findings, make_finding("not_vibration", kind=Name(other)))
    if clipped := count_clipped(samples):
        findings.append(make_finding("clipped", count=clipped, level=f"{np.abs(samples).max():.3g}"))
    checked = _check_length(samples, fs, shaft_hz, findings)
    return replace(checked, distorted=clipped > _MAX_CLIPPED_SHARE * len(samples))


def measure_kurtosis(samples: Array) -> float:
    """Median kurtosis over blocks: one shock does not raise it, repeated impacts do."""
    size = len(samples) // _BLOCKS
    if size < 64:
        return 3.0
    blocks = samples[: size * _BLOCKS].reshape(_BLOCKS, size)
    squares = (blocks - blocks.mean(axis=1, keepdims=True)) ** 2
    variance = squares.mean(axis=1)
    fourth = np.einsum("ij,ij->i", squares, squares) / size
    return float(np.median(fourth / np.maximum(variance * variance, np.finfo(float).tiny)))


def _check_length(samples: Array, fs: float, shaft_hz: float | None, findings: list[Finding]) -> CheckedSignal:
    if shaft_hz is None or fs <= 0:
        return CheckedSignal(samples, tuple(findings), usable=True)
    turns = len(samples) / fs * shaft_hz
    if turns < MIN_REVOLUTIONS:
        finding = make_finding("too_short", revolutions=f"{turns:.1f}", needed=MIN_REVOLUTIONS)
        return _reject(samples, findings, finding)
    short = turns < _FEW_REVOLUTIONS
    if short:
        findings.append(make_finding("short", revolutions=f"{turns:.0f}"))
    return CheckedSignal(samples, tuple(findings), usable=True, short=short)


def _reject(samples: Array, findings: list[Finding], last: Finding) -> CheckedSignal:
    return CheckedSignal(samples, (*findings, last), usable=False)


def _fill_gaps(samples: Array) -> tuple[Array, int]:
    finite = np.isfinite(samples)
    bad = int(len(samples) - finite.sum())
    if not bad or bad == len(samples):
        return samples, bad
    filled = samples.copy()
    filled[~finite] = np.interp(np.flatnonzero(~finite), np.flatnonzero(finite), samples[finite])
    return filled, bad


def count_clipped(samples: Array) -> int:
    """Samples at the extreme, if they pile up there; a record of few levels reaches its extreme often by nature."""
    size = np.abs(samples)
    top = float(size.max())
    at_top = int((size >= top * (1 - 1e-9)).sum())
    near = int((size >= 0.95 * top).sum())
    return at_top if at_top >= _MIN_CLIPPED and at_top > 0.4 * near else 0


def _find_other_kind(samples: Array, kind: str) -> str:
    """Name of the kind a channel seems to have when it is no vibration; empty if it may be vibration."""
    if kind in ("tacho", "speed", "torque", "temperature"):
        return kind
    low, high = float(samples.min()), float(samples.max())
    width = 0.1 * (high - low)
    levels = (samples < low + width).mean(), (samples > high - width).mean()
    if sum(levels) > _TWO_LEVEL_SHARE and min(levels) > 0.001:
        return "tacho"
    spread, roughness = float(samples.std()), float(np.diff(samples).std())
    if abs(float(samples.mean())) > 5 * spread and roughness < 0.05 * spread:
        return "speed"
    return ""
