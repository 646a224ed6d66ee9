"""Text boxes stand in a document twice: for newer programs, and as a copy (`mc:Fallback`) that others show."""

import copy
from collections.abc import Iterator
from typing import Final

from lxml import etree

from metier.packs.office.files import Package, XmlElement, parse_xml
from metier.packs.office.writer.reading import attribute, text_of, w

__all__ = ["renew_fallbacks"]

_ALTERNATE: Final = attribute("mc:AlternateContent")
_CHOICE: Final = attribute("mc:Choice")
_FALLBACK: Final = attribute("mc:Fallback")
_BOX: Final = w("txbxContent")


def renew_fallbacks(package: Package) -> None:
    """Give the copies of changed text boxes their new content; a copy that said something else before stays."""
    for name in package.changed_parts:
        stored = package.read_stored(name)
        if not name.endswith(".xml") or stored is None or b"Fallback" not in stored:
            continue
        pairs = _pair_boxes(parse_xml(stored, name))
        before = {_key(copied): etree.tostring(box) for box, copied in pairs if _text_of(box) == _text_of(copied)}
        for box, copied in _pair_boxes(package.xml(name)):
            old = before.get(_key(copied))
            if old is not None and old != etree.tostring(box):
                copied[:] = [copy.deepcopy(one) for one in box]
                package.touch(name)


def _pair_boxes(root: XmlElement) -> Iterator[tuple[XmlElement, XmlElement]]:
    """Contents of text boxes with their copies."""
    for alternate in root.iter(_ALTERNATE):
        choice, fallback = alternate.find(_CHOICE), alternate.find(_FALLBACK)
        if choice is not None and fallback is not None:
            boxes, copies = list(choice.iter(_BOX)), list(fallback.iter(_BOX))
            if len(boxes) == len(copies):
                yield from zip(boxes, copies, strict=True)


def _key(copied: XmlElement) -> bytes:
    """A copy is known by its content, which no step changes."""
    content: bytes = etree.tostring(copied, method="c14n")
    return content


def _text_of(box: XmlElement) -> str:
    return "\n".join(text_of(one) for one in box.iter(w("p")))
