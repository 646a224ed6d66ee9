"""Tags of a presentation that say which plans were carried out, for steps that must not run twice."""

import hashlib
import json
from typing import Final

from lxml import etree
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml.ns import qn

from metier.packs.office.ooxml import parse_xml
from metier.packs.office.plan import OfficePlan
from metier.packs.office.slides._deck import Deck

_P: Final = "http://schemas.openxmlformats.org/presentationml/2006/main"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.presentationml.tags+xml"
_RELATION: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/tags"
_LATER: Final = ("p:kinsoku", "p:defaultTextStyle", "p:modifyVerifier", "p:extLst")


def mark_of(plan: OfficePlan, chosen: frozenset[str] | None) -> str:
    """Name of the tag of a plan."""
    text = json.dumps([plan.to_json()["actions"], sorted(chosen or ())], sort_keys=True, ensure_ascii=False)
    return f"MT_DONE_{hashlib.sha256(text.encode()).hexdigest()[:16].upper()}"


def read_mark(deck: Deck, name: str) -> str:
    """Digest of the deck after the plan was carried out; empty if it was not."""
    part = _part(deck)
    for one in parse_xml(part.blob) if part is not None else ():
        if one.get("name") == name:
            return str(one.get("val"))
    return ""


def write_mark(deck: Deck, name: str) -> None:
    """Note that a plan was carried out."""
    part = _part(deck)
    root = etree.Element(f"{{{_P}}}tagLst", nsmap={"p": _P}) if part is None else parse_xml(part.blob)
    for one in [one for one in root if one.get("name") == name]:
        root.remove(one)
    etree.SubElement(root, f"{{{_P}}}tag", name=name, val=deck.digest())
    content = bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True))
    if part is not None:
        part._blob = content
        return
    package = deck.part.package
    made = Part(PackURI(str(package.next_partname("/ppt/tags/tag%d.xml"))), _TYPE, package, content)
    relation = deck.part.relate_to(made, _RELATION)
    element = deck.part._element
    holder = element.find(qn("p:custDataLst"))
    if holder is None:
        holder = element.makeelement(qn("p:custDataLst"), {})
        later = [qn(one) for one in _LATER]
        place = next((at for at, one in enumerate(element) if one.tag in later), len(element))
        element.insert(place, holder)
    holder.append(holder.makeelement(qn("p:tags"), {qn("r:id"): relation}))


def _part(deck: Deck) -> Part | None:
    for relation in deck.part.rels.values():
        if relation.reltype == _RELATION:
            return relation.target_part
    return None
