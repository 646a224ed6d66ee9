"""Orders about the look of a document, what is taken out of it, and its tables."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import ADD, OrderContext, step
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._ordinals import read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._places import take_span, take_table
from metier.packs.office.orders.documents._tables import take_line
from metier.packs.office.orders.documents._view import DocTable, DocumentView, PieceSpan

__all__ = ["LOOK_RULES"]

_PARAGRAPH_LOOK: Final = frozenset(
    {"alignment", "line_multiple", "line_points", "first_line_chars", "space_before", "space_after"}
)


def _style(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if text.has(r"页边距|表格的?边框|横向|纵向"):
        return None
    kind = _take_kind(text)
    look = take_look(text)
    if not look and not kind:
        return None
    view = DocumentView(context.reading)
    if "fill" in look:
        look["highlight"] = look.pop("fill")
    table = _take_table_part(text, view)
    if table:
        return [step("apply_paragraph_style", addresses=table, **look, **kind)]
    quote = None if kind else _take_words(text, view)
    if quote is not None and not set(look) & _PARAGRAPH_LOOK:
        _drop_words(text)
        return [step("apply_text_style_to_matches", find_text=quote, case_sensitive=True, max_matches=500, **look)]
    span = _whole(quote, view) if quote is not None else _take_spans(text, view)
    if span is None:
        raise OrderUnclear("no_place")
    _drop_words(text)
    if (made := _style_part(text, span, look, kind)) is not None:
        return made
    is_head_only = bool(kind.get("heading")) or "page_break_before" in kind
    pieces = span.pieces[:1] if span.is_section and is_head_only else span.pieces
    if span.is_section and (span.is_bare or _means_heading(text)):
        pieces = span.pieces[:1]
    addresses: list[JsonValue] = [one.address for one in pieces]
    return [step("apply_paragraph_style", addresses=addresses, **look, **kind)]


def _style_part(
    text: RequestText, span: PieceSpan, look: dict[str, JsonValue], kind: dict[str, JsonValue]
) -> list[JsonObject] | None:
    """Steps for a sentence of a paragraph, or for the paragraphs below a heading that become a list."""
    if span.sentence and not kind and not set(look) & _PARAGRAPH_LOOK:
        return [step("apply_text_style_to_matches", find_text=span.sentence, case_sensitive=True, **look)]
    if span.is_section and kind.get("list") and len(span.pieces) > 1:
        count = text.take(r"\b(two|three|four|five|six|\d+)\b|[这那]?([两三四五六几])[条点项个句]")
        number = read_count(count[1] or count[2]) if count else None
        if number is not None and number != len(span.pieces) - 1:
            raise OrderUnclear("no_place")
        return [step("apply_paragraph_style", addresses=[one.address for one in span.pieces[1:]], **look, **kind)]
    return None


def _means_heading(text: RequestText) -> bool:
    return bool(re.search(r"标题|heading", text.raw, re.IGNORECASE))


def _whole(words: str, view: DocumentView) -> PieceSpan:
    pieces = [one for one in view.filled if words in one.line]
    if len(pieces) != 1:
        raise OrderUnclear("many_places", text=words, count=len(pieces))
    return PieceSpan((pieces[0],))


def _take_spans(text: RequestText, view: DocumentView) -> PieceSpan | None:
    """One place or several: 标题和第一段."""
    first = take_span(text, view, is_text=True)
    if first is None:
        return None
    pieces = list(first.pieces)
    is_section = first.is_section
    while re.search(r"\ufffc\s*(?:和|与|及|以及|、|and)\s*\S", text.mask) and (
        more := take_span(text, view, is_text=True)
    ):
        pieces += [one for one in more.pieces if one not in pieces]
        is_section = False
    return PieceSpan(tuple(pieces), is_section, first.name)


def _take_words(text: RequestText, view: DocumentView) -> str | None:
    """Words of the document that get a look: 把“重要”标红, 所有“甲方”加粗."""
    for one in list(text.left_quotes()):
        after = text.raw[one.end : one.end + 8]
        if re.match(
            r"[”\"」』]?\s*(?:开头)?(?:的)?(?:这|那)?一?(?:个)?(?:段|节|章|部分|标题|行|条款|条(?!件)|"
            r"\s*(?:paragraph|section|heading|line))",
            after,
        ):
            continue
        if re.search(r"(?:标题|包含|含有|heading|containing)\s*[“\"「『]?$", text.raw[: one.start]):
            continue
        if not view.texts_with(one.text):
            raise OrderUnclear("no_text_here", text=one.text)
        text.consume(one.start - 1, one.end + 1)
        return one.text
    if found := re.search(
        r"(?:所有|全部|每个|文中|全文)(?:的|"
        r"出现的)?(?P<it>[^\s,，。\"\ufffc的]{2,12}?)(?:这?[几两三四]?个?字|一词|字样)?(?:都|全部|统一)?(?=\ufffc)",
        text.mask,
    ):
        word = text.raw[found.start("it") : found.end("it")]
        if view.texts_with(word):
            text.consume(*found.span())
            return word
    return None


def _drop_words(text: RequestText) -> None:
    text.take_all(
        rf"{ADD}|字样|一词|这?[几两三四]?个?字|出现的?|段落|段|行距|对齐|间距|首行|字号|大小|[,，、]|级别|"
        rf"\b(?:paragraphs?|words?|phrase|every|occurrences?|instances?|of|aligned|headings?|spacing|"
        rf"section)\b|标题|那一?行|落款|文中|文里|全文|署名|称呼|结尾|统一|这|一"
    )


def _take_kind(text: RequestText) -> dict[str, JsonValue]:
    """Headings, lists and page breaks that existing paragraphs become."""
    zh = (
        r"(?:设置?|改|变|调|升|降|套用|应用)(?:置)?(?:成|为|到|用)?[“\"]?(?:标题\s*([1-4一二三四])|"
        r"([1-4一二三四])级标题|标题样式)[”\"]?(?:样式|级别)?"
    )
    en = (
        r"\b(?:as|into|to)\s+(?:an?\s+)?(?:heading\s*(\d)?|level[- ](\d) heading)\b|"
        r"\b(?:an?)\s+(?:heading\s*(\d)|level[- ](\d) heading)\b"
    )
    if found := text.take(f"{zh}|{en}"):
        return {"heading": read_ordinal(next((one for one in found.groups() if one), "1")) or 1}
    if text.take(r"(?:设置?|改|变)(?:成|为)?(?:普通)?正文(?:样式|文本|格式)?"):
        return {"heading": 0}
    if text.take(
        rf"(?:{ADD}|带|变成|改成|用)?(?:上)?(?:自动|数字)?(?:编号|序号)(?:的)?(?:列表|清单)?|编上号|\b(?:as |"
        rf"into )?(?:a )?numbered list\b|\bnumber (?:these|the) (?:paragraphs|items|lines)\b"
    ):
        return {"list": "number"}
    if text.take(
        rf"(?:{ADD}|带|变成|改成|用)?(?:上)?(?:项目符号|圆点|小圆点|黑点|着重号)(?:的)?(?:列表|清单)?|"
        rf"\b(?:should be |as |into )?(?:a )?bullet(?:ed)?(?: list| points?|s)?\b"
    ):
        return {"list": "bullet"}
    if text.take(
        r"(?:前面?|之前)?(?:插入|加|添加)(?:一个)?分页符|另起一页|从新的?一页开始|换页|\b(?:on|"
        r"onto) a new page\b|\bpage break before\b|\b(?:insert|add) a page break before\b|\bstart on a new page\b"
    ):
        return {"page_break_before": True}
    return {}


def _take_table_part(text: RequestText, view: DocumentView) -> list[JsonValue]:
    """Addresses of cells of a table: its header row, a row, a column, all of it."""
    heads = [cell.strip() for table in view.tables for cell in table.rows[0] if len(cell.strip()) > 1]
    named = any(text.has(rf"{re.escape(one)}\s*(?:这|那)?一?(?:列|栏)|\b{re.escape(one)} column\b") for one in heads)
    if not named and not text.has(
        r"表头|表格|标题行|第[^段条]{1,4}[行列]|表里|\btable\b|\bheader row\b|\bthe numbers\b"
    ):
        return []
    is_header = bool(
        text.take(
            r"表头(?:(?:那|这)?一?行)?|(?:表格的?)?(?:标题行|首行|第一行)|"
            r"\b(?:the )?(?:table )?header(?: row)?\b"
        )
    )
    table = take_table(text, view)
    row, column = take_line(text, table, "行|row"), take_line(text, table, "列|column")
    text.take_all(r"(?:的)?(?:内容|文字)|里|中")
    rows = [1] if is_header else [row] if row else range(1, len(table.rows) + 1)
    columns = [column] if column else range(1, len(table.rows[0]) + 1)
    if text.take(
        r"(?:所有|全部|[两二三四五六\d]个?)?(?:的)?(?:数字|数值)(?:的)?列?|\b(?:the )?numbers\b|"
        r"\b(?:all )?(?:two |three |four |five )?numeric columns\b"
    ):
        text.take_all(r"\b(?:all )?(?:two |three |four |five )?numeric columns\b|\b(?:all|in)\b|[,，]")
        columns = [one for one in columns if _is_numeric(table, one)]
    return [f"t{table.number}.r{one}.c{other}" for one in rows for other in columns]


def _is_numeric(table: DocTable, column: int) -> bool:
    cells = [row[column - 1].strip() for row in table.rows[1:] if row[column - 1].strip()]
    return bool(cells) and all(re.fullmatch(r"[¥￥$]?-?[\d,]+(?:\.\d+)?%?", one) for one in cells)


LOOK_RULES: Final = (_style,)
