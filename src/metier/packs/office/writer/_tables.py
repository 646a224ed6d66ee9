"""Tables: inserted with a header row that repeats on every page, filled cell by cell, and styled."""

import copy
import re
from collections.abc import Sequence
from typing import Final

from metier.language import join_names
from metier.packs.office.files import XmlElement
from metier.packs.office.ooxml import count_lines, fit_columns
from metier.packs.office.plan import OfficeAction
from metier.packs.office.writer._edit import insert_text_at, mark_deleted, mark_inserted, replace_span, track_change
from metier.packs.office.writer._insert import add_receipt, body_format, is_done, place_blocks, text_width
from metier.packs.office.writer._selection import block_paragraphs
from metier.packs.office.writer._sentences import WRITER_SENTENCES
from metier.packs.office.writer._session import StepRefused, WriterSession
from metier.packs.office.writer.reading import (
    child,
    drop,
    ensure,
    find,
    fingerprint,
    list_cells,
    list_rows,
    make,
    new_run,
    text_of,
    w,
    w_value,
    walk_blocks,
    whole,
)

__all__ = ["build_table", "find_table", "insert_table", "set_table_cell_text", "set_writer_table_style", "table_rows"]

_NUMBER: Final = re.compile(r"\s*[¥￥$€]?[-+−]?[\d,，]*\d(\.\d+)?\s*(%|％|元|万元|亿元)?\s*")
_SIDES: Final = ("top", "left", "bottom", "right", "insideH", "insideV")
_HEADER_FILL: Final = "D9E2F3"
_USUAL_SIZE: Final = 12.0
_TWIPS_PER_MM: Final = 1_440 / 25.4
_MAX_WHOLE_LINES: Final = 10


def insert_table(session: WriterSession, action: OfficeAction, *, in_block: bool = False) -> None:
    """`insert_table`: where the cursor is, in the document's own font."""
    if not in_block and is_done(session, action):
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    address = session.address_at_cursor()
    data = [[str(cell) for cell in row] for row in action.table()]
    rows, cols = action.whole("rows", 1), action.whole("cols", 1)
    full = [[*row, *[""] * (cols - len(row))] for row in [*data, *[[] for _ in range(rows - len(data))]]]
    header = action.switch("header")
    has_header = header if header is not None else len(data) > 1
    table = build_table(session, full, has_header=has_header, has_borders=action.switch("borders") is not False)
    style_id = session.styles.find_id(action.text("style"), "table") if action.text("style") else ""
    if style_id:
        ensure(ensure(table, "tblPr"), "tblStyle").set(w("val"), style_id)
    elif action.text("style"):
        session.warnings.append(StepRefused("no_style", style=action.text("style")).reason)
    _set_row_height(table, action.size("row_height_mm"))
    place_blocks(session, [table])
    session.last_table = table
    if not in_block:
        add_receipt(session, action, [table])
    after = "\n".join("\t".join(row) for row in full)
    session.add_change(change_id, action, address, "", after)


def _set_row_height(table: XmlElement, millimetres: float | None) -> None:
    for row in list_rows(table) if millimetres else ():
        height = {"val": str(round((millimetres or 0) * _TWIPS_PER_MM)), "hRule": "atLeast"}
        ensure(row, "trPr").append(make("trHeight", height))


