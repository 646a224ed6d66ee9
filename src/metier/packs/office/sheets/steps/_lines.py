"""Rows and columns that are inserted, deleted or hidden; everything that names cells behind them follows."""

from typing import Final

from lxml import etree

from metier.packs.office._column_letters import column_letters
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import BadAddress, CellArea, cell_name, parse_area
from metier.packs.office.sheets._columns import column_element
from metier.packs.office.sheets._references import LineShift, loses_reference, shift_references
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN

_DRAWING: Final = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_MAX_LINES: Final = 10_000


def insert_lines(session: SheetSession, action: OfficeAction) -> None:
    """Insert empty rows before a row (`5`) or columns before a column (`C`); they look like the line before them."""
    sheet = session.sheet(action.text("sheet_name"))
    first, _, is_rows = _read_lines(session, action.text("before"), "before")
    count = max(1, action.whole("count", 1))
    _check_cells(session, sheet)
    _check_span(session, sheet, first, first + count - 1, is_rows=is_rows, is_new=True)
    shift = LineShift(sheet.name, is_rows, first, count, action.flag("extend"))
    shown = _show(first, first + count - 1, is_rows=is_rows)
    if session.offer(action, f"{sheet.name}!{shown}", say("insert_lines", text=shown), ("", "")):
        _apply(session, sheet, shift)


def delete_lines(session: SheetSession, action: OfficeAction) -> None:
    """Delete rows (`5`, `5:7`) or columns (`C`, `C:D`)."""
    sheet = session.sheet(action.text("sheet_name"))
    listed = action.fields.get("lines")
    spans = [_read_lines(session, str(one), "lines") for one in (listed if isinstance(listed, list) else [])]
    if not spans:
        raise session.fail("no_values", "lines")
    _check_tables(session, sheet, spans)
    _warn_of_lost(session, sheet, spans)
    _check_cells(session, sheet)
    used = sheet.used_area() or CellArea(1, 1, 1, 1)
    chosen: list[tuple[int, int, bool]] = []
    for number, (first, last, is_rows) in enumerate(sorted(set(spans), reverse=True), 1):
        _check_span(session, sheet, first, last, is_rows=is_rows, is_new=False)
        shown = _show(first, last, is_rows=is_rows)
        area = CellArea(first, used.left, last, used.right) if is_rows else CellArea(used.top, first, used.bottom, last)
        texts = (session.texts(sheet, area), "")
        if session.offer(action, f"{sheet.name}!{shown}", say("delete_lines", text=shown), texts, number):
            chosen.append((first, last, is_rows))
    for is_rows in (True, False):
        if gone := _list_lines(chosen, is_rows=is_rows):
            _apply(session, sheet, LineShift.remove(sheet.name, gone, is_rows=is_rows))
    if (count := len(_list_lines(chosen, is_rows=True))) > 1:
        session.warn("rows_deleted", count=count)


def _check_tables(session: SheetSession, sheet: SheetPart, spans: list[tuple[int, int, bool]]) -> None:
    """Refuse to delete all rows of a table: a table without a row counts as damaged."""
    gone = _list_lines(spans, is_rows=True)
    for table in session.book.tables():
        body = range(table.area.top + table.has_header, table.area.bottom + 1 - table.has_totals)
        if table.sheet == sheet.name and gone and all(row in gone for row in body):
            raise session.fail("table_empty", "lines", name=table.name)


def _warn_of_lost(session: SheetSession, sheet: SheetPart, spans: list[tuple[int, int, bool]]) -> None:
    """Say which formulas that stay read only what is deleted."""
    lost: list[str] = []
    for is_rows in (True, False):
        gone = _list_lines(spans, is_rows=is_rows)
        for one in session.book.sheets() if gone else ():
            for key in sorted(one.formulas):
                stays = one.name != sheet.name or key[0 if is_rows else 1] not in gone
                if stays and loses_reference(one.formula(*key), one.name, sheet.name, gone, is_rows=is_rows):
                    lost.append(session.address(one, CellArea(*key, *key)))
    if lost:
        session.warn("loses_cells", count=len(lost), cells=lost[:5])


