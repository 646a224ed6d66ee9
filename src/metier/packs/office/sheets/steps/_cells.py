"""Values, formulas and number formats of cells, and the cursor."""

from typing import TypeAlias

from metier.json_values import JsonValue
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import MAX_COLUMNS, MAX_ROWS, CellArea, cell_name
from metier.packs.office.sheets._cell_values import NewValue, to_cell_value
from metier.packs.office.sheets._cell_xml import translate_formula
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import MAX_CELLS_PER_STEP, SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets.formulas import (
    FormulaProblem,
    is_date_format,
    is_writable_format,
    parse_date,
    parse_formula,
    prefix_functions,
    show_formula,
    to_serial,
)

Place: TypeAlias = tuple[SheetPart, CellArea]


def set_cells(session: SheetSession, action: OfficeAction) -> None:
    """Write values to a range (`values`) or to single cells (`cells`); every cell is a change of its own."""
    number = 0
    for at, (cell, item) in enumerate(_list_cells(session, action)):
        formula, code = item.get("formula"), item.get("number_format")
        if isinstance(formula, str) and formula.strip():
            number += 1
            text = check_formula(session, formula, f"cells[{at}].formula")
            _offer_formula(session, action, cell, text, number)
        elif "value" in item:
            number += 1
            _offer_value(session, action, cell, _type_value(session, cell, item.get("value")), number)
        if isinstance(code, str) and code:
            number += 1
            _offer_format(session, action, cell, code, number)
    rows = action.table("values")
    if rows:
        _write_rows(session, action, rows, number)
    elif not action.fields.get("cells"):
        raise session.fail("no_values")


def _type_value(session: SheetSession, place: Place, value: JsonValue) -> NewValue:
    """Value of one cell; a date among dates is one too, in their format."""
    sheet, area = place
    moment = parse_date(value) if isinstance(value, str) else None
    for row in (area.top, area.top - 1, area.top + 1) if moment is not None else ():
        code = session.book.styles.number_format(sheet.style(row, area.left)) if row else ""
        if moment and code and is_date_format(code) and isinstance(sheet.value(row, area.left), float):
            return NewValue(to_serial(moment, is_1904=session.book.is_1904), code, shown=str(value))
    return to_cell_value(value, reads_text=False)


def _list_cells(session: SheetSession, action: OfficeAction) -> list[tuple[Place, dict[str, JsonValue]]]:
    listed = action.fields.get("cells")
    found = []
    for at, item in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(item, dict):
            place = f"cells[{at}].cell"
            sheet, area = session.find(str(item.get("cell")), place, action.text("sheet_name"))
            cell = CellArea(area.top, area.left, area.top, area.left)
            session.check_writable(sheet, cell, place)
            found.append(((sheet, cell), item))
    return found


def _write_rows(session: SheetSession, action: OfficeAction, rows: list[list[JsonValue]], number: int) -> None:
    width = max(len(row) for row in rows)
    if not width:
        raise session.fail("no_values", "values")
    text = action.text("range")
    if text:
        sheet, area = session.find(text, "range", action.text("sheet_name"))
    else:
        sheet = session.sheet(action.text("sheet_name"))
        area = CellArea(session.cursor.top, session.cursor.left, session.cursor.top, session.cursor.left)
    full = CellArea(area.top, area.left, area.top + len(rows) - 1, area.left + width - 1)
    if area.height * area.width > 1 and not area.contains(full):
        raise session.fail("wrong_size", "range", rows=len(rows), columns=width, text=area.text)
    session.check_writable(sheet, full, "range")
    for at, row in enumerate(rows):
        for offset, value in enumerate(row):
            number += 1
            cell = CellArea(full.top + at, full.left + offset, full.top + at, full.left + offset)
            _offer_value(session, action, (sheet, cell), to_cell_value(value, reads_text=False), number)
    session.remember(sheet, full)


def _offer_value(session: SheetSession, action: OfficeAction, place: Place, new: NewValue, number: int) -> None:
    sheet, area = place
    session.remember(sheet, area)
    old = sheet.value(area.top, area.left)
    is_formula = (area.top, area.left) in sheet.formulas
    if not is_formula and old == new.value and type(old) is type(new.value):
        return
    address = session.address(sheet, area)
    texts = (session.texts(sheet, area), new.shown or session.show_as(sheet, area.top, area.left, new.value))
    if session.offer(action, address, say("cell", text=address), texts, number):
        session.put(sheet, area.top, area.left, new)


def _offer_formula(session: SheetSession, action: OfficeAction, place: Place, formula: str, number: int) -> None:
    sheet, area = place
    session.remember(sheet, area)
    if sheet.formula(area.top, area.left) == formula:
        return
    address = session.address(sheet, area)
    texts = (session.texts(sheet, area), f"={show_formula(formula)}")
    if session.offer(action, address, say("formula", text=address), texts, number):
        session.put_formula(sheet, area.top, area.left, formula)


