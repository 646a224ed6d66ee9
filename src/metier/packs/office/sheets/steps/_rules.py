"""Conditional formats and data validation."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from lxml import etree

from metier.json_values import JsonValue
from metier.packs.office._look_text import describe_look
from metier.packs.office.ooxml import parse_color
from metier.packs.office.plan import OfficeAction
from metier.packs.office.sheets._addresses import BadAddress, CellArea, parse_area
from metier.packs.office.sheets._sentences import SHEET_SENTENCES, say
from metier.packs.office.sheets._session import SheetSession
from metier.packs.office.sheets._sheet import SheetPart
from metier.packs.office.sheets._styles import MAIN
from metier.packs.office.sheets.formulas import parse_date, prefix_functions, to_serial

_OPERATORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "between": "between",
        "not_between": "notBetween",
        "equal": "equal",
        "not_equal": "notEqual",
        "greater_than": "greaterThan",
        "less_than": "lessThan",
        "greater_or_equal": "greaterThanOrEqual",
        "less_or_equal": "lessThanOrEqual",
    }
)
_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "list": "list",
        "whole_number": "whole",
        "decimal": "decimal",
        "date": "date",
        "time": "time",
        "text_length": "textLength",
        "custom": "custom",
    }
)
_USUAL_FILL: Final = "FFC7CE"
_USUAL_COLOR: Final = "9C0006"
_X14: Final = "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}"
_XM: Final = "{http://schemas.microsoft.com/office/excel/2006/main}"
_TIME: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")


def set_conditional_format(session: SheetSession, action: OfficeAction) -> None:
    sheet, area = session.find(action.text("range"), "range")
    session.check_protection(sheet, CellArea(area.top, area.left, area.top, area.left), "range")
    kind = action.text("rule_type", "color_scale")
    build = {"color_scale": _color_scale, "data_bar": _data_bar}.get(kind, _cell_rule)
    rule = build(session, action)
    address = session.address(sheet, area)
    code = f"rule_{kind}" if kind != "cell_value" else f"rule_{action.text('operator') or 'greater_than'}"
    look = describe_look(_rule_look(action), session.language)
    values = {"one": action.text("formula1"), "two": action.text("formula2"), "look": look}
    after = SHEET_SENTENCES.render(code, session.language, **values)
    if _has_rule(sheet, area, rule) or not session.offer(action, address, say("rule", text=address), ("", after)):
        return
    if action.flag("clear_existing", True):
        _clear_rules(sheet, area)
    holder = etree.Element(f"{MAIN}conditionalFormatting", sqref=area.text)
    holder.append(rule)
    numbers = [int(one.get("priority", "0")) for one in sheet.root.iter(f"{MAIN}cfRule")]
    rule.set("priority", str(max([0, *numbers]) + 1))
    sheet.insert_child(holder)


def _has_rule(sheet: SheetPart, area: CellArea, rule: etree._Element) -> bool:
    """Whether the range has exactly this rule already."""
    for holder in sheet.root.findall(f"{MAIN}conditionalFormatting"):
        if holder.get("sqref") == area.text and len(holder) == 1 and _plain(holder[0]) == _plain(rule):
            return True
    return False


def _plain(rule: etree._Element) -> tuple[object, ...]:
    attributes = sorted((name, value) for name, value in rule.attrib.items() if name != "priority")
    return rule.tag, tuple(attributes), (rule.text or "").strip(), tuple(_plain(one) for one in rule)


def _color_scale(session: SheetSession, action: OfficeAction) -> etree._Element:
    rule = etree.Element(f"{MAIN}cfRule", type="colorScale", priority="1")
    scale = etree.SubElement(rule, f"{MAIN}colorScale")
    low = _color(session, action, "min_color") or "F8696B"
    middle = _color(session, action, "mid_color")
    high = _color(session, action, "max_color") or "63BE7B"
    etree.SubElement(scale, f"{MAIN}cfvo", type="min")
    if middle:
        etree.SubElement(scale, f"{MAIN}cfvo", type="percentile", val="50")
    etree.SubElement(scale, f"{MAIN}cfvo", type="max")
    for color in (low, middle, high):
        if color:
            etree.SubElement(scale, f"{MAIN}color", rgb=f"FF{color}")
    return rule


def _data_bar(session: SheetSession, action: OfficeAction) -> etree._Element:
    rule = etree.Element(f"{MAIN}cfRule", type="dataBar", priority="1")
    bar = etree.SubElement(rule, f"{MAIN}dataBar")
    for kind in ("min", "max"):
        etree.SubElement(bar, f"{MAIN}cfvo", type=kind)
    etree.SubElement(bar, f"{MAIN}color", rgb=f"FF{_color(session, action, 'fill_color') or '638EC6'}")
    return rule


def _cell_rule(session: SheetSession, action: OfficeAction) -> etree._Element:
    operator = action.text("operator") or "greater_than"
    first, second = action.text("formula1"), action.text("formula2")
    if not first or (operator in ("between", "not_between") and not second):
        raise session.fail(
            "bad_validation", "formula2" if first else "formula1", field="formula2" if first else "formula1"
        )
    fill, color = _color(session, action, "fill_color"), _color(session, action, "font_color")
    bold = action.switch("bold")
    if not _has_look(action):
        fill, color = _USUAL_FILL, _USUAL_COLOR
    look = session.book.styles.add_difference(fill=fill, color=color, is_bold=bold)
    rule = etree.Element(f"{MAIN}cfRule", type="cellIs", dxfId=str(look), priority="1", operator=_OPERATORS[operator])
    for text in (first, second):
        if text:
            etree.SubElement(rule, f"{MAIN}formula").text = _criterion(session, text)
    return rule


def _has_look(action: OfficeAction) -> bool:
    return bool(action.text("fill_color") or action.text("font_color")) or action.switch("bold") is not None


def _rule_look(action: OfficeAction) -> Mapping[str, JsonValue]:
    """Look of the cells that a rule finds, as it is named before it is written."""
    if not _has_look(action):
        return {"fill_color": _USUAL_FILL, "color": _USUAL_COLOR}
    named = {"fill_color": action.text("fill_color"), "color": action.text("font_color"), "bold": action.switch("bold")}
    return {name: value for name, value in named.items() if value not in ("", None)}


def _criterion(session: SheetSession, text: str) -> str:
    """Number, formula or text in quotes, as rules keep it."""
    plain = text.strip()
    if plain.startswith("="):
        return prefix_functions(plain)
    try:
        float(plain)
    except ValueError:
        moment = parse_date(plain)
        if moment is not None:
            return f"{to_serial(moment, is_1904=session.book.is_1904):g}"
        if plain.startswith('"') and plain.endswith('"'):
            return plain
        return '"' + plain.replace('"', '""') + '"'
    return plain


def _color(session: SheetSession, action: OfficeAction, name: str) -> str:
    text = action.text(name)
    if not text:
        return ""
    color = parse_color(text)
    if color is None:
        raise session.fail("bad_color", name, text=text)
    return color


def _clear_rules(sheet: SheetPart, area: CellArea) -> None:
    """Remove rules from a range; where a rule covers more, the rest keeps it."""
    for holder in sheet.root.findall(f"{MAIN}conditionalFormatting"):
        if _subtract(holder, "sqref", area):
            sheet.root.remove(holder)
    for holder in list(sheet.root.iter(f"{_X14}conditionalFormatting")):
        reference = holder.find(f"{_XM}sqref")
        if reference is None:
            continue
        left = _cut_area(reference.text or "", area)
        if left:
            reference.text = left
        else:
            _drop_extension(holder)


def _drop_extension(holder: etree._Element) -> None:
    """Remove an extended rule, and the lists around it that are empty then."""
    parent = holder.getparent()
    parent.remove(holder)
    while parent is not None and not len(parent):
        above = parent.getparent()
        if above is None or etree.QName(parent).localname == "worksheet":
            return
        above.remove(parent)
        parent = above


def _subtract(holder: etree._Element, name: str, area: CellArea) -> bool:
    """Take a range out of a rule's ranges; whether nothing is left."""
    left = _cut_area(str(holder.get(name)), area)
    if left:
        holder.set(name, left)
    return not left


