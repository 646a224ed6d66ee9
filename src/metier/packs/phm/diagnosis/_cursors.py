"""Cursors that an analyst lays over an envelope spectrum: shaft and fault frequencies, harmonics, side bands."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, exp
from types import MappingProxyType
from typing import Final

from metier.packs.phm.bearings import Fault
from metier.packs.phm.diagnosis._model import Diagnosis

_SHORT: Final[Mapping[Fault, str]] = MappingProxyType(
    {"outer": "BPFO", "inner": "BPFI", "ball": "2×BSF", "cage": "FTF"}
)
_HARMONICS: Final = 3
_SHOWN_HARMONICS: Final = 6  # of the fault that the plot is about, as far as it reaches
_LEAST_ORDERS: Final = 9.0
_EDGE: Final = 1.05


@dataclass(frozen=True, slots=True)
class FaultCursor:
    """Harmonics of one frequency and the side bands beside each, in Hz; `fault` is None for the shaft."""

    fault: Fault | None
    title: str
    harmonics_hz: tuple[float, ...]
    sides_hz: tuple[float, ...] = ()
    is_found: bool = False


@dataclass(frozen=True, slots=True)
class AlarmLevel:
    """Amplitude at which one harmonic of the shown fault would be as strong as its alarm."""

    at_hz: float
    amplitude: float


def find_highest_hz(found: Diagnosis) -> float:
    """Where a plot of the envelope spectrum ends: beyond three harmonics of the inner race, if it reaches so far."""
    if found.rpm is None or found.envelope is None:
        return 0.0
    orders = _LEAST_ORDERS
    if found.bearing is not None:
        orders = max(orders, float(ceil(_EDGE * (_HARMONICS * found.bearing.bpfi + 1))))
    return min(orders * found.rpm / 60, (len(found.envelope.amplitude) - 1) * found.envelope.step_hz)


def list_cursors(found: Diagnosis) -> tuple[FaultCursor, ...]:
    """Cursors of a plot, the shown fault first, the shaft last; a fault that was found lies where it was found.

    The load on a defect of the inner race changes with the shaft, on one of a ball with the cage: these are the
    distances of their side bands.
    """
    if found.rpm is None or found.bearing is None:
        return ()
    shaft, shown, highest_hz = found.rpm / 60, found.shown, find_highest_hz(found)
    spacing = {"inner": shaft, "ball": found.bearing.ftf * shaft}
    cursors = []
    for fault, order in found.bearing.orders.items():
        is_found = shown is not None and shown.fault == fault == found.verdict
        base = shown.found_hz if shown is not None and is_found else order * shaft
        count = _SHOWN_HARMONICS if shown is not None and shown.fault == fault else _HARMONICS
        harmonics = _list_below([number * base for number in range(1, count + 1)], highest_hz)
        apart = spacing.get(fault)
        sides = [at + side * apart for at in harmonics for side in (-1, 1)] if apart else []
        cursors.append(FaultCursor(fault, _SHORT[fault], harmonics, _list_below(sides, highest_hz), is_found))
    cursors.sort(key=lambda one: shown is None or one.fault != shown.fault)
    turns = _list_below([number * shaft for number in range(1, _HARMONICS + 1)], highest_hz)
    return tuple(one for one in (*cursors, FaultCursor(None, "1×", turns)) if one.harmonics_hz)


def list_alarm_levels(found: Diagnosis) -> tuple[AlarmLevel, ...]:
    """Alarm level at each harmonic of the shown fault, in the unit of the envelope that is shown."""
    shown, spectrum = found.shown, found.envelope
    branch = None if shown is None else found.branches.get(shown.branch)
    if shown is None or spectrum is None or branch is None or shown.fault not in branch.scores:
        return ()
    levels = []
    for line in branch.scores[shown.fault].lines:
        at = round(line.found_hz / spectrum.step_hz)
        if at < len(spectrum.amplitude):
            levels.append(AlarmLevel(line.found_hz, float(spectrum.amplitude[at]) * exp(shown.alarm - line.excess)))
    return tuple(levels)


def _list_below(places: Sequence[float], highest_hz: float) -> tuple[float, ...]:
    return tuple(at for at in places if 0 < at <= highest_hz)
