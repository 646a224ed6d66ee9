"""Number formats: the common ones as text. `UnknownFormat` for what is not known."""

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._dates import from_serial, is_date_format
from metier.packs.office.sheets.formulas._values import CellError, CellValue, number_text

BUILTIN_FORMATS: Final[Mapping[int, str]] = MappingProxyType(
    {
        0: "General",
        1: "0",
        2: "0.00",
        3: "#,##0",
        4: "#,##0.00",
        9: "0%",
        10: "0.00%",
        11: "0.00E+00",
        12: "# ?/?",
        13: "# ??/??",
        14: "yyyy/m/d",
        15: "d-mmm-yy",
        16: "d-mmm",
        17: "mmm-yy",
        18: "h:mm AM/PM",
        19: "h:mm:ss AM/PM",
        20: "h:mm",
        21: "h:mm:ss",
        22: "yyyy/m/d h:mm",
        37: "#,##0;-#,##0",
        38: "#,##0;[Red]-#,##0",
        39: "#,##0.00;-#,##0.00",
        40: "#,##0.00;[Red]-#,##0.00",
        45: "mm:ss",
        46: "[h]:mm:ss",
        47: "mm:ss.0",
        48: "##0.0E+0",
        49: "@",
    }
)
_PART: Final = re.compile(
    r'"([^"]*)"|\\(.)|\[[^\]]*\]|_.|\*.|(AM/PM|上午/下午)|(y+|m+|d+|h+|s+|a{3,4})|(.)', re.IGNORECASE
)
_DIGITS: Final = re.compile(r"[#0?,]*[#0?](?:\.[#0?]*)?,*%?")
_LITERAL: Final = re.compile(r'"([^"]*)"|\\(.)|\[[^\]]*\]|_(.)|\*.')
_WEEKDAYS: Final = "一二三四五六日"


class UnknownFormat(ValueError):
    """The number format has something that is not known here."""


def format_value(value: CellValue, code: str, *, is_1904: bool = False) -> str:
    """Value as a cell with this number format shows it."""
    if isinstance(value, CellError):
        return value.code
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return value
    if code.lower() == "general" or code == "@" or not code:
        return _general(value)
    if is_date_format(code):
        return _date_text(value, code.partition(";")[0], is_1904)
    return _number(value, code)


def _general(number: float) -> str:
    if abs(number) >= 1e11 and number == int(number) and abs(number) < 1e15:
        return str(int(number))
    return number_text(float(f"{number:.10g}"))


def _number(number: float, code: str) -> str:
    sections = _split_sections(code)
    has_own_sign = False
    if number < 0 and len(sections) > 1:
        section, has_own_sign = sections[1], True
    elif number == 0 and len(sections) > 2:
        section = sections[2]
    else:
        section = sections[0]
    literals: list[str] = []

    def _keep(found: re.Match[str]) -> str:
        literals.append(found[1] or found[2] or (" " if found[3] else ""))
        return f"\x00{chr(0xE000 + len(literals) - 1)}"

    plain = _LITERAL.sub(_keep, section)
    if "E+" in plain.upper() or "/" in plain:
        raise UnknownFormat(code)
    found = _DIGITS.search(plain)
    shown = plain if found is None else plain[: found.start()] + _digits(abs(number), found[0]) + plain[found.end() :]
    if found is None and "General" in plain:
        shown = plain.replace("General", _general(abs(number)))
    for at, literal in enumerate(literals):
        shown = shown.replace(f"\x00{chr(0xE000 + at)}", literal)
    return f"-{shown}" if number < 0 and not has_own_sign and any(char in "123456789" for char in shown) else shown


def _split_sections(code: str) -> list[str]:
    return re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', code)


def _digits(number: float, pattern: str) -> str:
    amount = Decimal(repr(float(f"{number:.15g}")))
    if pattern.endswith("%"):
        amount, pattern = amount * 100, pattern[:-1]
        return _digits_of(amount, pattern) + "%"
    return _digits_of(amount, pattern)


def _digits_of(amount: Decimal, pattern: str) -> str:
    while pattern.endswith(","):
        # A comma at the end shows thousands.
        amount, pattern = amount / 1000, pattern[:-1]
    whole, _, part = pattern.partition(".")
    rounded = amount.quantize(Decimal(1).scaleb(-len(part)), ROUND_HALF_UP)
    integer, _, decimals = f"{rounded:f}".partition(".")
    least = sum(1 for char in whole if char == "0")
    integer = integer.lstrip("0").zfill(least) if least or integer.lstrip("0") else ""
    if "," in whole and integer:
        integer = f"{int(integer):,}".zfill(least) if integer.isdigit() else integer
    keep = len(part.rstrip("#?"))
    decimals = decimals[:keep] + decimals[keep:].rstrip("0")
    return f"{integer}.{decimals}" if decimals or (part and "0" in part) else integer


def _date_text(serial: float, code: str, is_1904: bool) -> str:
    try:
        moment = from_serial(serial, is_1904=is_1904)
    except (ValueError, OverflowError):
        return "#" * 8
    if re.search(r"\[[hms]+\]", code, re.IGNORECASE):
        return _format_elapsed(serial, code)
    parts = [(one[1] or one[2] or one[5] or "", one[3] or "", one[4] or "") for one in _PART.finditer(code)]
    has_noon = any(noon for _, noon, _ in parts)
    shown = []
    for at, (literal, noon, mark) in enumerate(parts):
        if noon:
            early = noon.upper() == "AM/PM"
            shown.append(("AM" if early else "上午") if moment.hour < 12 else ("PM" if early else "下午"))
        elif mark:
            before = next((one.lower() for _, _, one in reversed(parts[:at]) if one), "")
            after = next((one.lower() for _, _, one in parts[at + 1 :] if one), "")
            is_minute = mark.lower() in ("m", "mm") and (before.startswith("h") or after.startswith("s"))
            shown.append(_date_part(moment, mark.lower(), is_minute, has_noon))
        else:
            shown.append(literal)
    return "".join(shown)


def _date_part(moment: datetime, mark: str, is_minute: bool, has_noon: bool) -> str:
    if is_minute:
        return str(moment.minute).zfill(len(mark))
    hour = (moment.hour % 12 or 12) if has_noon else moment.hour
    table = {
        "yyyy": f"{moment.year:04d}",
        "yyy": f"{moment.year:04d}",
        "yy": f"{moment.year % 100:02d}",
        "mmmm": moment.strftime("%B"),
        "mmm": moment.strftime("%b"),
        "mm": f"{moment.month:02d}",
        "m": str(moment.month),
        "dddd": moment.strftime("%A"),
        "ddd": moment.strftime("%a"),
        "dd": f"{moment.day:02d}",
        "d": str(moment.day),
        "hh": f"{hour:02d}",
        "h": str(hour),
        "ss": f"{moment.second:02d}",
        "s": str(moment.second),
        "aaaa": f"星期{_WEEKDAYS[moment.weekday()]}",
        "aaa": _WEEKDAYS[moment.weekday()],
    }
    if mark not in table:
        raise UnknownFormat(mark)
    return table[mark]


def _format_elapsed(serial: float, code: str) -> str:
    seconds = round(serial * 86_400)
    if code.lower() not in ("[h]:mm", "[h]:mm:ss"):
        raise UnknownFormat(code)
    text = f"{seconds // 3600}:{seconds % 3600 // 60:02d}"
    return f"{text}:{seconds % 60:02d}" if code.lower().endswith("ss") else text
