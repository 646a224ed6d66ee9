"""Functions that say where to read: OFFSET and INDIRECT."""

from collections.abc import Callable
from typing import Final

from metier.packs.office.sheets._addresses import BadAddress, CellArea, parse_area, split_sheet
from metier.packs.office.sheets.formulas._dependencies import AreaKey
from metier.packs.office.sheets.formulas._values import BAD_REFERENCE, ErrorResult, Grid, Operand, Uncomputable

__all__ = ["REACHING", "find_offset", "parse_reference"]

REACHING: Final = frozenset({"OFFSET", "INDIRECT"})
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384


def find_offset(base: Operand, numbers: list[int | None]) -> AreaKey:
    """Range that OFFSET names: moved by rows and columns, of a height and width of its own if they are given."""
    if not isinstance(base, Grid) or base.area is None:
        raise Uncomputable("OFFSET of this")
    rows, columns, height, width = [*numbers, None, None, None, None][:4]
    top, left = base.area.top + (rows or 0), base.area.left + (columns or 0)
    tall = base.area.height if height is None else height
    wide = base.area.width if width is None else width
    if tall < 0:
        top, tall = top + tall + 1, -tall
    if wide < 0:
        left, wide = left + wide + 1, -wide
    area = CellArea(top, left, top + tall - 1, left + wide - 1)
    if not tall or not wide or top < 1 or left < 1 or area.bottom > _LAST_ROW or area.right > _LAST_COLUMN:
        raise ErrorResult(BAD_REFERENCE)
    return base.sheet, area


def parse_reference(text: str, sheet: str, find_sheet: Callable[[str], str | None]) -> AreaKey | None:
    """Range that a text names, as INDIRECT reads it; None if it is no address."""
    named, rest = split_sheet(text.strip())
    try:
        area = parse_area(rest)
    except BadAddress:
        return None
    found = sheet if named is None else find_sheet(named)
    if found is None:
        raise ErrorResult(BAD_REFERENCE)
    return found, area
