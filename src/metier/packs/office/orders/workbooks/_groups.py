"""Orders for sums, means and counts of groups, on a sheet of their own."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import choose, join_names
from metier.packs.office._request_text import RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.orders._context import OrderContext, step
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._figures import take_summary
from metier.packs.office.orders.workbooks._view import (
    SheetPlace,
    choose_table,
    column_letters,
    take_columns,
    take_group,
)

__all__ = ["GROUP_RULES", "summary_steps"]


def _groups(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    by = (
        r"(?:按照?|根据|依据|以|分(?!别))|(?:统计|计算|汇总|算出?|求出?|看看?)?(?:每个|每种|每位|各个?|不同)|"
        r"\b(?:by|per|for each|for every|each|grouped by)\b"
    )
    if not text.has(by) or text.has(r"\bper (?:row|line)\b|[每逐]一?行"):
        return None
    summary = (
        take_summary(text)
        or (
            ("SUM", "sum", "")
            if text.take(
                r"(?:花|用|卖|赚|收|付)了?多少钱?|\bhow much\b(?=.{0,40}\b(?:spen[dt]|sold|sell|paid|pay|"
                r"earn(?:ed)?|make|made)\b)"
            )
            else None
        )
        or (("SUM", "sum", "") if text.take(r"统计|分类汇总|分组|\b(?:summari[sz]e|group)\b") else None)
    )
    if summary is None:
        return None
    if text.has(r"[柱饼]|折线|图表|\b(?:chart|graph|pie)\b"):
        return None
    place = choose_table(context.reading, text)
    start = re.search(by, text.mask, re.IGNORECASE)
    named = text.take_quote(r"(?:sheet|工作表|表)(?:名)?(?:叫做?|名为|命名为|为)?|叫做?|名为|\b(?:called|named)\b")
    groups: list[int] = []
    while (more := take_group(text, place)) and more[0] not in groups:
        groups += more
    beside = text.take(
        r"(?:给我)?(?:列|放|写|算|显示|摆|填)?(?:在|到)?(?:表格?|数据)?(?:的)?(?:右边|右侧|旁边|右面)(?:的)?(?:空(?:白|着)?的?)?(?:地方|位置|处|区域|列)?|"
        r"\b(?:(?:put|list|show) (?:it|them|this|that) )?(?:next to|beside|to the right of|"
        r"right of) (?:the )?(?:data|table|list|it)\b|\bon the right\b"
    )
    columns = [*groups, *(one for one in take_columns(text, place) if one not in groups)]
    text.take_all(
        r"(?:放|放到|放在|到|在)?(?:一?[个张])?(?:新的?|新建的?)(?:sheet|工作表|表)?(?:里|中)?|总|"
        rf"{by}|统计|分类|分组|汇总|透视表?|数据透视表|计算|算出?|求出?|(?:生成|做|建|新建|出|"
        rf"放)(?:一[个张])?|(?:在|到)?(?:新的?)?(?:工作表|表)(?:里|中)?|一?[张个]表?|(?:花|用|卖|赚|收|付|支出|"
        rf"消费|完成)了?(?:多少)?(?:钱)?|单独|另外|另|分别|有(?=\ufffc|多少)|列出?(?=个|一|成|$)|"
        rf"(?:出来)?(?:给我)?看看?|情况|是?多少|"
        rf"各自|"
        rf"分别|列|\b(?:calculate|compute|show|summary|table|pivot|create|make|on a new sheet|new sheet|did we|we|"
        rf"put it|of|what|what's|has|have|there|are|is|new tab|on a new tab|tab|list|them|"
        rf"columns?|did|does|spen[dt]|sold|sell|paid|pay|earn(?:ed)?|made)\b|一下"
    )
    keys = [one for one in columns if not place.is_number(one)] or columns[:1]
    measures = [one for one in columns if one not in keys]
    if not keys or start is None:
        raise OrderUnclear("no_column", known=place.headers())
    if not measures and summary[1] != "count":
        numbers = place.measures
        if len(numbers) != 1:
            raise OrderUnclear("no_column", known=tuple(place.table.header(one) for one in numbers))
        measures = numbers
    measures = measures or keys[:1]
    if beside is not None and not named:
        return [_beside(place, keys, measures, summary[1])]
    return summary_steps(context, place, keys, measures, summary=summary[1], name=named)[0]


def _beside(place: SheetPlace, keys: list[int], measures: list[int], summary: str) -> JsonObject:
    """A summary on the same sheet, with an empty column between the table and it."""
    values: list[JsonValue] = [{"field": place.table.header(one), "summary": summary} for one in measures]
    return step(
        "create_pivot_table",
        source_range=place.area(),
        destination=f"{quote_sheet(place.sheet)}!{column_letters(place.columns[-1] + 2)}{place.table.header_row}",
        rows=[place.table.header(one) for one in keys],
        values=values,
    )


def summary_steps(
    context: OrderContext, place: SheetPlace, keys: list[int], measures: list[int], *, summary: str, name: str = ""
) -> tuple[list[JsonObject], str]:
    """Steps of a summary on a sheet of its own, and the name of that sheet."""
    heads = join_names([place.table.header(one) for one in keys], context.language)
    made = name or choose(context.language, zh=f"按{heads}汇总", en=f"Summary by {heads}")
    sheet = re.sub(r"[\[\]:*?/\\]", "", made)[:31]
    values: list[JsonValue] = [{"field": place.table.header(one), "summary": summary} for one in measures]
    pivot = step(
        "create_pivot_table",
        source_range=place.area(),
        destination=f"{quote_sheet(sheet)}!A1",
        rows=[place.table.header(one) for one in keys],
        values=values,
    )
    return [step("ensure_sheet", sheet_name=sheet, activate=False, select_a1=False), pivot], sheet


GROUP_RULES: Final = (_groups,)
