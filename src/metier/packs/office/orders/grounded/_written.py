"""What the steps of an order write: in which part of the document, what stands there, and what is to stand there."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from metier.json_values import JsonObject
from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis import Reading

__all__ = ["Written", "list_changed_lines", "list_written", "name_part"]


@dataclass(frozen=True, slots=True)
class Written:
    """One text that a step changes.

    `part` is a paragraph (p6), a table (t1), a sheet, a slide (s3) or the table of a slide (s3t).
    """

    part: str
    held: str
    new: str


def list_written(steps: Iterable[JsonObject], reading: Reading) -> list[Written]:
    """All texts that the steps change; steps that only change a look or an order are left out."""
    return [one for step in steps for one in _list_written(step, reading)]


def list_changed_lines(steps: Iterable[JsonObject], pieces: Iterable[TextPiece]) -> dict[str, tuple[str, str]]:
    """Lines of a document that the steps replace or take away, by address: as they are and as they become."""
    made: dict[str, tuple[str, str]] = {}
    listed = list(pieces)
    for step in steps:
        old, new, address = str(step.get("find_text", "")), str(step.get("replace_text", "")), step.get("address")
        gone = step.get("addresses") if step["op"] == "delete_paragraphs" else None
        for one in listed:
            if isinstance(gone, list) and one.address in gone:
                made[one.address] = one.text, ""
            elif step["op"] == "replace_text" and old in one.text and address in (None, one.address):
                now = made.get(one.address, (one.text, one.text))[1]
                made[one.address] = one.text, now.replace(old, new)
    return made


def name_part(address: str) -> str:
    """The part of a document that an address is in: t1.r2.c3 is in t1."""
    return address.partition(".")[0]


def _list_written(step: JsonObject, reading: Reading) -> Iterator[Written]:
    op, new = str(step["op"]), str(step.get("text", ""))
    if op == "replace_text" and step.get("find_text"):
        yield from _list_replaced(step, reading)
    elif op == "set_cells":
        yield from _list_cells(step, reading)
    elif op in ("set_table_cell_text", "edit_table"):
        table = f"t{step.get('table_index', 1)}"
        address = f"{table}.r{step.get('row')}.c{step.get('col')}"
        held = [one.text for one in reading.pieces if re.fullmatch(rf"{address}(?:\.p\d+)?", one.address)]
        yield Written(table, "\n".join(held), new)
    elif op == "delete_paragraphs" and isinstance(addresses := step.get("addresses"), list):
        texts = {one.address: one.text for one in reading.pieces}
        yield from (Written(name_part(str(one)), texts.get(str(one), ""), "") for one in addresses)
    elif op in ("delete_lines", "insert_lines") and step.get("sheet_name"):
        yield Written(str(step["sheet_name"]), "", "")
    elif op == "edit_slide_table":
        yield Written(f"s{step.get('slide_index')}t", str(step.get("expected", "")), new)
    elif op == "rename_sheet":
        yield Written(str(step.get("sheet_name")), str(step.get("sheet_name")), str(step.get("new_name", "")))
    elif op in ("fill_placeholder", "add_point", "delete_point"):
        yield Written(f"s{step.get('slide_index')}", "", new if op == "fill_placeholder" else "")


def _list_replaced(step: JsonObject, reading: Reading) -> Iterator[Written]:
    old, new, address = str(step["find_text"]), str(step.get("replace_text", "")), str(step.get("address", ""))
    for part, place, text in _list_texts(reading):
        if old in text and _is_at(address, part, place):
            yield Written(part, old, new)


def _is_at(address: str, part: str, place: str) -> bool:
    if not address or address == place or address == part.removesuffix("t"):
        return True
    return "!" in address and address.rpartition("!")[0].strip("'") == part


def _list_texts(reading: Reading) -> Iterator[tuple[str, str, str]]:
    """Texts of a document, each with the part it stands in and its address."""
    for piece in reading.pieces:
        if piece.kind != "comment":
            yield name_part(piece.address), piece.address, piece.text
    for sheet in reading.sheets:
        yield from ((sheet.name, cell.address, str(cell.value)) for cell in sheet.cells if cell.value is not None)
    for slide in reading.slides:
        tables = {"\n".join("\t".join(row) for row in rows) for rows in slide.tables}
        for text in (slide.title, *slide.texts):
            yield f"s{slide.number}t" if text in tables else f"s{slide.number}", f"s{slide.number}", text


def _list_cells(step: JsonObject, reading: Reading) -> Iterator[Written]:
    known = {
        (sheet.name, cell.address.rpartition("!")[2]): cell.value for sheet in reading.sheets for cell in sheet.cells
    }
    cells = step.get("cells")
    for one in cells if isinstance(cells, list) else ():
        if isinstance(one, dict):
            sheet, _, cell = str(one.get("cell")).rpartition("!")
            name = sheet.strip("'") or next((other.name for other in reading.sheets), "")
            yield Written(name, _show(known.get((name, cell))), _show(one.get("value", "")))


def _show(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.10g}"
    return "" if value is None else str(value)
