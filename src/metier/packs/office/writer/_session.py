"""State of one execution: the open document, its paragraphs, the cursor, and what was changed or skipped."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lxml import etree

from metier.language import BilingualText, Language, language_of
from metier.packs.office._hosts import Change, Selection, SkippedAction
from metier.packs.office.files import Package, XmlElement
from metier.packs.office.plan import OPERATIONS, OfficeAction, StyleSpec
from metier.packs.office.writer._sentences import say
from metier.packs.office.writer.reading import (
    PlacedParagraph,
    StyleTable,
    find,
    is_hidden,
    make,
    text_of,
    w,
    w_value,
    walk_paragraphs,
    whole,
)

__all__ = ["COMPARE_LABEL", "Cursor", "PlacedText", "StepRefused", "WriterSession", "list_visible"]

_MAX_SHOWN_CHARS: Final = 2_000
_NEW: Final = "new:"
COMPARE_LABEL: Final = "⟦compare-"  # beginning of the hidden marker of a compare table


class StepRefused(Exception):
    """A step cannot be carried out; `code` and `reason` say why."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.reason = say(code, **values)


@dataclass(frozen=True, slots=True)
class PlacedText:
    """Characters of a paragraph's visible text."""

    placed: PlacedParagraph
    start: int
    end: int

    @property
    def element(self) -> XmlElement:
        return self.placed.element


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where the next content goes: into a paragraph, or after a paragraph or table; with neither, at the end."""

    paragraph: XmlElement | None = None
    offset: int = 0
    after: XmlElement | None = None


class WriterSession:
    """One plan on one document."""

    def __init__(
        self,
        package: Package,
        *,
        is_tracked: bool,
        chosen: frozenset[str] | None,
        selection: Selection | None,
        author: str,
        date: str,
        style: StyleSpec,
    ) -> None:
        self.package = package
        self.is_tracked = is_tracked
        self.author = author
        self.date = date
        self.style = style
        self.styles = StyleTable(package)
        self.root = package.xml(package.main_part)
        body = find(self.root, "body")
        self.body = body if body is not None else etree.SubElement(self.root, w("body"))
        self.paragraphs = list(_skip_compare_tables(walk_paragraphs(self.body)))
        self.changes: list[Change] = []
        self.skipped: list[SkippedAction] = []
        self.warnings: list[BilingualText] = []
        self.selected: list[PlacedText] = []
        self.cursor = Cursor()
        self.is_lost = False
        self.last_table: XmlElement | None = None
        self.body_format: tuple[XmlElement | None, XmlElement | None] | None = None
        self._chosen = chosen
        self._counts: dict[str, int] = {}
        self._texts: dict[XmlElement, str] = {}
        self._roots: dict[XmlElement, str] = {}
        self._kept: dict[XmlElement, PlacedParagraph] = {}
        self._last_id = max((whole(value) for value in _list_ids(self.root)), default=0)
        self.bookmarks = {w_value(one, "name"): one for one in self.root.iter(w("bookmarkStart"))}
        if selection is not None:
            self._select(selection)

    @property
    def language(self) -> Language:
        """Language of the document, in which changes of its look are described."""
        return language_of("".join(self.text(one.element) for one in self.paragraphs[:40]))

    @property
    def folder(self) -> Path:
        """Folder of the document, from which pictures are taken."""
        return self.package.path.parent

    # text and places

    def text(self, paragraph: XmlElement) -> str:
        """Visible text of a paragraph, read once until it changes."""
        if paragraph not in self._texts:
            self._texts[paragraph] = text_of(paragraph)
        return self._texts[paragraph]

    def everywhere(self) -> Iterator[PlacedParagraph]:
        """Paragraphs of the body, headers, footers and notes."""
        yield from self.paragraphs
        for kind in ("header", "footer", "footnotes", "endnotes"):
            parts = dict.fromkeys(self.package.list_relations(self.package.main_part, kind))
            for number, part in enumerate((one for one in parts if one in self.package), 1):
                root = self.package.xml(part)
                self._roots[root] = part
                stories = [root] if kind in ("header", "footer") else list(root)
                for story in stories:
                    for placed in walk_paragraphs(story, f"{kind}{number}."):
                        yield self._kept.setdefault(placed.element, placed)

    def note_change(self, *paragraphs: XmlElement) -> None:
        """The paragraphs' text changed, and so did the parts they are in; without any, the document's own."""
        for one in paragraphs:
            self._texts.pop(one, None)
            self.package.touch(self._roots.get(one.getroottree().getroot(), self.package.main_part))
        if not paragraphs:
            self.package.touch(self.package.main_part)

    def place_after(self, previous: XmlElement | None, elements: Iterable[XmlElement]) -> None:
        """Take new paragraphs and tables into the reading order, after what stands before them."""
        elements = list(elements)
        address = f"{_NEW}{'end' if elements and self._is_last(elements[-1]) else self.address_of(previous)}"
        new = [
            PlacedParagraph(address, one, "cell" if any(True for _ in one.iterancestors(w("tc"))) else "paragraph")
            for element in elements
            for one in element.iter(w("p"))
        ]
        if previous is None:
            self.paragraphs += new
            return
        inside = set(previous.iter(w("p")))
        at = next((at for at in range(len(self.paragraphs) - 1, -1, -1) if self.paragraphs[at].element in inside), -1)
        if at < 0:
            self.paragraphs = list(_skip_compare_tables(walk_paragraphs(self.body)))
        else:
            self.paragraphs[at + 1 : at + 1] = new

    def read_paragraphs(self) -> None:
        """List the paragraphs anew, as after rows of a table came or went."""
        self.paragraphs = list(_skip_compare_tables(walk_paragraphs(self.body)))
        self._texts.clear()

    def new_paragraphs(self) -> list[XmlElement]:
        """Paragraphs between tables that this plan made and that are still there, in order."""
        return [one.element for one in self.paragraphs if one.address.startswith(_NEW) and one.kind == "paragraph"]

    def forget(self, elements: Iterable[XmlElement]) -> None:
        """Take paragraphs that were removed out of the reading order."""
        gone = {one for element in elements for one in element.iter(w("p"))}
        if gone:
            self.paragraphs = [placed for placed in self.paragraphs if placed.element not in gone]
        if self.last_table is not None and self.last_table in set(elements):
            self.last_table = None

    def address_of(self, element: XmlElement | None) -> str:
        """Address of a paragraph or of a table's first cell; new ones have that of what stands before them."""
        inside = None if element is None or element.tag == w("p") else set(element.iter(w("p")))
        for placed in self.paragraphs:
            if placed.element is element or (inside is not None and placed.element in inside):
                return placed.address.removeprefix(_NEW)
        return "end"

    def address_at_cursor(self) -> str:
        """Where the next content goes: the paragraph of the cursor, or what stands beside a place between them."""
        cursor = self.cursor
        return self.address_of(cursor.paragraph) if cursor.paragraph is not None else self.address_behind(cursor.after)

    def address_behind(self, element: XmlElement | None, otherwise: XmlElement | None = None) -> str:
        """Address of what stands behind an element: the end of the document if nothing on the page follows it.

        Behind a table it is that of the next paragraph: a cell of the table would be another place.
        """
        if element is None or self._is_last(element):
            return "end"
        if otherwise is None and element.tag == w("tbl"):
            otherwise = next(list_visible(element), element)
        return self.address_of(element if otherwise is None else otherwise)

    def _is_last(self, element: XmlElement) -> bool:
        return element.getparent() is self.body and next(list_visible(element), None) is None

    def at_address(self, address: str) -> list[PlacedParagraph]:
        """Paragraphs at an address; a cell has one or more."""
        places = self.everywhere() if address.startswith(("header", "footer")) else iter(self.paragraphs)
        found = [one for one in places if one.address == address or one.address.startswith(f"{address}.p")]
        if not found:
            raise StepRefused("address_missing", address=address)
        return found

    def new_id(self) -> str:
        """An id that no tracked change, bookmark or drawing of the document has."""
        self._last_id += 1
        return str(self._last_id)

    # changes

    def take_change(self, action: OfficeAction) -> str | None:
        """Id of the next change of an action; None if the user did not choose it."""
        count = self._counts.get(action.id, 0) + 1
        self._counts[action.id] = count
        change_id = action.id if count == 1 else f"{action.id}#{count}"
        return change_id if self._chosen is None or change_id in self._chosen else None

    def add_change(
        self, change_id: str, action: OfficeAction, address: str, before: str, after: str, *, places: int = 1
    ) -> None:
        title, address = OPERATIONS[action.op].title, address.removeprefix(_NEW)
        self.changes.append(Change(change_id, action.id, action.op, address, title, _cut(before), _cut(after), places))

    def skip(self, action: OfficeAction, code: str, reason: BilingualText | None = None, **values: object) -> None:
        self.skipped.append(SkippedAction(action.id, action.op, code, reason or say(code, **values)))

    # bookmarks

    def has_receipt(self, name: str) -> bool:
        """Whether an inserted piece with this bookmark is still in the document."""
        found = self.bookmarks.get(name)
        return found is not None and any(True for _ in found.iterancestors(w("body")))

    def bookmark(self, name: str) -> tuple[XmlElement, XmlElement]:
        """Start and end of a new bookmark."""
        number = self.new_id()
        start = make("bookmarkStart", {"id": number, "name": name})
        self.bookmarks[name] = start
        return start, make("bookmarkEnd", {"id": number})

    def _select(self, selection: Selection) -> None:
        try:
            first = self.at_address(selection.address)
        except StepRefused:
            self.warnings.append(say("address_missing", address=selection.address))
            return
        last = self.at_address(selection.last_address)[-1] if selection.last_address else first[-1]
        begin = self.paragraphs.index(first[0])
        places = self.paragraphs[begin : self.paragraphs.index(last) + 1] or first
        for placed in places:
            length = len(self.text(placed.element))
            start = min(selection.start, length) if placed is places[0] else 0
            end = min(selection.end, length) if placed is places[-1] and selection.end is not None else length
            self.selected.append(PlacedText(placed, start, max(start, end)))
        final = self.selected[-1]
        self.cursor = Cursor(final.element, final.end)
        cells = {next(one.element.iterancestors(w("tc")), None) for one in self.selected}
        self.last_table = self.selected_table()
        if self.last_table is not None and len(cells) > 1:
            self.leave_table()

    def selected_table(self) -> XmlElement | None:
        """Outermost table of the selection."""
        outer = (list(span.element.iterancestors(w("tbl"))) for span in self.selected)
        return next((tables[-1] for tables in outer if tables), None)

    def leave_table(self) -> None:
        """Put the cursor behind the table that it is in."""
        outer = [] if self.cursor.paragraph is None else list(self.cursor.paragraph.iterancestors(w("tbl")))
        if outer:
            self.cursor = Cursor(after=outer[-1])


