"""Styles of a workbook: cell formats are copied, changed and shared."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from lxml import etree

from metier.packs.office.sheets.formulas import BUILTIN_FORMATS

MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
# Order of the children of a style sheet.
_ORDER: Final = (
    "numFmts",
    "fonts",
    "fills",
    "borders",
    "cellStyleXfs",
    "cellXfs",
    "cellStyles",
    "dxfs",
    "tableStyles",
    "colors",
    "extLst",
)
_FONT_ORDER: Final = (
    *("b", "i", "strike", "condense", "extend", "outline", "shadow", "u", "vertAlign", "sz", "color", "name"),
    *("family", "charset", "scheme"),
)
_NO_FONT: Final = (None, None, None, "", None, "")
_FIRST_OWN_FORMAT: Final = 164


@dataclass(frozen=True, slots=True)
class CellLook:
    """What a step sets of a cell's look; empty and None stay as they are."""

    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    font: str = ""
    size: float | None = None
    color: str = ""
    fill: str = ""
    alignment: str = ""
    vertical: str = ""
    wrap: bool | None = None
    borders: bool | None = None


class BookStyles:
    """Formats of cells by their index; a format that exists is used again."""

    def __init__(self, root: etree._Element) -> None:
        self.root = root
        self._known: dict[tuple[int, str], int] = {}

    def number_format(self, index: int) -> str:
        """Number format of a cell style."""
        formats = self._list("cellXfs")
        if not 0 <= index < len(formats):
            return "General"
        return self._format_code(int(formats[index].get("numFmtId", "0")))

    def number_formats(self) -> list[str]:
        """Number formats of all cell styles, by index."""
        return [self._format_code(int(one.get("numFmtId", "0"))) for one in self._list("cellXfs")]

    def with_number_format(self, index: int, code: str) -> int:
        """Style like this one with another number format."""
        number = self._format_id(code)

        def _change(style: etree._Element) -> None:
            style.set("numFmtId", str(number))
            style.set("applyNumberFormat", "1")

        return self._derive(index, f"format {number}", _change)

    def with_quote(self, index: int, *, is_quoted: bool) -> int:
        """Style whose text is never read as a formula when somebody edits the cell."""

        def _change(style: etree._Element) -> None:
            if is_quoted:
                style.set("quotePrefix", "1")
            else:
                style.attrib.pop("quotePrefix", None)

        return self._derive(index, f"quote {is_quoted}", _change)

    def with_head(self, index: int, fill: str = "", color: str = "") -> int:
        """Style of a table's head: bold, centred, with a light fill."""

        def _change(style: etree._Element) -> None:
            font = self._changed_font(int(style.get("fontId", "0")), color)
            style.set("fontId", str(font))
            style.set("applyFont", "1")
            style.set("fillId", str(self._solid_fill(fill or "D9E2F3")))
            style.set("applyFill", "1")
            self._align(style, "center")

        return self._derive(index, f"head {fill} {color}", _change)

    def with_bold(self, index: int) -> int:
        def _change(style: etree._Element) -> None:
            style.set("fontId", str(self._changed_font(int(style.get("fontId", "0")), "")))
            style.set("applyFont", "1")

        return self._derive(index, "bold", _change)

    def with_borders(self, index: int) -> int:
        """Style with a thin line on all sides."""

        def _change(style: etree._Element) -> None:
            border = etree.Element(f"{MAIN}border")
            for side in ("left", "right", "top", "bottom"):
                line = etree.SubElement(border, f"{MAIN}{side}", style="thin")
                etree.SubElement(line, f"{MAIN}color", rgb="FFBFBFBF")
            etree.SubElement(border, f"{MAIN}diagonal")
            style.set("borderId", str(self._share("borders", border)))
            style.set("applyBorder", "1")

        return self._derive(index, "borders", _change)

    def with_look(self, index: int, look: CellLook) -> int:
        """Style like this one with another look."""

        def _change(style: etree._Element) -> None:
            if (look.bold, look.italic, look.underline, look.font, look.size, look.color) != _NO_FONT:
                self._set_font(style, look)
            if look.fill:
                style.set("fillId", str(0 if look.fill == "none" else self._solid_fill(look.fill)))
                style.set("applyFill", "1")
            given = {"horizontal": look.alignment, "vertical": look.vertical}
            values = {name: value for name, value in given.items() if value}
            if look.wrap is not None:
                values["wrapText"] = "1" if look.wrap else "0"
            if values:
                found = style.find(f"{MAIN}alignment")
                alignment = etree.Element(f"{MAIN}alignment") if found is None else found
                if found is None:
                    style.insert(0, alignment)
                alignment.attrib.update(values)
                style.set("applyAlignment", "1")
            if look.borders is False:
                style.set("borderId", "0")

        made = self._derive(index, repr(look), _change)
        return self.with_borders(made) if look.borders else made

    def _set_font(self, style: etree._Element, look: CellLook) -> None:
        fonts = self._list("fonts")
        number = int(style.get("fontId", "0"))
        font = copy.deepcopy(fonts[number]) if number < len(fonts) else etree.Element(f"{MAIN}font")
        for name, value in (("b", look.bold), ("i", look.italic), ("u", look.underline)):
            if value is not None:
                _put(font, name, None, remove=not value)
        if look.size is not None:
            _put(font, "sz", {"val": f"{look.size:g}"})
        if look.color:
            _put(font, "color", {"rgb": f"FF{look.color}"})
        if look.font:
            _put(font, "name", {"val": look.font})
            for old in font.findall(f"{MAIN}scheme"):
                font.remove(old)
        style.set("fontId", str(self._share("fonts", font)))
        style.set("applyFont", "1")

    def with_wrap(self, index: int) -> int:
        """Style whose text may take several lines."""

        def _change(style: etree._Element) -> None:
            found = style.find(f"{MAIN}alignment")
            alignment = etree.Element(f"{MAIN}alignment") if found is None else found
            if found is None:
                style.insert(0, alignment)
            alignment.set("wrapText", "1")
            alignment.set("vertical", "top")
            style.set("applyAlignment", "1")

        return self._derive(index, "wrap", _change)

    def add_difference(self, *, fill: str = "", color: str = "", is_bold: bool | None = None) -> int:
        """Index of a conditional format's look."""
        look = etree.Element(f"{MAIN}dxf")
        if color or is_bold is not None:
            font = etree.SubElement(look, f"{MAIN}font")
            if is_bold is not None:
                etree.SubElement(font, f"{MAIN}b", val="1" if is_bold else "0")
            if color:
                etree.SubElement(font, f"{MAIN}color", rgb=f"FF{color}")
        if fill:
            pattern = etree.SubElement(etree.SubElement(look, f"{MAIN}fill"), f"{MAIN}patternFill")
            etree.SubElement(pattern, f"{MAIN}bgColor", rgb=f"FF{fill}")
        return self._share("dxfs", look)

    def is_locked(self, index: int) -> bool:
        """Whether a cell of this style may not be changed in a protected sheet."""
        formats = self._list("cellXfs")
        found = formats[index].find(f"{MAIN}protection") if 0 <= index < len(formats) else None
        return found is None or found.get("locked") not in ("0", "false")

    def with_lock(self, index: int, *, is_locked: bool) -> int:
        """Style whose cells may or may not be changed in a protected sheet."""
        if self.is_locked(index) == is_locked:
            return index

        def _change(style: etree._Element) -> None:
            found = style.find(f"{MAIN}protection")
            protection = etree.SubElement(style, f"{MAIN}protection") if found is None else found
            protection.set("locked", "1" if is_locked else "0")
            style.set("applyProtection", "1")

        return self._derive(index, f"locked {is_locked}", _change)

    def _derive(self, index: int, note: str, change: Callable[[etree._Element], None]) -> int:
        if (index, note) not in self._known:
            formats = self._list("cellXfs")
            if 0 <= index < len(formats):
                style = copy.deepcopy(formats[index])
            else:
                style = etree.Element(f"{MAIN}xf", numFmtId="0", fontId="0", fillId="0", borderId="0")
            style.tail = None
            change(style)
            self._known[index, note] = self._share("cellXfs", style)
        return self._known[index, note]

    def _align(self, style: etree._Element, horizontal: str) -> None:
        found = style.find(f"{MAIN}alignment")
        alignment = etree.Element(f"{MAIN}alignment") if found is None else found
        if found is None:
            style.insert(0, alignment)
        alignment.set("horizontal", horizontal)
        alignment.set("vertical", "center")
        style.set("applyAlignment", "1")

    def _changed_font(self, index: int, color: str) -> int:
        fonts = self._list("fonts")
        font = copy.deepcopy(fonts[index]) if index < len(fonts) else etree.Element(f"{MAIN}font")
        if font.find(f"{MAIN}b") is None:
            font.insert(0, etree.Element(f"{MAIN}b"))
        if color:
            for old in font.findall(f"{MAIN}color"):
                font.remove(old)
            size = font.find(f"{MAIN}sz")
            place = 1 if size is None else list(font).index(size) + 1
            font.insert(place, etree.Element(f"{MAIN}color", rgb=f"FF{color}"))
        return self._share("fonts", font)

    def _solid_fill(self, color: str) -> int:
        fill = etree.Element(f"{MAIN}fill")
        pattern = etree.SubElement(fill, f"{MAIN}patternFill", patternType="solid")
        etree.SubElement(pattern, f"{MAIN}fgColor", rgb=f"FF{color}")
        etree.SubElement(pattern, f"{MAIN}bgColor", indexed="64")
        return self._share("fills", fill)

    def _share(self, name: str, item: etree._Element) -> int:
        """Index of an equal item of a list, appended if there is none."""
        items = self._list(name)
        for at, one in enumerate(items):
            if _same(one, item):
                return at
        items.append(item)
        items.set("count", str(len(items)))
        return len(items) - 1

    def _list(self, name: str) -> etree._Element:
        found = self.root.find(f"{MAIN}{name}")
        if found is not None:
            return found
        made = etree.Element(f"{MAIN}{name}", count="0")
        later = {f"{MAIN}{one}" for one in _ORDER[_ORDER.index(name) + 1 :]}
        place = next((at for at, one in enumerate(self.root) if one.tag in later), len(self.root))
        self.root.insert(place, made)
        return made

    def _format_code(self, number: int) -> str:
        own = self.root.find(f"{MAIN}numFmts")
        for one in () if own is None else own:
            if one.get("numFmtId") == str(number):
                return str(one.get("formatCode"))
        return BUILTIN_FORMATS.get(number, "General")

    def _format_id(self, code: str) -> int:
        builtin = {text: number for number, text in BUILTIN_FORMATS.items() if number not in (14, 22)}
        if code in builtin:
            return builtin[code]
        formats = self._list("numFmts")
        for one in formats:
            if one.get("formatCode") == code:
                return int(str(one.get("numFmtId")))
        number = max([_FIRST_OWN_FORMAT - 1, *(int(str(one.get("numFmtId"))) for one in formats)]) + 1
        etree.SubElement(formats, f"{MAIN}numFmt", numFmtId=str(number), formatCode=code)
        formats.set("count", str(len(formats)))
        return number


def _put(font: etree._Element, name: str, values: dict[str, str] | None, *, remove: bool = False) -> None:
    """Set or remove one property of a font, in the order that programs expect."""
    for old in font.findall(f"{MAIN}{name}"):
        font.remove(old)
    if not remove:
        later = {f"{MAIN}{one}" for one in _FONT_ORDER[_FONT_ORDER.index(name) + 1 :]}
        place = next((at for at, one in enumerate(font) if one.tag in later), len(font))
        font.insert(place, etree.Element(f"{MAIN}{name}", values or {}))


def _same(one: etree._Element, other: etree._Element) -> bool:
    return describe_element(one) == describe_element(other)


def describe_element(item: etree._Element) -> tuple[object, ...]:
    """What an element says, whatever its prefixes: name, attributes, text and children."""
    attributes = tuple(sorted(item.attrib.items()))
    return item.tag, attributes, (item.text or "").strip(), tuple(describe_element(one) for one in item)
