"""Reads a document as a person sees its pages: every piece of text with the address where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.packs.office._pieces import PieceKind, TextPiece
from metier.packs.office.files import Package, XmlElement, open_package
from metier.packs.office.writer.reading._names import find, has_flag, w, w_value, whole
from metier.packs.office.writer.reading._numbering import Numbering
from metier.packs.office.writer.reading._page import read_page
from metier.packs.office.writer.reading._runs import list_textboxes, text_of
from metier.packs.office.writer.reading._styles import StyleTable

if TYPE_CHECKING:
    from metier.packs.office.analysis import PageMeasures

__all__ = ["DocumentText", "PlacedParagraph", "read_document", "read_package", "walk_blocks", "walk_paragraphs"]

_WRAPPERS: Final = frozenset({w("sdt"), w("sdtContent"), w("customXml"), w("smartTag"), w("ins"), w("moveTo")})
_NOTES: Final = (("footnotes", "footnote", "fn"), ("endnotes", "endnote", "en"))


@dataclass(frozen=True, slots=True)
class PlacedParagraph:
    """A paragraph or cell with its address."""

    address: str
    element: XmlElement
    kind: PieceKind


@dataclass(frozen=True, slots=True)
class DocumentText:
    """Text of a document as pieces in reading order: body, headers, footers, notes, comments."""

    pieces: tuple[TextPiece, ...]
    hidden_chars: int = 0
    page: "PageMeasures | None" = None

    @property
    def body(self) -> tuple[TextPiece, ...]:
        """Pieces of the body: without headers, footers, notes and comments."""
        return tuple(one for one in self.pieces if one.kind in ("heading", "paragraph", "cell", "textbox"))

    @property
    def text(self) -> str:
        """The body line by line, with automatic numbers; cells of a row are separated by tabs."""
        lines: list[str] = []
        row = ""
        for piece in self.body:
            this = piece.address.rpartition(".c")[0] if piece.kind == "cell" else ""
            if this and this == row:
                lines[-1] += f"\t{piece.line}"
            else:
                lines.append(piece.line)
            row = this
        return "\n".join(line.rstrip() for line in lines)

    @property
    def outline(self) -> tuple[TextPiece, ...]:
        """Headings in order."""
        return tuple(piece for piece in self.pieces if piece.kind == "heading")


def read_document(path: Path) -> DocumentText:
    """Read a docx file; `OfficeFileError` if it cannot be opened."""
    return read_package(open_package(path))


def read_package(package: Package) -> DocumentText:
    """Read an open document."""
    styles = StyleTable(package)
    numbering = Numbering(package, styles)
    root = package.xml(package.main_part)
    pieces = list(_read_story(find(root, "body"), "", styles, numbering))
    pieces += _read_headers(package, styles, numbering)
    pieces += _read_notes(package, styles, numbering)
    pieces += _read_comments(package)
    return DocumentText(tuple(pieces), _count_hidden(root), read_page(root, styles))


def walk_blocks(element: XmlElement | None) -> Iterator[XmlElement]:
    """Paragraphs and tables of a story in order; content controls and tracked insertions are looked into."""
    for one in element if element is not None else ():
        if one.tag in (w("p"), w("tbl")):
            yield one
        elif one.tag in _WRAPPERS:
            yield from walk_blocks(one)


def walk_paragraphs(element: XmlElement | None, prefix: str = "") -> Iterator[PlacedParagraph]:
    """Paragraphs of a story with their addresses, those of cells and text boxes too.

    Hidden marker paragraphs have no number of their own, so that addresses do not move when a block is added before
    or after: they get the address of the paragraph before with a `h`.
    """
    paragraphs = tables = 0
    for one in walk_blocks(element):
        if one.tag == w("tbl"):
            tables += 1
            yield from _walk_table(one, f"{prefix}t{tables}")
            continue
        if is_hidden(one):
            yield PlacedParagraph(f"{prefix}p{paragraphs}h", one, "paragraph")
            continue
        paragraphs += 1
        address = f"{prefix}p{paragraphs}"
        yield PlacedParagraph(address, one, "paragraph")
        for number, box in enumerate(list_textboxes(one), 1):
            for placed in walk_paragraphs(box, f"{address}.x{number}."):
                yield PlacedParagraph(placed.address, placed.element, "textbox")


def _walk_table(table: XmlElement, address: str) -> Iterator[PlacedParagraph]:
    for row_number, row in enumerate(list_rows(table), 1):
        for column, cell in list_cells(row):
            place = f"{address}.r{row_number}.c{column}"
            nested = 0
            for at, one in enumerate(walk_blocks(cell)):
                if one.tag == w("tbl"):
                    nested += 1
                    yield from _walk_table(one, f"{place}.t{nested}")
                else:
                    yield PlacedParagraph(place if at == 0 else f"{place}.p{at + 1}", one, "cell")


def list_rows(table: XmlElement) -> list[XmlElement]:
    """Rows of a table, those in content controls too; rows that are tracked as deleted are left out."""
    rows: list[XmlElement] = []
    for one in table:
        if one.tag == w("tr"):
            if find(one, "trPr", "del") is None:
                rows.append(one)
        elif one.tag in _WRAPPERS:
            rows += list_rows(one)
    return rows


def list_cells(row: XmlElement) -> list[tuple[int, XmlElement]]:
    """Cells of a row with the number of their first grid column."""
    before = w_value(find(row, "trPr", "gridBefore"))
    column = 1 + whole(before)
    cells: list[tuple[int, XmlElement]] = []
    for one in _unwrap(row, w("tc")):
        cells.append((column, one))
        span = w_value(find(one, "tcPr", "gridSpan"))
        column += max(1, min(whole(span, 1), 1_000))
    return cells


def _unwrap(element: XmlElement, tag: str) -> Iterator[XmlElement]:
    for one in element:
        if one.tag == tag:
            yield one
        elif one.tag in _WRAPPERS:
            yield from _unwrap(one, tag)


def is_hidden(paragraph: XmlElement) -> bool:
    """Whether the whole paragraph is hidden, as the markers of a block are."""
    return has_flag(find(paragraph, "pPr", "rPr"), "vanish") and not text_of(paragraph)


def _read_story(
    story: XmlElement | None, prefix: str, styles: StyleTable, numbering: Numbering, kind: PieceKind | None = None
) -> Iterator[TextPiece]:
    cell: TextPiece | None = None
    block = ""
    for placed in walk_paragraphs(story, prefix):
        block = _follow_block(placed.element, block) if is_hidden(placed.element) else block
        piece = replace(_read_paragraph(placed, styles, numbering, kind), block=block)
        if placed.kind == "cell":
            head, _, last = placed.address.rpartition(".")
            place = head if last.startswith("p") else placed.address
            if cell is not None and cell.address == place:
                line = "\n".join(part for part in (cell.text, piece.line) if part)
                cell = TextPiece(place, line, piece.kind, 0, cell.style, cell.number, cell.block)
                continue
            if not piece.text and place != placed.address:
                continue  # the empty paragraph that has to follow a table inside a cell
            if cell is not None:
                yield cell
            cell = piece
            continue
        if cell is not None:
            yield cell
            cell = None
        if piece.text or piece.number:
            yield piece
    if cell is not None:
        yield cell


def _follow_block(marker: XmlElement, block: str) -> str:
    """The block that stands open behind a hidden paragraph."""
    for bookmark in marker.iter(w("bookmarkStart")):
        name, _, side = w_value(bookmark, "name").rpartition("_")
        if name.startswith("_mb_") and side in ("S", "E"):
            return name if side == "S" else ""
    return block


def _read_paragraph(
    placed: PlacedParagraph, styles: StyleTable, numbering: Numbering, kind: PieceKind | None
) -> TextPiece:
    element = placed.element
    style_id = w_value(find(element, "pPr", "pStyle"))
    own = w_value(find(element, "pPr", "outlineLvl"))
    level = whole(own) + 1 if own.isdecimal() and whole(own, 9) < 9 else styles.heading_level(style_id)
    number = numbering.number_of(element)
    text = text_of(element).strip("\n")
    found = kind or placed.kind
    if found == "paragraph" and level and text:
        found = "heading"
    return TextPiece(placed.address, text, found, level if found == "heading" else 0, styles.name_of(style_id), number)


def _read_headers(package: Package, styles: StyleTable, numbering: Numbering) -> Iterator[TextPiece]:
    for kind in ("header", "footer"):
        for number, part in enumerate(dict.fromkeys(package.list_relations(package.main_part, kind)), 1):
            if part in package:
                named: PieceKind = "header" if kind == "header" else "footer"
                yield from _read_story(package.xml(part), f"{kind}{number}.", styles, numbering, named)


def _read_notes(package: Package, styles: StyleTable, numbering: Numbering) -> Iterator[TextPiece]:
    for relation, name, prefix in _NOTES:
        for part in package.list_relations(package.main_part, relation):
            for note in package.xml(part).findall(w(name)) if part in package else ():
                if w_value(note, "type") in ("", "normal"):
                    lines = [text_of(one).strip() for one in walk_blocks(note) if one.tag == w("p")]
                    yield TextPiece(f"{prefix}{w_value(note, 'id')}", "\n".join(filter(None, lines)), "footnote")


def _read_comments(package: Package) -> Iterator[TextPiece]:
    for part in package.list_relations(package.main_part, "comments"):
        for comment in package.xml(part).findall(w("comment")) if part in package else ():
            lines = [text_of(one) for one in walk_blocks(comment) if one.tag == w("p")]
            yield TextPiece(
                f"c{w_value(comment, 'id')}", "\n".join(filter(None, lines)), "comment", 0, w_value(comment, "author")
            )


def _count_hidden(root: XmlElement) -> int:
    """Characters that a program reads and the page does not show, block markers left out."""
    return sum(
        len(text.text or "")
        for run in root.iter(w("r"))
        if has_flag(find(run, "rPr"), "vanish")
        for text in run.findall(w("t"))
        if not (text.text or "").startswith("⟦")
    )
