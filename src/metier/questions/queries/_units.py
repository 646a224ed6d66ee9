"""A limit in a unit that its quantity does not have: 70 dBm of a share in percent is told, not compared."""

import re
from typing import Final

from metier.patterns import compile_later

_UNITS: Final = r"dBm|dB|%|％|°|Mbps|kbps|rpm|kHz|Hz|mm/s|km|kW"
_SAID: Final = compile_later(rf"(?<![\d.A-Za-z])(-?\d+(?:\.\d+)?)\s*({_UNITS})(?![A-Za-z/])", re.IGNORECASE)
# Decibels are said for both; what is written with a multiple of a unit was converted before.
_ALIKE: Final = (frozenset({"db", "dbm"}), frozenset({"mbps", "kbps"}), frozenset({"hz", "khz"}))


def find_wrong_unit(said: str, told: str) -> tuple[str, str] | None:
    """The number with the unit that was said, and the unit that an answer has for it; None if they agree."""
    for number, unit in _SAID.findall(said):
        own = re.findall(rf"(?<![\d.A-Za-z]){re.escape(_trim(number))}\s*({_UNITS})(?![A-Za-z/])", told, re.IGNORECASE)
        units = {_fold(one) for one in own}
        if units and not any(_are_alike(_fold(unit), one) for one in units):
            return f"{number} {unit}", own[0]
    return None


def _trim(number: str) -> str:
    """The number as an answer writes it: 70.0 is 70."""
    return f"{float(number):g}"


def _fold(unit: str) -> str:
    return unit.casefold().replace("％", "%")


def _are_alike(one: str, other: str) -> bool:
    return one == other or any({one, other} <= group for group in _ALIKE)
