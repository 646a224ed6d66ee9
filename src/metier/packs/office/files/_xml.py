"""Parts of Office files as trees of elements."""

from functools import lru_cache
from typing import Final, TypeAlias

from lxml import etree

from metier.packs.office.files._errors import OfficeFileError

__all__ = ["XmlElement", "parse_shared_xml", "parse_xml", "serialise_xml"]

XmlElement: TypeAlias = etree._Element
_MAX_SHARED: Final = 8


def parse_xml(content: bytes, name: str) -> XmlElement:
    """Parse a part; entities are never expanded, nothing is loaded."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError):
        raise OfficeFileError("corrupt", name=name) from None
    if root.getroottree().docinfo.doctype:
        raise OfficeFileError("hostile", name=name)
    return root


@lru_cache(_MAX_SHARED)
def parse_shared_xml(content: bytes) -> XmlElement:
    """Parse a part that nobody changes: whoever reads the same bytes gets the same elements."""
    return parse_xml(content, "")


def serialise_xml(root: XmlElement) -> bytes:
    """Bytes of a part."""
    content: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
    return content
