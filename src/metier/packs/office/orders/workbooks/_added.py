"""Orders for columns whose cells follow from their row: running numbers, ranks, sums from another sheet."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import choose
from metier.packs.office._request_text import RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.orders._context import ADD, OrderContext, step
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._figures import column_steps
from metier.packs.office.orders.workbooks._view import (
    SheetPlace,
    choose_table,
    column_letters,
    list_places,
    take_columns,
)

__all__ = ["ADDED_RULES"]

_NUMBERS: Final = r"序号|编号|行号|\b(?:serial |running |row )?numbers?\b(?: column)?|\bnumbering\b|\bnumbered\b"


def _running_numbers(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A first column with 1, 2, 3: 最前面加一列序号."""
    if not text.has(
        rf"(?:{ADD}).{{0,12}}(?:{_NUMBERS})|(?:编|排)(?:上|个)?序?号|\bnumber (?:the|all|every) rows?\b"
    ) or text.has(r"按.{1,10}(?:排序|编号)|格式"):
        return None
    place = choose_table(context.reading, text)
    if place.table.totals:
        raise OrderUnclear("numbers_beside_total", row=place.table.totals[-1])
    text.take_all(
        r"(?<!\d)1\s*(?:到|至|-|~|开始|起)\s*(\d+)?|从\s*1\s*开始|\b(?:from )?1 (?:to|through) \d+\b|\bstarting "
        r"(?:at|from|with) 1\b|自动|依次|往下"
    )
    text.take_all(
        rf"{ADD}|新建|(?:在|到)?(?:表格?的?)?(?:最前面?|最左边?|左边|前面|第一列|A列|开头|姓名前面?)(?:面|边)?|"
        rf"一?(?:个)?(?:新)?列|叫|名为|{_NUMBERS}|"
        r"每一?行|编|排|上|号|[,，“”\"]|\b(?:a|column|at the (?:front|left|beginning|start)|on the left|first|with|"
        r"in|of|for each row|rows?|the|all|"
        r"every|called|new|number)\b"
    )
    first = place.columns[0]
    sheet, letter = quote_sheet(place.sheet), column_letters(first)
    name = choose(context.language, zh="编号" if "编号" in text.raw else "序号", en="No.")
    cells: list[JsonValue] = [{"cell": f"{sheet}!{letter}{place.table.header_row}", "value": name}]
    cells += [{"cell": f"{sheet}!{letter}{row}", "value": at} for at, row in enumerate(place.table.body, 1)]
    return [
        step("insert_lines", before=letter, count=1, sheet_name=place.sheet),
        step("set_cells", cells=cells),
    ]


def _rank(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A column with the rank of each row: 按总分加一列名次."""
    if not text.take(r"(?:排)?名次|排名|排行|\branks?(?:ing)?\b") or text.has(r"降序|升序|从.到."):
        return None
    place = choose_table(context.reading, text)
    columns = [one for one in take_columns(text, place) if place.is_number(one)]
    text.take_all(
        rf"{ADD}|按照?|根据|依|算出?|(?:在|到)?(?:最后|后面|右边|旁边)(?:面|边)?|一?个?(?:新)?列|叫|名为|排|次|"
        rf"每个?人|每位|高低|"
        r"\b(?:a|column|by|based on|with|of|for|each|everyone|the|called|new|at the end)\b"
    )
    if len(columns) != 1:
        numbers = place.measures
        raise OrderUnclear("no_column", known=tuple(place.table.header(one) for one in numbers))
    letter, first, last = column_letters(columns[0]), place.table.body[0], place.last_body
    name = choose(context.language, zh="名次", en="Rank")
    return column_steps(place, name, f"=RANK({letter}{first},${letter}${first}:${letter}${last})")


def _from_other(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A column with sums from another sheet: 给预算表加一列已用金额，从报销表里汇总过来."""
    if not text.has(rf"(?:{ADD}).{{0,6}}列|\badd a column\b") or not text.has(
        r"从.{1,12}(?:汇总|加总|求和|统计|取|算)|\bfrom the \w+ sheet\b"
    ):
        return None
    places = list_places(context.reading)
    named = [
        (found.start(), one)
        for one in places
        if (
            found := re.search(rf"[“\"]?{re.escape(one.sheet)}[”\"]?\s*(?:表|工作表| sheet)?", text.mask, re.IGNORECASE)
        )
    ]
    if len(named) != 2:
        return None
    targets = sorted(named, key=lambda one: one[0])
    source_at = text.mask.find("从") if "从" in text.mask else text.mask.lower().find("from")
    source = next((one for at, one in targets if at > source_at), None)
    target = next((one for at, one in targets if at < source_at), None)
    if source is None or target is None:
        return None
    for one in (source, target):
        text.take(rf"[“\"]?{re.escape(one.sheet)}[”\"]?\s*(?:表|工作表| sheet)?(?:里面?|中|上)?")
    name = text.take_any_quote()
    if not name and (
        found := text.take(
            rf"(?:{ADD})一?(?:个)?列([\u4e00-\u9fffA-Za-z]{{2,10}})|\bcolumn (?:called )?([A-Za-z ]{{2,20}}?)(?=,| "
            rf"from| with)"
        )
    ):
        name = text.raw[slice(*found.span(1 if found[1] else 2))].strip()
    return _sum_steps(text, target, source, name or choose(context.language, zh="合计", en="Total"))


def _sum_steps(text: RequestText, target: SheetPlace, source: SheetPlace, name: str) -> list[JsonObject]:
    shared = [
        (one, other)
        for one in target.columns
        for other in source.columns
        if target.table.header(one) == source.table.header(other) and not target.is_number(one)
    ]
    numbers = source.measures
    if len(shared) != 1 or len(numbers) != 1:
        raise OrderUnclear("no_column", known=source.headers())
    text.take_all(
        rf"{ADD}|从|按照?|汇总|加总|求和|统计|取|算|过来|出来|过去|一?列|叫|名为|[,，]|"
        + "|".join(map(re.escape, source.headers()))
        + r"|\b(?:add|column|from|sum(?:med)?|total(?:led)?|called|with|by|the|sheet)\b"
    )
    (key, other), number = shared[0], numbers[0]
    first, last = source.table.body[0], source.last_body

    def _area(column: int) -> str:
        letter = column_letters(column)
        return f"{quote_sheet(source.sheet)}!${letter}${first}:${letter}${last}"

    formula = f"=SUMIF({_area(other)},{column_letters(key)}{target.table.body[0]},{_area(number)})"
    return column_steps(target, name, formula)


ADDED_RULES: Final = (_from_other, _running_numbers, _rank)
