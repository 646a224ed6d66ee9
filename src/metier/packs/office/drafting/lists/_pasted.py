"""Rows that were pasted into a request: lines with the same number of cells between tabs or strokes."""

import re
from dataclasses import dataclass
from itertools import groupby
from typing import Final

__all__ = ["PastedRows", "find_pasted"]

_RULE: Final = re.compile(r"[\s|:｜-]+")
_MIN_ROWS: Final = 2
_MAX_CELL: Final = 60


@dataclass(frozen=True, slots=True)
class PastedRows:
    """Cells of the rows and where they stand; the first row is the header."""

    rows: tuple[tuple[str, ...], ...]
    start: int
    end: int


def find_pasted(request: str) -> PastedRows | None:
    """The only run of such lines; None if there is none, or if a line of it has another number of cells."""
    lines: list[tuple[int, int, tuple[str, ...]]] = []
    at = 0
    for line in request.splitlines(keepends=True):
        lines.append((at, at + len(line.rstrip("\n")), _split(line)))
        at += len(line)
    runs = [list(run) for has_cells, run in groupby(lines, lambda one: bool(one[2])) if has_cells]
    if len(runs) != 1:
        return None
    rows = [cells for _, _, cells in runs[0] if not all(_RULE.fullmatch(one) for one in cells)]
    is_even = len(rows) >= _MIN_ROWS and len({len(one) for one in rows}) == 1
    is_short = all(len(cell) <= _MAX_CELL for row in rows for cell in row)
    has_names = bool(rows) and all(one and not re.fullmatch(r"[\d.,%％-]+", one) for one in rows[0])
    if not (is_even and is_short and has_names):
        return None
    return PastedRows(tuple(rows), runs[0][0][0], runs[0][-1][1])


def _split(line: str) -> tuple[str, ...]:
    """Cells of a line; empty if it has fewer than two."""
    line = line.strip("\n ")
    sign = "\t" if "\t" in line else "|" if line.startswith("|") and line.endswith("|") else ""
    cells = tuple(one.strip() for one in line.strip(f"{sign} ").split(sign)) if sign else ()
    return cells if len(cells) > 1 else ()
