"""Reads an office file into what the analyses work on; the one place for conversations, figures and the plan bench."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metier.packs.office.analysis import Reading, SheetCells
    from metier.packs.office.sheets import SheetView

__all__ = ["list_cells", "read_office_file"]


def read_office_file(path: Path, name: str = "") -> "Reading":
    """What a docx, xlsx or pptx file holds, under the name that a person knows it by."""
    from metier.packs.office.analysis import Reading

    name = name or path.name
    match path.suffix:
        case ".xlsx":
            from metier.packs.office.sheets import read_workbook

            return Reading(name, "xlsx", sheets=tuple(list_cells(sheet) for sheet in read_workbook(path).sheets))
        case ".pptx":
            from metier.packs.office.slides import read_slides

            return Reading(name, "pptx", slides=tuple(read_slides(path)))
        case _:
            from metier.packs.office.writer import read_document

            found = read_document(path)
            return Reading(name, "docx", tuple(found.pieces), page=getattr(found, "page", None))


def list_cells(sheet: "SheetView") -> "SheetCells":
    """The cells of a sheet with their values as a person reads them, and their formulas."""
    from metier.packs.office.analysis import SheetCell, SheetCells

    cells = (
        SheetCell(
            cell.address,
            cell.date or (cell.value if isinstance(cell.value, str | float | bool) else cell.text or None),
            f"={cell.formula}" if cell.formula else "",
            cell.is_hidden,
            cell.text,
            bool(cell.date),
        )
        for cell in sheet.cells
    )
    return SheetCells(sheet.name, tuple(cells), sheet.is_hidden)