def _skip_compare_tables(paragraphs: Iterable[PlacedParagraph]) -> Iterator[PlacedParagraph]:
    """Leave out tables of proposed changes: what they quote is not the text of the document."""
    is_inside = False
    for placed in paragraphs:
        label = "".join(one.text or "" for one in placed.element.iter(w("t"))) if "h" in placed.address else ""
        if label.startswith(COMPARE_LABEL):
            is_inside = True
        elif label.startswith(COMPARE_LABEL.replace("⟦", "⟦/")):
            is_inside = False
        if not is_inside or label:
            yield placed


def _list_ids(root: XmlElement) -> Iterator[str]:
    names = ("ins", "del", "bookmarkStart", "moveFrom", "moveTo", "rPrChange", "pPrChange")
    for element in root.iter(*(w(name) for name in names)):
        value = w_value(element, "id")
        if value.isdecimal():
            yield value
    for element in root.iter("{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"):
        if element.get("id", "").isdecimal():
            yield element.get("id")


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}…"


def list_visible(element: XmlElement, *, is_before: bool = False) -> Iterator[XmlElement]:
    """Paragraphs and tables behind an element that the page shows; or those before it, the nearest first."""
    return (
        one for one in element.itersiblings(preceding=is_before) if one.tag in (w("p"), w("tbl")) and not is_hidden(one)
    )
