"""Measures of the page: paper, margins, and the grid of lines and characters."""

from typing import TYPE_CHECKING, Final

from metier.packs.office.files import XmlElement
from metier.packs.office.writer.reading._names import find, w, w_value, whole
from metier.packs.office.writer.reading._styles import StyleTable

if TYPE_CHECKING:
    from metier.packs.office.analysis import PageMeasures

__all__ = ["read_page"]

_MM_PER_TWIP: Final = 25.4 / 1440


def read_page(root: XmlElement, styles: StyleTable) -> "PageMeasures | None":
    """Page of the first section; None if the document does not set one."""
    from metier.packs.office.analysis import PageMeasures

    section = next(root.iter(w("sectPr")), None)
    size, margins = find(section, "pgSz"), find(section, "pgMar")
    twips = [_read_twips(w_value(size, name)) for name in ("w", "h")]
    sides = [_read_twips(w_value(margins, name)) for name in ("top", "bottom", "left", "right")]
    if section is None or not all(twips):
        return None
    width, height = twips[0] - sides[2] - sides[3], twips[1] - sides[0] - sides[1]
    lines, chars = _read_grid(section, styles, width, height)
    wide, high, top, bottom, left, right = (round(one * _MM_PER_TWIP, 1) for one in (*twips, *sides))
    return PageMeasures(wide, high, top, bottom, left, right, lines, chars)


def _read_twips(value: str) -> int:
    return abs(whole(value))


def _read_grid(section: XmlElement, styles: StyleTable, width: int, height: int) -> tuple[int | None, int | None]:
    grid = find(section, "docGrid")
    kind, pitch = w_value(grid, "type"), w_value(grid, "linePitch")
    if kind not in ("lines", "linesAndChars", "snapToChars") or whole(pitch) <= 0:
        return None, None
    lines = round(height / whole(pitch) - 0.3)
    if kind == "lines":
        return lines, None
    points = styles.default_half_points() / 2
    space = w_value(grid, "charSpace")
    points += whole(space) / 4096
    return lines, round(width / 20 / points - 0.3) if points > 0 else None
