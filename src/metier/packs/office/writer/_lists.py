"""Lists with automatic numbers or bullets, as Word keeps them."""

from typing import Final

from metier.packs.office.files import XmlElement
from metier.packs.office.writer._session import WriterSession
from metier.packs.office.writer.reading import NAMESPACES, ensure, make, w, w_value, whole

__all__ = ["make_list"]

_TYPE: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml"


def make_list(session: WriterSession, kind: str, paragraphs: list[XmlElement]) -> None:
    """Make paragraphs the items of a new list: `number` counts from 1, `bullet` has points."""
    number_id = _add_list(session, is_numbered=kind == "number")
    for paragraph in paragraphs:
        properties = ensure(paragraph, "pPr")
        own = ensure(properties, "numPr")
        for name, value in (("ilvl", "0"), ("numId", number_id)):
            ensure(own, name).set(w("val"), value)
        for one in properties.findall(w("ind")):  # the list has its own indent
            properties.remove(one)


def _add_list(session: WriterSession, *, is_numbered: bool) -> str:
    package = session.package
    part = next((one for one in package.list_relations(package.main_part, "numbering") if one in package), "")
    if not part:
        part = "word/numbering.xml"
        package.add(part, f'<w:numbering xmlns:w="{NAMESPACES["w"]}"/>'.encode(), _TYPE)
        package.add_relation(package.main_part, "numbering", part)
    root = package.xml(part)
    kinds = root.findall(w("abstractNum"))
    numbers = root.findall(w("num"))
    kind_id = str(1 + max((whole(w_value(one, "abstractNumId")) for one in kinds), default=0))
    number_id = str(1 + max((whole(w_value(one, "numId")) for one in numbers), default=0))
    level = make(
        "lvl",
        {"ilvl": "0"},
        make("start", {"val": "1"}),
        make("numFmt", {"val": "decimal" if is_numbered else "bullet"}),
        make("lvlText", {"val": "%1." if is_numbered else "•"}),
        make("lvlJc", {"val": "left"}),
        make("pPr", None, make("ind", {"left": "420", "hanging": "420"})),
    )
    definition = make("abstractNum", {"abstractNumId": kind_id}, make("multiLevelType", {"val": "singleLevel"}), level)
    root.insert(root.index(kinds[-1]) + 1 if kinds else 0, definition)
    number = make("num", {"numId": number_id}, make("abstractNumId", {"val": kind_id}))
    if numbers:
        numbers[-1].addnext(number)
    else:
        definition.addnext(number)
    package.touch(part)
    return number_id
