"""Drafts for documents: tables, charts, templates, outlines, lists, headings, banners and places for pictures."""

import re
from typing import Final

from metier.language import Language, choose
from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.drafting._blocks import DraftBlock, draft_table
from metier.packs.office.drafting._slots import TableSize
from metier.packs.office.drafting._titles import take_chart_type, take_note, take_title
from metier.packs.office.drafting._topics import (
    Kind,
    TopicMention,
    assume_mention,
    find_joined_mentions,
    find_mentions,
    find_quoted_mentions,
)
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.content._charts import find_chart_data
from metier.packs.office.drafting.content._records import find_records
from metier.packs.office.drafting.content._tables import draft_plain_table, draft_quotation, draft_two_tables
from metier.packs.office.drafting.lines import draft_banner, draft_picture, name_appendix, write_points
from metier.packs.office.drafting.lists import (
    find_columns_lists,
    find_lists,
    find_marks,
    find_to_do,
    is_bulleted,
    split_items,
    take_bullets,
)
from metier.packs.office.drafting.templates import (
    draft_outline,
    draft_template,
    take_word_art,
    write_heading,
)

__all__ = ["draft_writer"]

_KINDS: Final[tuple[Kind, ...]] = (
    *("template", "outline", "points", "quotation", "banner", "picture", "word_art", "chart", "heading", "table"),
)
# Of these a request is about one; the rest may stand beside each other.
_WHOLE: Final = ("template", "outline", "points", "quotation", "banner", "picture")
_LIST: Final = "list"
_NO_TABLE: Final = (
    r"(?:不要|不用|别|无需|不需要|不必)(?:再|给我|用|拿)?(?:插入|加|画|做|弄|列)?(?:成|任何|个|"
    r"张)*表(?:格(?:形式|的形式)?)?(?![格线头框边样里中名])[,，]?|"
    r",?\s*\b(?:no|not(?: as)? an?|without an?|instead of an?|rather than an?|do not (?:add|insert|use|make) an?|"
    r"don['’]t (?:add|insert|use|make) an?) table\b"
)
# 列出三条注意事项：甲、乙、丙 speaks of no table.
_COUNTED_LIST: Final = re.compile(
    rf"(?:^|(?<=[,，。;]))\s*(?:请|帮我|给我)*(?:再)?(?:列|写)(?:出|明|"
    rf"下)?(?:{COUNT})\s*[条项点](?P<what>[\u4e00-\u9fff]{{0,6}})(?=\s*:)"
)
_MIN_POINT: Final = 12
# Right before the colon behind which the items begin, where another colon stands before it.
_ITEMS_LEAD: Final = re.compile(
    r"(?:条目|列项|要点|清单|列表|内容|各项|项目|\b(?:items|entries|points|bullets|contents|list))\s*$", re.IGNORECASE
)
# The number of an appendix, and its name up to the sign behind which the items begin.
# N lines of text behind a colon are no header: 插入三行：甲付款、乙交货.
_LINES_OF_TEXT: Final = re.compile(
    rf"{COUNT}\s*(?:个)?(?:条|行|项)\s*:|\b{COUNT}\s+(?:rows|lines|entries|items)\s*:", re.IGNORECASE
)
_TABLE_ITSELF: Final = re.compile(r"[栏表格]|列(?![出举明入])|\b(?:columns?|tables?|headers?|fields?)\b", re.IGNORECASE)
# Without one of these a counted list is no table: 列出三项：甲、乙、丙, "list three items: …".
_TABLE_WORD: Final = re.compile(
    r"[行栏表格]|列(?![出举明入])(?<![排系陈罗]列)|字段|\b(?:rows?|columns?|lines?|fields?|tables?|grids?|"
    r"headers?)\b",
    re.IGNORECASE,
)


