"""Orders that take something out of a document, or change its tables."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._context import ADD, DELETE, OrderContext, split_values, step, take_text
from metier.packs.office.orders._looks import is_look
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL, read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._view import DocTable, DocumentView, PieceSpan, take_span, take_table

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
                    rf"[“\"「]?{re.escape(head.strip())}[”\"」]?\s*(?:这|那)?一?(?:{zh}|\s*{en}\b)", text.raw
                )
            )
            and "\ufffc" not in text.mask[found.start() : found.end()]
        ):
            text.consume(*found.span())
            return at
    return 0


def _delete(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if not text.take(DELETE):
        return None
    view = DocumentView(context.reading)
    text.take_all(r"掉")
    if text.take(r"(?:所有|全部)?的?(?:批注|注释)|\b(?:all )?(?:the )?comments?\b"):
        words = text.take_quote(r"包含|含有|\bcontaining\b")
        return [step("delete_comments", containing=words or None)]
    if text.take(r"页码|\bpage numbers?\b"):
        return [step("set_footer", text="")] if not text.has(r"页眉") else None
    if text.take(
        r"(?:所有|全部|多余)?的?(?:空白?(?:的)?(?:行|段落?)|空格行)|\b(?:all )?(?:the )?(?:empty|blank|"
        r"extra) (?:lines|paragraphs)\b"
    ):
        return _delete_empty(context)
    if text.has(r"第[^段条]{1,4}[行列]|表格|最后一[行列]|表里|[行列](?=$)|\btable\b|\b(?:row|column)\b"):
        return _delete_in_table(text, view)
    return _delete_text(text, view)


def _delete_empty(context: OrderContext) -> list[JsonObject]:
    listed = [one for one in context.reading.pieces if re.fullmatch(r"p\d+", one.address)]
    known = {one.address for one in listed}
    numbers = [int(one.address[1:]) for one in listed]
    missing = [f"p{one}" for one in range(1, max(numbers, default=0) + 1) if f"p{one}" not in known]
    addresses: list[JsonValue] = [one.address for one in listed if not one.line.strip()] or list(missing)
    if not addresses:
        raise OrderUnclear("no_such", text="空行", known=("—",))
    return [
        step(
            "delete_paragraphs",
            addresses=addresses,
            expected=["", *(one.text for one in listed if not one.text.strip())],
        )
    ]


def _delete_in_table(text: RequestText, view: DocumentView) -> list[JsonObject] | None:
    table = take_table(text, view)
    row = take_line(text, table, "行|row")
    column = 0 if row else take_line(text, table, "列|column")
    if row:
        return [
            step(
                "edit_table",
                change="delete_row",
                index=row,
                table_index=table.number,
                expected="\t".join(table.rows[row - 1]),
            )
        ]
    if column:
        cells = "\t".join(one[column - 1] for one in table.rows)
        return [step("edit_table", change="delete_column", index=column, table_index=table.number, expected=cells)]
    for at, cells_of in enumerate(table.rows, 1):
        for cell in cells_of:
            if (
                len(cell.strip()) > 1
                and (
                    found := re.search(
                        (
                            rf"[“\"「]?{re.escape(cell.strip())}[”\"」]?(?:的)?(?:那|这)?一?(?:行|"
                            rf"条)"
                        ),
                        text.raw,
                    )
                )
                and "\ufffc" not in text.mask[found.start() : found.end()]
            ):
                text.consume(*found.span())
                return [
                    step(
                        "edit_table",
                        change="delete_row",
                        index=at,
                        table_index=table.number,
                        expected="\t".join(cells_of),
                    )
                ]
    if re.search(r"[行列]|\b(?:row|column)\b", text.mask):
        raise OrderUnclear("no_place")
    return [step("delete_paragraphs", addresses=[f"t{table.number}"])]


def _delete_text(text: RequestText, view: DocumentView) -> list[JsonObject] | None:
    quoted = next(iter(text.left_quotes()), None)
    span = take_span(text, view)
    if span is None and quoted is not None:
        words = text.take_any_quote()
        places = view.texts_with(words)
        if not places:
            raise OrderUnclear("no_text_here", text=words)
        text.take_all(
            r"(?:所有|全部)?(?:的)?(?:这?[几两三四]?个?字|字样|一词|这句话?|这段话?|文字|words?)|[:,，]|"
            r"全文|文中|里面?|中的?"
        )
        whole = [one for one in places if one.text.strip() == words.strip()]
        if whole and len(whole) == len(places):
            return [_delete_step(PieceSpan(tuple(whole)))]
        return [step("replace_text", find_text=words, replace_text="", max_matches=500)]
    if span is None:
        raise OrderUnclear("no_place")
    if len(span.pieces) == len(view.filled):
        raise OrderUnclear("no_place")
    text.take_all(r"整(?:个|段|条|节)?|内容|[:,，]|标题|\b(?:paragraphs?|entirely|section|clause|heading)\b")
    return [_delete_step(span)]


def _delete_step(span: PieceSpan) -> JsonObject:
    addresses: list[JsonValue] = [one.address for one in span.pieces]
    return step("delete_paragraphs", addresses=addresses, expected=[one.text for one in span.pieces])


def _table_row(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    unit = (
        rf"(?:{ADD})\s*(?:上|入)?\s*(?:一|1)?(?:个|空白?|新)?(?P<unit>行|列|条)(?:数据|记录)?|\b(?:add|"
        rf"insert|append) (?:a|one|another) (?:new |blank |empty )*(?P<en>row|column)\b"
    )
    view = DocumentView(context.reading)
    if not view.tables or not text.has(unit) or not (text.has(r"表|[行列]|\btable\b|\brow\b|\bcolumn\b")):
        return None
    values = split_values(words) if (words := take_text(text)) else []
    found = text.take(unit)
    if found is None:
        return None
    kind = "row" if (found["unit"] or found["en"]) in ("行", "条", "row") else "column"
    table = take_table(text, view)
    text.take_all(
        r"(?:在|到)?(?:的)?(?:最后(?!一[行列])|末尾|最下面|底部|最右边?|结尾)(?:面)?(?:再)?|\b(?:at|"
        r"to) the (?:end|bottom|right)\b(?: of)?"
    )
    side = text.take(
        r"(?:的)?(后面|下面|之后|下方|右边|后|前面|上面|之前|上方|左边|前)(?=$|[,，:\ufffc])|\b(after|"
        r"below|before|above)\b"
    )
    index = 0
    if number := take_line(text, table, "行|row" if kind == "row" else "列|column"):
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
    width = len(table.rows[0])
    if kind == "row" and values and len(values) != width:
        raise OrderUnclear("value_count", columns=width, count=len(values), names=tuple(values))
    listed: list[JsonValue] = list(values)
    return [
        step(
            "edit_table", change=f"insert_{kind}", index=index or None, values=listed or None, table_index=table.number
        )
    ]


def _table_cell(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """表格第2行第3列改成X; 把表格里张三的电话改成…"""
    view = DocumentView(context.reading)
    if not view.tables:
        return None
    found = re.search(
        rf"(?:的?(?:内容|值|文字))?(?:改成|改为|填上|填成|填|写成|写上|写|换成|设为|更新为|"
        rf"\s+to\s+)\s*(?P<new>:?\s*{QUOTED}|[^,，。;\"\ufffc]+)$",
        text.mask,
        re.IGNORECASE,
    )
    if found is None:
        return None
    new = text.text_of(*found.span("new")).lstrip(":： ")
    if '"' not in found["new"] and is_look(new):
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
    text.take_all(r"那一?[行列格]|[行列格]|单元格|对应")
    return [step("set_table_cell_text", row=row, col=column, text=new, table_index=table.number)]


def _find_cell(text: RequestText, cells: list[tuple[int, int, str]]) -> tuple[int, int]:
    for row, column, cell in sorted(cells, key=lambda one: -len(one[2])):
        plain = cell.strip()
        at = text.raw.find(plain) if len(plain) > 1 else -1
        if at >= 0 and "\ufffc" not in text.mask[at : at + len(plain)]:
            same = [one for one in cells if one[2].strip() == plain]
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


TABLE_RULES: Final = (_table_look, _table_row, _table_cell, _delete)
