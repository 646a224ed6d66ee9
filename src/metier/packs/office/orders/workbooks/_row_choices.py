"""Orders about rows that are picked: duplicates to mark, all but some to go, bands of colour, answers in a cell."""

import re
from calendar import month_name
from collections import Counter
from datetime import date
from typing import Final

from metier.json_values import JsonObject
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.orders._context import ADD, DELETE, OrderContext, step
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._conditions import take_condition
from metier.packs.office.orders.workbooks._figures import take_summary
from metier.packs.office.orders.workbooks._view import (
    SheetPlace,
    choose_table,
    column_letters,
    take_cells,
    take_columns,
)
from metier.packs.office.sheets.formulas import to_serial

__all__ = ["PICKED_RULES"]

_TWICE: Final = (
    r"(?:有|是)?(?:重复|重名|重复出现|出现(?:了)?(?:两次|多次|不止一次))(?:的|值|项|数据|记录|行|名字)*|"
    r"一样的(?=.{0,4}标)|"
    r"\b(?:duplicates?|duplicated?|repeated|repeats|doubles?|double entries|more than once|twice)\b(?: (?:names?|"
    r"values?|rows?|entries|records?))?"
)
_MONTHS: Final = "|".join(one for one in month_name if one)


def _mark_twice(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Cells whose value stands in the column more than once get a look: 名字有重复的标黄."""
    if text.has(DELETE) or not text.take(_TWICE):
        return None
    look = take_look(text)
    if not look or set(look) - {"fill", "color", "bold"}:
        return None
    place = choose_table(context.reading, text)
    columns = take_columns(text, place)
    if len(columns) != 1:
        raise OrderUnclear("no_column", known=place.headers())
    text.take_all(
        r"标(?:出来?|记|注|成)?|都|的|列|单元格|\b(?:mark|flag|show|that|which|appear|occur|stand|are|in|any|"
        r"cells?|column)\b"
    )
    shown = {
        row: str(cell.value).strip()
        for row in place.table.body
        if (cell := place.table.cell(row, columns[0])) and cell.value is not None
    }
    counts = Counter(shown.values())
    rows = [row for row, value in shown.items() if value and counts[value] > 1]
    if not rows:
        raise OrderUnclear("no_condition")
    fields = {"fill_color": look.get("fill"), "color": look.get("color"), "bold": look.get("bold")}
    letter, sheet = column_letters(columns[0]), quote_sheet(place.sheet)
    return [step("set_cell_style", range=f"{sheet}!{letter}{row}", **fields) for row in rows]


def _keep_only(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Rows that meet a condition stay, the others go: 只保留销售部的，其他删掉."""
    if not text.take(r"(?:只|仅)(?:保留|留下?|要)|\b(?:keep only|only keep|keep just|just keep)\b") or not text.take(
        rf"[,，、;；]?\s*(?:把)?(?:其[他它余]|别的|剩下|不是的)(?:的)?(?:部门|人|行|记录|数据|都|全部|统统|一律|"
        rf"内容)*(?:{DELETE})(?:掉|了|除)*|"
        rf"[,;]?\s*(?:and )?{DELETE} (?:all )?(?:the )?(?:rest|others?|other rows|everything else)"
    ):
        return None
    place = choose_table(context.reading, text)
    condition = take_condition(text, place)
    if condition is None:
        raise OrderUnclear("no_condition")
    text.take_all(r"(?:的)?(?:行|数据|记录|人|条目)|\b(?:rows?|records?|entries|ones|for|where|from|of)\b")
    kept = set(condition.find_rows(place))
    rows = [row for row in place.table.body if row not in kept]
    if not kept or not rows:
        raise OrderUnclear("no_condition")
    return [step("delete_lines", lines=[str(one) for one in rows], sheet_name=place.sheet)]


def _bands(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Every other row gets a ground: 隔行填浅灰."""
    if not text.take(
        r"隔(?:一)?行|每隔一行|奇偶行|斑马纹|\b(?:every (?:other|second)|alternate|alternating|banded) rows?\b|"
        r"\b(?:row )?banding\b|\bzebra stripes?\b"
    ):
        return None
    look = take_look(text)
    color = look.get("fill") or look.get("color") or "D9D9D9"
    if set(look) - {"fill", "color"}:
        raise OrderUnclear("no_look")
    place = choose_table(context.reading, text)
    text.take_all(
        rf"{ADD}|填充?|标|上色|变色|不同颜色|区分(?:开)?|底色|背景|颜色|用|\b(?:give|shade|fill|background|in|with|"
        rf"a|colou?r)\b"
    )
    left, right = column_letters(place.columns[0]), column_letters(place.columns[-1])
    area = f"{quote_sheet(place.sheet)}!{left}{place.table.body[0]}:{right}{place.last_body}"
    return [step("set_cell_style", range=area, fill_color=color, alternate_rows=True)]


def _answer(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A figure of the table in a cell, as a formula: 求金额最大的是多少，写在F1."""
    where = re.search(
        r"(?:放|写|填|算|结果|答案|显示|列|给我|放到|写到|填到|填入|求)*(?:在|到|进|"
        r"入)\s*(?P<cell>[A-Za-z]{1,2}[1-9]\d{0,4})(?:单元格|格子?|里|中)*|"
        r"(?P<first>[A-Za-z]{1,2}[1-9]\d{0,4})(?:单元格|格子?|里|中)*(?:里|中|放|写|填|算|求|显示)+(?:一?下|上|"
        r"出)?(?=.)|"
        r"\b(?:(?:put|write|show|place|give|enter) )?(?:the )?(?:(?:answer|result|it|that|total|sum|"
        r"average)(?: goes)? )?(?:in|into|to) (?:cell )?(?P<en>[A-Z]{1,2}[1-9]\d{0,4})\b",
        text.mask,
        re.IGNORECASE,
    )
    if where is None:
        return None
    cell = next(one for one in (where["cell"], where["first"], where["en"]) if one).upper()
    text.consume(*where.span())
    spent = text.take(
        r"(?:一共|总共|共)?(?:花|用|卖|赚|收|付|支出)(?:了|出)?(?:多少)?钱?|\bhow much (?:did|has|have|was|is)\b|"
        r"\b(?:spent|spend|sold|"
        r"paid|earned?)\b"
    )
    summary = take_summary(text) or (("SUM", "sum", "") if spent else None)
    if summary is None:
        return None
    text.take_all(r"\b(?:spent|spend|sold|paid|earned?)\b|(?:花|用|卖|付)了?多少钱?")
    place = choose_table(context.reading, text)
    months = take_month(text, place)
    columns = [one for one in take_columns(text, place) if place.is_number(one)]
    saved, tests = text.mask, list[tuple[int, str]]()
    try:
        condition = take_condition(text, place)
    except OrderUnclear:
        text.mask, condition = saved, None
    if condition is not None:
        first, second, _ = condition.criteria()
        tests = [(condition.column, f'"{one}"') for one in (first, second) if one]
    numbers = columns or place.measures
    if summary[0] == "COUNTA" and tests:
        numbers = [tests[0][0]]
    if len(numbers) != 1:
        raise OrderUnclear("no_column", known=tuple(place.table.header(one) for one in numbers) or place.headers())
    text.take_all(
        rf"成绩|分数|有|{ADD}|用|公式|函数|是|多少|求出?|算出?|计算|统计|结果|答案|的|里面?|[,，?？;；]|是?哪?个|一共|总共|部门|"
        r"\b(?:with|using|as|a|formula|answer|result|how much|did|what|what's|is|the|of|in|calculate|work out|find|"
        r"put|write|give|me|amounts?|by|for|from|department)\b"
    )
    formula = _formula(place, numbers[0], summary, tests, months)
    target = f"{quote_sheet(place.sheet)}!{cell}"
    return [step("set_cells", cells=[{"cell": target, "formula": formula}])]


def _formula(
    place: SheetPlace,
    number: int,
    summary: tuple[str, str, str],
    tests: list[tuple[int, str]],
    months: tuple[int, list[int], int] | None,
) -> str:
    """Formula of a figure of one column, for all rows or for those that meet the tests."""
    name, first, last = column_letters(number), place.table.body[0], place.last_body
    area = f"{name}{first}:{name}{last}"
    function = summary[0].replace("COUNTA", "COUNT")
    formula = f"={function}({area})"
    if tests or months:
        spans = [[*tests, *_month_tests(months[0], year, months[2])] for year in months[1]] if months else [tests]
        if (function == "AVERAGE" and len(spans) > 1) or function not in ("COUNT", "SUM", "AVERAGE"):
            raise OrderUnclear("part", part=summary[2])
        formula = "=" + "+".join(
            ("COUNTIFS(" if function == "COUNT" else f"{function}IFS({area},")
            + ",".join(f"{column_letters(one)}{first}:{column_letters(one)}{last},{test}" for one, test in span)
            + ")"
            for span in spans
        )
    return formula


def take_month(text: RequestText, place: SheetPlace) -> tuple[int, list[int], int] | None:
    """Column of dates, years that have such dates, and month that the order names."""
    found = text.take(
        rf"(?:(?P<year>20\d\d)\s*年)?(?P<zh>1[0-2]|[1-9]|[一二三四五六七八九十]+)\s*月份?(?!\d|"
        rf"[一二三四五六七八九十])|\b(?:in |from |"
        rf"of )?(?P<en>{_MONTHS})\b(?: (?P<en_year>20\d\d))?"
    )
    if found is None:
        return None
    dates = [one for one in place.columns if _years(place, one)]
    if len(dates) != 1:
        raise OrderUnclear("no_column", known=place.headers())
    names = [one.lower() for one in month_name]
    month = names.index(found["en"].lower()) if found["en"] else read_count(found["zh"]) or 0
    years = {year for year, one in _years(place, dates[0]) if one == month}
    said = found["year"] or found["en_year"]
    if said:
        years = {int(said)}
    if not years or not 1 <= month <= 12:
        raise OrderUnclear("no_condition")
    return dates[0], sorted(years), month


def _years(place: SheetPlace, column: int) -> list[tuple[int, int]]:
    """Years and months of a column, if its cells are dates."""
    shown = [str(one.value) for one in place.values(column) if one.value not in (None, "")]
    found = [re.match(r"(20\d\d|19\d\d)-(\d\d)-\d\d", one) for one in shown]
    return [(int(one[1]), int(one[2])) for one in found if one] if found and all(found) else []


def _month_after(year: int, month: int) -> tuple[int, int]:
    return (year + 1, 1) if month == 12 else (year, month + 1)


def _month_tests(column: int, year: int, month: int) -> list[tuple[int, str]]:
    after = _month_after(year, month)
    return [(column, f'">="&DATE({year},{month},1)'), (column, f'"<"&DATE({after[0]},{after[1]},1)')]


def _month_filter(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Rows of one month: 筛选出3月份的, only show March."""
    if not text.take(
        r"(?:自动)?筛选?(?:出来?|一下)?|过滤(?:出)?|只(?:显示|看|要看|展示)|\b(?:filter(?:ed)?(?: (?:for|by|to|the|"
        r"on))*|only show|"
        r"show only|show just|show me only)\b"
    ):
        return None
    place = choose_table(context.reading, text)
    found = take_month(text, place)
    if found is None:
        return None
    column, years, month = found
    if len(years) > 1:
        raise OrderUnclear("which_year", known=tuple(map(str, years)))
    year = years[0]
    after = _month_after(year, month)
    text.take_all(
        r"(?:的)?(?:行|数据|记录|人员?|订单|条目|明细|费用|报销|支出)|日期|\b(?:rows?|records?|entries|dates?|ones|"
        r"data)\b"
    )
    return [
        step(
            "filter_range",
            range=place.area(),
            field=column - place.columns[0] + 1,
            criteria1=f">={_serial(year, month)}",
            criteria2=f"<{_serial(*after)}",
            operator="and",
        )
    ]


def _serial(year: int, month: int) -> int:
    return int(to_serial(date(year, month, 1)))


def _fit_hashes(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A column that shows ##### is widened to what it holds."""
    if not text.take(r"(?:全|都)?(?:显示|变成|是|成)(?:了|成|为)*\s*(?:#+|井号)(?:号)?(?:了)?|#{3,}"):
        return None
    place = choose_table(context.reading, text)
    columns = take_columns(text, place)
    take_cells(text, place.sheet)
    text.take_all(
        r"只|怎么(?:回事|办|弄)|修(?:复|好|一下)?|弄好|调(?:整|好)?|显示|看不(?:到|见|清)|(?:拉|调|加)宽|列宽|[,，?？]|"
        r"\b(?:only|shows?|showing|just|what did i do|why|fix|it|please|widen|all|i see|says?|signs?|is|are|full of)\b"
    )
    if not columns:
        columns = list(place.columns)
    return [step("set_line_size", lines=column_letters(one), sheet_name=place.sheet) for one in columns]


PICKED_RULES: Final = (_mark_twice, _keep_only, _bands, _month_filter, _answer, _fit_hashes)
