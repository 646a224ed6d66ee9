"""What an analysis gets to read, and what it proposes to write: the seam between analysis/ and conversation/."""

from dataclasses import dataclass, field

from metier.json_values import JsonObject
from metier.packs.office._pieces import TextPiece

__all__ = ["Proposal", "Reading", "SheetCell", "SheetReading"]


@dataclass(frozen=True, slots=True)
class SheetCell:
    """A cell of a sheet: `value` as stored (None if empty), `formula` with its `=`, `text` as the sheet shows it."""

    address: str
    row: int
    column: int
    value: str | float | bool | None = None
    formula: str = ""
    text: str = ""
    number_format: str = ""
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class SheetReading:
    """One sheet: its cells that are not empty, row by row, and what is hidden."""

    name: str
    cells: tuple[SheetCell, ...] = ()
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as an analysis reads it; `others` are further documents of the conversation (a tender and its bid)."""

    name: str
    kind: str
    pieces: tuple[TextPiece, ...] = ()
    sheets: tuple[SheetReading, ...] = ()
    others: tuple["Reading", ...] = ()

    @property
    def text(self) -> str:
        """All pieces as lines, with their automatic numbers."""
        return "\n".join(one.line for one in self.pieces)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an analysis found and would write. Without actions there is nothing to write, and the summary says why."""

    summary: str
    actions: tuple[JsonObject, ...] = ()
    tables: tuple[JsonObject, ...] = ()
    findings: tuple[JsonObject, ...] = field(default=())