def _cut_area(text: str, area: CellArea) -> str:
    parts: list[CellArea] = []
    for one in text.split():
        try:
            parts.extend(parse_area(one).without(area))
        except BadAddress:
            continue
    before = text.split()
    after = [one.text for one in parts]
    return text if sorted(before) == sorted(after) else " ".join(after)


def set_data_validation(session: SheetSession, action: OfficeAction) -> None:
    sheet, area = session.find(action.text("range"), "range")
    session.check_protection(sheet, CellArea(area.top, area.left, area.top, area.left), "range")
    rule = _validation(session, action, area)
    address = session.address(sheet, area)
    found = sheet.root.find(f"{MAIN}dataValidations")
    if found is not None and any(_plain(one) == _plain(rule) for one in found):
        return
    if not session.offer(action, address, say("validation", text=address), ("", action.text("formula1"))):
        return
    holder = sheet.child("dataValidations")
    for one in holder.findall(f"{MAIN}dataValidation"):
        if _subtract(one, "sqref", area):
            holder.remove(one)
    holder.append(rule)
    holder.set("count", str(len(holder)))


def _validation(session: SheetSession, action: OfficeAction, area: CellArea) -> etree._Element:
    kind = action.text("validation_type", "list")
    rule = etree.Element(f"{MAIN}dataValidation", type=_KINDS[kind])
    operator = action.text("operator") or "between"
    is_pair = operator in ("between", "not_between")
    first, second = action.text("formula1"), action.text("formula2")
    if kind not in ("list", "custom"):
        if operator != "between":
            rule.set("operator", _OPERATORS[operator])
        if is_pair and not second:
            raise session.fail("bad_validation", "formula2", field="formula2")
    for name, flag in (
        ("allowBlank", "allow_blank"),
        ("showInputMessage", "show_input"),
        ("showErrorMessage", "show_error"),
    ):
        if action.flag(flag, True):
            rule.set(name, "1")
    if kind == "list" and not action.flag("in_cell_dropdown", True):
        # The name of this attribute says the opposite of what it does.
        rule.set("showDropDown", "1")
    texts = (
        ("errorTitle", "error_title"),
        ("error", "error_message"),
        ("promptTitle", "input_title"),
        ("prompt", "input_message"),
    )
    for name, flag in texts:
        if action.text(flag):
            rule.set(name, action.text(flag)[: 32 if name.endswith("Title") else 255])
    rule.set("sqref", area.text)
    etree.SubElement(rule, f"{MAIN}formula1").text = _validation_formula(session, kind, first)
    if second and kind not in ("list", "custom") and is_pair:
        etree.SubElement(rule, f"{MAIN}formula2").text = _validation_formula(session, kind, second)
    return rule


