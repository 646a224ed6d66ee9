"""A new empty document: A4 paper, and fonts that are set for Chinese too."""

import tempfile
from pathlib import Path
from typing import Final

from metier.packs.office.files import XmlElement, open_package, replace_file
from metier.packs.office.writer.reading import ensure, find, w

__all__ = ["create_blank"]

_BODY_FONT: Final = "宋体"
_HEADING_FONT: Final = "黑体"


def create_blank(path: Path) -> None:
    """Write a document without text: A4, usual margins, running text in 宋体 12 points, headings in 黑体."""
    from docx import Document
    from docx.shared import Mm, Pt

    document = Document()
    section = document.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.top_margin = section.bottom_margin = Mm(25.4)
    section.left_margin = section.right_margin = Mm(31.8)
    document.core_properties.author = document.core_properties.comments = ""
    document.core_properties.title = ""
    document.styles["Normal"].font.size = Pt(12)
    with tempfile.TemporaryDirectory(prefix="metier-office-") as folder:
        draft = Path(folder) / "blank.docx"
        document.save(str(draft))
        package = open_package(draft)
        styles = "word/styles.xml"
        for style in package.xml(styles).iter(w("style")):
            name = find(style, "name")
            label = "" if name is None else str(name.get(w("val"), "")).lower()
            if label == "normal" or label.startswith(("heading", "title")):
                _set_fonts(style, _BODY_FONT if label == "normal" else _HEADING_FONT)
        package.touch(styles)
        package.save(draft)
        replace_file(path, draft.read_bytes())


def _set_fonts(style: XmlElement, font: str) -> None:
    fonts = ensure(ensure(style, "rPr"), "rFonts")
    for name in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(w(name), None)
    fonts.set(w("ascii"), "Times New Roman")
    fonts.set(w("hAnsi"), "Times New Roman")
    fonts.set(w("eastAsia"), font)
