"""Values and formulas as people write them."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from openpyxl.formula.translate import Translator

from metier.json_values import JsonValue

__all__ = ["fill_down", "read_cell_value", "read_number_form"]

_LONG_NUMBER: Final = 16  # digits from which a number stays text: identity and card numbers
_PHONE: Final = re.compile(r"1[3-9]\d{9}")
_PLAIN: Final = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")

_FORM: Final = re.compile(r"([-+]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,2})?)\s*([%％千万亿]?)\s*(?:元|块)?")
_UNITS: Final[Mapping[str, int]] = MappingProxyType({"千": 1_000, "万": 10_000, "亿": 100_000_000})


def read_cell_value(text: str) -> JsonValue:
    """A number if the text is one that a cell may hold, else the text: codes and identity numbers stay as they are."""
    plain = text.strip()
    digits = re.sub(r"\D", "", plain)
    if not _PLAIN.fullmatch(plain) or len(digits) >= _LONG_NUMBER or re.match(r"-?0\d", plain):
        return plain
    if _PHONE.fullmatch(plain):
        return plain
    number = float(plain.replace(",", ""))
    return int(number) if number.is_integer() and "." not in plain else number


def read_number_form(text: str) -> int | float | None:
    """Number of a text such as 50%, 1e5, +5 or 5万; None if it is none."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        return None
    number = float(found[1].replace(",", "")) * _UNITS.get(found[2], 1)
    tidy = float(f"{number / 100 if found[2] in ('%', '％') else number:.15g}")
    return int(tidy) if tidy.is_integer() and abs(tidy) < 1e15 else tidy


def fill_down(formula: str, row: int, target: int) -> str:
    """The formula of a row as if filled into another row of the same column."""
    moved = Translator(f"={formula.lstrip('=')}", origin=f"A{row}").translate_formula(f"A{target}")
    return str(moved)
