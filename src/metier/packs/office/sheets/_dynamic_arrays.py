"""Cell metadata of formulas that spill: without it programs show `@` and one value."""

from typing import Final

from lxml import etree

from metier.packs.office.ooxml import OoxmlParts
from metier.packs.office.sheets._styles import MAIN

__all__ = ["ensure_dynamic_metadata"]

_PART: Final = "xl/metadata.xml"
_CONTENT_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheetMetadata+xml"
_KIND: Final = "XLDAPR"
_ARRAYS: Final = "{http://schemas.microsoft.com/office/spreadsheetml/2017/dynamicarray}"
_EXTENSION: Final = "{bdbb8cdc-fa1e-496e-a857-3c3f30c029c3}"
_ORDER: Final = ("metadataTypes", "metadataStrings", "mdxMetadata", "futureMetadata", "cellMetadata", "valueMetadata")
_FLAGS: Final = (
    *("copy", "pasteAll", "pasteValues", "merge", "splitFirst", "rowColShift", "clearFormats", "clearComments"),
    *("assign", "coerce", "cellMeta"),
)


def ensure_dynamic_metadata(parts: OoxmlParts, workbook: str) -> int:
    """Number (`cm`) of the cell metadata for a dynamic array; added to the workbook if it has none."""
    found = parts.list_related(workbook, "sheetMetadata")
    if found and parts.has(found[0].target):
        root = parts.xml(found[0].target)
        number = _find_number(root) or _add(root)
        parts.put_xml(found[0].target, root)
        return number
    root = etree.Element(f"{MAIN}metadata", nsmap={None: MAIN.strip("{}"), "xda": _ARRAYS.strip("{}")})
    number = _add(root)
    parts.put_xml(_PART, root, _CONTENT_TYPE)
    parts.relate(workbook, "sheetMetadata", _PART)
    return number


def _find_number(root: etree._Element) -> int:
    types = [one.get("name") for one in root.iterfind(f"{MAIN}metadataTypes/{MAIN}metadataType")]
    for number, record in enumerate(root.iterfind(f"{MAIN}cellMetadata/{MAIN}bk"), 1):
        kinds = [int(one.get("t", "0")) for one in record.iterfind(f"{MAIN}rc")]
        if any(0 < kind <= len(types) and types[kind - 1] == _KIND for kind in kinds):
            return number
    return 0


def _add(root: etree._Element) -> int:
    """Add the type, its properties and one record of it; what the part holds already stays."""
    types = _child(root, "metadataTypes")
    names = [one.get("name") for one in types]
    if _KIND not in names:
        kind = {"name": _KIND, "minSupportedVersion": "120000", **dict.fromkeys(_FLAGS, "1")}
        etree.SubElement(types, f"{MAIN}metadataType", kind)
        names.append(_KIND)
    future = next((one for one in root.iterfind(f"{MAIN}futureMetadata") if one.get("name") == _KIND), None)
    if future is None:
        future = _child(root, "futureMetadata", is_new=True)
        future.set("name", _KIND)
    extensions = etree.SubElement(etree.SubElement(future, f"{MAIN}bk"), f"{MAIN}extLst")
    extension = etree.SubElement(extensions, f"{MAIN}ext", uri=_EXTENSION)
    etree.SubElement(extension, f"{_ARRAYS}dynamicArrayProperties", fDynamic="1", fCollapsed="0")
    cells = _child(root, "cellMetadata")
    record = etree.SubElement(cells, f"{MAIN}bk")
    etree.SubElement(record, f"{MAIN}rc", t=str(names.index(_KIND) + 1), v=str(len(future) - 1))
    for one in (types, future, cells):
        one.set("count", str(len(one)))
    return len(cells)


def _child(root: etree._Element, name: str, *, is_new: bool = False) -> etree._Element:
    """Part of the metadata in its place; the schema has an order."""
    found = root.find(f"{MAIN}{name}")
    if found is not None and not is_new:
        return found
    made = etree.Element(f"{MAIN}{name}")
    later = {f"{MAIN}{one}" for one in _ORDER[_ORDER.index(name) + 1 :]} | {f"{MAIN}extLst"}
    place = next((at for at, one in enumerate(root) if one.tag in later), len(root))
    root.insert(place, made)
    return made
