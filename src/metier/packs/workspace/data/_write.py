"""Write tables to new files: csv, xlsx, json and Markdown, with texts that look like formulas kept as texts."""

import csv
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from metier.visible_text import defuse_formula

if TYPE_CHECKING:
    import pandas as pd

_MAX_MEASURED: Final = 200
_MIN_WIDTH: Final = 8
_MAX_WIDTH: Final = 60
_MAX_SHEET_ROWS: Final = 1_048_575
_MAX_NAME_CHARS: Final = 31
_MAX_STEM_BYTES: Final = 200
_MARKUP: Final = re.compile(r"[\\|`*_<\[\]]")
_LINE_BREAK: Final = re.compile(r"\r\n|\r|\n")
_NOT_IN_A_NAME: Final = str.maketrans(dict.fromkeys("[]:*?/\\'", " "))


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A value of a workbook, and the number format that shows it as people wrote it."""

    value: int | float | datetime
    form: str


def shorten_stem(stem: str) -> str:
    """A stem that leaves room for an ending and a number in the name of a file."""
    return stem.encode()[:_MAX_STEM_BYTES].decode("utf-8", "ignore")


def free_name(workspace: Path, stem: str, ending: str) -> str:
    """Name of a file that does not exist yet."""
    stem, number = shorten_stem(stem), 2
    name = f"{stem}.{ending}"
    while (workspace / name).exists():
        name, number = f"{stem}-{number}.{ending}", number + 1
    return name


def write_frame(frame: "pd.DataFrame", path: Path) -> int:
    """Write a frame by the ending of the path; whole, or not at all. Returns how many cells got an apostrophe."""
    guarded = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.part")
    try:
        if path.suffix == ".csv":
            guarded = _write_csv(draft, [[str(one) for one in frame.columns]], list_rows(frame))
        elif path.suffix == ".json":
            rows = [dict(zip(map(str, frame.columns), row, strict=True)) for row in list_rows(frame)]
            draft.write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8")
        elif path.suffix == ".md":
            draft.write_text(_write_markdown([str(one) for one in frame.columns], list_rows(frame)), "utf-8")
        else:
            write_sheets(draft, [("data", [str(one) for one in frame.columns], list_rows(frame))])
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return guarded


def _write_csv(path: Path, *parts: Iterable[Sequence[Any]]) -> int:
    guarded = 0
    with path.open("w", encoding="utf-8-sig", errors="replace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        for row in chain(*parts):
            cells = [defuse_formula(cell) if isinstance(cell, str) else cell for cell in row]
            guarded += sum(new is not old for new, old in zip(cells, row, strict=True))
            writer.writerow(cells)
    return guarded


def _write_markdown(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table of Markdown: a bar in a cell is escaped, a line break stays one, and nothing else in it is markup."""
    lines = [headings, ["---"] * len(headings), *([_escape_markdown(one) for one in row] for row in rows)]
    lines[0] = [_escape_markdown(one) for one in headings]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _escape_markdown(value: Any) -> str:
    text = "" if value is None else str(value)
    return _LINE_BREAK.sub("<br>", _MARKUP.sub(r"\\\g<0>", text))


def list_rows(frame: "pd.DataFrame") -> Iterable[list[Any]]:
    """Rows as plain values: None for gaps, whole numbers as integers, dates as ISO texts."""
    return ([_plain(cell) for cell in row] for row in frame.itertuples(index=False, name=None))


def _plain(value: Any) -> Any:
    if value is None or value != value:  # noqa: PLR0124 - NaN and NaT
        return None
    if hasattr(value, "strftime"):
        return value.strftime(
            "%Y-%m-%d" if (value.hour, value.minute, value.second) == (0, 0, 0) else "%Y-%m-%d %H:%M:%S"
        )
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return int(value)
    return value


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
