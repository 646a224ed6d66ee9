"""A written docx file, read again without the code that wrote it."""

import copy
import re
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from lxml import etree

from metier.packs.office.planbench._package_charts import PackageChart, read_charts

__all__ = ["DocxLine", "DocxTable", "ReopenedDocx"]

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@dataclass(frozen=True, slots=True)
class DocxLine:
    """One paragraph of the body as a reader sees it."""

    text: str
    level: int = 0
    is_bold: bool = False
    is_listed: bool = False
    place: int = 0


@dataclass(frozen=True, slots=True)
class DocxTable:
    """One table of the body."""

    rows: tuple[tuple[str, ...], ...]
    is_header_bold: bool
    place: int


class ReopenedDocx:
    """Content of a docx file, read from its parts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with zipfile.ZipFile(path) as package:
            self._body = etree.fromstring(package.read("word/document.xml"))[0]
            self.names = tuple(package.namelist())
            styles = package.read("word/styles.xml") if "word/styles.xml" in self.names else b"<x/>"
        self._levels = _heading_levels(etree.fromstring(styles))

    @cached_property
    def raw(self) -> str:
        """XML of the body."""
        written: bytes = etree.tostring(self._body)
        return written.decode()

    @cached_property
    def lines(self) -> list[DocxLine]:
        """Paragraphs outside of tables that a reader sees."""
        found = []
        for place, element in enumerate(self._elements()):
            if element.tag == f"{_W}p" and not _is_hidden(element):
                found.append(self._read_line(element, place))
        return found

    @cached_property
    def tables(self) -> list[DocxTable]:
        return [_read_table(one, place) for place, one in enumerate(self._elements()) if one.tag == f"{_W}tbl"]

    @cached_property
    def charts(self) -> list[PackageChart]:
        return read_charts(self.path)

    @cached_property
    def text(self) -> str:
        """All text of the body, text boxes included."""
        return "\n".join("".join(one.itertext(f"{_W}t")) for one in self._body.iter(f"{_W}p"))

    @cached_property
    def word_art(self) -> list[str]:
        """Text of drawn shapes."""
        boxes = [one for one in self._body.iter() if isinstance(one.tag, str) and one.tag.endswith("}txbxContent")]
        drawn = ["".join(one.itertext(f"{_W}t")) for one in boxes]
        return drawn + re.findall(r'<v:textpath[^>]*string="([^"]*)"', self.raw)

    @cached_property
    def blocks(self) -> list[str]:
        """Names of bookmarks, each as often as it starts."""
        return [one.get(f"{_W}name") or "" for one in self._body.iter(f"{_W}bookmarkStart")]

    @cached_property
    def elements(self) -> list[str]:
        """Body elements as XML, in order; where a comment is attached does not count."""
        return [
            etree.tostring(_without_comments(one), method="c14n", exclusive=True).decode() for one in self._elements()
        ]

    def _elements(self) -> list[etree._Element]:
        return [one for one in self._body if isinstance(one.tag, str) and one.tag != f"{_W}sectPr"]

    def _read_line(self, element: etree._Element, place: int) -> DocxLine:
        text = "".join(_visible_text(element))
        style = element.find(f"./{_W}pPr/{_W}pStyle")
        name = style.get(f"{_W}val", "") if style is not None else ""
        level = element.find(f"./{_W}pPr/{_W}outlineLvl")
        depth = int(level.get(f"{_W}val", "9")) + 1 if level is not None else self._levels.get(name, 0)
        runs = [one for one in element.iter(f"{_W}r") if "".join(one.itertext(f"{_W}t"))]
        is_bold = bool(runs) and all(_is_bold(one) for one in runs)
        listed = element.find(f"./{_W}pPr/{_W}numPr") is not None or "list" in name.lower()
        typed = bool(re.match(r"\s*(?:\d+[.、)）]|[•·-]\s)", text))
        return DocxLine(text, depth if depth <= 9 else 0, is_bold or 0 < depth <= 9, listed or typed, place)


def _without_comments(element: etree._Element) -> etree._Element:
    if element.find(f".//{_W}commentReference") is None:
        return element
    bare = copy.deepcopy(element)
    for name in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        for one in list(bare.iter(f"{_W}{name}")):
            mark = one.getparent() if name == "commentReference" else one
            if mark is not None and (parent := mark.getparent()) is not None:
                parent.remove(mark)
    return bare


def _visible_text(element: etree._Element) -> list[str]:
    return [
        one.text or ""
        for one in element.iter(f"{_W}t")
        if not any(isinstance(up.tag, str) and up.tag.endswith("}txbxContent") for up in one.iterancestors())
    ]


def _is_hidden(element: etree._Element) -> bool:
    """Paragraph whose every run is hidden, or an empty one with a hidden mark."""
    runs = [one for one in element.iter(f"{_W}r") if "".join(one.itertext(f"{_W}t"))]
    marks = [one.find(f"./{_W}rPr/{_W}vanish") for one in runs]
    if runs:
        return all(mark is not None for mark in marks)
    return element.find(f"./{_W}pPr/{_W}rPr/{_W}vanish") is not None


def _is_bold(run: etree._Element) -> bool:
    bold = run.find(f"./{_W}rPr/{_W}b")
    return bold is not None and bold.get(f"{_W}val", "1") not in ("0", "false")


def _read_table(element: etree._Element, place: int) -> DocxTable:
    rows = [
        tuple("".join(cell.itertext(f"{_W}t")) for cell in row.findall(f"./{_W}tc"))
        for row in element.findall(f"./{_W}tr")
    ]
    first = element.find(f"./{_W}tr")
    runs = [] if first is None else [one for one in first.iter(f"{_W}r") if "".join(one.itertext(f"{_W}t"))]
    return DocxTable(tuple(rows), bool(runs) and all(_is_bold(one) for one in runs), place)


def _heading_levels(styles: etree._Element) -> dict[str, int]:
    levels = {}
    for style in styles.iter(f"{_W}style"):
        name = style.find(f"./{_W}name")
        found = re.fullmatch(r"(?i)heading (\d)", name.get(f"{_W}val", "") if name is not None else "")
        if found:
            levels[style.get(f"{_W}styleId", "")] = int(found[1])
    return levels
