"""Columns of a sheet: their width and their own element."""

from lxml import etree

from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN

__all__ = ["column_element", "column_width"]


def column_width(sheet: SheetPart, column: int) -> float | None:
    """Width of a column in characters; None if the sheet's own is meant."""
    for one in sheet.root.iterfind(f"{MAIN}cols/{MAIN}col"):
        if int(one.get("min", "0")) <= column <= int(one.get("max", "0")) and one.get("width"):
            return float(str(one.get("width")))
    return None


def column_element(sheet: SheetPart, number: int) -> etree._Element:
    """Element of one column, cut out of those that several share."""
    columns = sheet.child("cols")
    for one in list(columns):
        first, last = int(one.get("min", "0")), int(one.get("max", "0"))
        if not first <= number <= last:
            continue
        for low, high in ((first, number - 1), (number + 1, last)):
            if low <= high:
                part = etree.Element(one.tag, {**one.attrib, "min": str(low), "max": str(high)})
                one.addprevious(part) if low < number else one.addnext(part)
        one.set("min", str(number))
        one.set("max", str(number))
        return one
    made = etree.Element(f"{MAIN}col", min=str(number), max=str(number), width="8.43")
    place = next((at for at, one in enumerate(columns) if int(one.get("min", "0")) > number), len(columns))
    columns.insert(place, made)
    return made
