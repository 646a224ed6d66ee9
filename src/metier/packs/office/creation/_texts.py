"""Content as running text, for Word and PDF."""

from itertools import groupby
from typing import TYPE_CHECKING, Final

from metier.language import Language, join_sentences
from metier.packs.office.creation._cells import is_number, render_cell
from metier.packs.office.creation._model import NewDocument, NewPoint, NewSection, NewTable
from metier.packs.office.creation._sentences import SENTENCES
from metier.packs.office.creation._slides import table_of_chart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from metier.exports import Block, ExportDocument, TableBlock

_MAX_ROWS: Final = 200
_MAX_COLUMNS: Final = 12


def build_text(document: NewDocument) -> "ExportDocument":
    """Headings, paragraphs, lists, tables and charts of a document; sources at its end."""
    from metier.exports import ExportDocument, HeadingBlock, TextBlock, TextRun, clean_text

    blocks: list[Block] = []
    if document.subtitle:
        blocks.append(TextBlock((TextRun(clean_text(document.subtitle)),), "note"))
    for section in document.sections:
        blocks.append(HeadingBlock(clean_text(section.title), 2))
        blocks += _build_section(section, document.language)
    if document.sources:
        blocks.append(HeadingBlock(SENTENCES.render("sources", document.language), 2))
        blocks += (TextBlock((TextRun(clean_text(source.line)),)) for source in document.sources)
    return ExportDocument(clean_text(document.title), document.language, tuple(blocks))


def _build_section(section: NewSection, language: Language) -> "Iterator[Block]":
    from metier.exports import DrawingBlock, ListBlock, TextBlock, TextRun, clean_text, draw_chart

    def is_listed(block: object) -> bool:
        return isinstance(block, NewPoint) and not block.is_prose

    for listed, group in groupby(section.blocks, key=is_listed):
        if listed:
            points = (block for block in group if isinstance(block, NewPoint))
            yield ListBlock(tuple((TextRun(clean_text(point.marked_text)),) for point in points))
            continue
        for block in group:
            if isinstance(block, NewPoint):
                yield TextBlock((TextRun(clean_text(block.marked_text)),))
            elif isinstance(block, NewTable):
                yield _build_table(block, language)
            elif (drawing := draw_chart(block.spec)) is not None:
                yield DrawingBlock(clean_text(block.title), drawing, clean_text(str(block.spec.get("note") or "")))
            else:
                yield _build_table(table_of_chart(block), language)


def _build_table(table: NewTable, language: Language) -> "TableBlock":
    from metier.exports import TableBlock, clean_text

    notes = [table.note] if table.note else []
    title = table.title or SENTENCES.render("table", language)
    if len(table.rows) > _MAX_ROWS:
        notes.append(SENTENCES.render("rows_shown", language, title=title, shown=_MAX_ROWS, total=len(table.rows)))
    if len(table.heads) > _MAX_COLUMNS:
        notes.append(
            SENTENCES.render("columns_shown", language, title=title, shown=_MAX_COLUMNS, total=len(table.heads))
        )
    rows = table.rows[:_MAX_ROWS]
    width = min(len(table.heads), _MAX_COLUMNS)
    return TableBlock(
        clean_text(table.title),
        tuple(clean_text(head) for head in table.heads[:width]),
        tuple(
            tuple(
                clean_text(render_cell(row[at] if at < len(row) else None, language, table.heads[at]))
                for at in range(width)
            )
            for row in rows
        ),
        tuple(
            bool(rows) and all(is_number(row[at]) or row[at] is None for row in rows if at < len(row))
            for at in range(width)
        ),
        join_sentences(notes, language),
    )