def draft_writer(text: RequestText, size: TableSize, language: Language, *, has_selection: bool) -> list[DraftBlock]:
    """Blocks of a document for this request."""
    mentions, quoted = find_mentions(text, _KINDS), find_quoted_mentions(text, ("points",))
    if to_do := find_to_do(text, mentions):
        return [_draft_points(text, to_do, size, language)]
    if quoted and all(one.topic.id in ("table", _LIST) for one in mentions):
        mentions = quoted  # 报表 among the items is no table
    if names := find_joined_mentions(text, mentions):
        raise Unclear("several", names=names)
    if not mentions and size.grid is None and size.columns is None and (counted := _take_counted_list(text)):
        return [_draft_points(text, assume_mention(_LIST), size, language, counted["what"])]
    is_listed = size.rows is not None and _speaks_of_table(text) and any(find_lists(text))
    is_table = size.grid is not None or size.header_only or is_listed
    if not mentions and not is_table and not _wants_heading(text):
        raise Unclear("no_object")
    if all(one.topic.kind not in ("heading", *_WHOLE, "chart", "word_art") for one in mentions) and _wants_heading(
        text
    ):
        mentions = [assume_mention("heading"), *mentions]
    if size.total and all(one.topic.id == "table" for one in mentions) and _has_prices(text):
        mentions = [assume_mention("quotation")]
    if whole := _find_whole(text, mentions):
        return [_draft_whole(text, whole, size, language)]
    return _draft_parts(text, mentions, size, language, has_selection=has_selection)


def _speaks_of_table(text: RequestText) -> bool:
    """Whether a request without the name of a thing is about a table and not about lines of text."""
    is_text = _LINES_OF_TEXT.search(RequestText(text.raw).mask) is not None and not _TABLE_ITSELF.search(text.raw)
    return _TABLE_WORD.search(text.raw) is not None and not is_text


def _take_counted_list(text: RequestText) -> "re.Match[str] | None":
    """The order for a counted list, which names no table."""
    found = _COUNTED_LIST.search(RequestText(text.raw).mask)
    if found is not None:
        text.consume(found.start(), found.end("what"))
    return found


def _find_whole(text: RequestText, mentions: list[TopicMention]) -> TopicMention | None:
    """The one thing that a request is about; None if it is about parts that may stand beside each other."""
    kinds = {one.topic.kind for one in mentions}
    found = [one for one in mentions if one.topic.kind in _WHOLE]
    whole = next((one for one in found if one.topic.id != _LIST), next(iter(found), None))
    is_refused = re.search(_NO_TABLE, text.mask, re.IGNORECASE) is not None
    if whole is None and is_refused and kinds == {"table"}:
        return assume_mention(_LIST)  # 不要表格，用文字列出甲、乙
    if whole is not None and whole.topic.id == _LIST:
        before = {one.topic.kind for one in mentions if one.start < whole.start}
        parts = {"word_art", "heading", "chart"} if is_refused else {"word_art", "heading", "chart", "table"}
        return None if parts & before else whole  # a table with the column Bullets
    is_beside = whole is not None and "chart" in kinds and whole.topic.kind in ("points", "picture")
    return None if is_beside else whole


def _has_prices(text: RequestText) -> bool:
    """Whether the request gives positions with a quantity and a price each."""
    records = find_records(text)
    return len(records) > 1 and all(set(one.roles) == {"quantity", "price"} for one in records)


def _wants_heading(text: RequestText) -> bool:
    """Whether the request speaks of a heading in bold type, in whatever order, with its text in quotation marks."""
    return (
        bool(text.quotes)
        and text.has(r"加粗|粗体|粗一?[点些]|\bbold\b")
        and text.has(r"标题|\b(?:heading|title|headline)\b")
    )


def _draft_whole(text: RequestText, mention: TopicMention, size: TableSize, language: Language) -> DraftBlock:
    match mention.topic.kind:
        case "template":
            return draft_template(text, mention, language)
        case "outline":
            return draft_outline(text, language)
        case "points":
            return _draft_points(text, mention, size, language)
        case "quotation":
            return draft_quotation(text, mention, size, take_title(text), language)
        case "banner":
            return draft_banner(text, language)
        case _:
            return draft_picture(text, language)


