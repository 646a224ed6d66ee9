"""Sheets of a workbook: renamed, deleted, copied, their tabs coloured."""

import copy
import re
from typing import Final

from lxml import etree

from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.files import XmlElement
from metier.packs.office.ooxml import name_color, parse_color
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._references import map_references, rename_in_references
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets._workbook import RELATION, is_sheet_name, parse_areas

# Relations of a sheet that a copy does without: how one printer was set.
_OWN_ONLY: Final = frozenset({"printerSettings"})
_EXCEL: Final = "{http://schemas.microsoft.com/office/excel/2006/main}"


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
    if not [one for one in session.book.entries() if one.state == "visible" and one.name != sheet.name]:
        raise session.fail("last_sheet", "sheet_name", name=sheet.name)
    readers = [other.name for other in session.book.sheets() if other is not sheet and _reads(other.root, sheet.name)]
    readers += _list_used_names(session, sheet)
    if readers:
        raise session.fail("sheet_is_read", "sheet_name", name=sheet.name, known=readers)
    used = sheet.used_area()
    before = session.texts(sheet, used, 20) if used is not None else ""
    if session.offer(action, sheet.name, say("delete_sheet", text=sheet.name), (before, "")):
        session.book.delete_sheet(sheet.name)
        session.sheet_name = session.book.active.name
        session.formulas_changed = True


def _list_used_names(session: SheetSession, sheet: SheetPart) -> list[str]:
    """Names of cells of a sheet that formulas or rules of other sheets use."""
    tags = [f"{MAIN}{name}" for name in ("f", "formula", "formula1", "formula2")]
    others = [one for one in session.book.sheets() if one is not sheet]
    texts = "\n".join(element.text or "" for one in others for element in one.root.iter(*tags))
    named = [
        name
        for name, formula in session.book.names().items()
        if any(owner.lower() == sheet.name.lower() for owner, _ in parse_areas(formula))
    ]
    return [name for name in named if re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.(])", texts, re.IGNORECASE)]


def copy_sheet(session: SheetSession, action: OfficeAction) -> None:
    """Add a sheet with the same cells, looks and rules; one with drawings, tables or comments is refused."""
    sheet, new = session.sheet(action.text("sheet_name")), action.text("new_name").strip()
    if not is_sheet_name(new) or session.book.entry(new) is not None:
        raise session.fail("bad_sheet_name", "new_name", name=new)
    _check_structure(session)
    relations = session.book.parts.relationships(sheet.part)
    if any(one.type.rpartition("/")[2] not in _OWN_ONLY for one in relations):
        raise session.fail("not_copied", "sheet_name", name=sheet.name)
    used = sheet.used_area()
    shown = session.texts(sheet, used, 20) if used is not None else ""
    if not session.offer(action, new, say("copy_sheet", text=sheet.name, other=new), ("", shown)):
        return
    sheet.spell_out_formulas()
    root = copy.deepcopy(sheet.root)
    for view in root.iterfind(f"{MAIN}sheetViews/{MAIN}sheetView"):
        view.attrib.pop("tabSelected", None)
    for setup in root.iterfind(f"{MAIN}pageSetup"):
        setup.attrib.pop(RELATION, None)
    kept = [f"{MAIN}{name}" for name in ("f", "formula", "formula1", "formula2")]
    for formula in root.iter(f"{_EXCEL}f", *kept):
        formula.text = map_references(formula.text or "", lambda name, rest: _follow(name, rest, sheet.name, new))
    session.book.add_sheet(new, root)
    session.formulas_changed = True


def _follow(name: str | None, rest: str, old: str, new: str) -> str:
    sheet = new if (name or "").lower() == old.lower() else name
    return rest if sheet is None else f"{quote_sheet(sheet)}!{rest}"


def set_tab_color(session: SheetSession, action: OfficeAction) -> None:
    """Colour the tab of a sheet."""
    sheet, color = session.sheet(action.text("sheet_name")), parse_color(action.text("color"))
    if not color:
        raise session.fail("bad_color", "color", text=action.text("color"))
    found = sheet.root.find(f"{MAIN}sheetPr/{MAIN}tabColor")
    before = "" if found is None else str(found.get("rgb", ""))[-6:]
    if before == color:
        return
    shown = (name_color(before, session.language), name_color(color, session.language))
    if session.offer(action, sheet.name, say("tab_color", text=sheet.name), shown):
        holder = sheet.child("sheetPr")
        if found is not None:
            holder.remove(found)
        holder.insert(0, etree.Element(f"{MAIN}tabColor", rgb=f"FF{color}"))


def _check_structure(session: SheetSession) -> None:
    found = session.book.root.find(f"{MAIN}workbookProtection")
    if found is not None and found.get("lockStructure") in ("1", "true"):
        raise session.fail("structure_locked", "sheet_name")


def _reads(root: XmlElement, name: str) -> bool:
    found: list[str] = []

    def _note(sheet: str | None, rest: str) -> str:
        found.append((sheet or "").lower())
        return rest

    for element in root.iter(f"{MAIN}f"):
        map_references(element.text or "", _note)
    return name.lower() in found
