"""Names of WordprocessingML elements, and small functions to build and find them."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from lxml import etree

from metier.packs.office.files import XmlElement

__all__ = [
    "NAMESPACES",
    "attribute",
    "child",
    "drop",
    "ensure",
    "find",
    "fingerprint",
    "has_flag",
    "make",
    "w",
    "w_value",
    "whole",
]

NAMESPACES: Mapping[str, str] = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "v": "urn:schemas-microsoft-com:vml",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
}
_W: Final = NAMESPACES["w"]
_OFF: Final = frozenset({"0", "false", "off", "none"})
# Order that the schema asks of the properties that are written here; Word refuses a file that breaks it.
_ORDER: Mapping[str, tuple[str, ...]] = {
    "pPr": (
        "pStyle", "keepNext", "keepLines", "pageBreakBefore", "framePr", "widowControl", "numPr", "suppressLineNumbers",
        "pBdr", "shd", "tabs", "suppressAutoHyphens", "kinsoku", "wordWrap", "overflowPunct", "topLinePunct",
        "autoSpaceDE", "autoSpaceDN", "bidi", "adjustRightInd", "snapToGrid", "spacing", "ind", "contextualSpacing",
        "mirrorIndents", "suppressOverlap", "jc", "textDirection", "textAlignment", "textboxTightWrap", "outlineLvl",
        "divId", "cnfStyle", "rPr", "sectPr", "pPrChange",
    ),
    "rPr": (
        "ins", "del", "moveFrom", "moveTo", "rStyle", "rFonts", "b", "bCs", "i", "iCs", "caps", "smallCaps", "strike",
        "dstrike", "outline", "shadow", "emboss", "imprint", "noProof", "snapToGrid", "vanish", "webHidden", "color",
        "spacing", "w", "kern", "position", "sz", "szCs", "highlight", "u", "effect", "bdr", "shd", "fitText",
        "vertAlign", "rtl", "cs", "em", "lang", "eastAsianLayout", "specVanish", "oMath", "rPrChange",
    ),
    "tblPr": (
        "tblStyle", "tblpPr", "tblOverlap", "bidiVisual", "tblStyleRowBandSize", "tblStyleColBandSize", "tblW", "jc",
        "tblCellSpacing", "tblInd", "tblBorders", "shd", "tblLayout", "tblCellMar", "tblLook", "tblPrChange",
    ),
    "trPr": ("cantSplit", "tblHeader", "jc", "hidden", "ins", "del", "trPrChange"),
    "tcPr": (
        "cnfStyle", "tcW", "gridSpan", "vMerge", "tcBorders", "shd", "noWrap", "tcMar", "textDirection", "tcFitText",
        "vAlign", "hideMark", "tcPrChange",
    ),
    "sectPr": (
        "headerReference", "footerReference", "footnotePr", "endnotePr", "type", "pgSz", "pgMar", "paperSrc",
        "pgBorders", "lnNumType", "pgNumType", "cols", "formProt", "vAlign", "noEndnote", "titlePg", "textDirection",
        "bidi", "rtlGutter", "docGrid", "printerSettings", "sectPrChange",
    ),
}  # fmt: skip


@cache
def w(name: str) -> str:
    """Qualified name of a WordprocessingML element or attribute."""
    return f"{{{_W}}}{name}"


def attribute(name: str) -> str:
    """Qualified name of `prefix:name`."""
    prefix, _, local = name.partition(":")
    return f"{{{NAMESPACES[prefix]}}}{local}"


def make(name: str, values: Mapping[str, str] | None = None, *children: XmlElement, text: str = "") -> XmlElement:
    """Build an element; names without a prefix are WordprocessingML."""
    tag = attribute(name) if ":" in name else w(name)
    prefix = name.partition(":")[0] if ":" in name else "w"
    element = etree.Element(tag, nsmap={prefix: NAMESPACES[prefix]})
    for key, value in (values or {}).items():
        element.set(attribute(key) if ":" in key else w(key), value)
    element.extend(children)
    if text:
        element.text = text
        if name in ("t", "delText", "instrText") and (text[0].isspace() or text[-1].isspace() or "  " in text):
            element.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    return element


def find(element: XmlElement | None, *path: str) -> XmlElement | None:
    """First element along a path of names; None if one is missing."""
    for name in path:
        if element is None:
            return None
        element = element.find(w(name))
    return element


def w_value(element: XmlElement | None, name: str = "val") -> str:
    """An attribute; empty if the element or the attribute is missing."""
    return "" if element is None else str(element.get(w(name), ""))


def whole(text: str, default: int = 0) -> int:
    """A whole number that a file states; the default if it is none or absurdly large."""
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 10 else default


def has_flag(properties: XmlElement | None, name: str) -> bool:
    """Whether a switch such as `w:b` is on."""
    found = find(properties, name)
    return found is not None and w_value(found).lower() not in _OFF


def child(parent: XmlElement, name: str) -> XmlElement | None:
    """Child of this name."""
    found: XmlElement | None = parent.find(w(name))
    return found


def ensure(parent: XmlElement, name: str) -> XmlElement:
    """Child of this name, made in the place that the schema asks for if it is missing."""
    found = parent.find(w(name))
    if found is not None:
        return found
    element = make(name)
    local = etree.QName(parent).localname
    order = _ORDER.get(local)
    if order is None or name not in order:
        parent.insert(0, element) if name in ("pPr", "rPr", "trPr", "tcPr", "tblPr") else parent.append(element)
        return element
    later = set(order[order.index(name) + 1 :])
    for at, one in enumerate(parent):
        if isinstance(one.tag, str) and etree.QName(one).localname in later:
            parent.insert(at, element)
            return element
    parent.append(element)
    return element


def drop(parent: XmlElement | None, *names: str) -> None:
    """Remove the children of these names."""
    if parent is not None:
        for name in names:
            for one in parent.findall(w(name)):
                parent.remove(one)


def fingerprint(element: XmlElement) -> bytes:
    """Bytes that are the same for equal elements, wherever they stand."""
    try:
        content: bytes = etree.tostring(element, method="c14n", exclusive=True, with_tail=False)
    except etree.C14NError:  # a namespace that is not an absolute address
        content = etree.tostring(element, with_tail=False)
    return content
