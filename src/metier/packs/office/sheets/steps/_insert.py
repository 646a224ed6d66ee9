"""New sheets, tables and texts."""

from unicodedata import east_asian_width

from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets._cell_values import NewValue, to_cell_value
from metier.packs.office.sheets._read import show_value
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN, CellLook
from metier.packs.office.sheets._workbook import is_sheet_name

_MAX_WIDTH = 50.0
_POINTS_PER_MM = 72 / 25.4


def ensure_sheet(session: SheetSession, action: OfficeAction) -> None:
    """Make sure that a sheet exists; it becomes the current one."""
    name = action.text("sheet_name").strip()
    found = session.book.entry(name)
    if found is None:
        if not is_sheet_name(name):
            raise session.fail("bad_sheet_name", "sheet_name", name=name)
        protection = session.book.root.find(f"{MAIN}workbookProtection")
        if protection is not None and protection.get("lockStructure") in ("1", "true"):
            raise session.fail("structure_locked", "sheet_name")
        if not session.offer(action, name, say("new_sheet", text=name), ("", name)):
            return
        sheet = session.book.add_sheet(name)
        session.own_pages.add(sheet.name)
        if action.flag("activate", True):
            session.book.activate(name)
    else:
        sheet = session.sheet(found.name)
        used = sheet.used_area()
        if action.flag("clear_existing") and used is not None:
            session.check_writable(sheet, used, "sheet_name")
            before = session.texts(sheet, used)
            if session.offer(action, sheet.name, say("clear_sheet", text=sheet.name), (before, "")):
                session.clear(sheet, used)
    session.sheet_name = sheet.name
    session.cursor = CellArea(1, 1, 1, 1)
    session.has_selection = sheet.used_area() is None or action.flag("clear_existing")


def insert_table(session: SheetSession, action: OfficeAction) -> None:
    """Write a table at the cursor; numbers and dates among the texts become numbers and dates."""
    sheet = session.sheet()
    rows = action.table("data")
    height = max(action.whole("rows", 1), len(rows))
    width = max([action.whole("cols", 1), *(len(row) for row in rows)])
    area = session.free_area(sheet, height, width)
    session.check_writable(sheet, area, "data")
    is_1904 = session.book.is_1904
    values = [[to_cell_value(one, reads_text=True, is_1904=is_1904) for one in row] for row in rows]
    after = "\n".join("\t".join(one.shown or show_value(one.value, one.number_format) for one in row) for row in values)
    address = session.address(sheet, area)
    if session.offer(action, address, say("table", text=address), (session.texts(sheet, area), after)):
        for at, row in enumerate(values):
            for offset, new in enumerate(row):
                session.put(sheet, area.top + at, area.left + offset, new)
        _dress_table(session, action, sheet, area, values)
    session.remember(sheet, area)
    session.last_table = (sheet.name, area)
    _move_below(session, area)


def _dress_table(
    session: SheetSession, action: OfficeAction, sheet: SheetPart, area: CellArea, values: list[list[NewValue]]
) -> None:
    styles, head_color = session.book.styles, session.style.header_text
    has_header = action.flag("header", True) and area.height > 1
    for top, bottom, color in ((area.top, area.top, head_color if has_header else ""), (area.top + 1, area.bottom, "")):
        _dress_cells(session, sheet, CellArea(top, area.left, bottom, area.right), color)
    if (height := action.size("row_height_mm")) is not None:
        for number in range(area.top, area.bottom + 1):
            row = sheet.row(number)
            row.set("ht", f"{height * _POINTS_PER_MM:.4g}")
            row.set("customHeight", "1")
    if action.flag("borders", True):
        for key in area.cells():
            sheet.set_style(*key, styles.with_borders(sheet.style(*key)))
    if has_header:
        for column in range(area.left, area.right + 1):
            style = styles.with_head(sheet.style(area.top, column), session.style.header_fill, head_color)
            sheet.set_style(area.top, column, style)
    for column in range(area.width):
        shown = [show_value(row[column].value) if column < len(row) else "" for row in values]
        dates = any(column < len(row) and "yy" in row[column].number_format for row in values)
        width = max([text_width(text) for text in shown] + [10.0 if dates else 0.0], default=0.0)
        sheet.widen_column(area.left + column, min(width + 3, _MAX_WIDTH))


def _dress_cells(session: SheetSession, sheet: SheetPart, area: CellArea, color: str = "") -> None:
    """Cells in the font, size and colour of the plan's style, where it says them, or in the given colour."""
    style = session.style
    font, color = style.east_asia_font or style.latin_font, color or style.text_color
    look = CellLook(font=font, size=style.body_size, color=color)
    for key in area.cells() if look != CellLook() else ():
        sheet.set_style(*key, session.book.styles.with_look(sheet.style(*key), look))


def text_width(text: str) -> float:
    """Width of a text in characters of a sheet; Chinese ones are two."""
    lines = text.split("\n")
    return max(float(sum(2 if east_asian_width(char) in "WF" else 1 for char in line)) for line in lines)


def insert_text(session: SheetSession, action: OfficeAction) -> None:
    """Write a text at the cursor: a line per row, tabs between columns."""
    sheet = session.sheet()
    if action.flag("new_paragraph_before") and session.has_selection:
        _move_below(session, session.cursor)
    lines = [line.split("\t") for line in action.text("text").rstrip("\n").split("\n")]
    area = session.free_area(sheet, len(lines), max(len(line) for line in lines))
    session.check_writable(sheet, area, "text")
    address = session.address(sheet, area)
    texts = (session.texts(sheet, area), action.text("text"))
    if session.offer(action, address, say("text", text=address), texts):
        for at, line in enumerate(lines):
            for offset, text in enumerate(line):
                is_1904 = session.book.is_1904
                new = to_cell_value(text, reads_text=len(line) > 1, is_1904=is_1904) if text else NewValue(None)
                session.put(sheet, area.top + at, area.left + offset, new)
        _dress_cells(session, sheet, area)
    session.remember(sheet, area)
    _move_below(session, area)
    if action.flag("new_paragraph_after"):
        _move_below(session, session.cursor)


def _move_below(session: SheetSession, area: CellArea) -> None:
    session.cursor = CellArea(area.bottom + 1, area.left, area.bottom + 1, area.left)
    session.has_selection = True
