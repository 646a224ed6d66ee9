"""Values of cell elements, and formulas that are copied."""

from collections.abc import Callable
from typing import Final

from lxml import etree
from openpyxl.formula.translate import Translator, TranslatorError

from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets.formulas import CellError, CellValue

_VALUE: Final = f"{MAIN}v"
_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"


def read_value(cell: etree._Element, strings: Callable[[int], str]) -> CellValue:
    """Value of a cell element."""
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return "".join(one.text or "" for one in cell.iterfind(f"{MAIN}is//{MAIN}t"))
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
    return text


def put_value(cell: etree._Element, value: CellValue, *, is_cached: bool = False) -> None:
    """Write a value into an empty cell element."""
    if isinstance(value, str) and not is_cached:
        cell.set("t", "inlineStr")
        text = etree.SubElement(etree.SubElement(cell, f"{MAIN}is"), f"{MAIN}t")
        text.text = value
        if value != value.strip() or "\n" in value:
            text.set(_SPACE, "preserve")
        return
    made = etree.SubElement(cell, f"{MAIN}v")
    if isinstance(value, bool):
        cell.set("t", "b")
        made.text = "1" if value else "0"
    elif isinstance(value, str):
        cell.set("t", "str")
        made.text = value
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
