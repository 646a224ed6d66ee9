"""Orders about single cells, their look, names of columns and sheets, and what is printed around them."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.orders._context import ADD, OrderContext, has_order_inside, step, take_old_new
from metier.packs.office.orders._formulas import read_cell_value
from metier.packs.office.orders._literal import match_case, stands_before_value
from metier.packs.office.orders._looks import is_look, take_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._assigned import (
    ASSIGNED_RULES,
    ASSIGNS,
    assigns_again,
    read_called_formula,
    read_value_at,
)
from metier.packs.office.orders.workbooks._new_sheet import NEW_SHEET_RULES
from metier.packs.office.orders.workbooks._view import (
    SheetPlace,
    choose_table,
    column_letters,
    fit_value,
    take_cells,
    take_columns,
    take_rows,
    take_sheet,
)
from metier.packs.office.sheets.formulas import FormulaProblem, parse_formula, prefix_functions

__all__ = ["CELL_RULES"]

_SAYS_NAME: Final = r"名|表头|标题|叫|\b(?:rename|headers?|headings?|names?|titles?|call(?:ed)?)\b"
# What is rather the value or the format of cells than the heading of a column.
_VALUE_LIKE: Final = re.compile(
    r".*(?:格式|形式|样式|类型|\bformats?)|[-+]?\d[\d,.]*\s*(?:[%％万亿千元]|e\d+)?|[#0,.%]+|"
    r"[ymdhs年月日时分秒/.: -]*(?:yy|mm|dd|m[-/月.]d)[ymdhs年月日时分秒/.: -]*|"
    r"(?:数字|数值|文本|日期|货币|百分比|整数)型?|numbers?|text|dates?|currency|percent(?:age)?s?",
    re.IGNORECASE,
)
_NEW: Final = rf"\s*(?P<new>{QUOTED}|[^=\"\ufffc，。;；][^\"\ufffc，。;；]*?)\s*$"


_FORMULA: Final = re.compile(
    rf"^\s*(?:请|把|将|在|单元格|(?:set|change|update|make)\s+(?:the\s+)?(?:cell\s+)?)*(?P<cell>[A-Za-z]{{1,3}}[1-9]\d{{0,6}})"
    rf"(?:\s*单元格|\s*格)?(?:里|中|处)?(?:{ASSIGNS}|的?公式|用)(?:\s*(?:the\s+)?(?:公式|函数|formula))?\s*(?:为|是|[:：])?\s*"
    r"(?P<formula>=[^=。].*?)\s*[。]?\s*$",
    re.IGNORECASE,
)
_NAMES_FORMULA: Final = re.compile(r"(?:the\s+)?(?:公式|函数|formula)\s*[:：]?\s*=", re.IGNORECASE)


def _set_formula(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """E1设为公式=SUM(C2:C4); set E1 to =B1*2."""
    found = _FORMULA.search(text.raw)
    if found is None:
        return None
    try:
        parse_formula(prefix_functions(found["formula"]))
    except FormulaProblem:
        return None
    text.consume(*found.span())
    sheet = next((f"{quote_sheet(one.name)}!" for one in context.reading.sheets if not one.hidden), "")
    return [step("set_cells", cells=[{"cell": f"{sheet}{found['cell'].upper()}", "formula": found["formula"]}])]


def _set_address(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """C2改成1200; put 5 into B3."""
    cell = r"(?<![A-Za-z0-9])(?P<cell>[A-Za-z]{1,3}[1-9]\d{0,6})(?:\s*单元格|\s*格)?"
    zh = rf"(?:把|将|在)?(?:单元格)?{cell}(?:里|中|处)?{ASSIGNS}{_NEW}"
    en = rf"(?:set|change|update|make)\s+(?:the\s+)?(?:cell\s+)?{cell}\s+(?:to|=|as)\s*{_NEW}|"
    other = rf"(?:put|write|enter|type)\s+(?P<new>{QUOTED}|\S+)\s+(?:in|into|to)\s+(?:cell\s+)?{cell}\s*$"
    sheet = take_sheet(context.reading, text)
    for pattern in (zh, en.rstrip("|"), other):
        if found := re.search(pattern, text.mask, re.IGNORECASE):
            value = text.text_of(*found.span("new"))
            if '"' not in found["new"] and (is_look(value) or has_order_inside(value) or _NAMES_FORMULA.match(value)):
                return None
            if '"' not in found["new"] and assigns_again(value):
                return None
            text.consume(*found.span())
            name = sheet or next((one.name for one in context.reading.sheets if not one.hidden), "")
            cell = found["cell"].upper()
            formula = "" if '"' in found["new"] else read_called_formula(value)
            place = f"{quote_sheet(name)}!{cell}" if name else cell
            target: JsonObject = (
                {"cell": place, "formula": formula}
                if formula
                else {"cell": place, "value": read_value_at(context, name, cell, value)}
            )
            return [step("set_cells", cells=[target])]
    return None


def _set_by_key(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """把张三的电话改成138…; change the price of Widget to 12."""
    found = re.search(rf"{ASSIGNS}{_NEW}", text.mask, re.IGNORECASE)
    if found is None:
        return None
    place = choose_table(context.reading, text)
    value = text.text_of(*found.span("new"))
    if '"' not in found["new"] and (is_look(value) or has_order_inside(value)):
        return None
    text.consume(*found.span())
    text.take(r"^\s*\b(?:set|change|update|correct)\b")
    columns = take_columns(text, place)
    rows = take_rows(text, place) or _take_key_rows(text, place, columns)
    if len(columns) != 1 or not rows:
        return None
    if len(rows) > 1:
        raise OrderUnclear("many_places", text=place.table.header(columns[0]), count=len(rows))
    target: JsonObject = {
        "cell": f"{quote_sheet(place.sheet)}!{column_letters(columns[0])}{rows[0]}",
        "value": fit_value(place, columns[0], value),
    }
    text.take_all(r"那一?行|这一?行|行|那个?人?|对应|列|\b(?:row|column|for|of|in)\b|'s\b")
    return [step("set_cells", cells=[target])]


def _take_key_rows(text: RequestText, place: SheetPlace, columns: list[int]) -> list[int]:
    """Rows that have a value which the order names, in any other column."""
    best: tuple[int, list[int], int] | None = None
    for column in place.columns:
        if column in columns:
            continue
        for cell in place.values(column):
            shown = _show_value(cell.value)
            at = text.raw.lower().find(shown.lower()) if shown else -1
            if at < 0 or "\ufffc" in text.mask[at : at + len(shown)] or (len(shown) < 2 and shown.isascii()):
                continue
            if best is None or len(shown) > best[0]:
                rows = [
                    row
                    for row in place.table.body
                    if (one := place.table.cell(row, column)) is not None and _show_value(one.value) == shown
                ]
                best = (len(shown), rows, at)
    if best is None:
        return []
    start, end = best[2], best[2] + best[0]
    if start and text.raw[start - 1] in "“\"「'":
        start -= 1
    if text.raw[end : end + 1] in ("”", '"', "」", "'"):
        end += 1
    text.consume(start, end)
    return best[1]


def _show_value(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip() if value is not None else ""


def _rename(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Names of columns and sheets."""
    verb = (
        r"(?:的?(?:名字|名称|表头|标题|列名|表名|名))?(?:重命名为|重命名成|重命名|改名为|改名成|改名叫|"
        r"改名|更名为|命名为|改叫|改成|改为|换成|\s+to\s+|\s+as\s+)"
    )
    found = re.search(
        (
            rf"{verb}\s*(?P<new>{QUOTED}|[^\"\ufffc，。;；,]+?)\s*(?:列|"
            rf"工作表)?$"
        ),
        text.mask,
        re.IGNORECASE,
    )
    if found is None or not re.search(
        r"名|表名|表头|标题|rename|工作表|sheet|列(?=改|换)|column|header|[“\"「]列", text.raw, re.IGNORECASE
    ):
        return None
    new = text.text_of(*found.span("new"))
    if '"' not in found["new"] and (is_look(new) or has_order_inside(new)):
        return None
    text.consume(*found.span())
    sheet = _take_sheet_or_first(context, text)
    text.take_all(r"\b(?:rename|change|the|header|column|sheet|tab|worksheet|title|name|of)\b|重命名|表头|列名|改名")
    if not sheet and re.match(r"(?:的)?表名", found[0]) and len(context.reading.sheets) == 1:
        sheet = context.reading.sheets[0].name
    if sheet:
        return [step("rename_sheet", sheet_name=sheet, new_name=new)]
    place = choose_table(context.reading, text)
    columns = take_columns(text, place)
    if len(columns) != 1:
        return None
    if _VALUE_LIKE.fullmatch(new.strip()) and not re.search(_SAYS_NAME, text.raw, re.IGNORECASE):
        raise OrderUnclear("name_or_value", text=new, column=place.table.header(columns[0]))
    text.take_all(r"列|栏|这一?|那一?|名字?|标题|[“”\"]")
    cell: JsonObject = {
        "cell": f"{quote_sheet(place.sheet)}!{column_letters(columns[0])}{place.table.header_row}",
        "value": new,
    }
    return [step("set_cells", cells=[cell])]


