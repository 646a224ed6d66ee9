"""Strong lines that no fault of the named bearing explains: a sign that another bearing is installed."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.bearings import RollingBearing
from metier.packs.phm.diagnosis._branches import Branch
from metier.packs.phm.signals._envelope import Spectrum
from metier.packs.phm.signals._harmonics import Mask, mask_known_lines, score_harmonics
from metier.packs.phm.signals._whitening import divide_by_local_median

_LOWEST_ORDER: Final = 1.3
_HIGHEST_ORDER: Final = 9.5
_CANDIDATES: Final = 24
_TOLERANCE: Final = 0.012
_NARROW: Final = 0.003
_SIDE_BANDS: Final = 3
_PRESENT: Final = 0.25


@dataclass(frozen=True, slots=True)
class UnexplainedLine:
    """Line with harmonics that belongs to no fault of the bearing."""

    hz: float
    order: float
    score: float


def find_unexplained_line(
    spectrum: Spectrum, shaft_hz: float, bearing: RollingBearing | None, branch: Branch | None = None
) -> UnexplainedLine | None:
    """Strongest family of lines that neither shaft, mains nor the bearing explains; None if there is none."""
    keep = mask_known_lines(spectrum, shaft_hz)
    explained = _list_explained_orders(bearing, branch)
    best: UnexplainedLine | None = None
    for hz in _find_peaks(spectrum, keep, shaft_hz):
        order = hz / shaft_hz
        if np.any(np.abs(explained - order) < _TOLERANCE * np.maximum(explained, 1.0)):
            continue
        score = score_harmonics(spectrum, hz, keep, tolerance=_NARROW)
        if score is not None and (best is None or score.score > best.score):
            best = UnexplainedLine(hz, order, score.score)
    return best


def _find_peaks(spectrum: Spectrum, keep: Mask, shaft_hz: float) -> list[float]:
    ratio = divide_by_local_median(spectrum, shaft_hz)
    low, high = (int(order * shaft_hz / spectrum.step_hz) for order in (_LOWEST_ORDER, _HIGHEST_ORDER))
    inside = np.where(keep[low:high], ratio[low:high], 0.0)
    if len(inside) < 3:
        return []
    rising = np.r_[False, (inside[1:-1] >= inside[:-2]) & (inside[1:-1] > inside[2:]), False]
    peaks = np.flatnonzero(rising)
    strongest = peaks[np.argsort(-inside[peaks])][:_CANDIDATES]
    return [float((low + at) * spectrum.step_hz) for at in strongest]


def _list_explained_orders(bearing: RollingBearing | None, branch: Branch | None) -> NDArray[np.float64]:
    """Harmonics of every fault; side bands only of faults whose own lines are there."""
    if bearing is None:
        return np.array([], np.float64)
    numbers = np.arange(1, 5)
    orders = [numbers * order for order in bearing.orders.values()]
    orders.append(np.arange(1, 8) * bearing.bsf)
    for fault in branch.scores if branch is not None else ():
        if branch is not None and branch.scores[fault].score >= _PRESENT:
            spacing = bearing.ftf if fault in ("ball", "cage") else 1.0
            bands = spacing * np.arange(-_SIDE_BANDS, _SIDE_BANDS + 1)
            orders.append(np.add.outer(numbers * bearing.orders[fault], bands).ravel())
    whole = np.concatenate(orders)
    return np.unique(np.round(whole[whole > 0], 4))
