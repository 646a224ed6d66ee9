"""Font of PDF files and pictures: a subset of Noto Sans SC that comes with the package."""

from pathlib import Path
from typing import Final

FONT_FILE: Final = Path(__file__).parent / "fonts" / "NotoSansSC-subset.ttf"
FONT_NAME: Final = "MetierSans"
_MISSING: Final = "□"


def register_font() -> frozenset[int]:
    """Make the font known to the PDF library; returns the characters it has."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    if FONT_NAME not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont(FONT_NAME, str(FONT_FILE)))
        pdfmetrics.registerFontFamily(FONT_NAME, FONT_NAME, FONT_NAME, FONT_NAME, FONT_NAME)
    return frozenset(pdfmetrics.getFont(FONT_NAME).face.charToGlyph)


def replace_missing(text: str, known: frozenset[int]) -> str:
    """Text in which characters without a glyph are a box."""
    return "".join(char if ord(char) in known or char in "\n\t" else _MISSING for char in text)
