"""Texts within cells: replaced, or filled in for `{{name}}`."""

import re
from typing import Final

from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import CellArea
from metier.packs.office.sheets._cell_values import to_cell_value
from metier.packs.office.sheets._read import show_value
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart

_FIELD: Final = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}|\$\{\s*([^{}]+?)\s*\}")


def replace_text(session: SheetSession, action: OfficeAction) -> None:
    """Replace text in cells that hold a text; formulas and numbers are not touched."""
    wanted = re.escape(action.text("find_text"))
    pattern = re.compile(
        rf"\b{wanted}\b" if action.flag("whole_word") else wanted,
        0 if action.flag("case_sensitive", True) else re.IGNORECASE,
    )
    new_text = action.text("replace_text")
    only = action.whole("occurrence")
    limit, seen, number = action.whole("max_matches", 50), 0, 0
    for sheet, area, text in _texts(session, action.text("address")):
        if not pattern.search(text):
            continue
        seen += 1
        if (only and seen != only) or seen > limit:
            continue
        number += 1
        _offer_text(session, action, (sheet, area), pattern.sub(lambda _: new_text, text), number)
    if not seen and not any(new_text and new_text in text for _, _, text in _texts(session, action.text("address"))):
        raise session.fail("no_match", "find_text", text=action.text("find_text"))


def _texts(session: SheetSession, address: str) -> list[tuple[SheetPart, CellArea, str]]:
    """Cells with a text of their own, in reading order."""
    sheets = list(session.book.sheets())
    within = None
    if address:
        sheet, within = session.find(address, "address")
        sheets = [sheet]
    found = []
    for sheet in sheets:
        for row, column in sorted(sheet.cells()):
            if within is not None and not within.has(row, column):
                continue
            value = sheet.value(row, column)
            if isinstance(value, str) and (row, column) not in sheet.formulas:
                found.append((sheet, CellArea(row, column, row, column), value))
    return found


def _offer_text(
    session: SheetSession, action: OfficeAction, place: tuple[SheetPart, CellArea], text: str, number: int
) -> None:
    sheet, area = place
    before = show_value(sheet.value(area.top, area.left))
    if text == before:
        return
    session.check_writable(sheet, area, "find_text" if action.op == "replace_text" else "values")
    address = session.address(sheet, area)
    if session.offer(action, address, say("replace", text=address), (before, text), number):
        session.put(sheet, area.top, area.left, to_cell_value(text, reads_text=False))


def fill_template(session: SheetSession, action: OfficeAction) -> None:
    """Fill `{{name}}` in cells; a cell that is only a name takes the value as it is, a number as a number."""
    given = action.fields.get("values")
    values = given if isinstance(given, dict) else {}
    missing_mode = action.text("missing", "keep")
    missing: set[str] = set()
    number = 0
    for sheet, area, text in _texts(session, ""):
        names = [one or other for one, other in _FIELD.findall(text)]
        if not names:
            continue
        missing.update(name for name in names if name not in values)

        def _fill(found: re.Match[str]) -> str:
            name = found[1] or found[2]
            if name in values:
                value = values[name]
                return "" if value is None else str(value)
            return "" if missing_mode == "blank" else found[0]

        number += 1
        whole = _FIELD.fullmatch(text)
        if whole and names[0] in values and not isinstance(values[names[0]], str):
            new = to_cell_value(values[names[0]], reads_text=False)
            address = session.address(sheet, area)
            session.check_writable(sheet, area, "values")
            title = say("replace", text=address)
            if session.offer(action, address, title, (text, show_value(new.value, new.number_format)), number):
                session.put(sheet, area.top, area.left, new)
        else:
            _offer_text(session, action, (sheet, area), _FIELD.sub(_fill, text), number)
    if missing and missing_mode == "refuse":
        raise session.fail("missing_values", "values", names=sorted(missing))
    if missing:
        session.warn("missing_values", names=sorted(missing))
