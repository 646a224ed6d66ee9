"""Colours as people and models write them, as the six digits of Office files."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "black": "000000",
        "white": "FFFFFF",
        "red": "FF0000",
        "green": "008000",
        "blue": "0000FF",
        "yellow": "FFFF00",
        "orange": "FFA500",
        "purple": "800080",
        "gray": "808080",
        "grey": "808080",
        "cyan": "00FFFF",
        "pink": "FFC0CB",
        "黑": "000000",
        "白": "FFFFFF",
        "红": "FF0000",
        "绿": "008000",
        "蓝": "0000FF",
        "黄": "FFFF00",
        "橙": "FFA500",
        "紫": "800080",
        "灰": "808080",
    }
)
_HEX: Final = re.compile(r"(?:#|0x)?(?:[0-9a-fA-F]{2})?([0-9a-fA-F]{6})")
_SHORT: Final = re.compile(r"#([0-9a-fA-F]{3})")
_RGB: Final = re.compile(r"rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)", re.IGNORECASE)


def parse_color(text: str) -> str | None:
    """`#1F4E79`, `FF1F4E79`, `#abc`, `rgb(1, 2, 3)` or a name as `1F4E79`; None if it is no colour."""
    text = text.strip()
    name = text.lower().removesuffix("色")
    if name in _NAMES:
        return _NAMES[name]
    if short := _SHORT.fullmatch(text):
        return "".join(digit * 2 for digit in short[1]).upper()
    if (rgb := _RGB.fullmatch(text)) and all(int(one) <= 255 for one in rgb.groups()):
        return "".join(f"{int(one):02X}" for one in rgb.groups())
    found = _HEX.fullmatch(text)
    return found[1].upper() if found else None
