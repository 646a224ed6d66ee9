"""Criteria of SUMIF and its relatives: `>100`, `苹果*`, `<>`, 12."""

import re
from collections.abc import Callable
from typing import Final

from metier.packs.office.sheets.formulas._values import (
    ERROR_CODES,
    CellError,
    CellValue,
    compare,
    number_text,
    text_number,
)

_OPERATOR: Final = re.compile(r"(<=|>=|<>|=|<|>)?(.*)", re.DOTALL)


def build_test(criterion: CellValue) -> Callable[[CellValue], bool]:
    """Test that says whether a cell meets the criterion."""
    if isinstance(criterion, CellError):
        return lambda value: value == criterion
    if not isinstance(criterion, str):
        wanted = 0.0 if criterion is None else criterion
        return lambda value: _is_equal(value, wanted)
    found = _OPERATOR.fullmatch(criterion)
    operator, text = (found[1] or "", found[2]) if found else ("", criterion)
    if operator in ("<", ">", "<=", ">="):
        return _compare_order(operator, text)
    equal = _equality(text, has_operator=bool(operator))
    return (lambda value: not equal(value)) if operator == "<>" else equal


def _compare_order(operator: str, text: str) -> Callable[[CellValue], bool]:
    number = text_number(text)
    limit: CellValue = text if number is None else number

    def _test(value: CellValue) -> bool:
        if value is None or isinstance(value, CellError | bool) or isinstance(value, str) != isinstance(limit, str):
            return False
        order = compare(value, limit)
        return {"<": order < 0, ">": order > 0, "<=": order <= 0, ">=": order >= 0}[operator]

    return _test


def _equality(text: str, *, has_operator: bool) -> Callable[[CellValue], bool]:
    if not text:
        return (lambda value: value is None) if has_operator else (lambda value: value in (None, ""))
    number = text_number(text)
    if number is not None:
        return lambda value: _is_equal(value, number) or (isinstance(value, str) and text_number(value) == number)
    if text.upper() in ("TRUE", "FALSE"):
        flag = text.upper() == "TRUE"
        return lambda value: value is flag
    if text.upper() in ERROR_CODES:
        return lambda value: isinstance(value, CellError) and value.code == text.upper()
    pattern = wildcard_pattern(text)
    return lambda value: isinstance(value, str) and bool(pattern.fullmatch(value))


def _is_equal(value: CellValue, wanted: CellValue) -> bool:
    if isinstance(value, CellError) or isinstance(value, bool) != isinstance(wanted, bool):
        return False
    if isinstance(value, str):
        return isinstance(wanted, int | float) and text_number(value) == wanted
    return value is not None and compare(value, wanted) == 0


def wildcard_pattern(text: str) -> re.Pattern[str]:
    """Pattern of a text with `*`, `?` and `~` before a plain one.

    What stands between two stars is looked for once, where it comes first: a text of many stars takes no longer.
    """
    runs, at = [""], 0
    while at < len(text):
        char = text[at]
        if char == "~" and at + 1 < len(text):
            at += 1
            runs[-1] += re.escape(text[at])
        elif char == "*":
            runs.append("")
        else:
            runs[-1] += "." if char == "?" else re.escape(char)
        at += 1
    middle = "".join(f"(?>.*?{run})" for run in runs[1:-1] if run)
    last = f".*{runs[-1]}" if len(runs) > 1 else ""
    return re.compile(runs[0] + middle + last, re.IGNORECASE | re.DOTALL)


def filter_test(criterion: str) -> Callable[[CellValue, str], bool]:
    """Test of an auto filter: a cell's value and the text it shows."""
    test = build_test(criterion)

    def _test(value: CellValue, shown: str) -> bool:
        if test(value):
            return True
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        texts = {shown, number_text(float(value))} if is_number and isinstance(value, int | float) else {shown}
        return not criterion.startswith(("<", ">")) and any(build_test(criterion)(one) for one in texts if one)

    return _test
