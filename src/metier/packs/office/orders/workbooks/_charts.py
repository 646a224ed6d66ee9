"""Orders for charts, rules of colour and lists of choices."""

import re
from dataclasses import replace
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import choose, join_names
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.orders._context import ADD, OrderContext, split_values, step
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._conditions import Condition, take_condition
from metier.packs.office.orders.workbooks._figures import are_alike, take_summary
from metier.packs.office.orders.workbooks._groups import summary_steps
from metier.packs.office.orders.workbooks._view import (
    SheetPlace,
    choose_table,
    column_letters,
    take_cells,
    take_columns,
    take_group,
)

__all__ = ["CHART_RULES"]

_CHARTS: Final = (
    (4, r"折线图?|曲线图|趋势图|走势图|线图|\bline (?:chart|graph|plot)\b|\btrend (?:chart|line)\b"),
    (5, r"饼状?图|圆饼图|占比图|\bpie(?: chart| graph)?\b"),
    (57, r"条形图|横向柱(?:状|形)?图|\bhorizontal bar(?: chart)?\b"),
    (51, r"柱(?:状|形)?图|柱[状形](?:的|型)?|直方图|\b(?:bar|column)s? (?:chart|graph)s?\b"),
    (1, r"面积图|\barea chart\b"),
    (0, r"图表|图(?!片|像)|\b(?:chart|graph|plot)\b"),
)


