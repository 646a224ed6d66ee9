"""Values that a plan gives, as cells keep them: numbers, dates, texts that stay texts."""

import re
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office.sheets.formulas import CellValue, parse_date, to_serial

MAX_DIGITS: Final = 15
MAX_TEXT_CHARS: Final = 32_767
_PLAIN: Final = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
_GROUPED: Final = re.compile(r"-?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
_PERCENT: Final = re.compile(r"-?\d+(\.\d+)?%")
_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class NewValue:
    """Value of a cell with the number format it needs; `is_quoted` marks a text that looks like a formula."""

    value: CellValue
    number_format: str = ""
    is_quoted: bool = False
    shown: str = ""  # how a preview shows it, if not by its value


def to_cell_value(value: JsonValue, *, reads_text: bool, is_1904: bool = False) -> NewValue:
    """Value for a cell. With `reads_text` a text that shows a number or date becomes one, as if typed in.

    An empty text leaves the cell blank: programs count a cell with an empty text, and cut the text beside it.
    """
    if value is None or value == "":
        return NewValue(None)
    if isinstance(value, bool):
        return NewValue(value)
    if isinstance(value, int):
        is_long = len(str(abs(value))) > MAX_DIGITS
        return NewValue(str(value), "@") if is_long else NewValue(float(value))
    if isinstance(value, float):
        return NewValue(value)
    text = _CONTROL.sub("", value if isinstance(value, str) else str(value))
    if reads_text and (read := _read_text(text.strip(), is_1904=is_1904)) is not None:
        return read
    digits = sum(char.isdigit() for char in text)
    if digits == len(text.strip()) and digits:
        # Codes, cards and identity numbers stay as they are written.
        return NewValue(text, "@")
    return NewValue(text, is_quoted=text.startswith(_FORMULA_SIGNS))


def _read_text(text: str, *, is_1904: bool) -> NewValue | None:
    digits = sum(char.isdigit() for char in text)
    if not digits or digits > MAX_DIGITS:
        return None
    if _PLAIN.fullmatch(text):
        return NewValue(float(text))
    if _GROUPED.fullmatch(text):
        return NewValue(float(text.replace(",", "")), "#,##0.00" if "." in text else "#,##0")
    if _PERCENT.fullmatch(text):
        return NewValue(float(f"{float(text[:-1]) / 100:.15g}"), "0.00%" if "." in text else "0%")
    moment = parse_date(text)
    if moment is None:
        return None
    has_time = moment.hour or moment.minute or moment.second
    code = "yyyy-mm-dd hh:mm" if has_time else "yyyy-mm-dd"
    return NewValue(to_serial(moment, is_1904=is_1904), code, shown=moment.isoformat(" ")[: 16 if has_time else 10])
