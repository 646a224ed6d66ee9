"""Rows of data in a message: lines with the same number of cells between the same signs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.packs.office.drafting.briefs._layout import BriefLine

__all__ = ["BriefRows", "find_rows", "is_number", "split_header"]

_ONE: Final = r"[¥$€£]?[-−]?\d[\d,.]*(?:[%％]|[\u4e00-\u9fff]{1,2})?"
_SIGNS: Final = (r"\t", r"\s*[|｜]\s*", r"\s*[/／]\s*", r"\s*[,，]\s*", rf"\s+(?={_ONE}(?:\s+{_ONE})*$)")
_STRONG: Final = 2  # the first signs stand in no sentence; rows between the others must have numbers
_RULE: Final = re.compile(r"[\s|:｜-]+")
_NUMBER: Final = re.compile(r"[-−]?[¥$€£]?\d[\d,.]*\s*(?:[%％]|[\u4e00-\u9fff]{1,2})?")
_CLAUSE: Final = re.compile(r"[:：]$|^请|^(?:please|kindly)\b|如下", re.IGNORECASE)
_MIN_ROWS: Final = 2
_COMMA: Final = 3
_MIN_CELLS: Final = 3
_MAX_WORD: Final = 16
_MAX_WORDS: Final = 5
_DIVIDED: Final = re.compile(r"逗号|comma|csv", re.IGNORECASE)
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")
_MAX_CELL: Final = 60


@dataclass(frozen=True, slots=True)
class BriefRows:
    """Rows of a block and the lines that they take; the header may be the first of them."""

    rows: tuple[tuple[str, ...], ...]
    start: int
    end: int
    is_weak: bool  # its sign may stand in sentences
    is_sure: bool = True  # else it has words alone, and may be rows of a table only


def is_number(cell: str) -> bool:
    """Whether a cell is a number, with its unit."""
    return _NUMBER.fullmatch(cell) is not None


def find_rows(lines: Sequence[BriefLine]) -> list[BriefRows]:
    """Blocks of at least two lines that are divided alike; a line with a known field is no row."""
    found: list[BriefRows] = []
    at = 0
    while at < len(lines):
        block = next((one for sign in range(len(_SIGNS)) if (one := _read_block(lines, at, sign))), None)
        if block is not None:
            found.append(block)
        at = block.end if block is not None else at + 1
    return found


def _read_block(lines: Sequence[BriefLine], start: int, sign: int) -> BriefRows | None:
    rows: list[tuple[str, ...]] = []
    end = start
    while end < len(lines) and not lines[end].fields:
        text = lines[end].text
        if _RULE.fullmatch(text):
            end += 1
            continue
        cells = _split(text, sign)
        if len(cells) < 2 or (rows and not _fits(cells, rows)) or any(map(_is_no_cell, cells)):
            break
        rows.append(cells)
        end += 1
    if len(rows) < _MIN_ROWS:
        return None
    has_numbers = all(is_number(row[-1]) for row in rows[1:])
    is_block = (
        sign < _STRONG or has_numbers or (sign == _COMMA and _is_sheet(rows, lines[start - 1] if start else None))
    )
    return BriefRows(tuple(rows), start, end, sign >= _STRONG, has_numbers or sign < _STRONG) if is_block else None


def _is_sheet(rows: "list[tuple[str, ...]]", before: BriefLine | None) -> bool:
    """Whether rows of words between commas are a sheet: three of three short cells, below a line that opens them."""
    is_open = before is not None and (before.text.endswith((":", "：")) or _DIVIDED.search(before.text) is not None)
    return (
        is_open
        and len(rows) >= _MIN_CELLS
        and len(rows[0]) >= _MIN_CELLS
        and all(
            len(cell) <= _MAX_WORD if _CHINESE.search(cell) else len(cell.split()) <= _MAX_WORDS
            for row in rows
            for cell in row
        )
    )


def _fits(cells: tuple[str, ...], rows: "list[tuple[str, ...]]") -> bool:
    """Whether a row has the width of the others; a header may have one column more, which is computed."""
    if len(cells) == len(rows[-1]):
        return True
    has_header = len(rows) == 1 and not any(map(is_number, rows[0]))
    return has_header and len(cells) == len(rows[0]) - 1 and all(map(is_number, cells[1:]))


def _is_no_cell(cell: str) -> bool:
    """Whether a piece of a line is a clause of an order."""
    return len(cell) > _MAX_CELL or _CLAUSE.search(cell) is not None


def _split(text: str, sign: int) -> tuple[str, ...]:
    bare = text.strip("|｜ ") if sign == 1 else text.strip(" ")
    cells = re.split(_SIGNS[sign], bare)
    return tuple(one.strip() for one in cells) if all(one.strip() for one in cells) else ()


def split_header(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The header of rows with numbers, empty if they have none, and the other rows."""
    has_names = not any(is_number(one) for one in rows[0])
    has_numbers = len(rows) > 1 and all(is_number(row[-1]) for row in rows[1:])
    return (rows[0], tuple(rows[1:])) if has_names and has_numbers else ((), tuple(rows))
