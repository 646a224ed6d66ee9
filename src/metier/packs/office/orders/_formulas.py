"""Values and formulas as people write them."""

import re
from typing import Final

from openpyxl.formula.translate import Translator

from metier.json_values import JsonValue

__all__ = ["fill_down", "read_cell_value"]

_LONG_NUMBER: Final = 16  # digits from which a number stays text: identity and card numbers
_PHONE: Final = re.compile(r"1[3-9]\d{9}")
_PLAIN: Final = re.compile(r"-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?")


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


def fill_down(formula: str, row: int, target: int) -> str:
    """The formula of a row as if filled into another row of the same column."""
    moved = Translator(f"={formula.lstrip('=')}", origin=f"A{row}").translate_formula(f"A{target}")
    return str(moved)
