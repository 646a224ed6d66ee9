"""Pages of printed sheets: paper, margins, repeated rows, header, footer and page numbers."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lxml import etree

from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import BadAddress, parse_area
from metier.packs.office.sheets._printing import fit_to_pages
from metier.packs.office.sheets._sentences import SHEET_SENTENCES, say
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


_PAPERS: Final[Mapping[str, str]] = MappingProxyType({"letter": "1", "a3": "8", "a4": "9", "gbt9704": "9", "a5": "11"})
_SIDES_OF_PAGE: Final = ("left", "right", "top", "bottom")
_USUAL_INCHES: Final[Mapping[str, str]] = MappingProxyType(
    {"left": "0.7", "right": "0.7", "top": "0.75", "bottom": "0.75", "header": "0.3", "footer": "0.3"}
)


def set_page_setup(session: SheetSession, action: OfficeAction) -> None:
    """`set_page_setup`: paper, orientation, margins, scale, repeated rows and print area of a sheet."""
    sheet = session.sheet(action.text("sheet_name"))
    before = _describe(session, sheet)
    wanted = {name: action.text(name) for name in ("orientation", "preset") if action.text(name)}
    titles, area = _title_rows(session, action, sheet), _print_area(session, action, sheet)
    shown = _describe(session, sheet, action)
    if shown == before or not session.offer(action, sheet.name, say("page", text=sheet.name), (before, shown)):
        return
    setup = sheet.child("pageSetup")
    if "orientation" in wanted:
        setup.set("orientation", wanted["orientation"])
    if "preset" in wanted:
        setup.set("paperSize", _PAPERS[wanted["preset"]])
    _set_margins(sheet, action)
    if wide := action.whole("pages_wide"):
        fit_to_pages(sheet, wide, action.whole("pages_tall"))
    if not setup.attrib:
        sheet.root.remove(setup)
    if action.switch("centered") is not None:
        sheet.child("printOptions").set("horizontalCentered", "1" if action.flag("centered") else "0")
    if titles:
        session.book.set_name("_xlnm.Print_Titles", titles, sheet=sheet.name)
    if area:
        session.book.set_name("_xlnm.Print_Area", area, sheet=sheet.name)


def _set_margins(sheet: SheetPart, action: OfficeAction) -> None:
    given = {side: value for side in _SIDES_OF_PAGE if (value := action.size(f"{side}_mm")) is not None}
    if not given:
        return
    margins = sheet.child("pageMargins")
    for name, usual in _USUAL_INCHES.items():
        if margins.get(name) is None:
            margins.set(name, usual)
    for side, value in given.items():
        margins.set(side, f"{value / 25.4:.4g}")


def _title_rows(session: SheetSession, action: OfficeAction, sheet: SheetPart) -> str:
    given = action.text("title_rows")
    found = re.fullmatch(r"(\d+)(?::(\d+))?", given)
    if given and found is None:
        raise session.fail("bad_address", "title_rows", text=given)
    return f"{quote_sheet(sheet.name)}!${found[1]}:${found[2] or found[1]}" if found else ""


def _print_area(session: SheetSession, action: OfficeAction, sheet: SheetPart) -> str:
    given = action.text("print_area").rpartition("!")[2]
    try:
        return f"{quote_sheet(sheet.name)}!{parse_area(given).absolute}" if given else ""
    except BadAddress:
        raise session.fail("bad_address", "print_area", text=given) from None


def _describe(session: SheetSession, sheet: SheetPart, action: OfficeAction | None = None) -> str:
    """The page as it is, or as the step makes it, in words."""
    setup, margins = sheet.root.find(f"{MAIN}pageSetup"), sheet.root.find(f"{MAIN}pageMargins")
    options = sheet.root.find(f"{MAIN}printOptions")
    papers = {number: name for name, number in _PAPERS.items() if name != "gbt9704"}
    facts = {
        "orientation": "" if setup is None else setup.get("orientation", ""),
        "preset": "" if setup is None else papers.get(setup.get("paperSize", ""), ""),
        "pages_wide": "" if setup is None else setup.get("fitToWidth", ""),
        "pages_tall": "" if setup is None else setup.get("fitToHeight", "").replace("0", ""),
        "centered": "" if options is None else {"1": "yes", "0": "no"}.get(options.get("horizontalCentered", ""), ""),
        "title_rows": (session.book.defined_name("_xlnm.Print_Titles", sheet.name) or "").rpartition("!")[2],
        "print_area": (session.book.defined_name("_xlnm.Print_Area", sheet.name) or "").rpartition("!")[2],
    }
    for side in _SIDES_OF_PAGE:
        inches = "" if margins is None else margins.get(side, "")
        facts[side] = f"{float(inches) * 25.4:.0f}" if inches else ""
    if action is not None:
        for name in ("orientation", "preset"):
            facts[name] = action.text(name).replace("gbt9704", "a4") or facts[name]
        facts["pages_wide"] = str(action.whole("pages_wide") or "") or facts["pages_wide"]
        if action.whole("pages_wide"):
            facts["pages_tall"] = str(action.whole("pages_tall") or "")
        if (centered := action.switch("centered")) is not None:
            facts["centered"] = "yes" if centered else "no"
        facts["title_rows"] = _title_rows(session, action, sheet).rpartition("!")[2] or facts["title_rows"]
        facts["print_area"] = _print_area(session, action, sheet).rpartition("!")[2] or facts["print_area"]
        for side in _SIDES_OF_PAGE:
            size = action.size(f"{side}_mm")
            facts[side] = facts[side] if size is None else f"{size:.0f}"
    margins_said = " / ".join(facts.pop(side) or "—" for side in _SIDES_OF_PAGE)
    said = [
        SHEET_SENTENCES.render(f"page_{name}", session.language, value=_word(session, value))
        for name, value in facts.items()
        if value
    ]
    if margins_said.strip("— /"):
        said.append(SHEET_SENTENCES.render("page_margins", session.language, value=margins_said))
    return "\n".join(said)


def _word(session: SheetSession, value: str) -> str:
    known = ("portrait", "landscape", "yes", "no")
    return SHEET_SENTENCES.render(f"word_{value}", session.language) if value in known else value.upper()
