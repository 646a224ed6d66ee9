"""Write tables to a workbook, with texts that look like formulas kept as texts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

_MAX_MEASURED: Final = 200
_MIN_WIDTH: Final = 8
_MAX_WIDTH: Final = 60
_MAX_SHEET_ROWS: Final = 1_048_575
_MAX_NAME_CHARS: Final = 31
_NOT_IN_A_NAME: Final = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A value of a workbook, and the number format that shows it as people wrote it."""

    value: int | float | datetime
    form: str


def write_sheets(path: Path, sheets: Sequence[tuple[str, Sequence[str], Iterable[Sequence[Any]]]]) -> None:
    """Write a workbook of (title, headings, rows); a text that begins with `=` stays a text.

    Control characters, which no workbook can hold, become blanks.
    """
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    taken: set[str] = set()
    for title, headings, rows in sheets:
        sheet = book.create_sheet(_sheet_name(title, taken))
        sheet.freeze_panes = "A2"

        def cell(value: Any, *, bold: bool = False, on: Any = sheet) -> Any:
            if isinstance(value, ShownCell):
                made = WriteOnlyCell(on, value.value)
                made.number_format = value.form
                return made
            made = WriteOnlyCell(on, ILLEGAL_CHARACTERS_RE.sub(" ", value) if isinstance(value, str) else value)
            if isinstance(value, str):
                made.data_type = "s"
                made.quotePrefix = value.startswith("=")
            if bold:
                made.font = Font(bold=True)
            return made

        each = iter(rows)
        first = list(islice(each, _MAX_MEASURED))
        for at, width in enumerate(_measure_columns(headings, first), 1):
            sheet.column_dimensions[get_column_letter(at)].width = width
        sheet.append([cell(one, bold=True) for one in headings])
        for at, row in enumerate(chain(first, each)):
            if at >= _MAX_SHEET_ROWS:
                break
            sheet.append([cell(one) for one in row])
    book.save(path)


def _measure_columns(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[int]:
    """Width of each column in characters, of which a Chinese one takes two."""
    widths = []
    for at, heading in enumerate(headings):
        cells = [row[at] for row in rows if at < len(row) and row[at] is not None]
        texts = [str(heading), *(one.form if isinstance(one, ShownCell) else str(one) for one in cells)]
        longest = max(sum(1 if one.isascii() else 2 for one in text) for text in texts)
        widths.append(min(_MAX_WIDTH, max(_MIN_WIDTH, longest + 2)))
    return widths


def _sheet_name(title: str, taken: set[str]) -> str:
    name = title.translate(_NOT_IN_A_NAME).strip()[:_MAX_NAME_CHARS] or "data"
    number = 2
    while name.lower() in taken:
        name, number = f"{name[: _MAX_NAME_CHARS - 3]} {number}", number + 1
    taken.add(name.lower())
    return name
