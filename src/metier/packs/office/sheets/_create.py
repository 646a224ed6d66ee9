"""New workbooks: empty, or with tables."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from metier.json_values import JsonValue
from metier.packs.office.ooxml import OoxmlParts
from metier.packs.office.sheets._cell_values import to_cell_value
from metier.packs.office.sheets._read import show_value
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._workbook import WorkbookParts
from metier.packs.office.sheets.steps import text_width

_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_MAX_NAME: Final = 31
_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_PARTS: Final = (
    (
        "[Content_Types].xml",
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        f'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
        "</Types>",
    ),
    (
        "_rels/.rels",
        f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" Type="{_OFFICE}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
    ),
    ("xl/workbook.xml", f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets/></workbook>'),
)


@dataclass(frozen=True, slots=True)
class NewSheet:
    """A sheet to be written: its name, the heads and the rows of its table."""

    name: str
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[JsonValue, ...], ...] = ()


def create_workbook(sheets: Sequence[NewSheet]) -> bytes:
    """Workbook with one table per sheet; long numbers stay texts, texts never become formulas."""
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, text in _PARTS:
            info = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, _DECLARATION + text)
    book = WorkbookParts(OoxmlParts(buffer.getvalue()))
    book.styles.number_formats()
    for number, sheet in enumerate(sheets or [NewSheet("Sheet1")], 1):
        _write(book, book.add_sheet(_free_name(book, sheet.name, number)), sheet)
    return book.parts.to_bytes()


def create_blank(path: Path) -> None:
    """Write a workbook with one empty sheet."""
    path.write_bytes(create_workbook([NewSheet("Sheet1")]))


def _free_name(book: WorkbookParts, name: str, number: int) -> str:
    """A name that Excel takes and no other sheet has: no blank or quote at an end, nothing that cannot be printed."""
    kept = "".join("_" if char in "[]:*?/\\" else char for char in name if char.isprintable())
    plain = kept.strip(" '")[:_MAX_NAME].rstrip(" '") or f"Sheet{number}"
    others = (f"{plain[: _MAX_NAME - len(end)].rstrip()}{end}" for end in (f"-{one}" for one in count(number)))
    return next(one for one in chain([plain], others) if book.entry(one) is None)


def _write(book: WorkbookParts, part: SheetPart, sheet: NewSheet) -> None:
    styles = book.styles
    lines: list[tuple[JsonValue, ...]] = [sheet.heads, *sheet.rows] if sheet.heads else list(sheet.rows)
    widths: dict[int, float] = {}
    for row, line in enumerate(lines, 1):
        for column, value in enumerate(line, 1):
            is_head = bool(sheet.heads) and row == 1
            new = to_cell_value(value, reads_text=False)
            part.set_value(row, column, new.value)
            style = styles.with_number_format(0, new.number_format) if new.number_format else 0
            style = styles.with_quote(style, is_quoted=True) if new.is_quoted else style
            style = styles.with_head(style) if is_head else style
            if new.value is not None and style:
                part.set_style(row, column, style)
            widths[column] = max(widths.get(column, 0.0), text_width(show_value(new.value)))
    for column, width in widths.items():
        part.widen_column(column, min(width + 3, 60.0))
