"""A velocity of vibration with its unit in words (4.5 mm/s); nothing that computes is imported for a look at it."""

import unicodedata
from typing import Final

from metier.patterns import compile_later

_SECOND: Final = r"(?:/\s?s(?:ec(?:onds?)?)?|\s?per second|\s?[每/]\s?秒)(?![²2^a-z0-9]|的?平方)"
_SMALL: Final = r"(?:mm|毫米|cm|厘米|in(?:ch(?:es)?)?|英寸|[uμ]m|微米)"
# Only velocities have zones; a unit is part of the value, so that m/s² and mm are none.
VELOCITY_UNIT: Final = rf"(?:(?:{_SMALL}|m|米){_SECOND}|ips(?![a-z0-9]))"
# A wind or a flow in m/s is no vibration: only the units that vibration is given in are taken for one.
_VELOCITY: Final = compile_later(rf"(?i)\d\s*(?:{_SMALL}{_SECOND}|ips(?![a-z0-9]))")


def write_plainly(message: str) -> str:
    """The message with half-width digits and units; a full-width comma divides and is no part of a number."""
    return unicodedata.normalize("NFKC", message.replace("，", ", ").replace("²", "^2"))


def has_velocity(message: str) -> bool:
    """Whether a message gives a velocity in a unit of vibration."""
    return _VELOCITY.search(write_plainly(message)) is not None
