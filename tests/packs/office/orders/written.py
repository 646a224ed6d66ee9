"""Orders carried out on a file, and the file read by the program's own library."""

from pathlib import Path
from typing import Any

from docx import Document
from openpyxl import Workbook, load_workbook
from pptx import Presentation

from metier.language import language_of
from metier.packs.office._hosts import WriteRequest, host_for
from metier.packs.office.analysis import Reading
from metier.packs.office.conversation._documents import ConversationDocument
from metier.packs.office.conversation._reading import read_document
from metier.packs.office.orders import ReadOrders, read_orders
from metier.packs.office.plan import HostApp, load_plan

_HOSTS: dict[str, HostApp] = {"xlsx": "et", "pptx": "wpp", "docx": "wps"}
_OPEN: dict[HostApp, Any] = {"et": load_workbook, "wpp": Presentation, "wps": Document}


def read_file(path: Path) -> Reading:
    """The reading of one file."""
    kind: Any = path.suffix[1:]
    return read_document(path.parent, ConversationDocument(path.name, path.name, kind, path.name), with_others=False)


def read_message(path: Path, message: str) -> ReadOrders:
    """What a message orders for a file."""
    return read_orders(message, read_file(path), language=language_of(message))


def list_steps(message: str, reading: Reading) -> list[dict[str, Any]]:
    """Steps of an order without their ids, and without titles that nobody writes."""
    made: Any = read_orders(message, reading, language=language_of(message)).actions
    titled = ("insert_chart_from_selection", "add_slide")
    return [
        {name: value for name, value in one.items() if name != "id" and (name != "title" or one["op"] in titled)}
        for one in made
    ]


def write_orders(path: Path, message: str, target: Path | None = None) -> Any:
    """The file as a message orders it; it fails if the message is no order, changes nothing, or is not done at once."""
    found = read_message(path, message)
    assert found.actions, (message, found.note)
    host = _HOSTS[path.suffix[1:]]
    actions: Any = list(found.actions)
    plan = load_plan({"schema_version": "ah32.plan.v1", "host_app": host, "actions": actions}, host=host).plan
    assert plan is not None, message
    target = target or path.with_stem(f"{path.stem}-written")
    assert host_for(host).execute(plan, path, target, request=WriteRequest()).changes, message
    again = target.with_stem(f"{target.stem}-again")
    assert host_for(host).execute(plan, target, again, request=WriteRequest()).unchanged, message
    return _OPEN[host](str(target))


def make_document(path: Path, title: str, *content: str | list[tuple[str, ...]]) -> Path:
    """A document of a title, paragraphs (a heading begins with `# `) and tables."""
    document = Document()
    document.add_heading(title, 0)
    for one in content:
        if isinstance(one, str):
            document.add_heading(one[2:], 1) if one.startswith("# ") else document.add_paragraph(one)
            continue
        table = document.add_table(rows=0, cols=len(one[0]))
        for row in one:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
    document.save(str(path))
    return path


def make_workbook(path: Path, *rows: tuple[Any, ...], name: str = "Data") -> Path:
    """A workbook of one sheet."""
    book = Workbook()
    sheet: Any = book.active
    sheet.title = name
    for row in rows:
        sheet.append(row)
    book.save(str(path))
    return path


def make_deck(path: Path, *slides: tuple[str, str]) -> Path:
    """A deck of slides with a title and a body."""
    deck = Presentation()
    for at, (title, body) in enumerate(slides):
        slide = deck.slides.add_slide(deck.slide_layouts[1 if at else 0])
        shapes: Any = slide.shapes
        shapes.title.text = title
        shapes.placeholders[1].text_frame.text = body
    deck.save(str(path))
    return path


def list_lines(document: Any) -> list[str]:
    """Paragraphs of a document, and the cells of its tables."""
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return [*(one.text for one in document.paragraphs), *cells]