def build_table(
    session: WriterSession, rows: Sequence[Sequence[str]], *, has_header: bool, has_borders: bool = True
) -> XmlElement:
    """A table of texts; columns are as wide as their content asks, numbers stand on the right."""
    width = max((len(row) for row in rows), default=1)
    _, run_properties = body_format(session)
    usual = session.style.body_size or _size_of(run_properties) or _USUAL_SIZE
    widths, size = fit_columns(rows, text_width(session), usual, has_head=has_header)
    run_properties = run_properties if size == usual else _with_size(run_properties, size)
    properties = make("tblPr", None, make("tblW", {"w": "5000", "type": "pct"}))
    if has_borders and session.style.has_borders is not False:
        properties.append(_borders())
    properties.append(make("tblLayout", {"type": "autofit"}))
    look = {"val": "04A0", "firstRow": "1", "lastRow": "0", "firstColumn": "0", "lastColumn": "0", "noHBand": "0"}
    properties.append(make("tblLook", {**look, "noVBand": "1"}))
    table = make("tbl", None, properties, make("tblGrid", None, *(make("gridCol", {"w": str(one)}) for one in widths)))
    body = rows[1:] if has_header else rows
    is_number = [
        any(len(row) > at and row[at].strip() for row in body)
        and all(_NUMBER.fullmatch(row[at]) for row in body if len(row) > at and row[at].strip())
        for at in range(width)
    ]
    for number, row in enumerate(rows):
        is_head = has_header and number == 0
        cells = [
            _cell(session, text, widths[at], run_properties, is_head=is_head, is_number=is_number[at])
            for at, text in enumerate(row)
        ]
        is_long = any(count_lines(text, widths[at], size) > _MAX_WHOLE_LINES for at, text in enumerate(row))
        table.append(_row(session, cells, is_head, is_long=is_long))
    return table


def _size_of(properties: XmlElement | None) -> float:
    return whole(w_value(find(properties, "sz"))) / 2


def _with_size(properties: XmlElement | None, points: float) -> XmlElement:
    own = make("rPr") if properties is None else copy.deepcopy(properties)
    for name in ("sz", "szCs"):
        ensure(own, name).set(w("val"), str(round(points * 2)))
    return own


def _borders() -> XmlElement:
    line = {"val": "single", "sz": "4", "space": "0", "color": "auto"}
    return make("tblBorders", None, *(make(side, line) for side in _SIDES))


def _row(session: WriterSession, cells: list[XmlElement], is_head: bool, *, is_long: bool) -> XmlElement:
    """A row stays on one page, unless it is long: it would leave most of a page empty."""
    properties = make("trPr", None, *([] if is_long else [make("cantSplit")]))
    if is_head:
        properties.append(make("tblHeader"))
    if session.is_tracked:
        properties.append(track_change(session, "ins"))
    return make("tr", None, properties, *cells)


def _cell(
    session: WriterSession, text: str, width: int, run_properties: XmlElement | None, *, is_head: bool, is_number: bool
) -> XmlElement:
    properties = make("tcPr", None, make("tcW", {"w": str(width), "type": "dxa"}))
    own = make("rPr") if run_properties is None else copy.deepcopy(run_properties)
    if is_head:
        fill = session.style.header_fill or _HEADER_FILL
        properties.append(make("shd", {"val": "clear", "color": "auto", "fill": fill}))
        if session.style.is_header_bold is not False:
            ensure(own, "b")
            ensure(own, "bCs")
        if session.style.header_text:
            ensure(own, "color").set(w("val"), session.style.header_text)
    properties.append(make("vAlign", {"val": "center"}))
    paragraph = make(
        "p",
        None,
        make("pPr", None, make("spacing", {"before": "40", "after": "40", "line": "240", "lineRule": "auto"})),
    )
    place = ensure(paragraph, "pPr")
    indent = ensure(place, "ind")
    indent.set(w("firstLine"), "0")
    indent.set(w("firstLineChars"), "0")
    if is_head or is_number:
        ensure(place, "jc").set(w("val"), "center" if is_head else "right")
    if text:
        paragraph.append(new_run(text, own if len(own) else None))
        if session.is_tracked:
            mark_inserted(session, paragraph)
    return make("tc", None, properties, paragraph)


def find_table(session: WriterSession, action: OfficeAction) -> XmlElement:
    """The table that is meant: by its number, in a block, the selected one, the one just made, or the only one."""
    block_id = action.text("block_id")
    if block_id:
        inside = {one for paragraph in block_paragraphs(session, block_id) for one in paragraph.iterancestors(w("tbl"))}
        tables = [one for one in walk_blocks(session.body) if one in inside]
    else:
        tables = [one for one in walk_blocks(session.body) if one.tag == w("tbl")]
    index = action.whole("table_index")
    if index:
        if index > len(tables):
            raise StepRefused("no_table")
        return tables[index - 1]
    if not block_id:
        selected = session.selected_table()
        if selected is not None:
            return selected
        if session.last_table is not None:
            return session.last_table
    if not tables:
        raise StepRefused("no_table")
    if len(tables) > 1:
        raise StepRefused("table_ambiguous", count=len(tables))
    return tables[0]


