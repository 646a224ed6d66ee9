"""Strong lines that no fault of the named bearing explains: a sign that another bearing is installed."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.packs.phm.bearings import RollingBearing
from metier.packs.phm.diagnosis._branches import Branch
from metier.packs.phm.signals._envelope import Spectrum
from metier.packs.phm.signals._harmonics import MAINS_HZ, Mask, is_shaft_multiple, mask_known_lines, score_harmonics
from metier.packs.phm.signals._whitening import divide_by_local_median

# A cage turns at 0.33 to 0.5 of the shaft, and at 1 minus that as seen from the inner ring; races and balls above 1.3.
_CAGE_ORDERS: Final = (0.3, 0.7)
_RACE_ORDERS: Final = (1.3, 9.5)
_CANDIDATES: Final = 24
_CAGE_CANDIDATES: Final = 8
_TOLERANCE: Final = 0.012
_CAGE_SLIP: Final = 0.02
_MAINS_MULTIPLES: Final = np.arange(1, 7)
_BEAT_BINS: Final = 1.5
_NARROW: Final = 0.003
_SIDE_BANDS: Final = 3
_PRESENT: Final = 0.25


@dataclass(frozen=True, slots=True)
class UnexplainedLine:
    """Line with harmonics that belongs to no fault of the bearing.

    `is_beat` marks one that a multiple of the shaft, alone or with one of the mains, makes as well.
    """

    hz: float
    order: float
    score: float
    is_beat: bool = False


def find_unexplained_lines(
    spectrum: Spectrum, shaft_hz: float, bearing: RollingBearing | None, branch: Branch | None = None
) -> tuple[UnexplainedLine, ...]:
    """Strongest family of lines that neither shaft, mains nor the bearing explains, and the strongest among beats.

    A family that is no beat has all its lines above noise: three of them in step are not reached by chance.
    """
    keep = mask_known_lines(spectrum, shaft_hz)
    explained = None if bearing is None else _list_explained_orders(bearing, branch)
    best: dict[bool, UnexplainedLine] = {}
    for hz in _find_peaks(spectrum, keep, shaft_hz):
        order = hz / shaft_hz
        if bearing is not None and explained is not None and _is_explained(order, bearing, explained):
            continue
        score = score_harmonics(spectrum, hz, keep, tolerance=_NARROW)
        if score is None:
            continue
        is_beat = _is_beat(hz, shaft_hz, spectrum.step_hz)
        if not is_beat and min(line.excess for line in score.lines) < _PRESENT:
            continue
        if is_beat not in best or score.score > best[is_beat].score:
            best[is_beat] = UnexplainedLine(hz, order, score.score, is_beat)
    return tuple(best[kind] for kind in (False, True) if kind in best)


def _find_peaks(spectrum: Spectrum, keep: Mask, shaft_hz: float) -> list[float]:
    ratio = divide_by_local_median(spectrum, shaft_hz)
    found = []
    for (lowest, highest), count in ((_CAGE_ORDERS, _CAGE_CANDIDATES), (_RACE_ORDERS, _CANDIDATES)):
        low, high = (int(order * shaft_hz / spectrum.step_hz) for order in (lowest, highest))
        inside = np.where(keep[low:high], ratio[low:high], 0.0)
        if len(inside) < 3:
            continue
        rising = np.r_[False, (inside[1:-1] >= inside[:-2]) & (inside[1:-1] > inside[2:]), False]
        peaks = np.flatnonzero(rising)
        strongest = peaks[np.argsort(-inside[peaks])][:count]
        found += [float((low + at) * spectrum.step_hz) for at in strongest]
    return found


def _is_beat(hz: float, shaft_hz: float, step_hz: float) -> bool:
    """Whether a frequency is near a multiple of the shaft, or a multiple of the mains above or below one.

    Tones of both in one record beat: the envelope of the whole band has a line at each of their differences.
    """
    if is_shaft_multiple(hz / shaft_hz):
        return True
    mains = np.outer(MAINS_HZ, _MAINS_MULTIPLES)
    past = np.concatenate([(hz - mains).ravel(), (hz + mains).ravel()]) / shaft_hz
    return bool(np.any(np.abs(past - np.round(past)) * shaft_hz < _BEAT_BINS * step_hz))


def _is_explained(order: float, bearing: RollingBearing, explained: NDArray[np.float64]) -> bool:
    for cage in (bearing.ftf, 1 - bearing.ftf):
        number = np.arange(1, 5)
        if np.any(np.abs(number * cage - order) < number * _CAGE_SLIP * bearing.ftf):
            return True
    # A side band is off by as much as the line it belongs to, so near zero the tolerance does not shrink with it.
    return bool(np.any(np.abs(explained - order) < _TOLERANCE * np.maximum(explained, 1.0)))


def _list_explained_orders(bearing: RollingBearing, branch: Branch | None) -> NDArray[np.float64]:
    """Harmonics of races and balls; side bands only of faults whose own lines are there."""
    numbers = np.arange(1, 5)
    orders = [numbers * order for fault, order in bearing.orders.items() if fault != "cage"]
    orders.append(np.arange(1, 8) * bearing.bsf)
    for fault in branch.scores if branch is not None else ():
        if branch is not None and branch.scores[fault].score >= _PRESENT:
            spacing = bearing.ftf if fault in ("ball", "cage") else 1.0
            bands = spacing * np.arange(-_SIDE_BANDS, _SIDE_BANDS + 1)
            orders.append(np.add.outer(numbers * bearing.orders[fault], bands).ravel())
    whole = np.concatenate(orders)
    return np.unique(np.round(whole[whole > 0], 4))
