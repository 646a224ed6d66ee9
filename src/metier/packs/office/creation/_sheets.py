"""Content as a workbook: one sheet a table with real numbers, one for the points, one for the sources."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from metier.packs.office.creation._model import NewBlock, NewChart, NewDocument, NewPoint, NewTable
from metier.packs.office.creation._sentences import SENTENCES
from metier.packs.office.creation._slides import table_of_chart

if TYPE_CHECKING:
    from metier.json_values import JsonValue
    from metier.packs.office.sheets import NewSheet


def build_sheets(document: NewDocument) -> "list[NewSheet]":
    """Sheets of a document; the tables come first."""
    from metier.packs.office.sheets import NewSheet

    def say(code: str) -> str:
        return SENTENCES.render(code, document.language)

    tables = [table for section in document.sections for block in section.blocks for table in _list_tables(block)]
    sheets = [NewSheet(table.title or say("table"), table.heads, table.rows) for table in tables]
    points: list[tuple[JsonValue, ...]] = []
    for section in document.sections:
        own = [block for block in section.blocks if isinstance(block, NewPoint)]
        points += [(section.title, point.text, point.marks) for point in own] or (
            [(section.title, "", "")] if not section.blocks else []
        )
    if points:
        heads = (say("section"), say("content"), say("source"))
        has_marks = any(row[2] for row in points)
        rows = tuple(points) if has_marks else tuple(row[:2] for row in points)
        sheets.append(NewSheet(document.title, heads if has_marks else heads[:2], rows))
    if document.sources:
        lines = tuple((f"[{one.number}]", one.name, one.place) for one in document.sources)
        sheets.append(NewSheet(say("sources"), (say("number"), say("source"), say("place")), lines))
    return sheets


def _list_tables(block: NewBlock) -> Iterator[NewTable]:
    if isinstance(block, NewTable):
        yield block
    elif isinstance(block, NewChart) and block.spec.get("rows"):
        table = table_of_chart(block)
        if table.heads:
            yield table
