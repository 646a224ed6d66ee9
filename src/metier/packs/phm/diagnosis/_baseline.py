"""A healthy record of the same machine: what its scores reach is no alarm, and its level is the usual one."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.bearings import RollingBearing
from metier.packs.phm.diagnosis._branches import BRANCHES, compute_spectra, score_branch
from metier.packs.phm.diagnosis._findings import Finding, make_finding
from metier.packs.phm.diagnosis._quality import check_signal
from metier.packs.phm.diagnosis._thresholds import DiagnosisThresholds

_SAME_RATE: Final = 0.01
_RISEN: Final = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class BaselineRecord:
    """Samples of a healthy record; its rate and speed where they are not those of the record to judge."""

    samples: NDArray[np.float64]
    fs: float | None = None
    rpm: float | None = None


def apply_baseline(
    baseline: BaselineRecord,
    samples: NDArray[np.float64],
    thresholds: DiagnosisThresholds,
    *,
    fs: float,
    shaft_hz: float,
    bearing: RollingBearing,
) -> tuple[DiagnosisThresholds, list[Finding]]:
    """Raise the thresholds to what the healthy record reaches at its own speed; told if it cannot be compared."""
    rate = baseline.fs or fs
    if abs(rate / fs - 1) > _SAME_RATE:
        return thresholds, [make_finding("baseline_unlike", baseline=f"{rate:g}", fs=f"{fs:g}")]
    own_shaft_hz = baseline.rpm / 60 if baseline.rpm else shaft_hz
    healthy = check_signal(baseline.samples, rate, own_shaft_hz)
    if not healthy.usable:
        return thresholds, [make_finding("baseline_unusable", reason=healthy.findings[-1])]
    spectra = compute_spectra(healthy.samples, rate)
    scores = {name: score_branch(name, spectra.envelopes[name], own_shaft_hz, bearing).score for name in BRANCHES}
    ratio = float(samples.std() / max(healthy.samples.std(), np.finfo(float).tiny))
    told = [make_finding("level_risen", ratio=f"{ratio:.1f}")] if ratio > _RISEN else []
    return thresholds.raise_to(scores), told
