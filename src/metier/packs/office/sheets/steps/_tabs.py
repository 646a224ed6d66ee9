"""Sheets of a workbook: renamed and deleted."""

from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._references import map_references, rename_in_references
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets._workbook import is_sheet_name


def rename_sheet(session: SheetSession, action: OfficeAction) -> None:
    """Give a sheet another name; formulas, names and charts that mean it follow."""
    sheet = session.sheet(action.text("sheet_name"))
    new = action.text("new_name").strip()
    if sheet.name == new:
        return
    taken = session.book.entry(new)
    if not is_sheet_name(new) or (taken is not None and taken.name != sheet.name):
        raise session.fail("bad_sheet_name", "new_name", name=new)
    _check_structure(session)
    if session.offer(action, sheet.name, say("rename_sheet", text=sheet.name, other=new), (sheet.name, new)):
        old = sheet.name
        rename_in_references(session.book, old, new)
        session.book.rename(old, new)
        if session.sheet_name == old:
            session.sheet_name = new


def delete_sheet(session: SheetSession, action: OfficeAction) -> None:
    """Delete a sheet that no formula of another one reads."""
    sheet = session.sheet(action.text("sheet_name"))
    _check_structure(session)
    if len([one for one in session.book.entries() if one.state == "visible"]) < 2:
        raise session.fail("last_sheet", "sheet_name", name=sheet.name)
    readers = [other.name for other in session.book.sheets() if other is not sheet and _reads(other.root, sheet.name)]
    if readers:
        raise session.fail("sheet_is_read", "sheet_name", name=sheet.name, known=readers)
    used = sheet.used_area()
    before = session.texts(sheet, used, 20) if used is not None else ""
    if session.offer(action, sheet.name, say("delete_sheet", text=sheet.name), (before, "")):
        session.book.delete_sheet(sheet.name)
        session.sheet_name = session.book.active.name
        session.formulas_changed = True


def _check_structure(session: SheetSession) -> None:
    found = session.book.root.find(f"{MAIN}workbookProtection")
    if found is not None and found.get("lockStructure") in ("1", "true"):
        raise session.fail("structure_locked", "sheet_name")


def _reads(root: object, name: str) -> bool:
    found: list[str] = []

    def _note(sheet: str | None, rest: str) -> str:
        found.append((sheet or "").lower())
        return rest

    for element in root.iter(f"{MAIN}f"):  # type: ignore[attr-defined]
        map_references(element.text or "", _note)
    return name.lower() in found
