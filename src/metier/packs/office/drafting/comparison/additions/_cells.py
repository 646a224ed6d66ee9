"""Cells of a plan that are several: what divides the cells of a message stands inside of one."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office.drafting._plan_texts import list_rows

__all__ = ["find_divided_cell", "find_row_in_header"]

_DIVIDES: Final = re.compile(r"[\t|｜]")
# A name with its value: `房租 900`, `coffee 3.50`; or two names: `早班 张三`.
_WITH_VALUE: Final = re.compile(r"(?P<name>\S.*?)\s+[¥$€£]?\d+(?:[.,]\d+)*\s?[元%％]?")
_TWO_NAMES: Final = re.compile(r"(?P<name>[\u4e00-\u9fff]{1,8})\s+[\u4e00-\u9fff]{1,8}")
_YEARS: Final = re.compile(r"(?:19|20)\d\d$")
_MIN_COLUMNS: Final = 2


def find_divided_cell(steps: Sequence[JsonObject]) -> str:
    """The first cell with a tab or a stroke in it; empty if there is none."""
    cells = (cell for step in steps for row in list_rows(step) for cell in row)
    return next((cell for cell in cells if _DIVIDES.search(cell)), "")


def find_row_in_header(steps: Sequence[JsonObject]) -> str:
    """The first name of a header over empty rows whose names all have a value with them: rows, and no columns."""
    for step in steps:
        header, *rows = list_rows(step) or [[]]
        if len(header) < _MIN_COLUMNS or any(cell.strip() for row in rows for cell in row):
            continue
        for form in (_WITH_VALUE, _TWO_NAMES):
            found = [form.fullmatch(cell.strip()) for cell in header]
            names = {one["name"] for one in found if one is not None}
            if len(names) == len(header) and not any(_YEARS.search(cell.strip()) for cell in header):
                return header[0]
    return ""
