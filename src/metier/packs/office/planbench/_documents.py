"""Documents that the cases start from: small files with content of their own, which must stay as it is."""

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Final

from metier.packs.office._hosts import Selection
from metier.packs.office.plan import HostApp

__all__ = ["SUFFIXES", "write_document"]

SUFFIXES: Final = (("wps", ".docx"), ("et", ".xlsx"), ("wpp", ".pptx"))
_PARAGRAPHS: Final = ("项目说明", "本文件由各部门共同维护。", "The second paragraph stays as it is.")


def write_document(
    host: HostApp, folder: Path, *, paragraphs: Sequence[str] = (), selected: Sequence[Sequence[str]] = ()
) -> tuple[Path, Selection | None]:
    """Write the starting document of a case, and what is selected in it."""
    path = folder / f"document{dict(SUFFIXES)[host]}"
    match host:
        case "wps":
            return path, _write_docx(path, paragraphs or _PARAGRAPHS, selected)
        case "et":
            path.write_bytes(_build_xlsx())
        case "wpp":
            path.write_bytes(_build_pptx())
    return path, None


def _write_docx(path: Path, paragraphs: Sequence[str], selected: Sequence[Sequence[str]]) -> Selection | None:
    path.write_bytes(_build_docx(tuple(paragraphs), tuple(map(tuple, selected))))
    if not selected:
        return None
    return Selection("t1.r1.c1", last_address=f"t1.r{len(selected)}.c{len(selected[0])}")


@lru_cache(maxsize=16)  # most cases start from the same document, which takes longer to write than many plans
def _build_docx(paragraphs: tuple[str, ...], selected: tuple[tuple[str, ...], ...]) -> bytes:
    from docx import Document

    document = Document()
    for text in paragraphs:
        document.add_paragraph(text)
    if selected:
        table = document.add_table(len(selected), len(selected[0]))
        for row, cells in zip(table.rows, selected, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
        document.add_paragraph()
    written = BytesIO()
    document.save(written)
    return written.getvalue()


@lru_cache(maxsize=1)
def _build_xlsx() -> bytes:
    from openpyxl import Workbook

    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.title = "台账"
    for row in (("名称", "数量"), ("甲", 3), ("乙", 5)):
        sheet.append(row)
    written = BytesIO()
    workbook.save(written)
    return written.getvalue()


@lru_cache(maxsize=1)
def _build_pptx() -> bytes:
    from pptx import Presentation
    from pptx.util import Cm

    presentation = Presentation()
    presentation.slide_width, presentation.slide_height = Cm(33.867), Cm(19.05)
    slide = presentation.slides.add_slide(presentation.slide_layouts[5])
    slide.shapes.title.text = "已有的一页"
    written = BytesIO()
    presentation.save(written)
    return written.getvalue()
