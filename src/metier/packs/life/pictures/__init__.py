"""Charts to look at and to take home: card and wheel as drawings, charts and readings in words, HTML and PDF."""

from metier.packs.life.pictures._bazi_card import draw_bazi
from metier.packs.life.pictures._natal_wheel import draw_natal
from metier.packs.life.pictures._report import write_files, write_picture
from metier.packs.life.pictures._texts import (
    HOUR_NAMES,
    SHOWN_PERIODS,
    describe_bazi,
    describe_luck,
    describe_natal,
    describe_reading,
    format_degrees,
    list_natal_notes,
    list_notes,
)

__all__ = [
    "HOUR_NAMES",
    "SHOWN_PERIODS",
    "describe_bazi",
    "describe_luck",
    "describe_natal",
    "describe_reading",
    "draw_bazi",
    "draw_natal",
    "format_degrees",
    "list_natal_notes",
    "list_notes",
    "write_files",
    "write_picture",
]
