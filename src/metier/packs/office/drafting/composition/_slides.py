"""Slides of a message, one or several: each with its title, and points, a table, a chart or words in large type."""

import re
from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from metier.packs.office._counts import COUNT, read_count
from metier.packs.office._request_text import CONSUMED, QUOTED, RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_chart_type
from metier.packs.office.drafting.composition._words import CLOSING, COLUMNS_CUE, QUOTES, is_filled
from metier.packs.office.drafting.lists import split_items
from metier.packs.office.drafting.rows import SaidGrid, read_grid, read_pairs

if TYPE_CHECKING:
    from metier.json_values import JsonValue
    from metier.language import Language

__all__ = ["compose_slides"]

DraftSlide = Callable[[str], "Sequence[DraftBlock]"]
_COVER, _CONTENT, _TITLE_ONLY = 1, 2, 11
# Centimetres that are free on a 4:3 slide and on a 16:9 slide alike.
_LEFT: Final = 1.7
_WIDTH: Final = 22.0
_TOP: Final = 5.0
_HEIGHT: Final = 11.0
_BELOW: Final = 16.2
_KIND_ZH: Final = r"(?:(?:[折曲]线|柱[状形]?|饼[状形]?|条形)图|表格|结束|总结|对比|要点|目录|议程|封面|空白)?"
_KIND_EN: Final = r"(?:(?:new|last|final|closing|short)\s+)?(?:(?:summary|agenda|table|comparison|(?:\w+ )?chart)\s+)?"
_OPENS: Final = re.compile(
    r"嗯|那个|请|帮我|给我|麻烦|先|再|然后|接着|最后|完了|我想要|还要|要|加上?|来|做|新增|新建|放|建|出|在后面|"
    r"[\s,:]+|"
    r"\b(?:please|then|and|next|finally|so|ok|now|first|add|make|create|insert|put in|i(?:['’]d like| need|"
    r" want)|can we have|"
    r"could you|can you|for the \w+)(?=[,:\s])",
    re.IGNORECASE,
)
_NTH: Final = re.compile(
    rf"(?:第[一二三四五](?:张|个)?(?:页|幻灯片)|(?:新的?)?[一1](?:张|个)?{_KIND_ZH}(?:页|幻灯片)|"
    rf"{_KIND_ZH}(?:页|幻灯片)|{_KIND_ZH}[一1]页)哈?|"
    rf"the (?:first|second|third|fourth|last)(?: one| slide)?(?=[\s,:])|(?:an?|another|one)\s+{_KIND_EN}slide\b|"
    rf"slide\b|{_KIND_EN}slide\b|a (?:last|second|third|final) one\b",
    re.IGNORECASE,
)
_BOUNDARY: Final = re.compile(r"^|(?<=[,，。;\n])|(?<=\.)(?=\s)|(?<=\s)(?=and |then )", re.IGNORECASE)
_MANY: Final = rf"(?![一1]|an?\b|one\b){COUNT}"
_INTRO: Final = re.compile(
    rf"\s*(?:请|帮我|给我|新)*(?:加|做|来|新增|建)(?P<zh>{_MANY})[张个]?(?:页|幻灯片)\s*[。:,，]?\s*|"
    rf"\s*(?:please |i need |add |make )+(?P<en>{_MANY}) slides?\s*[.:,]?\s*",
    re.IGNORECASE,
)
_TITLE: Final = re.compile(
    rf"(?:标题|题目)(?:就)?(?:写|叫|为(?!什么|何)|是|用)?:?\s*(?P<zh>{QUOTED}|[^\s,，。;:\"][^,，。;:\"\n]*)|"
    rf"\b(?:titled|called|title(?: is)?|call it)\s*:?\s*(?P<en>{QUOTED}|(?-i:[A-Z])(?:(?! with\b|"
    rf" and\b)[^,;:.\"\n])*)",
    re.IGNORECASE,
)
_LARGE: Final = re.compile(
    rf"(?:用)?(?:大大地?|大字|醒目|大号字?)(?:写|显示|放)?(?:着|上|:)?\s*(?P<zh>{QUOTED})|"
    rf"(?:(?:really |very |nice and )*(?:big|large|huge)(?: (?:letters|type|figure))?:?)\s*(?P<en>{QUOTED})|"
    rf"(?P<behind>{QUOTED})\s*(?:in )?(?:really |very |nice and )*(?:big|large|huge)(?: type| letters)?",
    re.IGNORECASE,
)
_BELOW_CUE: Final = re.compile(
    rf"(?:图|表)?(?:下面|底下|下方|旁边|下边)(?:再)?(?:小字)?(?:写|加|放|注)(?:一句|一行)?:?\s*(?P<zh>{QUOTED}|"
    rf"[^,，。;\"]{{2,60}}$)|"
    rf"(?:below|underneath|under)(?: (?:it|that|the (?:chart|table)))?(?: (?:in )?smaller)?(?: add| put|"
    rf" write)?(?: the (?:line|text|sentence|note))?:?\s*(?P<en>{QUOTED}|(?<=:\s)[^\";]{{2,80}}$)",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(
    rf"(?:写|列|放|有|内容)?(?:出)?(?P<zh>{COUNT})(?:[个条点项])(?:要点|内容)?|要点|"
    rf"(?:(?P<en>{COUNT}) )?(?:bullet )?(?:points|bullets)\b",
    re.IGNORECASE,
)
_TABLE: Final = re.compile(r"(?:表格页?|列(?=[是为:])|(?:[\w-]+ )?\btable\b|\bcols\b|\bcolumns\b)", re.IGNORECASE)
_WORDS: Final = re.compile(
    r"页|幻灯片|标题|题目|就|内容|正文|显示|数据|图|表格?|要|写|列出?|有|再|然后|并|一个|的|放|加|"
    r"\b(?:slide|page|which|shows?|showing|compares|comparing|has|have|as|in|with|of|from|it|its|called|titled|"
    r"title|call|"
    r"data|chart|table|says?|just|that|this|and|then|an?|the|also|please|put|add|make)\b",
    re.IGNORECASE,
)
# What the words of a slide begin with, as pieces: 加一页, “then a slide”.
_CHARTS: Final = MappingProxyType({4: "line", 5: "pie", 51: "column", 57: "bar", 1: "area"})


def compose_slides(text: RequestText, language: "Language", draft: DraftSlide) -> list[DraftBlock]:
    """Blocks of the slides of a message; empty unless each of them is read to its last word."""
    start, said = 0, None
    if intro := _INTRO.match(text.mask):
        start, said = intro.end(), read_count(intro["zh"] or intro["en"])
    parts = list(_cut(text, start))
    if not parts or (said is not None and said != len(parts)):
        return []
    blocks: list[DraftBlock] = []
    for part in parts:
        block = _read_slide(RequestText(part), language)
        made = [block] if block is not None else draft(part) if len(parts) > 1 else ()
        if not made:
            return []
        blocks += made
    return blocks


def _cut(text: RequestText, start: int) -> Iterator[str]:
    """The words of each slide; none unless the message begins with one."""
    found = [
        (one.start(), end) for one in _BOUNDARY.finditer(text.mask) if (end := _end_of_lead(text.mask, one.start()))
    ]
    found = [one for one in found if one[1] > start]
    if not found or text.mask[start : found[0][0]].strip(" ,，。.:"):
        return
    edges = [*(one for one, _ in found[1:]), len(text.mask)]
    for (begin, _), end in zip(found, edges, strict=True):
        yield text.raw[max(begin, start) : end].strip(" \n,，;；")


def _end_of_lead(mask: str, at: int) -> int:
    """Where the words end that begin a slide: “and then a last slide”; 0 if there are none."""
    while found := _OPENS.match(mask, at):
        at = found.end()
    slide = _NTH.match(mask, at)
    return slide.end() if slide else 0


def _read_slide(text: RequestText, language: "Language") -> DraftBlock | None:
    """The slide of its words; None unless they have a title and are all read."""
    lead = _end_of_lead(text.mask, 0)
    table = _TABLE.search(text.mask)
    kind = take_chart_type(text) if table is None else None
    text.consume(0, lead)
    title = _take_named(text, _TITLE) or _take_first_quote(text)
    large = _take_named(text, _LARGE) if kind is None and table is None else ""
    if not title and not large:
        return None
    block = DraftBlock("slide", title or large, language)
    below = _take_named(text, _BELOW_CUE)
    if large:
        return _write_large(block, title, large, below) if is_filled(text.mask, _WORDS) else None
    if kind is not None:
        is_read = _add_chart(block, text, _CHARTS[kind], title)
    elif table is not None:
        is_read = _add_table(block, text, table.end(), title)
    else:
        is_read = below == "" and _add_points(block, text, title)
    if not is_read or not is_filled(text.mask, _WORDS):
        return None
    if below:
        block.add("add_textbox", text=below, left=_LEFT, top=_BELOW, width=_WIDTH, height=1.6, font_size=18)
    return block


def _write_large(block: DraftBlock, title: str, large: str, below: str) -> DraftBlock:
    """Words in large type in the middle of a slide, with what stands below them; without a title they are it."""
    if not title:
        block.add("add_slide", title=large, layout=_COVER, content=below or None)
        return block
    block.add("add_slide", title=title, layout=_TITLE_ONLY)
    middle: dict[str, JsonValue] = {"left": _LEFT, "width": _WIDTH, "alignment": "center"}
    block.add("add_textbox", text=large, top=6.5, height=3.6, font_size=66, bold=True, **middle)
    if below:
        block.add("add_textbox", text=below, top=10.6, height=1.8, font_size=24, **middle)
    return block


def _take_first_quote(text: RequestText) -> str:
    """A quotation right behind the slide: the second, “Home visits”, has …"""
    found = re.compile(rf"[\s,，{CONSUMED}]*({QUOTED})").match(text.mask)
    if found is None:
        return ""
    text.consume(*found.span())
    return text.raw[found.start(1) + 1 : found.end(1) - 1].strip()


def _take_named(text: RequestText, form: "re.Pattern[str]") -> str:
    found = form.search(text.mask)
    if found is None:
        return ""
    group = next(name for name, value in found.groupdict().items() if value)
    value = text.text_of(*found.span(group)).strip()
    text.consume(*found.span())
    return value


def _add_chart(block: DraftBlock, text: RequestText, kind: str, title: str) -> bool:
    starts = [
        0,
        *(one.end() for one in re.finditer(rf"[:。,，;]|\.(?=\s)|\bwith\b|{CONSUMED}(?!{CONSUMED})", text.mask)),
    ]
    found = [(read_pairs(text, start, len(text.mask)), start) for start in starts]
    (rows, last), start = max(found, key=lambda one: len(one[0][0]))
    if not rows:
        return False
    text.consume(start, last)
    block.add("add_slide", title=title, layout=_TITLE_ONLY)
    data = [["", title], *(list(row) for row in rows)]
    block.add("add_chart", title=title, chart_type=kind, data=data, left=_LEFT, top=_TOP, width=_WIDTH, height=_HEIGHT)
    return True


def _add_table(block: DraftBlock, text: RequestText, at: int, title: str) -> bool:
    starts = [at, *(one.end() for one in re.finditer(r"[:。,，;]|\.(?=\s)|\bwith\b", text.mask) if one.end() >= at)]
    found = ((_read_grid(text, start), start) for start in starts)
    grid, start = next(((one, start) for one, start in found if one is not None and one.is_full), (None, 0))
    if grid is None:
        return False
    text.consume(start, grid.end)
    text.take(r"列|\bcols\b|\bcolumns\b|表格页?|(?:[\w-]+ )?\btable\b")
    block.add("add_slide", title=title, layout=_TITLE_ONLY)
    data = [list(grid.columns), *(list(row) for row in grid.rows)]
    width = len(grid.columns)
    block.add("add_table", rows=len(data), cols=width, data=data, left=_LEFT, top=_TOP, width=_WIDTH)
    return True


def _read_grid(text: RequestText, start: int) -> SaidGrid | None:
    cue = COLUMNS_CUE.match(text.mask, start)
    return read_grid(text, cue.end() if cue else start, len(text.mask))


def _add_points(block: DraftBlock, text: RequestText, title: str) -> bool:
    """Points behind a colon, or as many as are said."""
    found = _POINTS.search(text.mask)
    if found is None:
        return False
    text.consume(*found.span())
    lead = re.compile(r"\s*[:,，]\s*").match(text.mask, found.end())
    if lead is None:
        return False
    quoted = QUOTES.match(text.mask, lead.end())
    if quoted is None and '"' in text.mask[lead.end() :]:
        return False
    if quoted is not None and not CLOSING.fullmatch(text.mask, quoted.end()):
        return False
    quotes = [one.text for one in text.left_quotes() if one.start >= lead.end()]
    items = tuple(quotes) or split_items(text, lead.end(), len(text.mask))
    said = read_count(found["zh"] or found["en"] or "")
    if len(items) < 2 or (said is not None and said != len(items)):
        return False
    text.consume(lead.start(), len(text.mask))
    block.add("add_slide", title=title, layout=_CONTENT, content="\n".join(one.rstrip("。.") for one in items))
    return True
