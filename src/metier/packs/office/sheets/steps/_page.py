"""Header, footer and page numbers of printed sheets."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lxml import etree

from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN

_NUMBERS: Final[Mapping[str, str]] = MappingProxyType(
    {"plain": "&P", "dashes": "— &P —", "of_total": "&P / &N", "page_n": "第 &P 页"}
)
_SIDES: Final[Mapping[str, str]] = MappingProxyType({"left": "&L", "center": "&C", "right": "&R", "outside": "&R"})


def set_header(session: SheetSession, action: OfficeAction) -> None:
    _set(session, action, "oddHeader", _text(action), "header")


def set_footer(session: SheetSession, action: OfficeAction) -> None:
    _set(session, action, "oddFooter", _text(action), "footer")


def set_page_numbers(session: SheetSession, action: OfficeAction) -> None:
    code = _SIDES[action.text("alignment", "center")] + _NUMBERS[action.text("format", "plain")]
    is_header = action.text("position", "footer") == "header"
    _set(session, action, "oddHeader" if is_header else "oddFooter", code, "header" if is_header else "footer")


def _text(action: OfficeAction) -> str:
    # An ampersand begins a code of the page; a doubled one is a plain one.
    side = _SIDES.get(action.text("alignment", "center"), "&C")
    return side + action.text("text").replace("&", "&&")[:250]


def _set(session: SheetSession, action: OfficeAction, name: str, code: str, kind: str) -> None:
    chosen = action.text("sheet_name")
    sheets = (
        [session.sheet(chosen)] if chosen else [one for one in session.book.sheets() if one.used_area() is not None]
    )
    for at, sheet in enumerate(sheets, 1):
        before = _current(sheet, name)
        if before == code:
            continue
        number = at if len(sheets) > 1 else 0
        if session.offer(action, sheet.name, say(kind, text=sheet.name), (before, code), number):
            holder = sheet.child("headerFooter")
            found = holder.find(f"{MAIN}{name}")
            if found is None:
                found = etree.Element(f"{MAIN}{name}")
                holder.insert(0 if name == "oddHeader" else (1 if _current(sheet, "oddHeader") else 0), found)
            found.text = code


def _current(sheet: SheetPart, name: str) -> str:
    found = sheet.root.find(f"{MAIN}headerFooter/{MAIN}{name}")
    return "" if found is None else found.text or ""
