"""Style of a document as `ah32.styleSpec.v1` describes it: palette, fonts, and how tables and headings look."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from metier.exports import measure_contrast
from metier.json_values import JsonObject, JsonValue
from metier.packs.office.ooxml import parse_color

__all__ = ["StyleSpec", "find_style", "load_style_spec", "read_color"]

_WHITE: Final = "FFFFFF"
_BLACK: Final = "000000"
_MIN_CONTRAST: Final = 4.5  # WCAG 2, level AA, for text of usual size
# What documents, sheets and slides all take: Excel knows sizes up to 409, and names of fonts up to 31 characters.
_MIN_SIZE, _MAX_SIZE = 1, 400
_MAX_FONT_CHARS: Final = 64


@dataclass(frozen=True, slots=True)
class StyleSpec:
    """Colours as `RRGGBB` and fonts; empty where the style says nothing, so that the document's own style holds."""

    primary: str = ""
    accent: str = ""
    text_color: str = ""
    header_fill: str = ""
    header_text: str = ""
    east_asia_font: str = ""
    latin_font: str = ""
    heading_font: str = ""
    body_size: float | None = None
    heading_size: float | None = None
    has_borders: bool | None = None
    is_header_bold: bool | None = None


def read_color(value: JsonValue) -> str:
    """A colour as `RRGGBB`, as `parse_color` reads it; empty if it is none."""
    return parse_color(str(value or "")) or ""


def load_style_spec(value: JsonObject | None, part: str = "writer") -> StyleSpec:
    """Read a style for documents (`writer`), sheets (`et`) or slides (`wpp`); unknown or odd entries are left out."""
    spec = _fold(value or {})
    palette, fonts, own = (_fold(spec.get(name)) for name in ("palette", "fonts", part))
    table, heading, body = (_fold(own.get(name)) for name in ("table", "heading", "body"))
    text_color = _color(body, "color") or _color(palette, "text")
    header_fill = _color(table, "headerfill", "headerbackground", "headercolor") or _color(palette, "primary")
    return StyleSpec(
        primary=_color(palette, "primary", "main"),
        accent=_color(palette, "accent", "secondary"),
        text_color=text_color,
        header_fill=header_fill,
        header_text=_color(table, "headertext", "headerfontcolor") or _find_readable(header_fill, text_color),
        east_asia_font=_font(body, "font", "eastasia") or _font(fonts, "eastasia", "cjk", "zh", "body"),
        latin_font=_font(fonts, "latin", "ascii", "en"),
        heading_font=_font(heading, "font") or _font(fonts, "heading", "title"),
        body_size=_size(body, "size") or _size(fonts, "bodysize", "size"),
        heading_size=_size(heading, "size") or _size(fonts, "headingsize", "titlesize"),
        has_borders=_flag(table, "borders", "border"),
        is_header_bold=_flag(table, "headerbold"),
    )


def find_style(given: JsonObject, meta: Mapping[str, JsonValue], part: str) -> StyleSpec:
    """The style that a write was asked for, or that the plan itself has."""
    own = meta.get("style_spec") or meta.get("styleSpec")
    return load_style_spec(given or (own if isinstance(own, Mapping) else None), part)


def _fold(value: JsonValue) -> dict[str, JsonValue]:
    """The object with its names folded: `headerFill` and `header_fill` are the same."""
    if not isinstance(value, Mapping):
        return {}
    return {re.sub(r"[^a-z0-9]", "", name.lower()): one for name, one in value.items()}


def _color(values: Mapping[str, JsonValue], *names: str) -> str:
    return next((color for name in names if (color := read_color(values.get(name)))), "")


def _find_readable(fill: str, text_color: str) -> str:
    """Black or white where the text's own colour cannot be read on the fill; empty where it can."""
    if not fill or measure_contrast(fill, text_color or _BLACK) >= _MIN_CONTRAST:
        return ""
    return max((_WHITE, _BLACK), key=lambda one: measure_contrast(fill, one))


def _font(values: Mapping[str, JsonValue], *names: str) -> str:
    found = (values.get(name) for name in names)
    return next((one for one in found if isinstance(one, str) and _is_font_name(one)), "")


def _is_font_name(text: str) -> bool:
    return 0 < len(text) <= _MAX_FONT_CHARS and text.isprintable()


def _size(values: Mapping[str, JsonValue], *names: str) -> float | None:
    found = (values.get(name) for name in names)
    numbers = (one for one in found if isinstance(one, int | float) and not isinstance(one, bool))
    return next((float(one) for one in numbers if _MIN_SIZE <= one <= _MAX_SIZE), None)


def _flag(values: Mapping[str, JsonValue], *names: str) -> bool | None:
    found = (values.get(name) for name in names)
    return next((one for one in found if isinstance(one, bool)), None)
