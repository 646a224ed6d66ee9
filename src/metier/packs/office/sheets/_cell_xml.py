"""Values of cell elements, and formulas that are copied."""

import re
from collections.abc import Callable
from typing import Final

from lxml import etree
from openpyxl.formula.translate import Translator, TranslatorError

from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets.formulas import CellError, CellValue

_VALUE: Final = f"{MAIN}v"
# What XML cannot hold, and a text that looks like the way it is written instead.
_UNSTORABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)")
_ESCAPED: Final = re.compile("_x([0-9A-Fa-f]{4})_")
_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"


def escape_text(text: str) -> str:
    """Text as cells keep it: `_x0001_` for a character that XML cannot hold."""
    return _UNSTORABLE.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def unescape_text(text: str) -> str:
    """Text that a cell keeps; what XML cannot hold stays as it is written, since texts go on into other files."""
    return _ESCAPED.sub(_unescape_one, text) if "_x" in text else text


def _unescape_one(found: re.Match[str]) -> str:
    char = chr(int(found[1], 16))
    return found[0] if char != "\r" and _UNSTORABLE.match(char) else char


def read_value(cell: etree._Element, strings: Callable[[int], str]) -> CellValue:
    """Value of a cell element."""
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return unescape_text("".join(one.text or "" for one in cell.iterfind(f"{MAIN}is//{MAIN}t")))
    found = next((one for one in cell if one.tag == _VALUE), None)
    text: str | None = None if found is None else found.text
    if text is None:
        return "" if kind == "str" and found is not None else None
    if kind == "s":
        return strings(int(text))
    if kind == "b":
        return text.strip() in ("1", "true")
    if kind == "e":
        return CellError(text)
    if kind == "n":
        try:
            return float(text)
        except ValueError:
            return text
    return unescape_text(text)


def put_value(cell: etree._Element, value: CellValue, *, is_cached: bool = False) -> None:
    """Write a value into an empty cell element."""
    if isinstance(value, str) and not is_cached:
        cell.set("t", "inlineStr")
        text = etree.SubElement(etree.SubElement(cell, f"{MAIN}is"), f"{MAIN}t")
        text.text = escape_text(value)
        if value != value.strip() or "\n" in value:
            text.set(_SPACE, "preserve")
        return
    made = etree.SubElement(cell, f"{MAIN}v")
    if isinstance(value, bool):
        cell.set("t", "b")
        made.text = "1" if value else "0"
    elif isinstance(value, str):
        cell.set("t", "str")
        made.text = escape_text(value)
    elif isinstance(value, CellError):
        cell.set("t", "e")
        made.text = value.code
    else:
        made.text = number_xml(float(value or 0))


def number_xml(number: float) -> str:
    """Number as files keep it: shortest text that gives the same number."""
    return str(int(number)) if number == int(number) and abs(number) < 1e15 else repr(number)


def translate_formula(formula: str, origin: str, destination: str) -> str:
    """Formula as it reads when it is copied from one cell to another."""
    try:
        return str(Translator(f"={formula}", origin=origin).translate_formula(destination))[1:]
    except TranslatorError:
        return formula