def _list_lines(spans: list[tuple[int, int, bool]], *, is_rows: bool) -> set[int]:
    return {line for first, last, of_rows in spans if of_rows == is_rows for line in range(first, last + 1)}


def hide_lines(session: SheetSession, action: OfficeAction) -> None:
    """Hide rows or columns, or show them again."""
    sheet = session.sheet(action.text("sheet_name"))
    is_hidden = action.flag("hidden", True)
    listed = action.fields.get("lines")
    for number, one in enumerate(listed if isinstance(listed, list) else [], 1):
        first, last, is_rows = _read_lines(session, str(one), "lines")
        session.check_protection(sheet, CellArea(1, 1, 1, 1), "lines")
        shown = _show(first, last, is_rows=is_rows)
        code = "hide_lines" if is_hidden else "show_lines"
        if not session.offer(action, f"{sheet.name}!{shown}", say(code, text=shown), ("", ""), number):
            continue
        for line in range(first, last + 1):
            element = sheet.row(line) if is_rows else column_element(sheet, line)
            if is_hidden:
                element.set("hidden", "1")
            else:
                element.attrib.pop("hidden", None)


def _read_lines(session: SheetSession, text: str, place: str) -> tuple[int, int, bool]:
    first, _, last = text.strip().partition(":")
    try:
        area = parse_area(f"{first}:{last or first}")
    except BadAddress:
        raise session.fail("bad_address", place, text=text) from None
    is_rows = first.strip("$").isdigit()
    span = (area.top, area.bottom) if is_rows else (area.left, area.right)
    if span[1] - span[0] >= _MAX_LINES:
        raise session.fail("too_many_cells", place, text=text, count=span[1] - span[0] + 1, limit=_MAX_LINES)
    return (*span, is_rows)


def _show(first: int, last: int, *, is_rows: bool) -> str:
    names = [str(line) if is_rows else column_letters(line) for line in (first, last)]
    return names[0] if first == last else f"{names[0]}:{names[1]}"


def _check_cells(session: SheetSession, sheet: SheetPart) -> None:
    """Refuse sheets whose lines cannot move: with array formulas or pivot tables."""
    if any(sheet.is_array(*key) for key in sheet.formulas):
        raise session.fail("in_array", "lines", text=sheet.name)
    if session.book.parts.list_related(sheet.part, "pivotTable"):
        raise session.fail("has_pivot", "lines", name=sheet.name)


def _check_span(session: SheetSession, sheet: SheetPart, first: int, last: int, *, is_rows: bool, is_new: bool) -> None:
    """Refuse protected lines, and columns and heads of tables."""
    session.check_protection(sheet, CellArea(first, 1, first, 1) if is_rows else CellArea(1, first, 1, first), "lines")
    for table in session.book.tables():
        area = table.area
        if table.sheet != sheet.name:
            continue
        touches_columns = (
            not is_rows and first <= area.right and last >= area.left and not (is_new and first <= area.left)
        )
        touches_head = is_rows and not is_new and first <= area.top <= last
        if touches_columns or touches_head:
            raise session.fail("in_table", "lines", name=table.name)


def _apply(session: SheetSession, sheet: SheetPart, shift: LineShift) -> None:
    book = session.book
    for one in book.sheets():
        one.spell_out_formulas()
    shift_references(book, shift)
    _shift_tables(session, shift)
    _move_cells(sheet, shift)
    _shift_columns(sheet, shift)
    _shift_notes(session, sheet, shift)
    _shift_drawings(session, sheet, shift)
    sheet.read_again()
    if shift.count > 0:
        _copy_look(sheet, shift)
    used = sheet.used_area()
    for row, column in list(sheet.cells()):
        if (row if shift.is_rows else column) >= shift.at:
            session.note(sheet, row, column)
    for other in book.sheets():
        for key in other.formulas:
            session.note(other, *key)
    session.formulas_changed = True
    dimension = sheet.root.find(f"{MAIN}dimension")
    if dimension is not None and used is not None:
        dimension.set("ref", used.text)


