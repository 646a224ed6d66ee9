"""Rows on lines of their own: lines with the same number of cells between the same signs."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.packs.office._request_text import CHINESE

__all__ = ["RowBlock", "find_pasted", "find_rows", "is_number", "split_header"]

_ONE: Final = r"[¥$€£]?[-−]?\d[\d,.]*(?:[%％]|[\u4e00-\u9fff]{1,2})?"
_SIGNS: Final = (r"\t", r"\s*[|｜]\s*", r"\s*[/／]\s*", r"\s*[,，]\s*", rf"\s+(?={_ONE}(?:\s+{_ONE})*$)")
_STRONG: Final = 2  # the first signs stand in no sentence; rows between the others must have numbers
_RULE: Final = re.compile(r"[\s|:｜-]+")
_NUMBER: Final = re.compile(r"[-−]?[¥$€£]?\d[\d,.]*\s*(?:[%％]|[\u4e00-\u9fff]{1,2})?")
_BARE_NUMBER: Final = re.compile(r"[\d.,%％-]+")
_CLAUSE: Final = re.compile(r"[:：]$|^请|^(?:please|kindly)\b|如下", re.IGNORECASE)
_MIN_ROWS: Final = 2
_STROKE: Final = 1
_COMMA: Final = 3
_MIN_CELLS: Final = 3
_MAX_WORD: Final = 16
_MAX_WORDS: Final = 5
_DIVIDED: Final = re.compile(r"逗号|comma|csv", re.IGNORECASE)
_MAX_CELL: Final = 60


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Rows of a block and where they stand; the header may be the first of them."""

    rows: tuple[tuple[str, ...], ...]
    start: int
    end: int
    is_weak: bool  # its sign may stand in sentences
    is_sure: bool = True  # else it has words alone, and may be rows of a table only


def is_number(cell: str) -> bool:
    """Whether a cell is a number, with its unit."""
    return _NUMBER.fullmatch(cell) is not None


def find_rows(lines: Sequence[str], fields: Collection[int] = ()) -> list[RowBlock]:
    """Blocks of at least two lines that are divided alike, with the numbers of their lines; a field is no row."""
    return _find_blocks(lines, fields, range(len(_SIGNS)))


def find_pasted(request: str) -> RowBlock | None:
    """The only rows between tabs or strokes, below a header, and where they stand in the request.

    None if there are none, or if another line is divided too. A cell of such a row may be empty.
    """
    lines = request.splitlines()
    blocks = _find_blocks(lines, (), range(_STRONG), may_be_empty=True)
    if len(blocks) != 1:
        return None
    (block,) = blocks
    others = (*lines[: block.start], *lines[block.end :])
    is_even = len({len(row) for row in block.rows}) == 1
    if not is_even or not _names_columns(block.rows[0]) or any(_split_strong(one) for one in others):
        return None
    starts = [0]
    for line in request.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    last = block.end - 1
    return replace(block, start=starts[block.start], end=starts[last] + len(lines[last]))


def _find_blocks(
    lines: Sequence[str], fields: Collection[int], signs: range, *, may_be_empty: bool = False
) -> list[RowBlock]:
    found: list[RowBlock] = []
    at = 0
    while at < len(lines):
        blocks = (_read_block(lines, fields, at, sign, may_be_empty=may_be_empty) for sign in signs)
        block = next((one for one in blocks if one), None)
        if block is not None:
            found.append(block)
        at = block.end if block is not None else at + 1
    return found


def _read_block(
    lines: Sequence[str], fields: Collection[int], start: int, sign: int, *, may_be_empty: bool
) -> RowBlock | None:
    rows: list[tuple[str, ...]] = []
    end = start
    while end < len(lines) and end not in fields:
        if _RULE.fullmatch(lines[end]):
            end += 1
            continue
        cells = _split(lines[end], sign, may_be_empty=may_be_empty and bool(rows))
        if len(cells) < 2 or (rows and not _fits(cells, rows)) or any(map(_is_no_cell, cells)):
            break
        rows.append(cells)
        end += 1
    if len(rows) < _MIN_ROWS:
        return None
    has_numbers = all(is_number(row[-1]) for row in rows[1:])
    is_block = sign < _STRONG or has_numbers or (sign == _COMMA and _is_sheet(rows, lines[start - 1] if start else ""))
    return RowBlock(tuple(rows), start, end, sign >= _STRONG, has_numbers or sign < _STRONG) if is_block else None


def _is_sheet(rows: "list[tuple[str, ...]]", before: str) -> bool:
    """Whether rows of words between commas are a sheet: three of three short cells, below a line that opens them."""
    is_open = before.endswith((":", "：")) or _DIVIDED.search(before) is not None
    return (
        is_open
        and len(rows) >= _MIN_CELLS
        and len(rows[0]) >= _MIN_CELLS
        and all(
            len(cell) <= _MAX_WORD if CHINESE.search(cell) else len(cell.split()) <= _MAX_WORDS
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


def _split(text: str, sign: int, *, may_be_empty: bool = False) -> tuple[str, ...]:
    """Cells of a line; none where one of them is empty, unless it may be."""
    edges = " " if may_be_empty else " \t"
    bare = re.sub(r"^ *[|｜]|[|｜] *$", "", text) if sign == _STROKE else text.strip(edges)
    cells = tuple(one.strip() for one in re.split(_SIGNS[sign], bare))
    return cells if may_be_empty or all(cells) else ()


def _split_strong(line: str) -> tuple[str, ...]:
    cells = (_split(line, sign, may_be_empty=True) for sign in range(_STRONG))
    return next((one for one in cells if len(one) > 1), ())


def _names_columns(row: tuple[str, ...]) -> bool:
    """Whether a row may be a header: each cell has a name, and none is a number alone."""
    return all(one and not _BARE_NUMBER.fullmatch(one) for one in row)


def split_header(rows: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The header of rows with numbers, empty if they have none, and the other rows."""
    has_names = not any(is_number(one) for one in rows[0])
    has_numbers = len(rows) > 1 and all(is_number(row[-1]) for row in rows[1:])
    return (rows[0], tuple(rows[1:])) if has_names and has_numbers else ((), tuple(rows))