def _validation_formula(session: SheetSession, kind: str, text: str) -> str:
    plain = text.strip()
    if plain.startswith("="):
        return prefix_functions(plain)
    if kind == "list":
        return _list_formula(session, plain)
    if kind == "time" and (found := _TIME.fullmatch(plain)):
        return repr((int(found[1]) * 3600 + int(found[2]) * 60 + int(found[3] or 0)) / 86_400)
    if kind == "custom":
        return prefix_functions(plain)
    moment = parse_date(plain)
    return f"{to_serial(moment, is_1904=session.book.is_1904):g}" if moment is not None else prefix_functions(plain)


def _list_formula(session: SheetSession, text: str) -> str:
    """Choices separated by commas of any kind, or a range that holds them."""
    try:
        area = parse_area(text)
    except BadAddress:
        return _quote_choices(session, text)
    return area.absolute if ":" in text else _quote_choices(session, text)


def _quote_choices(session: SheetSession, text: str) -> str:
    if "!" in text and ":" in text:
        return prefix_functions(text)
    choices = [one.strip() for one in re.split(r"[,，;；、\n]", text.strip('"')) if one.strip()]
    joined = ",".join(choices)
    if len(joined) > 255:
        raise session.fail("list_too_long", "formula1")
    return '"' + joined.replace('"', '""') + '"'
