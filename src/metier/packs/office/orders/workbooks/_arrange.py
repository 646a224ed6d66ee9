"""Orders that arrange a sheet: sort, filter, freeze, sizes, rows and columns, merged and hidden cells."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import OrderContext, step
from metier.packs.office.orders._ordinals import ORDINAL, read_ordinal
from metier.packs.office.orders._sorting import SORT_DOWN, SORT_UP
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._conditions import Condition, take_condition
from metier.packs.office.orders.workbooks._view import (
    SheetPlace,
    choose_table,
    column_letters,
    take_cells,
    take_columns,
    take_placed_columns,
    take_rows,
    take_sheet,
)

__all__ = ["ARRANGE_RULES"]

_SORT: Final = (
    r"排序|排个?(?:先后|高低)|排列|排一?下序?|排个序|排(?=$|[,，。一])|\b(?:sort(?:ed)?|order(?:ed)?|rank|arrange)\b"
)
# Directions that only dates have.
_BY_TIME: Final = (
    r"从新到旧|从旧到新|从晚到早|从早到晚|由早到晚|最新的?|最早的?|早晚|"
    r"\b(?:newest|latest|most recent|oldest|earliest)\b"
)


def _sort(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(_SORT):
        return None
    place = choose_table(context.reading, text)
    spans = [
        (found.start(), order)
        for order, words in (("desc", SORT_DOWN), ("asc", SORT_UP))
        for found in re.finditer(words, text.mask, re.IGNORECASE)
    ]
    text.take(
        r"\b(?:within|inside|in) each \w+|(?:同一?个?|每个|相同的?|一样的?)\w{1,6}?(?:里面?|内|中|之间|的|"
        r"时)(?:话)?[,，]?(?:再|就)?|"
        r"\w{1,6}?(?:一样|相同)(?:的|时|的话)*[,，]?(?:再|就)?(?=按|看|比)"
    )
    positions = take_placed_columns(text, place)
    columns = sorted(positions, key=lambda column: positions[column])
    if not columns and text.has(_BY_TIME):
        columns = [one for one in place.columns if place.is_date(one)]
        text.take(rf"(?<![A-Za-z]){re.escape(place.sheet)}(?![A-Za-z])")
    if not columns or (not positions and len(columns) > 1):
        raise OrderUnclear("no_column", known=place.headers())
    for one in (SORT_DOWN, SORT_UP):
        text.take_all(one)
    text.take_all(
        r"(?:within|inside) each \w+|先按?|再按?|其次按?|然后按?|按照?|依照?|以|根据|\b(?:first|then|"
        r"by)\b|顺序|次序|的?值|数值|大小|"
        r"高低|整张?表|表里?的?(?:数据|行|记录)?|数据|记录|行|\b(?:rows?|records?|table|order)\b"
    )
    keys = [(column, _order_of(column, positions, sorted(spans))) for column in columns]
    # The last key first: each sort keeps the order of equal rows.
    return [
        step("sort_range", range=place.area(), key=column_letters(column), order=order, has_header=True)
        for column, order in reversed(keys)
    ]


def _order_of(column: int, positions: dict[int, int], spans: list[tuple[int, str]]) -> str:
    """Direction of a key: the one said after it and before the next key; one that is said first is for all."""
    here = positions.get(column, -1)
    later = [at for at in positions.values() if at > here]
    own = [order for at, order in spans if at > here and (not later or at < min(later))]
    first = [order for at, order in spans if positions and at < min(positions.values())]
    return own[0] if own else first[0] if first else "asc"


def _filter(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if text.take(
        r"(?:取消|清除|去掉|关闭|解除)(?:所有|全部)?(?:的)?(?:自动)?筛选|显示(?:全部|所有)(?:的)?(?:行|"
        r"数据|记录)|\b(?:clear|remove|turn off) (?:the |all )?filters?\b|\bshow all (?:the )?(?:rows|data|records)\b"
    ):
        sheet = take_sheet(context.reading, text)
        return [step("clear_filter", sheet_name=sheet or None)]
    if text.take(
        r"(?:加上?|添加|打开|启用|设置|开启|开)(?:个|一个|上)?(?:自动)?筛选(?:按钮|功能|起来)?(?=$|[,，。])|"
        r"(?:加上?|添加|打开|启用|设置)自动?筛选(?:按钮|功能)?|\b(?:put|switch) (?:on )?(?:an? |"
        r"the )?(?:auto[- ]?)?filters? on\b|\b(?:add|turn on|"
        r"enable) (?:an? |the )?(?:auto[- ]?)?filters?\b(?! (?:for|by|to|where))"
    ):
        place = choose_table(context.reading, text)
        text.take_all(r"表头|首行|标题行|\b(?:headers?|to|row)\b")
        return [step("filter_range", range=place.area(), field=1, criteria1="")]
    if not text.take(
        r"(?:自动)?筛选(?:出来?|一下)?|过滤(?:出)?|只(?:显示|看|保留显示|留下显示|要看|展示)|"
        r"\b(?:filter(?:ed)?(?: (?:for|by|to|the|on))*|only show|show only|show just)\b|"
        r"^(?:only|just)\b(?= (?:the )?(?:rows?|records?|entries|orders|ones|[A-Za-z]+ rows?)\b)"
    ):
        return None
    place = choose_table(context.reading, text)
    condition = take_condition(text, place)
    if condition is None:
        raise OrderUnclear("no_condition")
    other = _take_other_value(text, place, condition)
    text.take_all(
        r"(?:的)?(?:那些|那几|所有)?(?:行|数据|记录|人员?|订单|客户|项目|员工|条目|部分|学生|同学|同事|老师|单子|"
        r"单据|账单|商品|产品|货|明细|名单|"
        r"费用|报销|情况)|出来|\b(?:rows?|"
        r"records?|entries|orders|table|column)\b"
    )
    if other is not None:
        made = _filter_step(place, condition)
        return [{**made, "criteria2": other.criteria()[0], "operator": "or"}]
    return [_filter_step(place, condition)]


def _take_other_value(text: RequestText, place: SheetPlace, condition: Condition) -> Condition | None:
    """A second value of the same column: 销售部和人事部; asked about if there are more, or of another column."""
    saved = text.mask
    if condition.operator != "equal" or not text.has(r"和|与|或|、|跟|及|\b(?:and|or)\b|&"):
        return None
    others = []
    while (found := _take_plain_value(text, place)) is not None:
        others.append(found)
    if not others:
        text.mask = saved
        return None
    if len(others) > 1 or others[0].column != condition.column:
        raise OrderUnclear("no_condition")
    return others[0]


def _take_plain_value(text: RequestText, place: SheetPlace) -> Condition | None:
    saved = text.mask
    try:
        found = take_condition(text, place)
    except OrderUnclear:
        found = None
    if found is None or found.operator != "equal":
        text.mask = saved
        return None
    return found


def _filter_step(place: SheetPlace, condition: Condition) -> JsonObject:
    field = condition.column - place.columns[0] + 1
    first, second, joined = condition.criteria()
    return step(
        "filter_range",
        range=place.area(),
        field=field,
        criteria1=first,
        criteria2=second or None,
        operator=joined or None,
    )


def _freeze(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    releases = bool(text.take(r"取消冻结(?:窗格)?|解除冻结|\bunfreeze\b"))
    if not releases and not text.take(
        r"冻(?:结|上|住|起来)(?:住|起来)?|固定(?:住)?|锁定(?:住)?(?=首|表头|标题|第一|前)|\b(?:freeze|lock)\b"
    ):
        return None
    sheet = take_sheet(context.reading, text)
    if releases:
        text.take_all(r"窗格|首行|首列|\bpanes?\b")
        return [step("freeze_panes", cell="A1", sheet_name=sheet or None)]
    place = choose_table(context.reading, text)
    row, column = _freeze_counts(text, place)
    cells = take_cells(text, place.sheet)
    if cells and not (row or column):
        text.take_all(r"窗格|处|\bpanes?\b|\bat\b")
        return [step("freeze_panes", cell=cells[0].rpartition("!")[2], sheet_name=place.sheet)]
    if not (row or column):
        if not text.take(r"窗格|\bpanes\b"):
            raise OrderUnclear("no_place")
        row = place.table.header_row
    text.take_all(
        r"窗格|滚动时?(?:不动|可见|始终显示)?|始终(?:可见|显示)|不动|住|\bpanes?\b|\bwhen scrolling\b|"
        r"\b(?:row|column)s?\b"
    )
    return [step("freeze_panes", cell=f"{column_letters(column + 1)}{row + 1}", sheet_name=place.sheet)]


def _freeze_counts(text: RequestText, place: SheetPlace) -> tuple[int, int]:
    """How many rows and columns stay in sight."""
    row = column = 0
    if text.take(r"表头(?:行)?|标题行|\b(?:the )?header(?: row)?\b"):
        row = place.table.header_row
    elif text.take(r"(?:首行|第一行)(?:的)?标题|首行|第一行|最上面一行|顶(?:部|端)?行|\b(?:top|first) row\b"):
        row = 1
    elif found := text.take(rf"前({ORDINAL})行|\b(?:top|first) (\w+) rows\b"):
        row = read_ordinal(found[1] or "") or read_count(found[2] or "") or 0
    if text.take(r"首列|第一列|最左边?(?:的)?一?列|\b(?:first|left) column\b"):
        column = 1
    elif found := text.take(rf"前({ORDINAL})列|\bfirst (\w+) columns\b"):
        column = read_ordinal(found[1] or "") or read_count(found[2] or "") or 0
    elif columns := take_columns(text, place):
        column = max(columns)
    return row, column


def _size(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    is_fit = bool(
        text.take(
            r"自适应|合适(?:一?[点些])?|(?:列宽|列)?(?:拉|调|弄|放)?宽(?:一?[点些])?(?:到)?(?:够|能)?(?:显示|"
            r"看)?(?:全|完整|得下)|\bwide enough\b(?: to (?:read|see|show)(?: (?:everything|the text|it|them))?)?|"
            r"自动(?:调整|适应)?(?:列宽|宽度)?|最适合(?:的)?|适应内容|适合内容|"
            r"\bauto[- ]?fit\b|"
            r"\bfit(?: the| to)?(?: their)? contents?\b|刚好"
        )
    )
    is_width = bool(
        text.take(
            r"(?:列|栏)?宽度|列宽|栏宽|宽一点|(?:调|拉|改|弄|设)宽(?:一?[点些])?(?:到|成|为)?|宽(?=设|调|改)|"
            r"加宽|变宽|\b(?:column )?widths?\b|\bwider?\b"
        )
    )
    is_height = bool(text.take(r"行高(?!度)|高度|\b(?:row )?heights?\b|\btaller\b"))
    if not (is_width or is_height or is_fit):
        return None
    if is_height and is_width:
        raise OrderUnclear("no_place")
    text.take_all(r"[,，]?[^,，]*(?:井号|##+|显示不[全下])[^,，]*")
    text.take_all(r"(?:有点|实在|太|不够)(?:窄|宽|小|高|矮|挤)了?")
    place = choose_table(context.reading, text)
    rows = take_rows(text, place)
    if text.take(r"表头|标题行|\bheader\b"):
        rows = [place.table.header_row]
    columns = take_columns(text, place)
    size = None
    if found := text.take(
        r"(?:大概|大约|差不多|\b(?:about|around|roughly|"
        r"say)\s+)?(?<![A-Za-z\d第.−－-])(\d+(?:\.\d+)?)\s*(?:左右)?(?:个?字符|磅|像素|"
        r"characters?|chars?|points?|pt)?(?![\d行列])"
    ):
        size = float(found[1])
    if size is None and not is_fit:
        raise OrderUnclear("no_value")
    text.take_all(
        r"(?:显示成|变成|显示|成)*(?:井号|#+)了?|显示不[全下]|(?:根据|按|按照)?内容(?:来)?|\b(?:columns?|"
        r"rows?|width|height|to|contents?|based on)\b|"
        r"每一?[行列]|整张?表|设|调"
        r"|宽度|列宽|行高|列|栏|行"
    )
    if is_height or (rows and not columns):
        rows = rows or [place.table.header_row, *place.table.body, *place.table.totals]
        return [step("set_line_size", lines=_span(rows[0], rows[-1]), size=size, sheet_name=place.sheet)]
    chosen = columns or list(place.columns)
    return [step("set_line_size", lines=column_letters(one), size=size, sheet_name=place.sheet) for one in chosen]


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}:{last}"


def _merge(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    apart = bool(text.take(r"取消合并(?:单元格)?|拆分(?:合并)?(?:的)?单元格|\bunmerge\b"))
    if not apart and not text.take(r"合并(?:居中|成一个|起来)?|\bmerge\b"):
        return None
    place = choose_table(context.reading, text)
    cells = take_cells(text, place.sheet)
    if not cells or (":" not in cells[0] and not apart):
        raise OrderUnclear("no_place")
    text.take_all(r"单元格|\bcells?\b|成一?个?|起来")
    centred = bool(text.take(r"居中|\bcent(?:er|re)(?:ed)?\b")) or "合并居中" in text.raw
    made = [step("merge_cells", range=one, merged=not apart) for one in cells]
    return [*made, *(step("set_cell_style", range=one, alignment="center") for one in cells)] if centred else made


def _hide(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    shows = bool(text.take(r"取消隐藏|显示出?(?:隐藏的)?(?=.{0,6}[行列])|\bunhide\b"))
    if not shows and not text.take(r"隐藏(?:掉|起来)?|藏起来|\bhide\b"):
        return None
    place = choose_table(context.reading, text)
    rows = take_rows(text, place)
    columns = [] if rows else take_columns(text, place)
    if not rows and not columns:
        raise OrderUnclear("no_place")
    text.take_all(r"[行列]|起来|掉|\b(?:rows?|columns?)\b")
    lines: list[JsonValue] = [str(one) for one in rows] or [column_letters(one) for one in columns]
    return [step("hide_lines", lines=lines, hidden=not shows, sheet_name=place.sheet)]


ARRANGE_RULES: Final = (_filter, _sort, _freeze, _size, _merge, _hide)