def check_formula(session: SheetSession, text: str, place: str) -> str:
    """Formula as files keep it; the step fails if it is none."""
    formula = prefix_functions(text)
    try:
        parse_formula(formula)
    except FormulaProblem as problem:
        raise session.fail("bad_formula", place, text=text, reason=str(problem)) from None
    return formula


def set_cell_formula(session: SheetSession, action: OfficeAction) -> None:
    sheet, area = session.find(action.text("cell"), "cell")
    formula = check_formula(session, action.text("formula"), "formula")
    session.check_writable(sheet, area, "cell")
    if area.height * area.width > 1:
        _fill_formula(session, action, (sheet, area), formula)
    else:
        _offer_formula(session, action, (sheet, area), formula, 0)


def _fill_formula(session: SheetSession, action: OfficeAction, place: Place, formula: str) -> None:
    """A formula for a range: as if typed into the first cell and filled over the rest."""
    sheet, area = place
    session.remember(sheet, area)
    origin = cell_name(area.top, area.left)
    wanted = {key: translate_formula(formula, origin, cell_name(*key)) for key in area.cells()}
    if all(sheet.formula(*key) == text for key, text in wanted.items()):
        return
    address = session.address(sheet, area)
    before = session.texts(sheet, area)
    if session.offer(action, address, say("formula", text=address), (before, f"={formula}")):
        for key, text in wanted.items():
            session.put_formula(sheet, *key, text)


def set_number_format(session: SheetSession, action: OfficeAction) -> None:
    sheet, area = session.find(action.text("range"), "range")
    area = _cut_to_used(sheet, area)
    if area.height * area.width > MAX_CELLS_PER_STEP:
        count = area.height * area.width
        raise session.fail("too_many_cells", "range", text=area.text, count=count, limit=MAX_CELLS_PER_STEP)
    code = action.text("number_format")
    if not is_writable_format(code):
        raise session.fail("bad_format", "number_format", text=code[:60])
    number = _offer_dates(session, action, (sheet, area), code) if is_date_format(code) else 0
    _offer_format(session, action, (sheet, area), code, number)


def _offer_dates(session: SheetSession, action: OfficeAction, place: Place, code: str) -> int:
    """Texts that are dates become dates: a format shows nothing of a text. The step fails if one cannot be read."""
    sheet, area = place
    number = 0
    for row, column in area.cells():
        value = sheet.value(row, column)
        if not isinstance(value, str) or not value.strip() or (row, column) in sheet.formulas:
            continue
        moment, cell = parse_date(value.strip()), CellArea(row, column, row, column)
        if moment is None:
            raise session.fail("no_date", "range", text=session.address(sheet, cell), value=value.strip()[:40])
        number += 1
        new = NewValue(to_serial(moment, is_1904=session.book.is_1904), code, shown=value)
        _offer_value(session, action, (sheet, cell), new, number)
    return number + 1 if number else 0


def _offer_format(session: SheetSession, action: OfficeAction, place: Place, code: str, number: int) -> None:
    sheet, area = place
    styles = session.book.styles
    address = session.address(sheet, area)
    session.check_protection(sheet, area, "range")
    before = {styles.number_format(sheet.style(*key)) for key in area.cells()}
    if before == {code}:
        return
    texts = ("、".join(sorted(before)), code)
    if session.offer(action, address, say("format", text=address), texts, number):
        for key in area.cells():
            sheet.set_style(*key, styles.with_number_format(sheet.style(*key), code))


def _cut_to_used(sheet: SheetPart, area: CellArea) -> CellArea:
    """Whole columns and rows end where the sheet ends."""
    used = sheet.used_area() or CellArea(1, 1, 1, 1)
    bottom = max(used.bottom, area.top) if area.bottom == MAX_ROWS else area.bottom
    right = max(used.right, area.left) if area.right == MAX_COLUMNS else area.right
    return CellArea(area.top, area.left, bottom, right)


def set_selection(session: SheetSession, action: OfficeAction) -> None:
    """Move the cursor of the plan; the file keeps its own."""
    text = action.text("range") or action.text("cell")
    if action.text("sheet_name"):
        session.sheet_name = session.sheet(action.text("sheet_name")).name
    if text:
        sheet, area = session.find(text, "range" if action.text("range") else "cell")
        session.sheet_name, session.cursor, session.has_selection = sheet.name, area, True
        return
    anchor = action.text("anchor", "cursor")
    sheet = session.sheet()
    if anchor == "start_of_document" or (action.text("sheet_name") and anchor == "cursor"):
        session.cursor, session.has_selection = CellArea(1, 1, 1, 1), True
    elif anchor == "end_of_document":
        used = sheet.used_area()
        row = 1 if used is None else used.bottom + 2
        session.cursor, session.has_selection = CellArea(row, 1, row, 1), True
    shift = action.whole("offset_lines")
    if shift:
        top = max(1, session.cursor.top + shift)
        session.cursor = CellArea(top, session.cursor.left, top, session.cursor.left)