def _chart(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    kind = next((number for number, pattern in _CHARTS if text.take(pattern)), None)
    if kind is None:
        return None
    text.take_all("|".join(pattern for _, pattern in _CHARTS))
    place = choose_table(context.reading, text)
    title = text.take_quote(r"标题|题目|名为|叫|\b(?:titled?|called|named)\b") or text.take_value(
        r"标题(?:为|是|叫|用|:)+|\btitled\b"
    )
    percent, labels = _take_labels(text)
    cells = take_cells(text, place.sheet)
    summary = None if cells else take_summary(text)
    groups = take_group(text, place) if summary or text.has(r"各|每") else []
    columns = [*groups, *(one for one in take_columns(text, place) if one not in groups)]
    if text.take(r"\bover time\b|随时间|按时间|时间走势"):
        dates = [
            one
            for one in place.columns
            if re.search(
                r"日期|时间|月份|date|"
                r"month",
                place.table.header(one),
                re.IGNORECASE,
            )
        ]
        columns = [*dates[:1], *(one for one in columns if one not in dates[:1])]
    text.take_all(
        rf"{ADD}|画(?:一[张个]|成|出|个)?|做(?:一[张个]|成|个)?|绘制|生成|制作|作|建|创建|用|以|拿|根据|按|"
        rf"一[张个幅]|的?(?:对比|变化|趋势|分布|占比|比例|情况|数据|关系|走势)|横轴|纵轴|[xyXY]\s*轴|为|作|"
        rf"随|列|\b(?:draw|make|create|plot|build|from|of|by|against|versus|vs|over|using|based on|showing|"
        rf"columns?|x[- ]axis|y[- ]axis|as|on)\b"
    )
    if kind == 0:
        raise OrderUnclear("no_chart_type")
    if cells:
        return [_chart_step(place, cells[0].rpartition("!")[2], kind, title)]
    if text.take(r"(?:各自)?(?:卖|花|赚|销售)了?多少钱|\bhow much (?:money )?\w+ (?:sold|made)\b"):
        money = [
            one
            for one in place.columns
            if re.search(r"金额|销售额|amount|sales", place.table.header(one), re.IGNORECASE)
        ]
        columns += [one for one in money[:1] if one not in columns]
    text.take_all(r"各个?|每个|每位|写")
    made = _build_chart(context, place, columns, (kind, title), summary[1] if summary else "")
    if percent and kind != 5:
        raise OrderUnclear("no_chart_type")
    shown = {
        **({"data_labels_show_percent": True} if percent else {}),
        **({"show_data_labels": True} if labels else {}),
    }
    return [{**one, **shown} if one["op"] == "insert_chart_from_selection" else one for one in made]


def _take_labels(text: RequestText) -> tuple[bool, bool]:
    """Whether the chart shows percentages, and whether it shows its values."""
    percent = bool(
        text.take(
            r"(?:每块|扇区|上面?|图上|每份|饼上)?(?:都)?(?:要)?(?:显示|标上?|标出|带上?|写上|注明|加上?|要有|有)(?:上|"
            r"出)?(?:各自|各部门)?(?:的)?(?:百分比|占比|比例)|"
            r"百分比标签|"
            r"\b(?:with|showing|show)? ?(?:the )?(?:percentages?|percents?|%)(?: labels?)?(?: (?:on|in|for) (?:the |"
            r"each )?(?:slices?|pieces?|chart|sectors?|labels?))?"
        )
    )
    labels = bool(
        text.take(
            r"(?:柱子?上面?|图上)?(?:显示|标上?|标出|带上?|加上?)(?:数据标签|数值|数字|数据)|\b(?:with|"
            r"show(?:ing)?) (?:the )?(?:data labels|"
            r"values|numbers)(?: on (?:the )?(?:bars|columns|slices|chart))?"
        )
    )
    return percent, labels


def _build_chart(
    context: OrderContext, place: SheetPlace, columns: list[int], look: tuple[int, str], summary: str
) -> list[JsonObject]:
    kind, title = look
    categories = [one for one in columns if not place.is_number(one)]
    numbers = [one for one in columns if place.is_number(one)]
    if not numbers and summary == "count" and len(categories) == 1:
        return _grouped_chart(context, place, categories[0], categories[0], (*look, "count"))
    if summary not in ("", "sum") and (not numbers or not categories):
        raise OrderUnclear("no_column", known=place.headers())
    if not numbers:
        found = place.measures
        if len(found) != 1:
            raise OrderUnclear("no_column", known=tuple(place.table.header(one) for one in found))
        numbers = found
    category = categories[0] if categories else next((one for one in place.columns if not place.is_number(one)), None)
    if category is None or len(categories) > 1:
        raise OrderUnclear("no_column", known=place.headers())
    if len(numbers) == 1 and _repeats(place, category):
        return _grouped_chart(context, place, category, numbers[0], (*look, summary or "sum"))
    areas = [category, *numbers]
    head, last = place.table.header_row, place.last_body
    source = ",".join(f"{column_letters(one)}{head}:{column_letters(one)}{last}" for one in areas)
    names = join_names([place.table.header(one) for one in numbers], context.language)
    title = title or choose(
        context.language,
        zh=f"按{place.table.header(category)}的{names}",
        en=f"{names} by {place.table.header(category)}",
    )
    return [_chart_step(place, source, kind, title)]


def _repeats(place: SheetPlace, column: int) -> bool:
    values = [str(one.value) for one in place.values(column)]
    return len(set(values)) < len(values)


def _grouped_chart(
    context: OrderContext, place: SheetPlace, category: int, number: int, look: tuple[int, str, str]
) -> list[JsonObject]:
    """A chart of sums or means: a category that stands in many rows is one bar."""
    made, sheet = summary_steps(context, place, [category], [number], summary=look[2])
    count = len({str(one.value) for one in place.values(category)})
    names = (place.table.header(number), place.table.header(category))
    title = look[1] or choose(context.language, zh=f"按{names[1]}的{names[0]}", en=f"{names[0]} by {names[1]}")
    chart = step(
        "insert_chart_from_selection",
        sheet_name=sheet,
        source_range=f"A1:B{count + 1}",
        chart_type=look[0],
        title=title,
    )
    return [*made, chart]


def _chart_step(place: SheetPlace, source: str, kind: int, title: str) -> JsonObject:
    return step(
        "insert_chart_from_selection", sheet_name=place.sheet, source_range=source, chart_type=kind, title=title or None
    )


def _scale(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Colours or bars that show how large the values of a column are."""
    place = choose_table(context.reading, text)
    if text.take(r"色阶|颜色渐变|热力(?:图)?|深浅(?:颜)?色|渐变色|\b(?:colou?r scale|heat ?map)\b"):
        columns = take_columns(text, place) or [one for one in place.columns if place.is_number(one)]
        text.take_all(rf"{ADD}|用|表示|显示|体现|大小|高低|列|条件格式|\b(?:columns?|use)\b")
        return [
            step("set_conditional_format", range=place.column_area(one), rule_type="color_scale") for one in columns
        ]
    if text.take(r"(?:渐变)?数据条|\bdata bars?\b"):
        columns = take_columns(text, place) or [one for one in place.columns if place.is_number(one)]
        look = take_look(text)
        text.take_all(rf"{ADD}|用|表示|显示|体现|大小|高低|列|条件格式|分数?|\b(?:columns?|use|in|to|values?)\b")
        return [
            step(
                "set_conditional_format",
                range=place.column_area(one),
                rule_type="data_bar",
                fill_color=look.get("color") or look.get("fill"),
            )
            for one in columns
        ]
    return None


def _rule(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A conditional format: cells of a column that meet a condition get a look."""
    place = choose_table(context.reading, text)
    is_rule = text.take(r"条件格式|\bconditional format(?:ting)?\b")
    saved = text.mask
    look = take_look(text)
    if not look and not is_rule:
        text.mask = saved
        return None
    failed = text.take(r"不及格(?:的)?|没及格(?:的)?|\bfailing\b")
    if failed:
        columns = take_columns(text, place) or [
            one for one in place.columns if place.is_number(one) and not place.is_code(one)
        ]
        conditions = [Condition(one, "less_than", "60") for one in columns]
    else:
        conditions = _take_conditions(text, place)
    if not conditions or conditions[0].operator in ("contains", "blank"):
        return None
    if conditions[0].operator == "equal" and not _has_comparison(text) and not conditions[0].first.isdigit():
        return _mark_rows(text, place, conditions[0], look)
    if text.take(r"(?:所在的?)?(?:整行|整条|那一行|所在行|这些行|(?<=的)行)|\b(?:whole|entire) rows?\b"):
        return _mark_rows(text, place, conditions[0], look)
    text.take_all(
        rf"{ADD}|的?(?:单元格|格子?|数据|数字|数值|值|部分|地方|行|记录|成绩|分数|人)|如果|若|当|就|"
        rf"标(?:出来?|记|注|识|成)?|显示|自动|用|列|\b(?:cells?|values?|if|when|mark|flag|show|columns?|"
        rf"rows?|numbers?|in|that|which|where|any)\b"
    )
    if set(look) - {"fill", "color", "bold"}:
        raise OrderUnclear("no_look")
    fields = {"fill_color": look.get("fill"), "font_color": look.get("color"), "bold": look.get("bold")}
    return [
        step(
            "set_conditional_format",
            range=place.column_area(one.column),
            rule_type="cell_value",
            operator=one.operator,
            formula1=one.first,
            formula2=one.second or None,
            clear_existing=False,
            **fields,
        )
        for one in conditions
    ]


def _mark_rows(
    text: RequestText, place: SheetPlace, condition: Condition, look: dict[str, JsonValue]
) -> list[JsonObject]:
    """Rows that meet a condition get a look as they are now; rules of a program colour single cells."""
    text.take_all(r"标(?:出来?|记|注|成)?|的|\b(?:mark|where|in)\b")
    rows = condition.find_rows(place)
    if not rows or set(look) - {"fill", "color", "bold", "italic"}:
        raise OrderUnclear("no_condition")
    left, right = column_letters(place.columns[0]), column_letters(place.columns[-1])
    fields = {**look, "fill_color": look.get("fill")}
    fields.pop("fill", None)
    return [
        step("set_cell_style", range=f"{quote_sheet(place.sheet)}!{left}{row}:{right}{row}", **fields) for row in rows
    ]


def _take_conditions(text: RequestText, place: SheetPlace) -> list[Condition]:
    """What the look depends on: one condition, the same for all columns that are alike, or rows of a value."""
    if not _has_comparison(text):
        is_rows = text.has(
            r"的(?:那些|那几|所有)?(?:单子|单据|记录|数据|订单|行|明细|条目|账单|报销|费用|几行)|"
            r"\b(?:rows|orders|records|entries|lines)\b"
        )
        found = take_condition(text, place) if is_rows else None
        return [found] if found is not None and found.operator == "equal" else []
    saved = text.mask
    try:
        found = take_condition(text, place)
    except OrderUnclear:
        text.mask = saved
        numbers = place.measures
        if not numbers or not are_alike(place, numbers):
            raise
        other = take_condition(text, SheetPlace(place.table, only=numbers[0]))
        return [] if other is None else [replace(other, column=one) for one in numbers]
    return [] if found is None else [found]


def _has_comparison(text: RequestText) -> bool:
    return text.has(
        r"大于|小于|超过|高于|低于|不足|不到|少于|多于|至少|至多|以上|以下|以内|等于|为|是|介于|之间|"
        r"[<>=≥≤]|\b(?:above|below|over|under|than|at least|at most|between|equal|is|exceed)"
    )


def _dropdown(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(
        r"下拉(?:列表|菜单|选项|框|选择)?|数据有效性|数据验证|\b(?:drop[- ]?down(?: list| menu)?|data validation)\b"
    ):
        return None
    place = choose_table(context.reading, text)
    listed = text.take_value(
        r"(?:选项|可选值?|内容|值)(?:有|为|是|包括|:)+|:|\b(?:with|options?|of|"
        r"values?)\b(?: the)?(?: options?| values?)?:?"
    )
    if found := re.search(
        (
            r"\bonly allow (?P<it>.+?) in\b|只(?:能|允许)(?:选|"
            r"填)(?P<zh>[^,，。]+)"
        ),
        text.mask,
        re.IGNORECASE,
    ):
        group = "it" if found["it"] else "zh"
        listed = text.raw[found.start(group) : found.end(group)]
        text.consume(*found.span())
    if not listed and (found := re.search(rf"(?:{QUOTED}[、,，]?)+", text.mask)):
        listed = "、".join(one.text for one in text.left_quotes())
        text.consume(*found.span())
    if not listed:
        raise OrderUnclear("no_text")
    end = text.raw.find(listed)
    if end >= 0:
        tail = text.raw[end + len(listed) :]
        listed += tail if re.match(r"[,，、]", tail) else ""
        text.consume(end, len(text.mask)) if re.match(r"[,，、]", tail) else None
    columns = take_columns(text, place)
    cells = take_cells(text, place.sheet) if not columns else []
    if not columns and not cells:
        raise OrderUnclear("no_column", known=place.headers())
    text.take_all(rf"{ADD}|做|列|设|只能选|可以选|选|\b(?:columns?|allow|only|options?|values?)\b|[:、]")
    options = ",".join(one for one in split_values(listed))
    ranges = cells or [place.column_area(one) for one in columns]
    return [step("set_data_validation", range=one, validation_type="list", formula1=options) for one in ranges]


CHART_RULES: Final = (_dropdown, _chart, _scale, _rule)
