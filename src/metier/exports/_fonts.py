"""Font of PDF files and pictures: a subset of Noto Sans SC that comes with the package."""

from pathlib import Path
from typing import Final
from unicodedata import category

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
    """Text in which characters without a glyph are a box; signs without a shape, such as joiners, are left out."""
    return "".join(char if _can_draw(char, known) else _replace(char) for char in text)


def find_missing(text: str, known: frozenset[int]) -> frozenset[str]:
    """Characters that `replace_missing` shows as a box."""
    return frozenset(char for char in text if not _can_draw(char, known) and _replace(char))


def _can_draw(char: str, known: frozenset[int]) -> bool:
    return ord(char) in known or char in "\n\t"


def _replace(char: str) -> str:
    is_shapeless = category(char) in ("Cf", "Cc") or "\ufe00" <= char <= "\ufe0f"
    return "" if is_shapeless else _MISSING
