"""Orders about cells that are marked by their value, and about formulas that become values."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.orders._context import DELETE, OrderContext, step
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._view import (
    SheetPlace,
    choose_table,
    column_letters,
    take_columns,
    take_sheet,
)

__all__ = ["MARKED_RULES"]

_COUNT: Final = r"(\d{1,3}|[一二两三四五六七八九十]{1,3}|two|three|four|five|six|seven|eight|nine|ten)"
_NUMBERS: Final = (
    r"(?:所有|全部|每个)?(?:的)?(?:数字|数值|金额)列|\b(?:in )?(?:all|every|each)(?: the| of the)? (?:numeric|"
    r"number|amount) columns?\b"
)
_LAST_NUMBERS: Final = r"最后(?:一个|一)?(?:数字|数值)列|\b(?:the )?last (?:numeric|number) column\b"


def _take_number_columns(text: RequestText, place: SheetPlace, *, with_codes: bool = False) -> list[int]:
    """Columns with numbers that the order names; all of them if it names none."""
    numbers = [one for one in place.columns if place.is_number(one) and (with_codes or not place.is_code(one))]
    if text.take(_LAST_NUMBERS):
        return numbers[-1:]
    is_all = bool(text.take(_NUMBERS))
    columns = [] if is_all else take_columns(text, place)
    if any(one not in numbers for one in columns):
        raise OrderUnclear("no_numbers", text=place.table.header(columns[0]))
    return columns or numbers


def _take_mark(text: RequestText) -> dict[str, JsonValue]:
    """Colours and weight of a mark; empty if the order names none, or more than a mark can show."""
    look = take_look(text)
    if not look or set(look) - {"fill", "color", "bold"} or look.get("fill") == "":
        return {}
    return {"fill_color": look.get("fill"), "font_color": look.get("color"), "bold": look.get("bold")}


def _negatives(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Negative numbers get a look, also those that come later: 负数标红."""
    if not text.take(
        r"(?:凡是|只要是|所有|全部|里面)?的?(?:负数|负值|负的(?:数字?|金额|值)?|小于(?:零|0)的?(?:数字?|金额|值)?)|"
        r"\b(?:all |any |every |the )*(?:negatives?(?: (?:numbers?|values?|amounts?|figures?|ones?))?|minus (?:numbers|"
        r"values|amounts))\b"
    ) or text.has(r"括号|括起来|格式|小数|\b(?:brackets|parenthes[ei]s|format|decimals?)\b"):
        return None
    mark = _take_mark(text)
    if not mark:
        return None
    place = choose_table(context.reading, text)
    columns = _take_number_columns(text, place, with_codes=True)
    text.take_all(
        r"标(?:出来?|记|注|成)?|显示|单元格|数字|列|\b(?:mark|flag|show|highlight|cells?|columns?|in|numbers)\b"
    )
    if not columns:
        raise OrderUnclear("no_column", known=place.headers())
    return [
        step(
            "set_conditional_format",
            range=place.column_area(one, with_totals=True),
            rule_type="cell_value",
            operator="less_than",
            formula1="0",
            clear_existing=False,
            **mark,
        )
        for one in columns
    ]


