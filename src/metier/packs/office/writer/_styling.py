"""Looks as properties of runs and paragraphs; Chinese fonts are set where Word looks for them (`w:eastAsia`)."""

import copy
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonValue
from metier.packs.office.files import XmlElement
from metier.packs.office.plan import StyleSpec, read_color
from metier.packs.office.writer.reading import drop, ensure, make, w

__all__ = ["dress_run", "set_font", "style_paragraph", "style_run"]

_ALIGNMENTS: Final = MappingProxyType({"left": "left", "center": "center", "right": "right", "justify": "both"})
_LINES: Final = MappingProxyType({"single": "240", "1.5": "360", "double": "480"})
_THEME_FONTS: Final = ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme")


def style_run(properties: XmlElement, fields: Mapping[str, JsonValue]) -> None:
    """Set font, size, bold, italic and colour as given; the rest stays."""
    font, size, color = fields.get("font"), fields.get("size"), read_color(fields.get("color"))
    if isinstance(font, str) and font:
        set_font(properties, font)
    if isinstance(latin := fields.get("latin_font"), str) and latin:
        _set_latin_font(properties, latin)
    if isinstance(size, int | float) and size > 0:
        for name in ("sz", "szCs"):
            ensure(properties, name).set(w("val"), str(round(size * 2)))
    for field, names in (("bold", ("b", "bCs")), ("italic", ("i", "iCs"))):
        value = fields.get(field)
        if isinstance(value, bool):
            for name in names:
                element = ensure(properties, name)
                element.attrib.pop(w("val"), None)
                if not value:
                    element.set(w("val"), "0")
    if color:
        element = ensure(properties, "color")
        element.attrib.clear()
        element.set(w("val"), color)
    _mark_run(properties, fields)


def _mark_run(properties: XmlElement, fields: Mapping[str, JsonValue]) -> None:
    """Lines under and through text, the colour behind it, and how far its letters stand apart."""
    for field, name, value in (("underline", "u", "single"), ("strike", "strike", "")):
        wanted = fields.get(field)
        if isinstance(wanted, bool):
            element = ensure(properties, name)
            element.attrib.pop(w("val"), None)
            if value or not wanted:
                element.set(w("val"), value if wanted else "none" if name == "u" else "0")
    if isinstance(highlight := fields.get("highlight"), str) and (shade := read_color(highlight)):
        drop(properties, "highlight")
        ensure(properties, "shd").attrib.update({w("val"): "clear", w("color"): "auto", w("fill"): shade})
    if isinstance(letter := fields.get("letter_points"), int | float) and not isinstance(letter, bool):
        drop(properties, "spacing")
        if letter:
            ensure(properties, "spacing").set(w("val"), str(round(letter * 20)))


def set_font(properties: XmlElement, font: str) -> None:
    """Set a font for Latin and Chinese text; a font of the theme would win and is taken out."""
    fonts = ensure(properties, "rFonts")
    for name in _THEME_FONTS:
        fonts.attrib.pop(w(name), None)
    for name in ("ascii", "hAnsi", "eastAsia", "cs"):
        fonts.set(w(name), font)
    if any("\u4e00" <= char <= "\u9fff" for char in font):
        fonts.set(w("hint"), "eastAsia")


def _set_latin_font(properties: XmlElement, font: str) -> None:
    fonts = ensure(properties, "rFonts")
    for name in ("ascii", "hAnsi"):
        fonts.attrib.pop(w(f"{name}Theme"), None)
        fonts.set(w(name), font)


def dress_run(properties: XmlElement | None, style: StyleSpec, *, is_heading: bool = False) -> XmlElement | None:
    """Properties of new text in the fonts, size and colour of a style; what it leaves open stays."""
    east_asia, latin = (style.heading_font, "") if is_heading else (style.east_asia_font, style.latin_font)
    size, color = (style.heading_size, "") if is_heading else (style.body_size, style.text_color)
    if not (east_asia or latin or size or color):
        return properties
    own = make("rPr") if properties is None else copy.deepcopy(properties)
    style_run(own, {"font": east_asia, "size": size, "color": color})
    if latin:
        _set_latin_font(own, latin)
    return own


def style_paragraph(properties: XmlElement, fields: Mapping[str, JsonValue]) -> None:
    alignment = _ALIGNMENTS.get(str(fields.get("alignment")))
    if alignment:
        ensure(properties, "jc").set(w("val"), alignment)
    line = _LINES.get(str(fields.get("line_spacing")))
    if line:
        spacing = ensure(properties, "spacing")
        spacing.set(w("line"), line)
        spacing.set(w("lineRule"), "auto")
    _space_lines(properties, fields)
    for field, name in (("space_before", "before"), ("space_after", "after")):
        value = fields.get(field)
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
            spacing = ensure(properties, "spacing")
            for extra in (f"{name}Lines", f"{name}Autospacing"):
                spacing.attrib.pop(w(extra), None)
            spacing.set(w(name), str(round(value * 20)))


def _space_lines(properties: XmlElement, fields: Mapping[str, JsonValue]) -> None:
    """Distance of lines, indent of the first one, and whether a new page begins."""
    for field, rule, unit in (("line_multiple", "auto", 240), ("line_points", "exact", 20)):
        value = fields.get(field)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            spacing = ensure(properties, "spacing")
            spacing.set(w("line"), str(round(value * unit)))
            spacing.set(w("lineRule"), rule)
    chars = fields.get("first_line_chars")
    if isinstance(chars, int | float) and not isinstance(chars, bool) and chars >= 0:
        indent = ensure(properties, "ind")
        for name in ("hanging", "hangingChars"):
            indent.attrib.pop(w(name), None)
        indent.set(w("firstLineChars"), str(round(chars * 100)))
        indent.set(w("firstLine"), str(round(chars * _char_twips(fields))))
    _indent(properties, fields)
    for field, name, usual in (("snap_to_grid", "snapToGrid", True), ("page_break_before", "pageBreakBefore", False)):
        if isinstance(wanted := fields.get(field), bool):
            drop(properties, name)
            if wanted != usual:
                ensure(properties, name).attrib.update({} if wanted else {w("val"): "0"})


def _indent(properties: XmlElement, fields: Mapping[str, JsonValue]) -> None:
    """Indents in points or characters; one unit replaces the other."""
    sides = (
        ("first_line_points", ("firstLine",), ("firstLineChars", "hanging", "hangingChars"), 20),
        ("left_points", ("left",), ("leftChars", "start", "startChars"), 20),
        ("right_chars", ("rightChars",), ("end", "endChars"), 100),
    )
    for field, names, others, unit in sides:
        value = fields.get(field)
        if not isinstance(value, int | float) or isinstance(value, bool) or value < 0:
            continue
        indent = ensure(properties, "ind")
        for name in others:
            indent.attrib.pop(w(name), None)
        for name in names:
            indent.set(w(name), str(round(value * unit)))
        if field == "right_chars":  # for programs that know no characters
            indent.set(w("right"), str(round(value * _char_twips(fields))))


def _char_twips(fields: Mapping[str, JsonValue]) -> float:
    """Width of a character of the size that is set with the indent, else of the usual one."""
    size = fields.get("size")
    return size * 20 if isinstance(size, int | float) and not isinstance(size, bool) and size > 0 else 210