def _draft_points(
    text: RequestText, mention: TopicMention, size: TableSize, language: Language, heading: str = ""
) -> DraftBlock:
    is_marked = mention.topic.id == "summary" and take_bullets(text)
    said = _take_said(text, mention)
    said = size.rows if said is None and find_marks(text, mention.start) is None else said
    title = take_title(text) or heading or _take_own_title(text, mention)
    if mention.topic.id == _LIST:
        text.take(_NO_TABLE)
    start = _start_of_items(text, mention)
    items = tuple(one.text for one in text.left_quotes() if one.start > start) or split_items(
        text, start, len(text.mask)
    )
    if (
        ":" not in text.mask[mention.start :]
        and len(named := [one for one in find_lists(text) if "、" in text.raw[one.start : one.end]]) == 1
    ):
        items, start = named[0].items, named[0].start
        text.consume(named[0].start, named[0].end)
    before = next((one for one in find_lists(text) if one.end <= mention.start), None) if len(items) < 2 else None
    counted = _find_counted(text, said, mention.start) if said is not None and len(items) != said else ()
    if counted:
        items = counted
    if before is not None:  # the items come first: 甲、乙、丙，这三样列到最后
        items, start = before.items, mention.start
        text.consume(before.start, before.end)
    if len(items) < 2:
        raise Unclear("no_items", count=said or 3) if mention.topic.id == "summary" else Unclear("no_list")
    if said is not None and said != len(items):
        raise Unclear("item_count", said=said, named=len(items), names=items)
    text.consume(start, len(text.mask))
    text.consume(mention.start, mention.end)
    title = title or name_appendix(text, mention)
    is_marked = is_marked or (mention.topic.id == _LIST and is_bulleted(text))
    shown = mention.topic.title(language)
    return write_points(mention.topic.id, title, items, language, shown=shown, is_marked=is_marked)


def _take_said(text: RequestText, mention: TopicMention) -> int | None:
    """How many points the request says there are; a number inside of a point is none of it."""
    form = (
        rf"(?<![上下中]午)(?<![早晚]上)(?<!凌晨)({COUNT})\s*(?:个|大)?(?:点(?![半钟整\d])|条|方面|项(?!目(?:列表|符号|清单))|"
        rf"编号条目|条目)|({COUNT})[\s-]+(?:numbered |"
        rf"bullet |key )?(?:points?|bullets?|items?)\b"
    )
    found = re.search(form, text.mask, re.IGNORECASE)
    marks = find_marks(text, mention.start)
    if found is None or (marks and found.start() > marks):
        return None
    text.consume(*found.span())
    return read_count(found[1] or found[2])


def _find_counted(text: RequestText, said: int, start: int) -> tuple[str, ...]:
    """As many sentences or clauses at the end of a request as it says there are; empty if there are not as many."""
    for stop in re.finditer(r"[:;,。!?\n，；]|\.(?=\s)", text.mask[start:]):
        body = text.raw[start + stop.end() :]
        body = re.sub(r"^\s*(?:namely|that is|i\.e\.)?,?\s*(?:that\s+)?", "", body, flags=re.IGNORECASE)
        for sign in (r"[;；。\n]|\.(?:\s|$)", r"[,，]\s*(?:and\s+)?"):
            pieces = [one.strip(" .。") for one in re.split(sign, body) if one.strip(" .。")]
            if len(pieces) == said and all(len(one.split()) > 2 or len(one) > _MIN_POINT for one in pieces):
                text.consume(start + stop.end(), len(text.mask))
                return tuple(pieces)
    return ()