def _largest(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """The largest or smallest values of a column get a look: 金额前三名标绿."""
    found = text.take(
        rf"(?:最大|最高|最多)的?(?:前)?{_COUNT}\s*(?:个|名|位|项|条|笔)(?:数字?|数值|值|金额)?|"
        rf"前{_COUNT}\s*(?:名|大|高)"
        rf"(?:的)?(?:数字?|数值|值)?|(?P<low>(?:最小|最低|最少)的?(?:前)?{_COUNT}\s*(?:个|名|位|项|条|"
        rf"笔)(?:数字?|数值|值|金额)?|"
        rf"后{_COUNT}\s*名)|"
        rf"\b(?:the )?(?:top|largest|biggest|highest) {_COUNT}(?: (?:values?|numbers?|amounts?|figures?|cells))?\b|"
        rf"\b(?P<few>(?:the )?(?:bottom|smallest|lowest) {_COUNT}(?: (?:values?|numbers?|amounts?|figures?|cells))?)\b"
    )
    if found is None or text.has(rf"{DELETE}|筛|排序|\b(?:filter|sort|rows?|copy|list|only|chart)\b|图|整行|表头"):
        return None
    mark = _take_mark(text)
    if not mark:
        return None
    place = choose_table(context.reading, text)
    columns = _take_number_columns(text, place)
    text.take_all(
        r"标(?:出来?|记|注|成)?|显示|单元格|数字|数值|列|[,，]|\b(?:mark|flag|show|highlight|cells?|columns?|in|"
        r"of|values?)\b"
    )
    if len(columns) != 1:
        raise OrderUnclear("no_column", known=tuple(place.table.header(one) for one in columns) or place.headers())
    is_low = bool(found["low"] or found["few"])
    words = [one for one in found.groups() if one and one not in (found["low"], found["few"])]
    count = int(words[0]) if words[0].isdigit() else read_count(words[0]) or 0
    name, body = column_letters(columns[0]), place.table.body
    if not 1 <= count <= len(body):
        raise OrderUnclear("no_value")
    function = "SMALL" if is_low else "LARGE"
    return [
        step(
            "set_conditional_format",
            range=place.column_area(columns[0]),
            rule_type="cell_value",
            operator="less_or_equal" if is_low else "greater_or_equal",
            formula1=f"={function}(${name}${body[0]}:${name}${body[-1]},{count})",
            clear_existing=False,
            **mark,
        )
    ]


def _show_whole(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Amounts shown without their fractions, which stay: round to whole pounds but keep the pennies underneath."""
    kept = (
        r"[,，]?\s*(?:but |and )?(?:still )?(?:keep(?:ing)?|leave|leaving) (?:the |all )*(?:pennies|pence|cents|"
        r"decimals|fractions|"
        r"real (?:values|numbers)|exact (?:values|amounts)) (?:underneath|behind(?: it)?|in the cells?|stored|"
        r"there|in the background)|"
        r"[,，]?\s*(?:但是?)?(?:角分|小数|原值|原数|实际值)(?:要|都|还)*(?:保留|还在|留着|别丢|"
        r"不能丢)(?:着)?(?:在里面)?"
    )
    if not text.has(kept):
        return None
    found = text.take(
        r"\b(?:round|show|display)(?: (?P<all>everything|all|it all))?(?=.*\bwhole (?:pounds|dollars|euros|yuan)\b)|"
        r"(?:都|全部|全)?(?:显示|四舍五入|取)(?:成|到|为)?(?:整元|整数|元)"
    )
    money = text.take(r"\b(?:to|as|in)? ?(?:the nearest )?whole (pounds|dollars|euros|yuan)\b")
    if found is None or (money is None and found[0].isascii()):
        return None
    text.take(kept)
    place = choose_table(context.reading, text)
    columns = _take_number_columns(text, place)
    if len(columns) != 1:
        raise OrderUnclear("no_column", known=tuple(place.table.header(one) for one in columns) or place.headers())
    sign = {"pounds": '"£"', "dollars": '"$"', "euros": '"€"', "yuan": '"¥"'}[money[1].lower()] if money else ""
    area = place.column_area(columns[0], with_totals=True)
    return [step("set_number_format", range=area, number_format=f"{sign}#,##0")]


def _to_values(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Formulas become what they show: 把公式都转成数值."""
    if not text.take(
        r"(?:所有|全部|里面)?的?公式(?:都|全部|全)?(?:转换?|变|改|换|粘贴?|固定)(?:成|为)?(?:数值|值|数字|固定值|"
        r"结果|死数)|"
        r"(?:去掉|删掉|去除|不要)(?:所有|全部)?的?公式[,，]?(?:只)?(?:保?留)(?:下)?(?:数值|值|数字|结果)|"
        r"\b(?:turn|convert|change|replace|make) (?:all |every |the |of )*formulas? (?:in)?(?:to|with|by) (?:their |"
        r"plain |fixed |static |current |the )*(?:values?|results?|numbers?)\b|"
        r"\bpaste (?:everything |it |all )?as values\b|\b(?:values only|formulas to values)\b"
    ):
        return None
    named = take_sheet(context.reading, text)
    text.take_all(r"单元格|\b(?:cells?|in)\b")
    cells: list[JsonValue] = []
    for sheet in context.reading.sheets:
        for cell in sheet.cells if not named or sheet.name == named else ():
            if not cell.formula:
                continue
            value = cell.value
            is_plain = isinstance(value, bool | int | float) or (
                isinstance(value, str) and not re.match(r"#|=|\d{4}-\d\d-\d\d|\d\d:\d\d", value)
            )
            if not is_plain:  # never calculated, an error, or a moment
                raise OrderUnclear("open_formulas", text=f"{sheet.name}!{cell.address}")
            cells.append({"cell": f"{quote_sheet(sheet.name)}!{cell.address.rpartition('!')[2]}", "value": value})
    if not cells:
        raise OrderUnclear("no_formulas")
    return [step("set_cells", cells=cells)]


MARKED_RULES: Final = (_to_values, _show_whole, _negatives, _largest)
