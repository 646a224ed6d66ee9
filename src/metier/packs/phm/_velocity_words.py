"""A velocity of vibration with its unit in words (4.5 mm/s); nothing that computes is imported for a look at it."""

from typing import Final

from metier.patterns import compile_later

# Only velocities have zones; a unit is part of the value, so that m/s² and mm are none.
VELOCITY: Final = compile_later(
    r"(?i)(?<![\d.])(\d{1,6}(?:\.\d{1,4})?)\s*(mm/s|毫米[每/]秒|mm每秒|cm/s|厘米[每/]秒|in/s|ips"
    r"|inch(?:es)? per second|mm per second)(?![²2^a-z0-9]|的?平方)"
)
