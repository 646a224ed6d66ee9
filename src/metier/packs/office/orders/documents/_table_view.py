"""Tables of a document by their number, as rows of texts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from metier.packs.office.analysis import Reading

__all__ = ["DocTable", "NamedTable", "find_total_row", "read_grids", "read_tables"]


@dataclass(frozen=True, slots=True)
class DocTable:
    """A table by its number, as rows of texts."""

    number: int
    rows: tuple[tuple[str, ...], ...]

    @property
    def total_row(self) -> int:
        return find_total_row(self.rows)


_TOTAL: Final = re.compile(
    r"\s*(?:(?:合|总|共|小)\s*计|总\s*额|(?:grand |sub)?total|sum)\b\s*[:：]?.{0,12}", re.IGNORECASE
)


def find_total_row(rows: Sequence[Sequence[str]]) -> int:
    """Number of the last row if it adds up those above it; 0 if it does not. New rows stand before it."""
    first = next((cell for cell in rows[-1] if cell.strip()), "") if rows else ""
    return len(rows) if len(rows) > 1 and _TOTAL.fullmatch(first) else 0


def read_tables(reading: Reading) -> list[DocTable]:
    """All tables of a document, the first first."""
    cells: dict[int, dict[tuple[int, int], str]] = {}
    for piece in reading.pieces:
        if found := re.fullmatch(r"t(\d+)\.r(\d+)\.c(\d+)(?:\.p\d+)?", piece.address):
            own = cells.setdefault(int(found[1]), {})
            key = (int(found[2]), int(found[3]))
            own[key] = f"{own[key]}\n{piece.text}" if key in own else piece.text
    made = []
    for number, own in sorted(cells.items()):
        height, width = max(row for row, _ in own), max(column for _, column in own)
        rows = tuple(
            tuple(own.get((row, column), "") for column in range(1, width + 1)) for row in range(1, height + 1)
        )
        made.append(DocTable(number, rows))
    return made


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table and the heading it stands under."""

    name: str
    table: DocTable


def read_grids(reading: Reading) -> list[NamedTable]:
    """Tables with the heading before each."""
    heads: dict[int, str] = {}
    head = ""
    for piece in reading.pieces:
        if piece.level:
            head = piece.line
        elif found := re.match(r"t(\d+)\.", piece.address):
            heads.setdefault(int(found[1]), head)
    return [NamedTable(heads.get(one.number, ""), one) for one in read_tables(reading)]
