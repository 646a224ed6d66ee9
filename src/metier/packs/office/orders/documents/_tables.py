"""Orders for the tables of a document: rows, cells, sums, sorting and borders."""

import re
from decimal import Decimal
from itertools import zip_longest
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import (
    ADD,
    DELETE,
    OrderContext,
    has_order_inside,
    split_values,
    step,
    take_text,
)
from metier.packs.office.orders._lexicon import find_synonyms
from metier.packs.office.orders._looks import is_look
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL, read_ordinal
from metier.packs.office.orders._sorting import SORT_DOWN, SORT_UP
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._places import take_table
from metier.packs.office.orders.documents._view import DocTable, DocumentView

__all__ = ["TABLE_RULES", "take_line"]


def take_line(text: RequestText, table: DocTable, words: str) -> int:
    """Number of a row or column of a table: by number, the last, or by the text of its head."""
    zh, en = words.split("|")
    size = len(table.rows) if zh == "行" else len(table.rows[0])
    if text.take(rf"最后(?:的)?一{zh}|\blast {en}\b"):
        return size
    if found := text.take(rf"第({ORDINAL}){zh}|\b{en}\s+(\d+)\b|\b({EN_ORDINAL})\s+{en}\b"):
        number = read_ordinal(next(one for one in found.groups() if one)) or 0
        if not 1 <= number <= size:
            raise OrderUnclear("no_such", text=found[0], known=(str(size),))
        return number
    heads = [row[0] for row in table.rows] if zh == "行" else list(table.rows[0])
    for at, head in enumerate(heads, 1):
        if (
            head.strip()
            and (
                found := re.search(
                    rf"[“\"「]?{re.escape(head.strip())}[”\"」]?\s*(?:这|那)?一?(?:{zh}|"
                    rf"{'栏' if zh == '列' else zh}|\s*{en}\b)",
                    text.raw,
                )
            )
            and "\ufffc" not in text.mask[found.start() : found.end()]
        ):
            text.consume(*found.span())
            return at
    return 0


def _take_row_name(text: RequestText, values: list[str]) -> list[str]:
    """Values of a new row with what it is for as the first: add a row for East: 40 and 55."""
    if head := text.take(
        r"(?<=\brow) for ([A-Za-z][\w ]{0,30}?)\s*(?=\ufffc|$|\b(?:to|in|into|on|at|with|under) )|"
        r"(?<=行)给?([\u4e00-\u9fff]{2,8})(?=\ufffc)"
    ):
        name = text.raw[slice(*head.span(1 if head[1] else 2))].strip()
        values = [name, *(part for one in values for part in re.split(r"\s+and\s+", one))]
    return values


_TOLD: Final = re.compile(
    r"(?:\s*(?:to|in|into|at the (?:end|bottom) of) (?:the|this|that) table)?\s*"
    r"(?:\b(?:for|with|of)\b|(?=[\u4e00-\u9fff]))"
    r"\s*(?P<it>[^\"\ufffc:]+?[,，、][^\"\ufffc:]+?)"
    r"(?:\s+(?:to|in|into|at the (?:end|bottom) of) (?:the|this|that) table)?[.。]?$",
    re.IGNORECASE,
)


def _take_told_values(text: RequestText, after: int) -> str:
    """Values that follow the row without a colon: add a row to the table for Insurance, £120, yearly."""
    found = _TOLD.match(text.mask, after)
    if found is None or has_order_inside(found["it"]):
        return ""
    text.consume(found.start("it"), len(text.mask))
    text.take(r"\b(?:for|with|of)\b\s*(?=\ufffc)")
    return text.raw[found.start("it") : found.end("it")].strip()


def _strip_head(value: str, head: str) -> str:
    """A value without the name of its column before it: 班主任何伟 in the column 班主任 is 何伟."""
    name = head.strip()
    return value[len(name) :].strip(" :：是为") if name and value.startswith(name) and value != name else value


