"""A document of any kind as sentences and grids, each with the step that changes it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading
from metier.packs.office.analysis.workbooks import read_tables as read_sheet_tables
from metier.packs.office.orders._about import list_sentences
from metier.packs.office.orders._context import step
from metier.packs.office.orders.documents import DocTable, find_total_row
from metier.packs.office.orders.documents import read_grids as read_document_grids
from metier.packs.office.orders.workbooks import SheetPlace, fit_cell, make_row, name_cell

__all__ = ["TableGrid", "TextFact", "list_facts", "list_grids"]

_LABEL: Final = re.compile(r"\s*[^:：]{1,20}[:：]")


@dataclass(frozen=True, slots=True)
class TextFact:
    """A sentence, what it stands under, and how a part of it is replaced."""

    text: str
    context: str
    replace: Callable[[str, str], JsonObject] = field(compare=False)
    delete: Callable[[], JsonObject] | None = field(default=None, compare=False)
    rest: str = ""  # the other texts of the same place, where a part must be told apart

    def replace_all(self, old: str, new: str) -> JsonObject:
        """Step that writes the new words wherever the document has the old ones."""
        made = self.replace(old, new)
        if made["op"] != "replace_text":
            return made
        return {**{key: value for key, value in made.items() if key != "address"}, "max_matches": 500}

    def change(self, start: int, end: int, new: str) -> JsonObject:
        """Step that writes the new words for a stretch of the sentence."""
        old = self.text[start:end]
        if f"{self.text}{self.rest}".count(old) == 1:
            return self.replace(old, new)
        return self.replace(self.text, f"{self.text[:start]}{new}{self.text[end:]}")


@dataclass(frozen=True, slots=True)
class TableGrid:
    """A table of any document: its head, its rows by number, and how a cell is written."""

    name: str
    head: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    write: Callable[[int, int, str], JsonObject] = field(compare=False)
    fixed: frozenset[tuple[int, int]] = frozenset()  # cells with formulas
    key: str = ""
    insert: Callable[[dict[int, str], int], list[JsonObject]] | None = field(default=None, compare=False)
    delete: Callable[[int, tuple[str, ...]], JsonObject] | None = field(default=None, compare=False)

    def list_values(self, values: dict[int, str]) -> list[JsonValue]:
        """All cells of a new row, with the next number where a column only counts the rows."""
        serial = [str(one) for one in range(1, len(self.rows) + 1)]
        return [
            values.get(at, str(len(self.rows) + 1) if len(serial) > 1 and self.column(at) == serial else "")
            for at in range(len(self.head))
        ]

    def column(self, at: int) -> list[str]:
        return [cells[at].strip() for _, cells in self.rows]


def list_facts(reading: Reading) -> list[TextFact]:
    """Sentences of the document outside of its tables."""
    if reading.kind == "pptx":
        return list(_list_slide_facts(reading))
    if reading.kind == "xlsx":
        return list(_list_sheet_facts(reading))
    return list(_list_document_facts(reading))


def _list_document_facts(reading: Reading) -> Iterator[TextFact]:
    head = ""
    for piece in reading.pieces:
        if piece.kind == "comment" or re.match(r"t\d+\.", piece.address):
            continue
        if piece.level:
            head = piece.line
        address = piece.address

        def _replace(old: str, new: str, address: str = address) -> JsonObject:
            return step("replace_text", find_text=old, replace_text=new, address=address)

        sentences = list_sentences(piece.text)
        label = _LABEL.match(piece.text)
        for at, one in enumerate(sentences):
            rest = "\n".join(other for number, other in enumerate(sentences) if number != at)
            context = head if head != piece.line else ""

            def _delete(piece: TextPiece = piece, one: str = one, is_whole: bool = len(sentences) == 1) -> JsonObject:
                if is_whole:
                    return step("delete_paragraphs", addresses=[piece.address], expected=[piece.text])
                return step("replace_text", find_text=one, replace_text="", address=piece.address)

            delete = None if piece.level else _delete
            yield TextFact(one, f"{context}\n{label[0] if label else ''}", _replace, delete, rest)


def _list_slide_facts(reading: Reading) -> Iterator[TextFact]:
    for slide in reading.slides:
        number = slide.number

        def _replace(old: str, new: str, number: int = number) -> JsonObject:
            return step("replace_text", find_text=old, replace_text=new, address=f"s{number}")

        cells = {"\n".join("\t".join(row) for row in rows) for rows in slide.tables}
        texts = [one for one in (slide.title, *slide.texts) if one not in cells]
        lines = [line for text in texts for line in text.split("\n") if line.strip()]
        for at, line in enumerate(lines):
            if "\t" not in line:
                rest = "\n".join(other for place, other in enumerate(lines) if place != at)

                def _delete(line: str = line, number: int = number) -> JsonObject:
                    return step("delete_point", text=line, slide_index=number)

                delete = None if line == slide.title or line in rest else _delete
                yield TextFact(line, slide.title, _replace, delete, rest)


def _list_sheet_facts(reading: Reading) -> Iterator[TextFact]:
    """Texts beside the tables: titles and remarks."""
    for sheet in reading.sheets:
        inside = {place for table in read_sheet_tables(sheet) for place in table.cells if place[0] >= table.header_row}
        known = {name_cell(sheet.name, row, column) for row, column in inside}
        for cell in sheet.cells:
            address = cell.address.rpartition("!")[2]
            target = f"{name_cell(sheet.name, 1, 1)[:-2]}{address}"
            if not isinstance(cell.value, str) or cell.formula or target in known or sheet.hidden:
                continue
            text = cell.value

            def _replace(old: str, new: str, target: str = target, text: str = text) -> JsonObject:
                return step("set_cells", cells=[{"cell": target, "value": text.replace(old, new, 1)}])

            yield TextFact(text, sheet.name, _replace)


def list_grids(reading: Reading) -> list[TableGrid]:
    """Tables of the document."""
    if reading.kind == "pptx":
        return list(_list_slide_grids(reading))
    if reading.kind == "xlsx":
        return list(_list_sheet_grids(reading))
    return [_document_grid(one.name, one.table) for one in read_document_grids(reading) if len(one.table.rows) > 1]


def _document_grid(name: str, table: DocTable) -> TableGrid:
    number, rows = table.number, tuple(enumerate(table.rows, 1))[1:]

    def _write(row: int, col: int, new: str) -> JsonObject:
        return step("set_table_cell_text", row=row, col=col + 1, text=new, table_index=number)

    def _insert(values: dict[int, str], before: int) -> list[JsonObject]:
        listed = grid.list_values(values)
        index = before or table.total_row or None
        return [step("edit_table", change="insert_row", index=index, values=listed, table_index=number)]

    def _delete(row: int, cells: tuple[str, ...]) -> JsonObject:
        return step("edit_table", change="delete_row", index=row, table_index=number, expected="\t".join(cells))

    grid = TableGrid(name, table.rows[0], rows, _write, key=str(number), insert=_insert, delete=_delete)
    return grid


def _list_slide_grids(reading: Reading) -> Iterator[TableGrid]:
    for slide in reading.slides:
        for number, rows in enumerate(slide.tables, 1):
            if len(rows) > 1 and len(rows[0]) > 1:
                yield _slide_grid(slide.title, rows, slide.number, number)


def _slide_grid(name: str, rows: tuple[tuple[str, ...], ...], slide: int, number: int) -> TableGrid:
    place: dict[str, JsonValue] = {"slide_index": slide, "table_index": number}

    def _write(row: int, col: int, new: str) -> JsonObject:
        old = rows[row - 1][col] or None
        return step("edit_slide_table", change="set_cell", row=row, col=col + 1, text=new, expected=old, **place)

    def _insert(values: dict[int, str], before: int) -> list[JsonObject]:
        listed = grid.list_values(values)
        row = before or find_total_row(rows) or None
        return [step("edit_slide_table", change="insert_row", row=row, values=listed, **place)]

    def _delete(row: int, cells: tuple[str, ...]) -> JsonObject:
        return step("edit_slide_table", change="delete_row", row=row, expected="\t".join(cells), **place)

    body = tuple(enumerate(rows, 1))[1:]
    grid = TableGrid(name, rows[0], body, _write, key=f"{slide}.{number}", insert=_insert, delete=_delete)
    return grid


def _list_sheet_grids(reading: Reading) -> Iterator[TableGrid]:
    for sheet in reading.sheets:
        for table in read_sheet_tables(sheet) if not sheet.hidden else ():
            place = SheetPlace(table)
            columns = place.columns

            def _show(row: int, column: int, place: SheetPlace = place) -> str:
                cell = place.table.cell(row, column)
                if cell is None or cell.value is None:
                    return ""
                return f"{cell.value:.10g}" if isinstance(cell.value, float) else str(cell.value).strip()

            def _write(row: int, col: int, new: str, place: SheetPlace = place) -> JsonObject:
                column = place.columns[col]
                cell = name_cell(place.sheet, row, column)
                return step("set_cells", cells=[{"cell": cell, "value": fit_cell(place, column, new)}])

            rows = tuple((row, tuple(_show(row, column) for column in columns)) for row in table.body)
            fixed = frozenset(
                (row, at)
                for row in table.body
                for at, column in enumerate(columns)
                if (cell := table.cell(row, column)) is not None and cell.formula
            )
            head = tuple(table.header(one) for one in columns)

            def _insert(values: dict[int, str], before: int, place: SheetPlace = place) -> list[JsonObject]:
                return make_row(place, {place.columns[at]: value for at, value in values.items()}, before)

            def _delete(row: int, cells: tuple[str, ...], name: str = sheet.name) -> JsonObject:
                return step("delete_lines", lines=[str(row)], sheet_name=name)

            key = f"{sheet.name}!{table.header_row}"
            yield TableGrid(sheet.name, head, rows, _write, fixed, key=key, insert=_insert, delete=_delete)
