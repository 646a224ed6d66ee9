"""A document as content of a new one: headings become sections, what is below them their paragraphs and tables."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonValue
from metier.language import Language
from metier.packs.office.creation._model import NewBlock, NewDocument, NewPoint, NewSection, NewTable
from metier.packs.office.creation._outline import parse_outline
from metier.packs.office.creation._sentences import SENTENCES
from metier.packs.office.files import decode_text

if TYPE_CHECKING:
    from metier.packs.office._pieces import TextPiece

_MAX_TITLE_CHARS: Final = 60
_MAX_LIST_CHARS: Final = 60
_EXACT: Final = 10**15  # a sheet keeps fifteen digits


class UnreadableContent(Exception):
    """A file of a kind that cannot become the content of a new document."""


def read_content(path: Path, name: str, language: Language) -> NewDocument:
    """Content of a docx, pptx, xlsx, md or txt file; `UnreadableContent` for another kind."""
    stem = Path(name).stem
    match path.suffix.lower():
        case ".md" | ".txt":
            return parse_outline(decode_text(path.read_bytes()), language, title="")
        case ".docx":
            from metier.packs.office.writer import read_document

            return _from_pieces(tuple(read_document(path).pieces), stem, language)
        case ".pptx":
            from metier.packs.office.slides import read_slides

            sections = [
                NewSection(slide.title.strip() or f"{number}", tuple(_list_points(slide.texts)))
                for number, slide in enumerate(read_slides(path), 1)
            ]
            if not sections or len(sections[0].blocks) > 1:
                return NewDocument(stem, language, tuple(sections))
            subtitle = next((one.text for one in sections[0].blocks if isinstance(one, NewPoint)), "")
            skipped = (SENTENCES.render("agenda", language), SENTENCES.render("sources", language))
            kept = tuple(one for one in sections[1:] if one.title not in skipped)
            return NewDocument(sections[0].title, language, kept, subtitle)
        case ".xlsx":
            return NewDocument(stem, language, tuple(_read_tables(path, language)))
        case ".csv":
            return NewDocument(stem, language, tuple(_read_lines(path, language)))
    raise UnreadableContent(name)


def _list_points(texts: Sequence[str]) -> list[NewPoint]:
    return [NewPoint(line.strip()) for text in texts for line in text.splitlines() if line.strip()]


def _from_pieces(pieces: "Sequence[TextPiece]", stem: str, language: Language) -> NewDocument:
    """Sections by heading styles; a document without them is read as text, by its numbers."""
    body = [piece for piece in pieces if piece.line.strip() and piece.kind not in ("footnote", "header", "footer")]
    headings = [piece for piece in body if piece.kind == "heading"]
    if not headings:
        return parse_outline("\n".join(piece.line for piece in body if piece.kind != "cell"), language)
    title, subtitle, body = _take_title(body)
    levels = [piece.level for piece in body if piece.kind == "heading"]
    top = min(levels, default=1)
    sections: list[tuple[str, list[NewBlock]]] = []
    cells: dict[str, list[TextPiece]] = {}
    for piece in body:
        if piece.kind == "heading" and piece.level == top:
            sections.append((piece.line.strip(), []))
            continue
        if not sections:
            sections.append((title or stem, []))
        if piece.kind == "cell":
            table = piece.address.partition(".")[0]
            if table not in cells:
                sections[-1][1].append(NewTable(table, (), ()))
            cells.setdefault(table, []).append(piece)
        else:
            text = piece.line.strip().removeprefix("•").strip()
            sections[-1][1].append(NewPoint(text, is_prose=len(text) > _MAX_LIST_CHARS or text.endswith(("。", "."))))
    made = tuple(NewSection(name, tuple(_fill_table(one, cells) for one in blocks)) for name, blocks in sections)
    return NewDocument((title or stem)[:_MAX_TITLE_CHARS], language, made, subtitle)


def _take_title(body: "list[TextPiece]") -> "tuple[str, str, list[TextPiece]]":
    """Title by its style or as the only heading of the highest level, and one short line below it as the subtitle."""
    first = body[0]
    same = [piece for piece in body if piece.kind == "heading" and piece.level <= first.level]
    if first.style.lower() != "title" and not (first.kind == "heading" and len(same) == 1):
        return "", "", body
    is_subtitle = len(body) > 2 and body[1].kind == "paragraph" and body[2].kind == "heading"
    if is_subtitle and len(body[1].line) <= _MAX_TITLE_CHARS:
        return first.line.strip(), body[1].line.strip(), body[2:]
    return first.line.strip(), "", body[1:]


def _fill_table(block: NewBlock, cells: "dict[str, list[TextPiece]]") -> NewBlock:
    """The table that stands for its cells, `t2.r3.c1` each."""
    if not isinstance(block, NewTable):
        return block
    rows: dict[str, list[str]] = {}
    for piece in cells[block.title]:
        rows.setdefault(piece.address.split(".")[1], []).append(piece.text)
    lines = [tuple(row) for row in rows.values()]
    return NewTable("", lines[0], tuple(lines[1:]))


def _read_tables(path: Path, language: Language) -> list[NewSection]:
    from metier.packs.office.sheets import read_workbook

    sections = []
    for sheet in read_workbook(path).sheets:
        rows: dict[int, dict[int, object]] = {}
        for cell in sheet.cells:
            column, row = _place_of(cell.address)
            rows.setdefault(row, {})[column] = cell.value if cell.value is not None else cell.text
        if not rows or sheet.is_hidden:
            continue
        width = max(max(row) for row in rows.values())
        lines = [tuple(rows[at].get(column) for column in range(1, width + 1)) for at in sorted(rows)]
        heads = tuple(str(one if one is not None else "") for one in lines[0])
        table = NewTable(sheet.name, heads, tuple(lines[1:]))  # type: ignore[arg-type]  # values of cells are texts, numbers and times
        sections.append(NewSection(sheet.name or SENTENCES.render("table", language), (table,)))
    return sections


def _read_lines(path: Path, language: Language) -> list[NewSection]:
    """The table of a csv file; a cell is a number only if the number is written as the cell is."""
    text = decode_text(path.read_bytes())
    first = text.partition("\n")[0]
    mark = max(",;\t|", key=first.count)
    rows = [
        row for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if any(cell.strip() for cell in row)
    ]
    if not rows:
        return []
    width = max(map(len, rows))
    filled = [tuple(_read_cell(cell) for cell in (*row, *[""] * (width - len(row)))) for row in rows[1:]]
    heads = (*rows[0], *[""] * (width - len(rows[0])))
    return [NewSection(path.stem or SENTENCES.render("table", language), (NewTable(path.stem, heads, tuple(filled)),))]


def _read_cell(text: str) -> JsonValue:
    for kind in (int, float):
        try:
            if repr(value := kind(text)) == text:
                return value if abs(value) < _EXACT else text
        except ValueError:
            continue
    return text or None


def _place_of(address: str) -> tuple[int, int]:
    letters = "".join(char for char in address.rpartition("!")[2] if char.isalpha()).upper()
    digits = "".join(char for char in address.rpartition("!")[2] if char.isdigit())
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column, int(digits or 0)