def _take_own_title(text: RequestText, mention: TopicMention) -> str:
    """A quote that itself contains the word, as in “附录A 参考文件”."""
    for quote in text.left_quotes():
        if mention.topic.pattern.search(quote.text):
            text.consume(quote.start - 1, quote.end + 1)
            return quote.text
    return ""


def _start_of_items(text: RequestText, mention: TopicMention) -> int:
    """Where the list of points begins: after the colon, else after the word that leads to it."""
    colons = list(re.finditer(r":", text.mask[mention.start :]))
    led = [one for one in colons if _ITEMS_LEAD.search(text.mask[mention.start :][: one.start()])]
    if colon := next(iter((*led, *colons)), None):
        return mention.start + colon.end()
    if stop := re.search(r"[?!。]\s*(?=\S)|\.\s+(?=\S)", text.mask[mention.end :]):
        return mention.end + stop.end()
    lead = r"(?:列出|列举|包括|包含|分别是|分别为|内容为|条目为|\b(?:items|points|bullets|list(?:ing)?|with|of)\b)"
    found = [one for one in re.finditer(lead, text.mask, re.IGNORECASE) if one.end() > mention.start]
    return found[-1].end() if found else mention.end


def _draft_parts(
    text: RequestText, mentions: list[TopicMention], size: TableSize, language: Language, *, has_selection: bool
) -> list[DraftBlock]:
    """Word art, heading with lines, tables and chart, in the order in which the request names them."""
    kinds = [one.topic.kind for one in mentions]
    blocks: list[DraftBlock] = []
    if "word_art" in kinds:
        art = take_word_art(text) or text.take_any_quote()
        if not art:
            raise Unclear("no_title", what=choose(language, zh="艺术字", en="word art"))
        block = DraftBlock("word_art", art, language)
        block.add("insert_word_art", text=art)
        blocks.append(block)
    if "heading" in kinds:
        blocks.append(_draft_heading(text, size, language))
    if "chart" in kinds:
        blocks.append(_draft_chart(text, language, has_selection=has_selection))
    elif size.tables > 1 or _names_two_tables(text) or len(find_columns_lists(text)) > 1:
        size.tables = max(2, size.tables)
        blocks += draft_two_tables(text, size, language)
    elif ("table" in kinds and not _is_refused(text, mentions)) or size.grid or size.header_only or not mentions:
        mention = next((one for one in mentions if one.topic.kind == "table"), None) or assume_mention("table")
        if size.grid:
            text.take(r"(?:不要|不用|不需要|别[加写放要])(?:加|写|放)?(?:表头|标题行)")
        blocks.append(draft_plain_table(text, mention, size, take_title(text), language))
    if not blocks:
        raise Unclear("no_object")
    return blocks


def _names_two_tables(text: RequestText) -> bool:
    second = (
        r"再(?:插|加|来|做|建|画|放|要)(?:入|上)?一?[张个份](?=表|[,，:])|第二[张个]表|表[一1].+表[二2]|"
        r"表格?(?:一共|总共|需要|要|得|有)*[两二2][个张份]|"
        r"(?:another|second) (?:table|one)|one with\b.*\bone with\b|the second has"
    )
    return bool(text.has(second))


def _is_refused(text: RequestText, mentions: list[TopicMention]) -> bool:
    """Whether the request says that it wants no table."""
    return bool(text.take(_NO_TABLE)) and len(mentions) > 1


def _draft_heading(text: RequestText, size: TableSize, language: Language) -> DraftBlock:
    called = text.take(
        rf"({QUOTED})(?:这|那)?(?:{COUNT}个?字)?(?:要|得|用)?(?:加粗|粗体)?(?:来)?(?:当|做|作为?|"
        rf"是)(?:一?个)?(?:大|小)?标题"
    )
    title = (
        text.raw[called.start(1) + 1 : called.end(1) - 1]
        if called
        else text.take_quote(r"标题|粗体|加粗|heading|headline|title|in bold")
        or text.take_value(r"标题(?:为|是|:)+|(?:heading|title|headline)\s*:")
    )
    title = title or (text.take_any_quote() if _wants_heading(RequestText(text.raw)) else "")
    text.take_all(r"(?:这|那)?(?:COUNT)个?字|加粗|粗体|粗一?[点些]|\bin bold\b|\bbold\b".replace("COUNT", COUNT))
    if not title:
        raise Unclear("no_title", what=choose(language, zh="标题", en="heading"))
    return write_heading(title, _take_lines(text, size), language)


