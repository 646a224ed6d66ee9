"""Pages of sheets that a plan made or drew on: what is wider than the paper is printed in its width."""

from collections.abc import Iterator
from typing import Final

from lxml import etree

from metier.packs.office.sheets._columns import column_width
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets._workbook import WorkbookParts

__all__ = ["fit_page", "fit_to_pages"]

_XDR: Final = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_EMU_PER_PIXEL: Final = 9_525
_PAGE_EMU: Final = 6_270_000  # A4 on end within the usual margins
_USUAL_WIDTH: Final = 8.43


def fit_to_pages(sheet: SheetPart, wide: int, tall: int) -> None:
    """Print a sheet on so many pages; 0 is as many as it takes."""
    setup = sheet.child("pageSetup")
    setup.set("fitToWidth", str(wide))
    setup.set("fitToHeight", str(tall))
    holder = sheet.child("sheetPr")
    fit = holder.find(f"{MAIN}pageSetUpPr")
    fit = etree.SubElement(holder, f"{MAIN}pageSetUpPr") if fit is None else fit
    fit.set("fitToPage", "1")


def fit_page(book: WorkbookParts, sheet: SheetPart) -> None:
    """Turn the page of a sheet that is wider than it, and fit it; a page that somebody set up stays."""
    if any(sheet.root.find(f"{MAIN}{name}") is not None for name in ("pageSetup", "colBreaks")):
        return
    used = sheet.used_area()
    width = max([_measure_to(sheet, used.right + 1) if used is not None else 0, *_list_edges(book, sheet)])
    if width > _PAGE_EMU:
        sheet.child("pageSetup").set("orientation", "landscape")
        fit_to_pages(sheet, 1, 0)


def _measure_to(sheet: SheetPart, column: int) -> int:
    """Where a column begins."""
    widths = (column_width(sheet, one) or _USUAL_WIDTH for one in range(1, column))
    return sum(round(width * 7 + 5) * _EMU_PER_PIXEL for width in widths)


def _list_edges(book: WorkbookParts, sheet: SheetPart) -> Iterator[int]:
    """Right edges of the drawings of a sheet."""
    for relation in book.parts.list_related(sheet.part, "drawing"):
        for anchor in book.parts.xml(relation.target):
            start, end, size = (anchor.find(f"{_XDR}{name}") for name in ("from", "to", "ext"))
            corner = start if end is None else end
            if corner is not None:
                column, inside = (int(corner.findtext(f"{_XDR}{name}", "0")) for name in ("col", "colOff"))
                yield _measure_to(sheet, column + 1) + inside + int("0" if size is None else size.get("cx", "0"))
