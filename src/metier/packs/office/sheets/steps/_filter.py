"""Auto filters: the rule is kept in the file, and rows that do not meet it are hidden."""

import re
from typing import Final

from lxml import etree

from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import MAX_ROWS, BadAddress, CellArea, parse_area
from metier.packs.office.sheets._sentences import say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets.formulas import UnknownFormat, filter_test, format_value

_CRITERION: Final = re.compile(r"(<=|>=|<>|=|<|>)?(.*)", re.DOTALL)
_NAMES: Final = (
    ("<=", "lessThanOrEqual"),
    (">=", "greaterThanOrEqual"),
    ("<>", "notEqual"),
    ("<", "lessThan"),
    (">", "greaterThan"),
)


def filter_range(session: SheetSession, action: OfficeAction) -> None:
    """Show only the rows that meet the criteria; the first row of the range is its head."""
    sheet, area = session.find(action.text("range"), "range")
    used = sheet.used_area()
    if used is None or not used.meets(area):
        raise session.fail("no_data", "range", text=area.text)
    if area.bottom == MAX_ROWS:
        area = CellArea(max(area.top, used.top), area.left, used.bottom, area.right)
    field = action.whole("field", 1)
    if not 1 <= field <= area.width:
        raise session.fail("bad_field", "field", text=area.text, field=field)
    session.check_protection(sheet, CellArea(area.top, area.left, area.top, area.left), "range")
    rule = _rule(action, field, area)
    hidden = _rows_to_hide(session, sheet, area, action)
    address = session.address(sheet, area)
    known = _holder(session, sheet, area)
    is_same = known is not None and known.get("ref") == area.text and _same(known, rule)
    now_hidden = {row for row in range(area.top + 1, area.bottom + 1) if sheet.is_row_hidden(row)}
    if is_same and now_hidden == hidden:
        return
    after = " ".join(action.text(one) for one in ("criteria1", "operator", "criteria2")).strip()
    if session.offer(action, address, say("filter", text=address), ("", after)):
        _write(session, sheet, area, rule)
        _hide(sheet, area, hidden, now_hidden)
        for row in hidden ^ now_hidden:
            for column in range(area.left, area.right + 1):
                session.note(sheet, row, column)


def _rule(action: OfficeAction, field: int, area: CellArea) -> etree._Element:
    rule = etree.Element(f"{MAIN}autoFilter", ref=area.text)
    if not action.text("criteria1") and not action.text("criteria2"):
        return rule  # the buttons alone: all rows are shown
    column = etree.SubElement(rule, f"{MAIN}filterColumn", colId=str(field - 1))
    if not action.flag("visible_dropdown", True):
        column.set("hiddenButton", "1")
    criteria = [one for one in (action.text("criteria1"), action.text("criteria2")) if one]
    if len(criteria) == 1 and _is_plain(criteria[0]):
        filters = etree.SubElement(column, f"{MAIN}filters")
        etree.SubElement(filters, f"{MAIN}filter", val=criteria[0].removeprefix("="))
        return rule
    customs = etree.SubElement(column, f"{MAIN}customFilters")
    if len(criteria) > 1 and action.text("operator", "and") == "and":
        customs.set("and", "1")
    for text in criteria or [""]:
        found = _CRITERION.fullmatch(text)
        operator, value = (found[1] or "", found[2]) if found else ("", text)
        name = dict(_NAMES).get(operator)
        item = etree.SubElement(customs, f"{MAIN}customFilter")
        if name:
            item.set("operator", name)
        item.set("val", value or " " if operator == "<>" and not value else value)
    return rule


def _is_plain(text: str) -> bool:
    return not text.startswith(("<", ">")) and not any(char in text for char in "*?") and bool(text.removeprefix("="))


def _same(known: etree._Element, rule: etree._Element) -> bool:
    """Whether a filter in the file has the columns of this one."""

    def _shape(item: etree._Element) -> tuple[object, ...]:
        return item.tag, tuple(sorted(item.attrib.items())), tuple(_shape(one) for one in item)

    return [_shape(one) for one in known] == [_shape(one) for one in rule]


def _rows_to_hide(session: SheetSession, sheet: SheetPart, area: CellArea, action: OfficeAction) -> set[int]:
    column = area.left + action.whole("field", 1) - 1
    tests = [filter_test(text) for text in (action.text("criteria1"), action.text("criteria2")) if text]
    needs_all = action.text("operator", "and") == "and"
    hidden = set()
    for row in range(area.top + 1, area.bottom + 1):
        value = sheet.value(row, column)
        try:
            code = session.book.styles.number_format(sheet.style(row, column))
            shown = format_value(value, code, is_1904=session.book.is_1904)
        except UnknownFormat:
            shown = format_value(value, "General")
        results = [test(value, shown) for test in tests]
        if results and not (all(results) if needs_all else any(results)):
            hidden.add(row)
    return hidden


def _holder(session: SheetSession, sheet: SheetPart, area: CellArea) -> etree._Element | None:
    """Filter of the table that the range is in, or of the sheet."""
    for table in session.book.tables():
        if table.sheet == sheet.name and table.area.meets(area):
            found = session.book.parts.xml(table.part).find(f"{MAIN}autoFilter")
            return None if found is None else found
    return sheet.root.find(f"{MAIN}autoFilter")


def _write(session: SheetSession, sheet: SheetPart, area: CellArea, rule: etree._Element) -> None:
    known = _holder(session, sheet, area)
    if known is not None and known.getparent() is not sheet.root:
        for one in list(known):
            known.remove(one)
        known.extend(list(rule))
        return
    if known is not None:
        try:
            old = parse_area(str(known.get("ref")))
            for row in range(old.top + 1, min(old.bottom, old.top + 200_000) + 1):
                _show(sheet, row)
        except BadAddress:
            pass
        sheet.root.remove(known)
    sheet.insert_child(rule)
    # Programs find the range of a filter by this hidden name.
    formula = f"{quote_sheet(sheet.name)}!{area.absolute}"
    session.book.set_name("_xlnm._FilterDatabase", formula, sheet=sheet.name, is_hidden=True)


def _hide(sheet: SheetPart, area: CellArea, hidden: set[int], before: set[int]) -> None:
    for row in sorted(hidden):
        sheet.row(row).set("hidden", "1")
    for row in sorted(before - hidden):
        if area.top < row <= area.bottom:
            _show(sheet, row)


def _show(sheet: SheetPart, row: int) -> None:
    found = sheet.find_row(row)
    if found is not None:
        found.attrib.pop("hidden", None)
