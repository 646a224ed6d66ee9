"""Orders that insert or delete rows and columns of a sheet."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office._sheet_names import quote_sheet
from metier.packs.office.orders._context import (
    ADD,
    DELETE,
    OrderContext,
    has_order_inside,
    split_values,
    step,
    take_text,
)
from metier.packs.office.orders._formulas import fill_down
from metier.packs.office.orders._leftovers import find_rest
from metier.packs.office.orders._ordinals import ORDINAL, read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.workbooks._conditions import take_condition
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

__all__ = ["LINE_RULES", "make_row"]


def _delete(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(DELETE):
        return None
    if named := _take_deleted_sheet(context, text):
        return [step("delete_sheet", sheet_name=named)]
    place = choose_table(context.reading, text)
    if text.take(r"(?:全部|所有|多余)?(?:的)?(?:空行|空白行|空的?行)|\b(?:empty|blank) (?:rows|lines)\b"):
        rows = _empty_rows(context, place)
        if not rows:
            raise OrderUnclear("no_such", text="空行", known=place.headers())
        return [step("delete_lines", lines=[str(one) for one in rows], sheet_name=place.sheet)]
    if text.take(
        r"(?:完全)?重复(?:的|出现的)?(?:行|数据|记录|项|值|条目)?(?:的)?|\b(?:duplicate(?:d)?|double|"
        r"repeated)(?: (?:rows|records|"
        r"entries|lines|"
        r"values|ones))?\b|\b(?:duplicates|doubles)\b"
    ):
        return _remove_duplicates(text, place)
    rows = take_rows(text, place)
    if text.take(r"(?:合计|总计|汇总)行|\btotals? row\b"):
        rows = list(place.table.totals)
    if rows:
        text.take_all(r"行|整行|\brows?\b")
        last = max(_used_rows(context, place))
        if missing := [one for one in rows if one > last]:
            raise OrderUnclear("no_row", row=missing[0], last=last)
        return [step("delete_lines", lines=[str(one) for one in rows], sheet_name=place.sheet)]
    cells = take_cells(text, place.sheet)
    if cells:
        text.take_all(r"(?:里|中)?的?(?:内容|数据|值|文字)|\b(?:contents?|values?)\b")
        return _clear(cells)
    return _delete_columns(text, place)


def _take_deleted_sheet(context: OrderContext, text: RequestText) -> str:
    if not text.has(r"工作表|子表|sheet|页签|\btab\b"):
        return ""
    return take_sheet(context.reading, text)


def _delete_columns(text: RequestText, place: SheetPlace) -> list[JsonObject]:
    saved = text.mask
    columns = take_columns(text, place)
    said_column = "列" in text.raw or "栏" in text.raw or "column" in text.raw.lower() or "字段" in text.raw
    if columns and said_column and not _names_rows(text):
        text.take_all(r"这?几?列|整列|栏|\bcolumns?\b|字段")
        return [step("delete_lines", lines=[column_letters(one) for one in columns], sheet_name=place.sheet)]
    text.mask = saved
    condition = take_condition(text, place)
    if condition is not None:
        text.take_all(
            r"(?:的)?(?:那一?|这一?|整|那几|这几|那些|这些)?(?:行|条|记录|数据|人|员工|订单|客户|项)|\b(?:rows?|records?|"
            r"entries|line)\b|所在"
        )
        rows = condition.find_rows(place)
        if not rows:
            raise OrderUnclear("no_condition")
        return [step("delete_lines", lines=[str(one) for one in rows], sheet_name=place.sheet)]
    raise OrderUnclear("no_place")


def _names_rows(text: RequestText) -> bool:
    return text.has(r"的?(?:那|这|整)?一?行|记录|\brows?\b")


def _clear(cells: list[str]) -> list[JsonObject]:
    return [step("set_cells", cells=[{"cell": one, "value": None} for area in cells for one in _each(area)])]


def _each(area: str) -> list[str]:
    sheet, _, rest = area.rpartition("!")
    first, _, last = rest.partition(":")
    ends = [re.fullmatch(r"([A-Z]+)(\d+)", one) for one in (first, last or first)]
    if ends[0] is None or ends[1] is None:
        return [area]
    from metier.packs.office.orders.workbooks._view import column_index

    columns = range(column_index(ends[0][1]), column_index(ends[1][1]) + 1)
    rows = range(int(ends[0][2]), int(ends[1][2]) + 1)
    return [f"{sheet}!{column_letters(column)}{row}" for row in rows for column in columns][:2_000]


def _empty_rows(context: OrderContext, place: SheetPlace) -> list[int]:
    """Rows without any cell between the first and the last row of the sheet."""
    used = _used_rows(context, place)
    return [row for row in range(min(used), max(used)) if row not in used]


def _used_rows(context: OrderContext, place: SheetPlace) -> set[int]:
    sheet = next(one for one in context.reading.sheets if one.name == place.sheet)
    return {
        int(found[0])
        for cell in sheet.cells
        if cell.value not in (None, "") or cell.formula
        if (found := re.search(r"\d+$", cell.address))
    }


def _remove_duplicates(text: RequestText, place: SheetPlace) -> list[JsonObject]:
    columns = take_columns(text, place) or list(place.columns)
    text.take_all(
        r"(?:按|根据|相同|一样|都|算|的|列|就?保留第一[条个行]|只留一[条个行])|\b(?:by|based on|same|in|the|"
        r"keep(?:ing)? the first(?: one)?|where|are|all|and)\b|[-–—]"
    )
    seen: set[tuple[str, ...]] = set()
    rows = []
    for row in place.table.body:
        key = tuple(
            str(cell.value).strip() if (cell := place.table.cell(row, one)) is not None else "" for one in columns
        )
        if key in seen:
            rows.append(row)
        seen.add(key)
    if not rows:
        raise OrderUnclear("no_duplicates")
    return [step("delete_lines", lines=[str(one) for one in rows], sheet_name=place.sheet)]


def _insert(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    side = r"(?P<side>上面|上方|之上|之前|前面|前边|前|下面|下方|之下|之后|后面|后边|后|左边|左侧|左|右边|右侧|右)"
    count = rf"(?P<count>{ORDINAL})?\s*(?:个)?(?:空白?的?)?"
    zh = rf"(?:在)?第?(?P<row>{ORDINAL})行(?:的)?{side}(?:再)?{ADD}{count}(?:行|空行)"
    en = (
        r"\b(?:insert|add) (?P<count>\w+) (?:blank |empty |new )?rows? (?P<side>above|below|before|after|"
        r"under) row (?P<row>\d+)"
    )
    for pattern in (zh, en):
        if found := text.take(pattern):
            place = choose_table(context.reading, text)
            row = read_ordinal(found["row"]) or 0
            after = (
                found["side"][0] in "下后"
                or found["side"].startswith("之后")
                or found["side"] in ("below", "after", "under", "之下")
            )
            number = read_count(found["count"] or "一") or 1
            return [step("insert_lines", before=str(row + 1 if after else row), count=number, sheet_name=place.sheet)]
    return None


def _insert_column(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if re.search(r"=|等于|[*×/÷]|\bequals?\b|\btimes\b", text.mask) or not text.has(
        rf"{ADD}.{{0,6}}列|\b(?:insert|add)\b.{{0,40}}\bcolumn\b"
    ):
        return None
    place = choose_table(context.reading, text)
    side = r"(?:的)?(?:后面|后边|之后|后|右边|右侧|右|前面|前边|之前|前|左边|左侧|左)"
    is_end = bool(
        text.take(
            r"(?:在|到)?(?:表格?的?)?(?:最后|末尾|最右边?|最后面)(?:面)?(?=[再,，]?(?:添加|新增|增加|加|"
            r"插))|\b(?:at|to) the (?:end|right)\b(?: of the table)?"
        )
    )
    name = text.take_quote(
        r"(?:列名|表头|标题|名字|名称|叫做?|名为|命名为|为|是|列)|\b(?:called|named|titled|headed|header)\b"
    ) or text.take_value(
        r"(?:列名|表头|标题|名字|名称)(?:叫|为|是|写|:)+|(?:列)?(?:[,，]\s*)?(?:叫做?|名为|命名为)|"
        r"\b(?:called|named|titled)\b"
    )
    if not name and (found := text.take(rf"(?:一列|一个)({QUOTED})(?:列)?")):
        name = text.raw[found.start(1) + 1 : found.end(1) - 1]
    if not name and (found := text.take(rf"(?:新增|添加|增加|加上?|插入?)(?:一?个)?({QUOTED})(?:列|栏|一列)")):
        name = text.raw[found.start(1) + 1 : found.end(1) - 1]
    if not name and (
        found := text.take(r"(?:新增|添加|增加|加上|加|插入)(?:一列|一个)?([\u4e00-\u9fffA-Za-z]{2,10})列")
    ):
        name = text.raw[found.start(1) : found.end(1)]
    if not name and (found := text.take(r"(?<=一列)([\u4e00-\u9fff]{2,8})$")):
        name = text.raw[found.start(1) : found.end(1)]
    columns = take_columns(text, place, most=1)
    sided = text.take(side) or text.take(
        r"\b(?P<en>after|before|right of|left of|to the right of|to the left of|next to)\b(?: the)?"
    )
    text.take(rf"{ADD}")
    text.take_all(r"一?个?空?白?的?(?:新)?列|\b(?:a|one|new|blank|empty|column)\b")
    if not columns or is_end or sided is None:
        if columns:
            raise OrderUnclear("no_place")
        target = place.columns[-1] + 1
        if not name:
            raise OrderUnclear("no_text")
        return [_set(place, place.table.header_row, target, name)]
    word = sided[0].strip("的 ").lower()
    after = word[0] in "后右" or word == "之后" or word.startswith(("after", "right", "to the right", "next"))
    target = columns[0] + 1 if after else columns[0]
    made = [step("insert_lines", before=column_letters(target), count=1, sheet_name=place.sheet)]
    return [*made, _set(place, place.table.header_row, target, name)] if name else made


def _set(place: SheetPlace, row: int, column: int, value: JsonValue) -> JsonObject:
    cell: JsonObject = {"cell": f"{quote_sheet(place.sheet)}!{column_letters(column)}{row}", "value": value}
    return step("set_cells", cells=[cell])


_NEW_ROW: Final = (
    rf"{ADD}\s*(?:上|入)?\s*(?:一|1)?(?:个|空白?|新)?(?:行|条)(?:空行|数据|记录|新?记录)?|\b(?:add|append|"
    rf"insert) (?:a|an|one|another|this) (?:new |empty |blank )*(?:row|record|line|entry)\b"
)


def _append_row(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.has(_NEW_ROW):
        return None
    place = choose_table(context.reading, text)
    value = take_text(text)
    text.take(_NEW_ROW)
    text.take_all(
        r"(?:在|到)?(?:表格?|数据|名单|清单)?的?(?:最后|末尾|最下面|下面|底部|最底下|后面|"
        r"结尾)(?:面)?(?:再)?|\b(?:at|to) the (?:end|bottom)\b(?: of the (?:table|sheet|list))?|\bwith\b|\bbelow\b"
    )
    values = split_values(value) if value else _take_told(text)
    if not values and place.table.totals and not find_rest(text):
        return [step("insert_lines", before=str(place.last_body + 1), count=1, extend=True, sheet_name=place.sheet)]
    if not values:
        raise OrderUnclear("no_text")
    formulas = _formulas(place)
    return make_row(place, _pair(place, values, [column for column in place.columns if column not in formulas]))


def _take_told(text: RequestText) -> list[str]:
    """Values that follow the new row without a colon: 加一行培训费，预算1000; empty if it is no list of values."""
    found = re.search(r"(?<=\ufffc)[ ,，]*(?P<it>[^\ufffc:：\"]*\d[^\ufffc:：\"]*)$", text.mask)
    if found is None or has_order_inside(found["it"]):
        return []
    parts = [one for one in re.split(r"[,，、\s]+", text.raw[slice(*found.span("it"))].strip()) if one]
    bare = re.fullmatch(r"(?P<name>[\u4e00-\u9fff]{2,})(?P<number>\d[\d.,]*)元?", parts[0]) if len(parts) == 1 else None
    text.consume(*found.span())
    return [bare["name"], bare["number"]] if bare else parts


def _formulas(place: SheetPlace) -> dict[int, str]:
    return {
        column: cell.formula
        for column in place.columns
        if (cell := place.table.cell(place.last_body, column)) is not None and cell.formula
    }


def make_row(place: SheetPlace, chosen: dict[int, str], before: int = 0) -> list[JsonObject]:
    """Steps for a new row with these values by column and the formulas of the others, before a row or at the end."""
    table, row = place.table, before or place.last_body + 1
    formulas = _formulas(place)
    cells: list[JsonValue] = [
        {"cell": f"{quote_sheet(place.sheet)}!{column_letters(column)}{row}", "value": fit_value(place, column, value)}
        for column, value in chosen.items()
    ]
    cells += [
        {
            "cell": f"{quote_sheet(place.sheet)}!{column_letters(column)}{row}",
            "formula": fill_down(formula, place.last_body, row),
        }
        for column, formula in formulas.items()
        if column not in chosen
    ]
    made = [step("set_cells", cells=cells)]
    if before or table.totals or (row, place.columns[0]) in table.cells:
        made.insert(0, step("insert_lines", before=str(row), count=1, extend=True, sheet_name=place.sheet))
    return made


def _pair(place: SheetPlace, values: list[str], columns: list[int]) -> dict[int, str]:
    """Which value goes to which column: named ones by name, others in order if there are as many."""
    named: dict[int, str] = {}
    for value in values:
        for column in place.columns:
            header = place.table.header(column)
            if found := re.fullmatch(rf"{re.escape(header)}\s*(?:为|是|:|：|=)?\s*(.+)", value, re.IGNORECASE):
                named[column] = found[1].strip('“”"「」')
                break
    if len(named) == len(values):
        return named
    for known in (columns, list(place.columns)):
        if len(values) == len(known) and not named:
            return dict(zip(known, values, strict=True))
    if not named and (fitting := _fit_kinds(place, values, columns)):
        return fitting
    rest = [one for one in values if one not in named.values()]
    raise OrderUnclear("value_count", columns=len(columns), count=len(rest), names=tuple(values))


def _fit_kinds(place: SheetPlace, values: list[str], columns: list[int]) -> dict[int, str]:
    """A name and numbers for the first column and the columns of numbers, where there are as many; empty otherwise."""
    numbers = [one for one in values if re.fullmatch(r"-?\d[\d.,]*(?:元|块)?", one)]
    measures = [one for one in place.measures if one in columns]
    is_named = bool(columns) and len(values) == len(numbers) + 1 and values[0] not in numbers
    if not is_named or columns[0] in measures or len(numbers) != len(measures):
        return {}
    return {columns[0]: values[0], **dict(zip(measures, numbers, strict=True))}


LINE_RULES: Final = (_insert, _append_row, _insert_column, _delete)
