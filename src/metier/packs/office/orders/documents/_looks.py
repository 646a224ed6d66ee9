"""Orders about the look of a document, what is taken out of it, and its tables."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._context import ADD, DEFAULT_SCOPE, OrderContext, step
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._ordinals import read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.documents._places import WHOLE, take_span, take_table
from metier.packs.office.orders.documents._tables import take_line
from metier.packs.office.orders.documents._view import DocTable, DocumentView, PieceSpan

__all__ = ["LOOK_RULES"]

_PARAGRAPH_LOOK: Final = frozenset(
    {"alignment", "line_multiple", "line_points", "first_line_chars", "space_before", "space_after"}
)
# What is said of the text as a whole where no place is named: 行距1.5倍, 字号改小四.
_BODY_LOOK: Final = _PARAGRAPH_LOOK - {"alignment"} | {"font", "size"}


def _style(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    if text.has(r"页边距|表格的?边框|横向|纵向"):
        return None
    keeps = bool(
        text.take(
            r"[,，;；]?\s*(?:但是?)?(?:各级)?(?:小)?标题(?:的)?(?:字号|大小)(?:不变|不动|保持(?:不变|原样)|"
            r"还是原来的?|照旧|维持不变)|"
            r"[,;]?\s*(?:but )?(?:the )?headings? (?:should )?keep(?:ing)? (?:their|the) (?:own |"
            r"original )?sizes?(?:,?\s*(?:but|and) (?:the )?same font)?"
        )
    )
    kind = _take_kind(text)
    look = take_look(text) or _take_bare_size(text)
    if not look and not kind:
        return None
    view = DocumentView(context.reading)
    if "fill" in look:
        look["highlight"] = look.pop("fill")
    table = _take_table_part(text, view)
    if table and (kind.get("list") or "heading" in kind):
        raise OrderUnclear("no_place")  # points inside cells are no list
    if table:
        return [step("apply_paragraph_style", addresses=table, **look, **kind)]
    quote = None if kind else _take_words(text, view)
    if quote is None and not kind and (values := _style_values(text, view, look)):
        return values
    if quote is not None and not set(look) & _PARAGRAPH_LOOK:
        _drop_words(text)
        return [step("apply_text_style_to_matches", find_text=quote, case_sensitive=True, max_matches=500, **look)]
    span = _whole(quote, view) if quote is not None else _find_span(text, view, look, has_kind=bool(kind))
    _drop_words(text)
    if keeps:
        return _keep_sizes(view, look)
    made = _style_part(text, span, look, kind)
    return made or [_style_span(text, span, look, kind), *_style_cells(view, span, look)]


def _style_cells(view: DocumentView, span: PieceSpan, look: dict[str, JsonValue]) -> list[JsonObject]:
    """The look of letters in tables, where all of the document is meant."""
    letters = {name: value for name, value in look.items() if name not in _PARAGRAPH_LOOK}
    cells: list[JsonValue] = [one.address for one in view.all if re.fullmatch(r"t\d+\.r\d+\.c\d+", one.address)]
    if span.name != WHOLE or not letters or not cells:
        return []
    return [step("apply_paragraph_style", addresses=cells, **letters)]


def _style_span(
    text: RequestText, span: PieceSpan, look: dict[str, JsonValue], kind: dict[str, JsonValue]
) -> JsonObject:
    """The look of all paragraphs of a place, or of its heading."""
    is_head_only = bool(kind.get("heading")) or "page_break_before" in kind or span.is_bare or _means_heading(text)
    pieces = span.pieces[:1] if span.is_section and is_head_only else span.pieces
    addresses: list[JsonValue] = [one.address for one in pieces]
    mark = {DEFAULT_SCOPE: True} if span.name == DEFAULT_SCOPE else {}
    return step("apply_paragraph_style", addresses=addresses, **look, **kind, **mark)


_POINTS: Final = r"这|那|此|第.{1,3}[段条节]|\b(?:this|that|these|those)\b"
# Values that a look may be for: what they are called, and how they are written.
_VALUES: Final = (
    (
        r"(?:电话|手机|联系电话)(?:号码?)?|\b(?:phone|telephone|mobile)(?: numbers?)?\b",
        r"(?<!\d)(?:1[3-9]\d{9}|0\d{2,3}[- ]?\d{7,8}|\+\d[\d -]{7,14}\d)(?!\d)",
    ),
    (r"(?:电子)?邮箱(?:地址)?|\be-?mails?(?: address(?:es)?)?\b", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    (r"日期|\bdates?\b", r"(?:\d{4}\s*年\s*)?\d{1,2}\s*月\s*\d{1,2}\s*日|\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"),
    (
        r"金额|\bamounts?(?: of money)?\b",
        r"(?:人民币|RMB|[¥￥$€£])?\s*\d[\d,]*(?:\.\d+)?\s*(?:万?元|块)|"
        r"(?:人民币)?[零壹贰叁肆伍陆柒捌玖拾佰仟万亿]{2,}[元圆](?:整|[零壹贰叁肆伍陆柒捌玖角分]+)?|"
        r"[¥￥$€£]\s*\d[\d,]*(?:\.\d+)?",
    ),
)


def _style_values(text: RequestText, view: DocumentView, look: dict[str, JsonValue]) -> list[JsonObject]:
    found = _take_value_kind(text, view)
    if found:
        _drop_words(text)
    return [
        step("apply_text_style_to_matches", find_text=one, case_sensitive=True, max_matches=500, **look)
        for one in found
    ]


def _take_value_kind(text: RequestText, view: DocumentView) -> list[str]:
    """All values of a kind that the document has: 电话号码标红; empty if the order names no kind."""
    for names, form in _VALUES:
        found = re.search(
            rf"(?:所有|全部|每个|文中|里面)?(?:的)?(?:{names})(?:都|全部)?(?=\s*\ufffc|$)|(?<=\ufffc)\s*(?:all |"
            rf"every |the |"
            rf"each )*(?:{names})",
            text.mask,
            re.IGNORECASE,
        )
        if found is None or text.has(r"表|列|\b(?:table|column)\b"):
            continue
        values = [match[0].strip() for one in view.all for match in re.finditer(form, one.text)]
        if values:
            text.consume(*found.span())
            return list(dict.fromkeys(values))
    return []


def _take_bare_size(text: RequestText) -> dict[str, JsonValue]:
    """A number alone as a size: 正文14, headings to 16."""
    found = text.take(
        r"(?<=正文|标题)\s*(?:字号)?(?:统一|都|用|改成|改为|设为|调成|调到)*\s*(\d{1,2}(?:\.5)?)(?![\d%页条段级.厘])|"
        r"(?<=body|text|ings|tles) (?:to|at|in|should be) (\d{1,2}(?:\.5)?)(?![\d%])"
    )
    return {"size": float(found[1] or found[2])} if found else {}


def _keep_sizes(view: DocumentView, look: dict[str, JsonValue]) -> list[JsonObject]:
    """Font for all of the document, and its size for what is no heading."""
    font = {name: value for name, value in look.items() if name != "size"}
    body = [one.address for one in view.all if re.fullmatch(r"p\d+|t\d+\.r\d+\.c\d+", one.address)]
    heads = {one.address for one in (*view.headings, *((view.title,) if view.title else ()))}
    made = [step("apply_paragraph_style", addresses=list[JsonValue](body), **font)] if font else []
    if "size" in look:
        rest: list[JsonValue] = [one for one in body if one not in heads]
        made.append(step("apply_paragraph_style", addresses=rest, size=look["size"]))
    return made


def _find_span(text: RequestText, view: DocumentView, look: dict[str, JsonValue], *, has_kind: bool) -> PieceSpan:
    """The paragraphs that are meant; spacing, font and size that name no place are for the body."""
    span = _take_spans(text, view)
    if span is not None:
        return span
    if look and not has_kind and set(look) <= _BODY_LOOK and not text.has(_POINTS):
        return PieceSpan(tuple(one for one in view.paragraphs if one is not view.title), name=DEFAULT_SCOPE)
    raise OrderUnclear("no_place")


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
        rf"整体|统统|通通|整个|\b(?:paragraphs?|words?|phrase|every|mentions?|occurrences?|instances?|of|aligned|"
        rf"headings?|"
        rf"spacing|"
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
        text.take(
            r"(?:项目符号|圆点|小圆点|黑点)(?:列表)?|\bbullet(?:ed)?(?: list| points?|s)?\b(?: (?:under|in|of|below))?"
        )
        return {"list": "number"}
    if text.take(
        rf"(?:{ADD}|带|变成|改成|用)?(?:上)?(?:项目符号|圆点|小圆点|黑点|着重号)(?:的)?(?:列表|清单)?|"
        rf"\b(?:should be |as |into )?(?:a )?bullet(?:ed)?(?: list| points?|s)?\b"
    ):
        return {"list": "bullet"}
    if text.take(
        r"(?:前面?|之前)?(?:都)?(?:插入|加|添加)(?:一个)?分页符?|(?:前面?|之前)(?:都)?分页|另起一页|"
        r"从新的?一页开始|换页|\bstart(?:s|ing)? (?=.{1,60}\bon a new page\b)|\b(?:on|"
        r"onto) a new page\b|\bpage break before\b|\b(?:insert|add) a page break before\b|\bstart on a new page\b"
    ):
        text.take_all(r"\bon a new page\b|\b(?:begins?|starts?)\b")
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
