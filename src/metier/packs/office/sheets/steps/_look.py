"""Look of cells, sizes of rows and columns, frozen panes and merged cells."""

from typing import Final

from lxml import etree

from metier.packs.office._look_text import describe_look
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import MAX_COLUMNS, MAX_ROWS, BadAddress, CellArea, cell_name, parse_area
from metier.packs.office.sheets._columns import column_element, column_width
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import MAX_CELLS_PER_STEP, SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN, CellLook
from metier.packs.office.sheets.steps._insert import text_width

_MAX_WIDTH: Final = 60.0
_NARROW: Final = 8.43


def set_cell_style(session: SheetSession, action: OfficeAction) -> None:
    """Font, colours, alignment and borders of a range; what is not named stays."""
    sheet, area = _find_used(session, action)
    color, fill = (session.color(action, name) for name in ("color", "fill_color"))
    look = CellLook(
        action.switch("bold"),
        action.switch("italic"),
        action.switch("underline"),
        action.text("font"),
        action.size("size"),
        color,
        fill,
        action.text("alignment"),
        action.text("vertical"),
        action.switch("wrap"),
        action.switch("borders"),
    )
    styles = session.book.styles
    every = 2 if action.flag("alternate_rows") else 1  # the second, the fourth … row of the range
    keys = [key for key in area.cells() if (key[0] - area.top + 1) % every == 0]
    new = {key: styles.with_look(sheet.style(*key), look) for key in keys}
    if all(sheet.style(*key) == style for key, style in new.items()):
        return
    address = session.address(sheet, area)
    shown = describe_look(action.fields, session.language)
    if session.offer(action, address, say("look", text=address), (session.texts(sheet, area, 3), shown)):
        for key, style in new.items():
            sheet.set_style(*key, style)


def _find_used(session: SheetSession, action: OfficeAction) -> tuple[SheetPart, CellArea]:
    """Range of a step; whole rows and columns end where the sheet ends."""
    sheet, area = session.find(action.text("range"), "range")
    used = sheet.used_area() or CellArea(1, 1, 1, 1)
    bottom = max(used.bottom, area.top) if area.bottom == MAX_ROWS else area.bottom
    right = max(used.right, area.left) if area.right == MAX_COLUMNS else area.right
    area = CellArea(area.top, area.left, bottom, right)
    if area.height * area.width > MAX_CELLS_PER_STEP:
        count = area.height * area.width
        raise session.fail("too_many_cells", "range", text=area.text, count=count, limit=MAX_CELLS_PER_STEP)
    session.check_protection(sheet, area, "range")
    return sheet, area


def set_line_size(session: SheetSession, action: OfficeAction) -> None:
    """Width of columns (`C:E`, in characters) or height of rows (`2`, in points); without a size as content asks."""
    sheet = session.sheet(action.text("sheet_name"))
    first, _, last = action.text("lines").partition(":")
    try:
        area = parse_area(f"{first}:{last or first}")
    except BadAddress:
        raise session.fail("bad_address", "lines", text=action.text("lines")) from None
    session.check_protection(sheet, CellArea(1, 1, 1, 1), "lines")
    is_rows, size = first.strip("$").isdigit(), action.size("size")
    span = range(area.top, area.bottom + 1) if is_rows else range(area.left, area.right + 1)
    if len(span) > 2_000:
        raise session.fail("too_many_cells", "lines", text=action.text("lines"), count=len(span), limit=2_000)
    wanted = {line: size if size is not None else _fitting(session, sheet, line, is_rows=is_rows) for line in span}
    if not is_rows and all(column_width(sheet, line) == width for line, width in wanted.items()):
        return
    shown = ", ".join(f"{value:g}" for value in dict.fromkeys(wanted.values()))[:80]
    if session.offer(
        action, f"{sheet.name}!{action.text('lines')}", say("size", text=action.text("lines")), ("", shown)
    ):
        for line, value in wanted.items():
            if is_rows:
                sheet.row(line).set("ht", f"{value:g}")
                sheet.row(line).set("customHeight", "1")
            else:
                column = column_element(sheet, line)
                column.set("width", f"{value:g}")
                column.set("customWidth", "1")