def _take_sheet_or_first(context: OrderContext, text: RequestText) -> str:
    if named := take_sheet(context.reading, text):
        return named
    for sheet in context.reading.sheets:
        found = re.search(rf"[“\"「']?{re.escape(sheet.name)}[”\"」']?", text.raw)
        is_free = found is not None and "\ufffc" not in text.mask[found.start() : found.end()]
        if found is not None and is_free and re.search(r"(?i)sheet|表", sheet.name):
            text.consume(*found.span())
            return sheet.name
    if (
        text.take(
            r"(?:当前|这个|这张|本|第一个|第一张)?(?:工作表|sheet页?|表(?=的?名|\ufffc)|表名)|"
            r"\b(?:work)?sheet\b|\btab\b"
        )
        and len(context.reading.sheets) == 1
    ):
        return context.reading.sheets[0].name
    return ""


def _replace(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    named = take_sheet(context.reading, text)
    place = choose_table(context.reading, RequestText(f"工作表{named}") if named else text)
    pair = take_old_new(text, context.reading)
    if pair is None:
        return None
    old, new = pair
    if old.strip() in place.headers() and not re.search(r"[“\"「『]", text.raw):
        return None
    scope = place.area(with_totals=True) if named else ""
    old = re.sub(r"^(?:里面?的?|中的?|的)", "", old)
    for column in place.columns:
        header = re.escape(place.table.header(column))
        if found := re.match(
            rf"[“\"「']?{header}[”\"」']?(?:列|栏)?(?:里面?|中|上)?的?\s*[“\"「']?(.+?)[”\"」']?$", old
        ):
            old, scope = found[1], place.column_area(column, with_totals=True)
            break
    if (not scope or named) and (columns := take_columns(text, place)):
        if len(columns) > 1:
            raise OrderUnclear("no_column", known=place.headers())
        scope = place.column_area(columns[0], with_totals=True)
    text.take_all(
        r"\b(?:replace|change|throughout|everywhere|in|column|sheet|words?)\b|列|里面?|中|全表|整张?表|全部|替换"
    )
    cells = [(sheet.name, cell) for sheet in context.reading.sheets for cell in sheet.cells]
    old, new = match_case(old, new, (cell.value for _, cell in cells if isinstance(cell.value, str)))
    texts = [cell for _, cell in cells if isinstance(cell.value, str) and old in cell.value and not cell.formula]
    if not texts:
        if any(_show_value(cell.value) == old for _, cell in cells):
            return _replace_numbers(place, scope, old, new)
        raise OrderUnclear("no_text_here", text=old)
    _check_words(text, place, old, new)
    return [step("replace_text", find_text=old, replace_text=new, max_matches=500, address=scope or None)]


def _check_words(text: RequestText, place: SheetPlace, old: str, new: str) -> None:
    """Ask if a word of a row would become a figure, or what another column of the row holds."""
    if re.search(r"[“\"「『]|全部|全都|所有|统一|替换|\b(?:replace|all|every|each|throughout|everywhere)\b", text.raw):
        return
    columns = {at: {str(one.value).strip() for one in place.values(at)} for at in place.columns}
    homes = [at for at, cells in columns.items() if old in cells]
    others = {one for at, cells in columns.items() if at not in homes for one in cells if len(one) > 1}
    is_other = any(one in new and one != new for one in others) and not any(new in columns[at] for at in homes)
    if stands_before_value(old, new, ()) or (homes and is_other):
        raise OrderUnclear("name_of_value", text=old)


def _replace_numbers(place: SheetPlace, scope: str, old: str, new: str) -> list[JsonObject]:
    """Cells whose whole value is a number that is to be another one; only within a column that was named."""
    if not scope:
        raise OrderUnclear("no_column", known=place.headers())
    letters = re.findall(r"[A-Z]+(?=\d+:)", scope)[-1]
    cells: list[JsonValue] = [
        {"cell": f"{quote_sheet(place.sheet)}!{letters}{row}", "value": read_cell_value(new)}
        for row in place.table.body
        for column in place.columns
        if column_letters(column) == letters
        and (one := place.table.cell(row, column)) is not None
        and _show_value(one.value) == old
    ]
    if not cells:
        raise OrderUnclear("no_text_here", text=old)
    return [step("set_cells", cells=cells)]


def _style(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    wraps = bool(text.take(r"自动换行|\bwrap(?: the)?(?: text)?\b"))
    borders: bool | None = None
    if text.take(
        r"(?:去掉|取消|删除|不要)(?:所有)?(?:的)?(?:边框|框线)|\b(?:no|remove (?:the )?|"
        r"without )borders?\b"
    ):
        borders = False
    elif text.take(rf"(?:{ADD})?(?:上|个)?(?:细|黑色)?(?:的)?(?:边框|框线|网格线)|\b(?:add )?(?:thin )?borders?\b"):
        borders = True
    look = take_look(text)
    if not look and not wraps and borders is None:
        return None
    place = choose_table(context.reading, text)
    ranges = _take_ranges(text, place)
    if ranges and borders and text.has(r"全部|所有|整|都(?=加|要)"):
        return None  # the borders are for more than the range that the look is for
    if (
        not ranges
        and not text.has(r"这|那|选中|\b(?:this|that|these|those|selected)\b")
        and (
            text.take(
                r"(?:全部|所有|整张?表?|全表)(?:的)?(?:内容|文字|数据|单元格|格子)?(?:都)?|\b(?:everything|"
                r"all)\b"
            )
            or (borders and not look)
        )
    ):
        ranges = [place.area(with_totals=True)]
    if not ranges and not look and text.take(r"全部|所有(?:的)?(?:格子|单元格)?|整张?表?"):
        ranges = [place.area(with_totals=True)]
    if not ranges:
        raise OrderUnclear("no_place")
    if set(look) & {"line_multiple", "line_points", "first_line_chars", "space_before", "space_after", "strike"}:
        raise OrderUnclear("no_look")
    text.take_all(
        r"\b(?:a?round)\b|垂直居中|单元格|那?一?[行列]|整[行列]|\b(?:rows?|columns?|cells?|range)\b|里的?|和|与|及|、|"
        r"[,，]|字号|大小|底色|背景"
    )
    fields = {**look, "fill_color": look.pop("fill", None)}
    fields.pop("fill", None)
    fields |= {"wrap": True if wraps else None, "borders": borders}
    return [step("set_cell_style", range=one, **fields) for one in ranges]


def _take_ranges(text: RequestText, place: SheetPlace) -> list[str]:
    sheet, table = quote_sheet(place.sheet), place.table
    left, right = column_letters(place.columns[0]), column_letters(place.columns[-1])

    def _row(number: int) -> str:
        return f"{sheet}!{left}{number}:{right}{number}"

    found: list[str] = []
    if text.take(
        r"表头(?:行)?|标题行|列标题|首行|\b(?:the )?(?:table )?headers?(?: row)?\b|\bheading row\b|\btop row\b"
    ):
        found.append(_row(table.header_row))
    if text.take(r"(?:合计|总计|汇总)(?:那一?)?行|\btotals? row\b"):
        if not table.totals:
            raise OrderUnclear("no_such", text="合计行", known=place.headers())
        found += [_row(one) for one in table.totals]
    found += take_cells(text, place.sheet)
    found += [_row(one) for one in take_rows(text, place)]
    found += [place.column_area(one, with_totals=True) for one in take_columns(text, place)]
    if not found and text.take(
        r"整张?(?:个)?表格?|全表|所有(?:的)?(?:单元格|数据|内容)|全部(?:单元格|数据|内容)|表格|数据区域?|"
        r"\b(?:the )?(?:whole|entire) (?:table|sheet)\b|\ball (?:the )?(?:cells|data)\b|\bthe table\b|\ball cells\b"
    ):
        found.append(place.area(with_totals=True))
    return found


CELL_RULES: Final = (
    _set_formula,
    *ASSIGNED_RULES,
    _set_address,
    *NEW_SHEET_RULES,
    _rename,
    _set_by_key,
    _replace,
    _style,
)
