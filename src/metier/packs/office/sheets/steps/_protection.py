"""Protection of sheets: all cells, or formulas only."""

from typing import Final

from lxml import etree

from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import MAX_COLUMNS
from metier.packs.office.sheets._sentences import SHEET_SENTENCES, say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN, BookStyles

_USUAL_WIDTH: Final = "9.140625"


def set_protection(session: SheetSession, action: OfficeAction) -> None:
    """`set_protection`: cells of a sheet cannot be changed, without a password; `none` takes it away."""
    chosen = action.text("sheet_name")
    sheets = [session.sheet(chosen)] if chosen else list(session.book.sheets())
    if action.text("kind") == "formulas":
        _lock_formulas(session, action, sheets)
        return
    wanted = action.text("kind", "readOnly") != "none"
    for at, sheet in enumerate(sheets, 1):
        found = sheet.root.find(f"{MAIN}sheetProtection")
        is_on = found is not None and found.get("sheet") in ("1", "true")
        if is_on == wanted:
            continue
        if found is not None and any(found.get(name) for name in ("password", "hashValue")):
            raise session.fail("protected", "kind", name=sheet.name)
        words = [_say_protected(session, is_on=one) for one in (is_on, wanted)]
        number = at if len(sheets) > 1 else 0
        if session.offer(action, sheet.name, say("protection", text=sheet.name), (words[0], words[1]), number):
            if wanted:
                _protect(sheet)
            else:
                sheet.drop_child("sheetProtection")


def _say_protected(session: SheetSession, *, is_on: bool) -> str:
    return SHEET_SENTENCES.render("protected_True" if is_on else "protected_False", session.language)


def _protect(sheet: SheetPart) -> None:
    for name in ("sheet", "objects", "scenarios"):
        sheet.child("sheetProtection").set(name, "1")


def _lock_formulas(session: SheetSession, action: OfficeAction, sheets: list[SheetPart]) -> None:
    """Cells with formulas cannot be changed, all others can."""
    chosen = [one for one in sheets if one.formulas]
    if not chosen:
        raise session.fail("no_formulas", "kind")
    for at, sheet in enumerate(chosen, 1):
        found = sheet.root.find(f"{MAIN}sheetProtection")
        if found is not None and any(found.get(name) for name in ("password", "hashValue")):
            raise session.fail("protected", "kind", name=sheet.name)
        before = _say_protected(session, is_on=found is not None and found.get("sheet") in ("1", "true"))
        after = SHEET_SENTENCES.render("protected_formulas", session.language, count=len(sheet.formulas))
        if _is_locked_so(sheet, session.book.styles, is_on=found is not None and found.get("sheet") in ("1", "true")):
            continue
        number = at if len(chosen) > 1 else 0
        if session.offer(action, sheet.name, say("protection", text=sheet.name), (before, after), number):
            _open_lines(sheet, session.book.styles)
            for key in list(sheet.cells()):
                style = session.book.styles.with_lock(sheet.style(*key), is_locked=key in sheet.formulas)
                if style != sheet.style(*key):
                    sheet.set_style(*key, style)
            _protect(sheet)


def _is_locked_so(sheet: SheetPart, styles: BookStyles, *, is_on: bool) -> bool:
    return is_on and all(styles.is_locked(sheet.style(*key)) == (key in sheet.formulas) for key in sheet.cells())


def _open_lines(sheet: SheetPart, styles: BookStyles) -> None:
    """Let cells that are not there yet be written: whole columns, and rows with a look of their own, are unlocked."""
    holder = sheet.child("cols")
    free, made = 1, []
    for one in list(holder):
        first, last = int(one.get("min", "1")), int(one.get("max", "1"))
        made += [] if first <= free else [(free, first - 1)]
        one.set("style", str(styles.with_lock(int(one.get("style", "0")), is_locked=False)))
        free = last + 1
    made += [(free, MAX_COLUMNS)] if free <= MAX_COLUMNS else []
    style = str(styles.with_lock(0, is_locked=False))
    usual = sheet.root.find(f"{MAIN}sheetFormatPr")
    width = _USUAL_WIDTH if usual is None else usual.get("defaultColWidth", _USUAL_WIDTH)
    for low, high in made:
        gap = etree.Element(f"{MAIN}col", min=str(low), max=str(high), width=width, style=style)
        place = next((at for at, one in enumerate(holder) if int(one.get("min", "0")) > low), len(holder))
        holder.insert(place, gap)
    for row in sheet.data.iterchildren(f"{MAIN}row"):
        if row.get("s"):
            row.set("s", str(styles.with_lock(int(row.get("s")), is_locked=False)))
