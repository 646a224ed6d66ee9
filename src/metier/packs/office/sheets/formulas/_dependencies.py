"""Which formulas depend on changed cells."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from metier.packs.office.sheets._addresses import CellArea

CellKey: TypeAlias = tuple[str, int, int]
AreaKey: TypeAlias = tuple[str, CellArea]


class CellIndex:
    """Cells by sheet and column, so that those within a range are found without looking at all."""

    def __init__(self, cells: Iterable[CellKey] = ()) -> None:
        self._rows: dict[tuple[str, int], list[int]] = defaultdict(list)
        for sheet, row, column in cells:
            self._rows[sheet, column].append(row)
        for rows in self._rows.values():
            rows.sort()
        self._columns: dict[str, list[int]] = defaultdict(list)
        for sheet, column in sorted(self._rows):
            self._columns[sheet].append(column)

    def within(self, sheet: str, area: CellArea) -> Iterable[CellKey]:
        """Cells in a range."""
        for column in self._columns.get(sheet, ()):
            if area.left <= column <= area.right:
                rows = self._rows[sheet, column]
                for row in rows[bisect_left(rows, area.top) : bisect_right(rows, area.bottom)]:
                    yield sheet, row, column

    def has_any(self, sheet: str, area: CellArea) -> bool:
        return next(iter(self.within(sheet, area)), None) is not None


def find_dependents(precedents: Mapping[CellKey, list[AreaKey]], changed: Iterable[CellKey]) -> set[CellKey]:
    """Formulas that read a changed cell, directly or through other formulas."""
    single: dict[CellKey, list[CellKey]] = defaultdict(list)
    ranges: list[tuple[CellKey, str, CellArea]] = []
    for cell, areas in precedents.items():
        for sheet, area in areas:
            if area.height == area.width == 1:
                single[sheet, area.top, area.left].append(cell)
            else:
                ranges.append((cell, sheet, area))
    found: set[CellKey] = set()
    wave = set(changed)
    while wave:
        reached = _follow(single, wave, found)
        index = CellIndex(wave | reached)
        wider = {cell for cell, sheet, area in ranges if cell not in found and index.has_any(sheet, area)}
        found |= wider
        ranges = [one for one in ranges if one[0] not in found]
        wave = wider
    return found


def _follow(single: Mapping[CellKey, list[CellKey]], start: set[CellKey], found: set[CellKey]) -> set[CellKey]:
    """Cells reached over references to single cells."""
    reached: set[CellKey] = set()
    waiting = list(start)
    while waiting:
        for cell in single.get(waiting.pop(), ()):
            if cell not in found:
                found.add(cell)
                reached.add(cell)
                waiting.append(cell)
    return reached
