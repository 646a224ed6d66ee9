"""Blocks: content of a plan that is found again by a defined name and replaced in place."""

from collections.abc import Callable

from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession, block_name, join_areas
from metier.packs.office.sheets._workbook import parse_areas
from metier.packs.office.sheets.steps import remove_drawings

RunStep = Callable[[SheetSession, OfficeAction, str], None]


def upsert_block(session: SheetSession, action: OfficeAction, block: str, run: RunStep, path: str) -> None:
    """Write a block, or write it anew where it stands. The block is one change."""
    name = block_name(block)
    if session.chosen is not None and action.id not in session.chosen:
        return
    old = _known_areas(session, name)
    before = _texts(session, old)
    kept = (session.sheet_name, session.cursor, session.has_selection)
    outer_table, outer_written = session.last_table, session.written
    existed = _begin(session, action, block, old)
    nested = action.actions if action.op == "upsert_block" else (action,)
    for at, one in enumerate(nested):
        run(session, one, f"{path}.actions[{at}]" if action.op == "upsert_block" else path)
    session.block, session.own_areas = "", []
    _strip_leftover(session, old)
    new = sorted(session.written, key=lambda one: one[0] != (old[0][0] if old else one[0]))
    if new or old:
        session.book.set_name(name, join_areas(new) if new else None)
    after = _texts(session, new)
    if before != after or not existed:
        _offer(session, action, new, (before, after))
    if action.op == "upsert_block" and action.flag("freeze_cursor", True):
        session.sheet_name, session.cursor, session.has_selection = kept
    session.last_table, session.written = session.last_table or outer_table, outer_written


def _begin(session: SheetSession, action: OfficeAction, block: str, old: list[tuple[str, CellArea]]) -> bool:
    """Empty the block and put the cursor where it stands; whether it was there."""
    session.own_areas, session.written, session.last_table = old, [], None
    for sheet_name, area in old:
        sheet = session.sheet(sheet_name)
        session.check_protection(sheet, area, "block_id")
        session.clear(sheet, area)
    had_drawings = bool(remove_drawings(session, block))
    if old:
        session.sheet_name, session.has_selection = old[0][0], True
        session.cursor = CellArea(old[0][1].top, old[0][1].left, old[0][1].top, old[0][1].left)
    elif action.op == "upsert_block" and action.text("anchor", "cursor") == "end":
        session.has_selection = False
    session.block, session.drawings, session.inner = block, 0, []
    return had_drawings or bool(old)


def _offer(
    session: SheetSession, action: OfficeAction, areas: list[tuple[str, CellArea]], texts: tuple[str, str]
) -> None:
    """Record the block as one change; a step that stands alone as what it is."""
    if action.op != "upsert_block" and session.inner:
        address, title, own = session.inner[0]
        session.offer(action, address, title, own)
        return
    address = join_areas(areas).replace("$", "")
    session.offer(action, address, say("block"), texts)


def delete_block(session: SheetSession, action: OfficeAction) -> None:
    """Remove a block: its cells, charts, pictures and name."""
    block = action.text("block_id")
    name = block_name(block)
    formula = session.book.defined_name(name)
    if formula is None:
        # A block that is gone already is what the plan wants.
        return
    old = _known_areas(session, name)
    address = join_areas(old).replace("$", "")
    if not session.offer(action, address, say("delete_block", text=block), (_texts(session, old), "")):
        return
    for sheet_name, area in old:
        sheet = session.sheet(sheet_name)
        session.check_protection(sheet, area, "block_id")
        session.clear(sheet, area)
    _strip_leftover(session, old)
    remove_drawings(session, block)
    session.book.set_name(name, None)


def _known_areas(session: SheetSession, name: str) -> list[tuple[str, CellArea]]:
    formula = session.book.defined_name(name)
    areas = parse_areas(formula) if formula else []
    return [(sheet, area) for sheet, area in areas if session.book.entry(sheet) is not None]


def _texts(session: SheetSession, areas: list[tuple[str, CellArea]]) -> str:
    return "\n\n".join(session.texts(session.sheet(name), area) for name, area in areas)


def _strip_leftover(session: SheetSession, old: list[tuple[str, CellArea]]) -> None:
    """Cells of the old block that the new one does not use lose their look too."""
    for name, area in old:
        sheet = session.sheet(name)
        for row, column in [key for key in sheet.cells() if area.has(*key)]:
            is_used = any(owner == name and one.has(row, column) for owner, one in session.written)
            if not is_used and sheet.is_blank(row, column):
                sheet.remove_cell(row, column)