def _table_row(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    unit = (
        rf"(?:{ADD})\s*(?:上|入)?\s*(?:一|1)?(?:个|空白?|新)?(?P<unit>行|列(?!表)|条)(?:数据|记录)?|\b(?:add|"
        rf"insert|append) (?:a|one|another) (?:new |blank |empty )*(?P<en>row|column)\b"
    )
    view = DocumentView(context.reading)
    if not view.tables or not text.has(unit) or not (text.has(r"表|[行列]|\btable\b|\brow\b|\bcolumn\b")):
        return None
    values = split_values(words) if (words := take_text(text)) else []
    values = _take_row_name(text, values)
    found = text.take(unit)
    if found is None:
        return None
    kind = "row" if (found["unit"] or found["en"]) in ("行", "条", "row") else "column"
    told = "" if values or kind != "row" else _take_told_values(text, found.end())
    table = take_table(text, view)
    if told:
        values = [_strip_head(one, head) for one, head in zip_longest(split_values(told), table.rows[0], fillvalue="")]
        values = values[: len(split_values(told))]
    named = re.match(r"(?:在|给|往)?[\u4e00-\u9fff]{2,6}?表格?(?:里|中|的)?", text.raw)
    if named is not None and len(view.tables) == 1:
        text.consume(*named.span())  # whatever the only table is called
    text.take_all(
        r"(?:在|到)?(?:的)?(?:最后(?!一[行列])|末尾|最下面|底部|最右边?|结尾)(?:面)?(?:再)?|\b(?:at|"
        r"to) the (?:end|bottom|right)\b(?: of)?"
    )
    side = text.take(
        r"(?:的)?(后面|下面|之后|下方|右边|后|前面|上面|之前|上方|左边|前)(?=$|[,，:\ufffc])|\b(after|"
        r"below|before|above)\b"
    )
    index = 0
    if kind == "row" and (
        item := text.take(
            rf"第({ORDINAL})[项个种](?:货物|商品|物品|产品)?|"
            rf"\bthe ({EN_ORDINAL}) item\b"
        )
    ):
        number = (read_ordinal(item[1] or item[2]) or 0) + 1
        said = (side[1] or side[2]) if side else "after"
        index = number if said in ("before", "above", "前面", "上面", "之前", "上方", "前") else number + 1
    elif number := take_line(text, table, "行|row" if kind == "row" else "列|column"):
        said = (side[1] or side[2]) if side else "后"
        index = (
            number + 1
            if (said[0] in "后下右之a" and said not in ("之前", "above")) or said in ("after", "below")
            else number
        )
    text.take_all(
        r"[:,，]|表头|标题|列名|内容|依次|分别|为|是|\b(?:with|called|named|headed|values?|of)\b|在|里|中|"
        r"再|后面|下面"
    )
    return [_insert_line(table, kind, index, values)]


def _insert_line(table: DocTable, kind: str, index: int, values: list[str]) -> JsonObject:
    """The step for a new row or column; a row without a place stands last, but above the total."""
    width = len(table.rows[0])
    if kind == "row" and values and len(values) != width:
        raise OrderUnclear("value_count", columns=width, count=len(values), names=tuple(values))
    index = index or (table.total_row if kind == "row" else 0)
    listed: list[JsonValue] = list(values)
    return step(
        "edit_table", change=f"insert_{kind}", index=index or None, values=listed or None, table_index=table.number
    )


def _table_cell(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """表格第2行第3列改成X; 把表格里张三的电话改成…"""
    view = DocumentView(context.reading)
    if not view.tables:
        return None
    found = re.search(
        rf"(?:的?(?:内容|值|文字))?(?:改成|改为|填上|填成|填|写成|写上|写|换成|设为|更新为|"
        rf"\s+should be\s+|\s+to\s+)\s*(?P<new>:?\s*{QUOTED}|[^,，。;\"\ufffc]+)$",
        text.mask,
        re.IGNORECASE,
    )
    if found is None:
        return None
    new = text.text_of(*found.span("new")).lstrip(":： ")
    if '"' not in found["new"] and (is_look(new) or has_order_inside(new)):
        return None
    text.consume(*found.span())
    saved = text.mask
    tables = view.tables if len(view.tables) == 1 or not text.has(r"表|\btable\b") else [take_table(text, view)]
    text.take_all(r"表格?(?:里|中)?的?|\b(?:in |of )?(?:the )?table\b|\b(?:change|set|update|cell|the|in|of)\b")
    hits = []
    after = text.mask
    for table in tables:
        text.mask = after
        column = (
            take_line(text, table, "列|column")
            or _find_cell(text, [(1, at, cell) for at, cell in enumerate(table.rows[0], 1)])[1]
        )
        row = (
            take_line(text, table, "行|row")
            or _find_cell(text, [(at, 1, cell) for at, cells in enumerate(table.rows[1:], 2) for cell in cells])[0]
        )
        if row and column:
            hits.append((table, row, column, text.mask))
    if len(hits) != 1:
        text.mask = saved
        return None
    table, row, column, text.mask = hits[0]
    text.take_all(r"那一?[行列格]|[行列格]|单元格|对应|\b(?:numbers?|figures?|values?|row|column)\b")
    return [step("set_table_cell_text", row=row, col=column, text=new, table_index=table.number)]


def _find_cell(text: RequestText, cells: list[tuple[int, int, str]]) -> tuple[int, int]:
    for row, column, cell in sorted(cells, key=lambda one: -len(one[2])):
        plain = cell.strip()
        short = re.sub(r"\s*[（(][^）)]*[）)]\s*$", "", plain)
        plain = short if plain not in text.raw and len(short) > 1 else plain
        at = text.raw.find(plain) if len(plain) > 1 else -1
        if at >= 0 and "\ufffc" not in text.mask[at : at + len(plain)]:
            same = [one for one in cells if one[2].strip() == cell.strip()]
            if len(same) > 1:
                return 0, 0
            text.consume(at, at + len(plain))
            return row, column
    return 0, 0


def _table_look(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    adds = text.take(rf"(?:{ADD})?(?:上|个)?(?:黑色|细)?(?:的)?(?:边框|框线)|\b(?:add )?borders?\b")
    repeats = text.take(
        r"(?:表头|标题行)(?:在)?(?:每一?页|跨页)(?:都)?重复(?:出现|显示)?|重复(?:表头|标题行)|"
        r"\brepeat (?:the )?header row\b(?: on (?:every|each) page)?"
    )
    if not adds and not repeats:
        return None
    view = DocumentView(context.reading)
    removes = bool(text.take(DELETE))
    many = bool(text.take(r"(?:所有|全部|每个)(?:的)?表格?|\ball (?:the )?tables\b"))
    tables = view.tables if many else [take_table(text, view)]
    text.take_all(r"表格?|\btables?\b|在|每一?页|\b(?:on|every|each|page)\b")
    return [
        step(
            "set_writer_table_style",
            borders=not removes if adds else None,
            header=True if repeats else None,
            table_index=one.number,
        )
        for one in tables
    ]


def _table_sort(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Rows of a table in the order of a column: 表格按单价从低到高排序."""
    view = DocumentView(context.reading)
    if not view.tables or not text.take(r"排序|排列|排一下|排个序|排好|排一排|重排|排(?=$|[,，。])|\bsort(?:ed)?\b"):
        return None
    down = bool(text.take(SORT_DOWN))
    text.take(SORT_UP)
    table = take_table(text, view)
    columns = []
    for at, head in enumerate(table.rows[0], 1):
        for name in (head.strip(), *find_synonyms(head)):
            if len(name) > 1 and (found := re.search(rf"{re.escape(name)}(?:列|\s+column)?", text.mask, re.IGNORECASE)):
                text.consume(*found.span())
                columns.append(at)
                break
    text.take_all(r"按照?|根据|依|以|的?(?:行|数据)|\b(?:by|the|rows?|of)\b")
    if len(columns) != 1:
        raise OrderUnclear("no_column", known=tuple(table.rows[0]))
    return [
        step(
            "edit_table",
            change="sort_rows",
            index=columns[0],
            order="desc" if down else "asc",
            table_index=table.number,
        )
    ]


def _table_total(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A last row with sums: 表格最下面加一行合计，金额那列加起来."""
    view = DocumentView(context.reading)
    word = re.search(r"合计|总计|小计|\btotals?\b", text.mask, re.IGNORECASE)
    if not view.tables or word is None or not text.has(rf"{ADD}|求|算|行|\brow\b"):
        return None
    table = take_table(text, view)
    label = re.sub(r"(?i)^totals?$", "Total", text.raw[word.start() : word.end()])
    text.take_all(r"合计|总计|小计|\btotals?\b")
    heads = [(at, head.strip()) for at, head in enumerate(table.rows[0]) if head.strip()]
    named = []
    for at, head in heads:
        if found := re.search(rf"{re.escape(head)}(?:这|那)?一?(?:列|栏)?", text.mask):
            text.consume(*found.span())
            named.append(at)
    columns = named or [at for at, head in heads if at and _is_summed(table, at, head)]
    prices = [head for _, head in heads if re.search(r"单价|\bprice\b", head, re.IGNORECASE)]
    if (
        not named
        and prices
        and not any(
            re.search(
                r"金额|总价|小计|amount|"
                r"total",
                head,
                re.IGNORECASE,
            )
            for _, head in heads
        )
    ):
        raise OrderUnclear("no_column", known=tuple(table.rows[0]))
    values: list[JsonValue] = ["" for _ in table.rows[0]]
    for at in columns:
        numbers = [re.sub(r"[¥￥$,\s]", "", row[at]) for row in table.rows[1:]]
        if not all(re.fullmatch(r"-?\d+(?:\.\d+)?", one) for one in numbers):
            raise OrderUnclear("no_numbers", text=table.rows[0][at])
        values[at] = f"{sum(map(Decimal, numbers)):f}"
    if not columns or columns[0] == 0:
        raise OrderUnclear("no_column", known=tuple(table.rows[0]))
    if re.match(r"\s*(?:合计|总计|total)", table.rows[-1][0], re.IGNORECASE):
        raise OrderUnclear("has_total_here", row=len(table.rows))
    values[0] = label
    text.take_all(
        r"(?:所有|全部|各)?(?:的)?(?:数字|数值)列|\b(?:that |which )?(?:sums?|adds?)(?: up)?(?=.*\bcolumns?\b)|"
        r"\b(?:for |of |all |the )*(?:numeric|number) columns?\b"
    )
    text.take_all(
        rf"{ADD}|(?:在|到)?(?:的)?(?:最下面|最后|末尾|底部|最底下|下面)(?:面)?|一?行|加起来|相加|求和|"
        rf"算出?|求|列|[,，]|\b(?:one more|another|extra|last|row|at the (?:bottom|end)|of|for|column|sum)\b"
    )
    return [step("edit_table", change="insert_row", values=values, table_index=table.number)]


def _is_summed(table: DocTable, at: int, head: str) -> bool:
    """Whether a column has numbers whose sum means something."""
    if re.search(
        r"单价|序号|编号|年|电话|手机|折|率|^(?:no\.?|year|phone|id|(?:unit )?price|rate)$", head, re.IGNORECASE
    ):
        return False
    cells = [re.sub(r"[¥￥$,\s]", "", row[at]) for row in table.rows[1:]]
    return bool(cells) and all(re.fullmatch(r"-?\d+(?:\.\d+)?", one) for one in cells)


TABLE_RULES: Final = (_table_sort, _table_total, _table_look, _table_row, _table_cell)