def table_rows(table: XmlElement) -> list[list[str]]:
    """Texts of a table, row by row."""
    return [
        [
            "\n".join(text_of(one) for one in walk_blocks(cell) if one.tag == w("p")).strip()
            for _, cell in list_cells(row)
        ]
        for row in list_rows(table)
    ]


def set_table_cell_text(session: WriterSession, action: OfficeAction) -> None:
    """`set_table_cell_text`: the text of a cell in the cell's own format."""
    table = find_table(session, action)
    row, col = action.whole("row"), action.whole("col")
    rows = list_rows(table)
    cells = dict(list_cells(rows[row - 1])) if row <= len(rows) else {}
    if col not in cells:
        raise StepRefused("no_cell", row=row, col=col)
    paragraphs = [one for one in walk_blocks(cells[col]) if one.tag == w("p")]
    text = action.text("text")
    before = "\n".join(session.text(one) for one in paragraphs).strip("\n")
    if before == text:
        session.skip(action, "already_there")
        return
    change_id = session.take_change(action)
    if change_id is None:
        return
    address = session.address_of(paragraphs[0]) if paragraphs else "end"
    first = paragraphs[0] if paragraphs else make("p")
    if not paragraphs:
        cells[col].append(first)
    _set_text(session, first, text)
    for one in paragraphs[1:]:
        if session.is_tracked:
            mark_deleted(session, one)
        else:
            one.getparent().remove(one)
            session.forget([one])
    session.add_change(change_id, action, address, before, text)


def _set_text(session: WriterSession, paragraph: XmlElement, text: str) -> None:
    length = len(session.text(paragraph))
    if length:
        replace_span(session, paragraph, 0, length, text)
    elif text:
        insert_text_at(session, paragraph, 0, text)


def set_writer_table_style(session: WriterSession, action: OfficeAction) -> None:
    """`set_writer_table_style`: a style of the document, borders, a header row that repeats."""
    table = find_table(session, action)
    properties = ensure(table, "tblPr")
    style = action.text("style_name")
    style_id = session.styles.find_id(style, "table") if style else ""
    if style and not style_id:
        raise StepRefused("no_style", style=style)
    change_id = session.take_change(action)
    if change_id is None:
        return
    before = fingerprint(table)
    if style_id:
        ensure(properties, "tblStyle").set(w("val"), style_id)
    borders = action.switch("borders")
    if borders is not None:
        drop(properties, "tblBorders")
        ensure(properties, "tblBorders").extend(_borders() if borders else _no_borders())
    if action.switch("header") is not None and list_rows(table):
        _set_header(list_rows(table)[0], is_header=action.flag("header"))
    if fingerprint(table) == before:
        session.skip(action, "already_there")
        return
    session.note_change()
    if session.is_tracked:
        session.warnings.append(StepRefused("not_tracked", op=action.op).reason)
    first = next(table.iter(w("p")))
    given = [("table", style), ("borders", borders), ("header_row", action.switch("header"))]
    shown = [WRITER_SENTENCES.render(f"look_{name}", session.language) for name, value in given if value]
    session.add_change(change_id, action, session.address_of(first), "", join_names(shown, session.language))


def _no_borders() -> list[XmlElement]:
    return [make(side, {"val": "nil"}) for side in _SIDES]


def _set_header(row: XmlElement, *, is_header: bool) -> None:
    properties = ensure(row, "trPr")
    if not is_header:
        drop(properties, "tblHeader")
        return
    ensure(properties, "tblHeader")
    for run in row.iter(w("r")):
        own = ensure(run, "rPr")
        if child(own, "b") is None:
            ensure(own, "b")
            ensure(own, "bCs")