def _fitting(session: SheetSession, sheet: SheetPart, line: int, *, is_rows: bool) -> float:
    if is_rows:
        return 15.0
    widths = [text_width(session.show(sheet, *key)) for key in sheet.cells() if key[1] == line]
    return min(_MAX_WIDTH, max([_NARROW, *(width + 2 for width in widths)]))


def freeze_panes(session: SheetSession, action: OfficeAction) -> None:
    """Keep the rows above and the columns left of a cell in sight; `A1` releases them."""
    sheet = session.sheet(action.text("sheet_name"))
    try:
        cell = parse_area(action.text("cell"))
    except BadAddress:
        raise session.fail("bad_address", "cell", text=action.text("cell")) from None
    rows, columns = cell.top - 1, cell.left - 1
    views = sheet.child("sheetViews")
    view = views.find(f"{MAIN}sheetView")
    if view is None:
        view = etree.SubElement(views, f"{MAIN}sheetView", workbookViewId="0")
    old = view.find(f"{MAIN}pane")
    before = "" if old is None else str(old.get("topLeftCell") or "")
    after = cell_name(cell.top, cell.left) if rows or columns else ""
    is_frozen = old is not None and old.get("state") in ("frozen", "frozenSplit")
    if before == after and is_frozen == bool(after):
        return
    if not session.offer(action, sheet.name, say("freeze", text=sheet.name), (before, after)):
        return
    for one in (*view.findall(f"{MAIN}pane"), *view.findall(f"{MAIN}selection")):
        view.remove(one)
    if not after:
        return
    split = {**({"xSplit": str(columns)} if columns else {}), **({"ySplit": str(rows)} if rows else {})}
    name = "bottomRight" if rows and columns else "bottomLeft" if rows else "topRight"
    pane = etree.Element(f"{MAIN}pane", {**split, "topLeftCell": after, "activePane": name, "state": "frozen"})
    view.insert(0, pane)
    view.insert(1, etree.Element(f"{MAIN}selection", pane=name, activeCell=after, sqref=after))


def _check_merge(session: SheetSession, sheet: SheetPart, area: CellArea, inside: list[CellArea]) -> None:
    if area.height * area.width == 1 or any(not area.contains(one) for one in inside):
        raise session.fail("merged_area", "range", text=area.text, area=(inside or [area])[0].text)
    filled = [key for key in area.cells() if not sheet.is_blank(*key)]
    if any(key != (area.top, area.left) for key in filled):
        raise session.fail("merge_loses", "range", text=area.text)


def merge_cells(session: SheetSession, action: OfficeAction) -> None:
    """Merge a range, which keeps the value of its first cell, or take merges in it apart."""
    sheet, area = session.find(action.text("range"), "range")
    session.check_protection(sheet, area, "range")
    address = session.address(sheet, area)
    inside = [one for one in sheet.list_merged() if one.meets(area)]
    if inside == ([area] if action.flag("merged", True) else []):
        return
    if action.flag("merged", True):
        _check_merge(session, sheet, area, inside)
    code = "merge" if action.flag("merged", True) else "unmerge"
    if not session.offer(action, address, say(code, text=address), (session.texts(sheet, area), "")):
        return
    holder = sheet.child("mergeCells")
    for one in list(holder):
        if parse_area(str(one.get("ref"))) in inside:
            holder.remove(one)
    if action.flag("merged", True):
        etree.SubElement(holder, f"{MAIN}mergeCell", ref=area.text)
    holder.set("count", str(len(holder)))
    if not len(holder):
        sheet.root.remove(holder)


def clear_filter(session: SheetSession, action: OfficeAction) -> None:
    """Show all rows again and take the criteria of the filter out."""
    sheet = session.sheet(action.text("sheet_name"))
    found = sheet.root.find(f"{MAIN}autoFilter")
    hidden = [
        int(row.get("r", "0")) for row in sheet.data.iterchildren(f"{MAIN}row") if row.get("hidden") in ("1", "true")
    ]
    if found is None and not hidden:
        return
    if session.offer(action, sheet.name, say("clear_filter", text=sheet.name), ("", "")):
        for number in hidden:
            sheet.row(number).attrib.pop("hidden", None)
            session.note(sheet, number, 1)
        for one in list(found) if found is not None else ():
            found.remove(one)