def _take_lines(text: RequestText, size: TableSize) -> tuple[str, ...]:
    """Lines of text under a heading: quotes, else the sentences after the colon."""
    lead = (
        rf"(?P<count>(?<!第){COUNT})\s*(?:行|句|段)(?:文字|正文|话|内容)?|(?P<en>{COUNT})\s+(?:short )?"
        rf"(?:lines?|sentences?|paragraphs?)(?: of text)?(?: below| underneath)?|"
        rf"正文|内容|text below"
    )
    found = text.take(lead)
    if not found and size.rows is None and not any(text.left_quotes()):
        return ()
    said = read_count(found["count"] or found["en"] or "") if found else size.rows
    said = None if said == 1 and text.quotes else said
    start = found.end() if found and len(list(text.left_quotes())) > 2 else 0
    quotes = [one for one in text.left_quotes() if one.start > start]
    if quotes:
        for one in quotes:
            text.consume(one.start - 1, one.end + 1)
        lines = tuple(one.text for one in quotes)
    else:
        colon = re.compile(":").search(text.mask, start)
        if not colon:
            raise Unclear("no_items", count=said or 2)
        body = text.raw[colon.end() :].strip()
        lines = tuple(one.strip() for one in re.split(r"(?<=[。！？!?;；])|(?<=\.)\s+|\n", body) if one.strip())
        text.consume(colon.start(), len(text.mask))
    if said is not None and said != len(lines):
        raise Unclear("item_count", said=said, named=len(lines), names=lines)
    return lines


def _draft_chart(text: RequestText, language: Language, *, has_selection: bool) -> DraftBlock:
    title, note = take_title(text), take_note(text)
    kind = take_chart_type(text)
    from_selection = bool(
        text.take_all(
            r"(?:根据|用|把|将|基于|按|以|拿)?(?:我)?(?:刚|已经?)?(?:框选|圈选|勾选|选中|选定|所选|选择|选|"
            r"圈)(?:好|出|了)*的?(?:这个|"
            r"这张|那个|那张|这些)?(?:表格?|数据|内容|区域|部分)?|"
            r"(?:(?:from|take|use|turn|with|using) |the |this |my )*"
            r"(?:(?:selected|highlighted|marked) (?:table|data|cells|rows|numbers|figures)|(?:table|data|"
            r"cells|numbers|figures) (?:that |which )?"
            r"(?:i|we)(?:['’]ve| have)?(?: got| just| already)* (?:selected|highlighted|marked)|selection)"
        )
    )
    if kind is None:
        raise Unclear("chart_type")
    quotes = list(text.left_quotes())
    title = title or (text.take_any_quote() if len(quotes) == 1 else "")
    block = DraftBlock("chart", title, language)
    if from_selection:
        if not has_selection:
            raise Unclear("no_selection")
    else:
        data = find_chart_data(text, language)
        if data is None:
            raise Unclear("no_chart_data")
        block.name = title or " ".join(label for label, _ in data.points)
        rows = [[label, value] for label, value in data.points]
        block.add("insert_table", **draft_table((data.label, data.head(title, note)), rows))
        title = title or data.measure
    block.add(
        "insert_chart_from_selection",
        title=title or choose(language, zh="图表", en="Chart"),
        chart_type=kind,
        has_legend=kind == 5,
    )
    if note:
        block.add("insert_text", text=note, new_paragraph_after=True)
    return block