def _move_cells(sheet: SheetPart, shift: LineShift) -> None:
    sheet.name_cells()
    for row in list(sheet.data.iterchildren(f"{MAIN}row")):
        number = int(row.get("r"))
        if shift.is_rows:
            moved = shift.move_span(number, number)
            if moved is None:
                sheet.data.remove(row)
                continue
            row.set("r", str(moved[0]))
        row.attrib.pop("spans", None)
        for cell in list(row.iterchildren(f"{MAIN}c")):
            area = shift.move_area(parse_area(str(cell.get("r"))))
            if area is None:
                row.remove(cell)
            else:
                cell.set("r", cell_name(area.top, area.left))


def _shift_columns(sheet: SheetPart, shift: LineShift) -> None:
    columns = sheet.root.find(f"{MAIN}cols")
    if shift.is_rows or columns is None:
        return
    for one in list(columns):
        span = shift.move_span(int(one.get("min", "1")), int(one.get("max", "1")))
        if span is None:
            columns.remove(one)
        else:
            one.set("min", str(span[0]))
            one.set("max", str(span[1]))
    if not len(columns):
        sheet.root.remove(columns)


def _shift_tables(session: SheetSession, shift: LineShift) -> None:
    for table in session.book.tables():
        if table.sheet != shift.sheet:
            continue
        root = session.book.parts.xml(table.part)
        for element in (root, *root.iterfind(f"{MAIN}autoFilter")):
            area = shift.move_area(parse_area(str(element.get("ref"))))
            if area is not None:
                element.set("ref", area.text)


def _shift_notes(session: SheetSession, sheet: SheetPart, shift: LineShift) -> None:
    parts = session.book.parts
    for relation in parts.list_related(sheet.part, "comments"):
        for one in list(parts.xml(relation.target).iter(f"{MAIN}comment")):
            area = shift.move_area(parse_area(str(one.get("ref"))))
            if area is None:
                one.getparent().remove(one)
            else:
                one.set("ref", area.text)
    for relation in parts.list_related(sheet.part, "vmlDrawing"):
        tag = "Row" if shift.is_rows else "Column"
        for one in parts.xml(relation.target).iter(f"{{urn:schemas-microsoft-com:office:excel}}{tag}"):
            span = shift.move_span(int(one.text or "0") + 1, int(one.text or "0") + 1)
            if span is not None:
                one.text = str(span[0] - 1)


def _shift_drawings(session: SheetSession, sheet: SheetPart, shift: LineShift) -> None:
    """Charts and pictures stay beside the cells that they stood at."""
    tag = f"{_DRAWING}{'row' if shift.is_rows else 'col'}"
    for relation in session.book.parts.list_related(sheet.part, "drawing"):
        for anchor in session.book.parts.xml(relation.target):
            ends = [one.find(tag) for one in anchor if one.tag in (f"{_DRAWING}from", f"{_DRAWING}to")]
            for end in ends:
                if end is not None:
                    end.text = str(shift.move_line(int(end.text or "0") + 1) - 1)


def _copy_look(sheet: SheetPart, shift: LineShift) -> None:
    """New lines look like the one before them; the first like the one after."""
    model = shift.at - 1 if shift.at > 1 else shift.at + shift.count
    if shift.is_rows:
        source = sheet.find_row(model)
        height = {name: source.get(name) for name in ("ht", "customHeight") if source is not None and source.get(name)}
        for line in range(shift.at, shift.at + shift.count):
            for name, value in height.items():
                sheet.row(line).set(name, str(value))
    places = [key for key in sheet.cells() if key[0 if shift.is_rows else 1] == model]
    for row, column in places:
        style = sheet.style(row, column)
        for line in range(shift.at, shift.at + shift.count):
            if style:
                sheet.set_style(*((line, column) if shift.is_rows else (row, line)), style)
    columns = sheet.root.find(f"{MAIN}cols")
    if shift.is_rows or columns is None:
        return
    known = next((one for one in columns if int(one.get("min", "0")) <= model <= int(one.get("max", "0"))), None)
    if known is not None:
        made = etree.Element(
            f"{MAIN}col", {**known.attrib, "min": str(shift.at), "max": str(shift.at + shift.count - 1)}
        )
        place = next((at for at, one in enumerate(columns) if int(one.get("min", "0")) > shift.at), len(columns))
        if not any(int(one.get("min", "0")) <= shift.at <= int(one.get("max", "0")) for one in columns):
            columns.insert(place, made)
