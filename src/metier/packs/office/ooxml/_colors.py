"""Colours as people and models write them, as the six digits of Office files."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, Language, choose

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
# Colours that people know by name; another one is called by the nearest of them with its code behind.
_KNOWN: Final[Mapping[str, BilingualText]] = MappingProxyType(
    {
        "000000": BilingualText("黑色", "black"),
        "595959": BilingualText("深灰色", "dark grey"),
        "808080": BilingualText("灰色", "grey"),
        "D9D9D9": BilingualText("浅灰色", "light grey"),
        "FFFFFF": BilingualText("白色", "white"),
        "C00000": BilingualText("深红色", "dark red"),
        "FF0000": BilingualText("红色", "red"),
        "FFC7CE": BilingualText("浅红色", "light red"),
        "FFC0CB": BilingualText("粉色", "pink"),
        "FFA500": BilingualText("橙色", "orange"),
        "FFC000": BilingualText("金色", "gold"),
        "FFFF00": BilingualText("黄色", "yellow"),
        "FFF2CC": BilingualText("浅黄色", "light yellow"),
        "7F6000": BilingualText("棕色", "brown"),
        "006100": BilingualText("深绿色", "dark green"),
        "008000": BilingualText("绿色", "green"),
        "00B050": BilingualText("绿色", "green"),
        "00FF00": BilingualText("亮绿色", "bright green"),
        "E2EFDA": BilingualText("浅绿色", "light green"),
        "00FFFF": BilingualText("青色", "cyan"),
        "00B0F0": BilingualText("天蓝色", "sky blue"),
        "002060": BilingualText("深蓝色", "dark blue"),
        "0000FF": BilingualText("蓝色", "blue"),
        "4472C4": BilingualText("蓝色", "blue"),
        "DDEBF7": BilingualText("浅蓝色", "light blue"),
        "7030A0": BilingualText("紫色", "purple"),
        "800080": BilingualText("紫色", "purple"),
    }
)
_HEX: Final = re.compile(r"(?:#|0x)?(?:[0-9a-fA-F]{2})?([0-9a-fA-F]{6})")
_SHORT: Final = re.compile(r"#?([0-9a-fA-F]{3})")
_RGB: Final = re.compile(r"rgba?\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\b[^)]*\)", re.IGNORECASE)


def name_color(text: str, language: Language) -> str:
    """A colour as a person knows it: 红色, “dark blue (#1F3864)”; a text that is no colour stays."""
    color = parse_color(text)
    if color is None:
        return text
    nearest = min(_KNOWN, key=lambda known: _measure_distance(known, color))
    name = _KNOWN[nearest].text(language)
    return name if nearest == color else choose(language, zh=f"{name}（#{color}）", en=f"{name} (#{color})")


def _measure_distance(one: str, other: str) -> int:
    return sum((int(one[at : at + 2], 16) - int(other[at : at + 2], 16)) ** 2 for at in (0, 2, 4))


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
