"""Orders for what stands on slides: an agenda, a table, points out of a paragraph, sizes for titles and texts."""

import re
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import choose
from metier.packs.office._counts import read_count
from metier.packs.office._request_text import RequestText
from metier.packs.office.orders._about import list_sentences
from metier.packs.office.orders._context import ADD, OrderContext, split_values, step
from metier.packs.office.orders._looks import take_look
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL, read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear
from metier.packs.office.orders.decks._view import take_slides

__all__ = ["MADE_RULES"]

_COUNT: Final = r"(\d{1,2}|[一二两三四五六七八九十]{1,3}|two|three|four|five|six|seven|eight|nine|ten|one)"
_MAX_POINTS: Final = 8


def _agenda(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A slide that lists the titles of those after it: add an agenda as slide 2."""
    found = text.take(
        rf"(?:{ADD}|做|生成|来|建)(?:上|个|出)?(?:一?[个页张])?(?:自动)?(?P<zh>目录|议程|大纲|提纲)(?:页|幻灯片)?|"
        rf"\b(?:{ADD}|make|create|give me|have)\s+(?:an? |the )?(?P<en>agenda|contents|table of contents|overview|"
        rf"outline)(?: slide| page)?\b"
    )
    if found is None or text.has(r"[:：]"):
        return None
    text.take_all(
        r"[,，]?(?:里面|上面|内容)?(?:列出?|写上?|放|包括|是)?(?:后面|之后|以下|下面|其余|所有|各|每)(?:各|"
        r"每)?一?页?(?:幻灯片)?的?标题|"
        r"\b(?:listing|that lists|which lists|with|showing)(?: all)?(?: of)?(?: the)? (?:titles?|"
        r"headings?)(?: of (?:the |all )*(?:ones|slides|others|rest|following slides)?)?"
        r"(?: that (?:follow|come after)| after (?:it|that)| following)?\b|\b(?:slides?|ones) (?:that (?:follow|"
        r"come after)|after it)\b"
    )
    count = len(context.reading.slides)
    place = text.take(
        rf"\bas (?:the )?(?:slide|page) (\d+)\b|\bas (?:the )?({EN_ORDINAL}) (?:slide|page)\b|(?:作为|当|放在?|放到|"
        rf"做)第({ORDINAL})[页张]"
    )
    position = read_ordinal(next(one for one in place.groups() if one)) or 2 if place else 0
    if not position:
        slides = take_slides(context, text)
        side = text.take(r"(?:的)?(后面|之后|后|前面|之前|前)|\b(after|before)\b")
        position = 2
        if slides:
            said = (side[1] or side[2]) if side else "后"
            position = slides[0] if said in ("前面", "之前", "前", "before") else slides[0] + 1
    text.take_all(rf"{ADD}|一页|[,，]|放|在|\b(?:right|directly|slide|page|the|of|as|after)\b")
    titles = [one.title.strip() for one in context.reading.slides[position - 1 :] if one.title.strip()]
    if not titles or not 1 <= position <= count:
        raise OrderUnclear("no_place")
    name = "议程" if found["zh"] == "议程" else choose(context.language, zh="目录", en="Agenda")
    if found["en"] and found["en"].lower() in ("contents", "table of contents", "overview", "outline"):
        name = {"overview": "Overview", "outline": "Outline"}.get(found["en"].lower(), "Contents")
    return [step("add_slide", title=name, content="\n".join(titles), layout=2, position=position)]


def _table(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """A table with so many rows and columns, and their heads: 第6页加一个2列3行的表格."""
    if not text.has(r"表格?|\btable\b") or not text.has(
        rf"(?:{ADD}|做|画|建|弄|来|要有|需要|\bneeds?\b|\bmake\b|\bdraw\b)"
    ):
        return None
    columns = text.take(rf"{_COUNT}\s*(?:个)?列(?!表)|\b{_COUNT}[- ](?:columns?|cols?)\b")
    if columns is None:
        return None
    heads = _take_heads(text)
    rows = text.take(
        rf"{_COUNT}\s*(?:个)?(?P<zh>空(?:白)?)?行(?:空(?:白)?的?)?|(?:and |with )?\b{_COUNT}[- ](?P<en>empty |"
        rf"blank )?rows?\b(?: (?:under(?: that| it| them)?|below(?: that| it)?|beneath(?: it)?))?"
    )
    if rows is None:
        raise OrderUnclear("no_place")
    width = read_count(next(one for one in columns.groups() if one)) or 0
    height = read_count(next(one for one in (rows[1], rows[3]) if one)) or 0
    height += 1 if heads and (rows["zh"] or rows["en"]) else 0
    slides = take_slides(context, text)
    text.take_all(
        rf"{ADD}|做|画|建|弄|来|要有|需要|一?[个张]|的|表格?|表头|空白?|[,，()（）、]|里|上|"
        r"\b(?:needs?|make|draw|a|an|table|with|empty|blank|rows?|columns?|and|on|under|that|the|of|headers?|"
        r"headings?)\b"
    )
    if len(slides) != 1 or not width or not height or (heads and len(heads) != width):
        raise OrderUnclear("no_place")
    data: list[JsonValue] | None = [list[JsonValue](heads)] if heads else None
    return [step("add_table", rows=height, cols=width, data=data, slide_index=slides[0])]


def _take_heads(text: RequestText) -> list[str]:
    found = re.search(r"[(（](?P<it>[^()（）]{2,120})[)）]", text.mask) or re.search(
        r"(?:表头|列名|标题行|抬头)(?:为|是|写|分别|:)*\s*(?P<it>[^,，。;]*(?:[、/][^,，。;、/]+)+)|"
        r"\b(?:headers?|headings?|headed|columns? (?:called|named))(?: are| is|:)*\s*(?P<en>[^.;]+)$",
        text.mask,
        re.IGNORECASE,
    )
    if found is None:
        return []
    group = "it" if found["it"] else "en"
    words = text.raw[found.start(group) : found.end(group)]
    text.consume(*found.span())
    parts = re.split(r"\s*[/|]\s*", words) if re.search(r"[/|]", words) else split_values(words)
    return [one.strip() for one in parts if one.strip()]


def _to_points(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """The sentences of a slide's paragraph as points: 第4页那一大坨字拆成要点，别超过5条."""
    if not text.take(
        r"(?:拆|分|改|变|做|写|整理|转)(?:开)?(?:成|为)(?:几|若干)?(?:个|条|点)?(?:要点|条目|小点|列表|几条|几点|"
        r"项目符号)|"
        r"\b(?:turn|break|split|change|convert|make)\b(?=.{0,50}\b(?:bullets?|bullet points?|points)\b)"
    ):
        return None
    most = text.take(
        rf"[,，]?(?:但|最多|别|不要|不能|不)*(?:超过|多于|超出)\s*{_COUNT}\s*(?:条|点|个|项)?|最多\s*{_COUNT}"
        rf"\s*(?:条|点|个|项)|{_COUNT}"
        rf"\s*(?:条|点)以内|"
        rf"[,]?\s*\b(?:no more than|not more than|at most|max(?:imum)?(?: of)?|up to) {_COUNT}(?: bullets?|"
        rf" points?)?(?: max)?"
    )
    limit = read_count(next(one for one in most.groups() if one)) if most else _MAX_POINTS
    slides = take_slides(context, text)
    text.take_all(
        r"(?:上|里)?(?:的)?(?:那|这)?一?(?:大)?(?:坨|段|堆|块|整段|长段|大段)(?:的)?(?:字|文字|话|内容)?|正文|文字|"
        r"内容|"
        r"\b(?:into|as|the|text|paragraph|wall of text|body|on|bullets?|bullet points?|points|block)\b|[,，]"
    )
    if len(slides) != 1:
        raise OrderUnclear("no_place")
    blocks = [one for one in context.reading.slides[slides[0] - 1].texts if len(one.strip()) > 1]
    if len(blocks) != 1:
        raise OrderUnclear("no_place")
    lines = [line for part in blocks[0].split("\n") for line in list_sentences(part) if line.strip()]
    if len(lines) < 2 or len(lines) > (limit or _MAX_POINTS):
        raise OrderUnclear("too_many_points", count=len(lines))
    words = "\n".join(line.strip().rstrip("。.;；") for line in lines)
    return [step("fill_placeholder", text=words, slide_index=slides[0], placeholder_kind="body")]


def _sizes(context: OrderContext, text: RequestText) -> list[JsonObject] | None:
    """Sizes for titles and texts of all slides, with one font: 全部用微软雅黑，标题28，正文18."""
    form = (
        r"(?P<what>标题|题目|正文|内容|要点|\b(?:titles?|headings?|body(?: text)?|bullets?)\b)\s*(?:文字|"
        r"字体)?(?:的)?(?:字号|大小|"
        r"size)?\s*"
        r"(?:统一|都|全部|用|为|是|改成|改为|设为|调成|调到|to|at|in|=|:|are|"
        r"is)*\s*(?P<size>\d{1,2}(?:\.\d)?)(?![\d页条张级%])\s*(?:号字?|磅|"
        r"pt\b|points?\b)?|"
        r"(?P<before>\d{1,2}(?:\.\d)?)\s*(?:pt|points?|号)\s*(?:for|用于|给) (?:the )?(?P<other>titles?|headings?|"
        r"body(?: text)?|bullets?|标题|正文)"
    )
    if not re.search(form, text.mask, re.IGNORECASE) or text.has(
        r"(?<!除)(?<!除了)第.{1,3}[页张]|\bslide \d|[:：]|"
        r"最后一|首页|封面"
    ):
        return None
    sizes: list[tuple[str, float]] = []
    while found := text.take(form):
        what = found["what"] or found["other"]
        kind = "title" if re.match(r"标题|题目|title|heading", what, re.IGNORECASE) else "body"
        sizes.append((kind, float(found["size"] or found["before"])))
    look = take_look(text)
    if set(look) - {"font", "color", "bold", "alignment"} or (set(look) - {"font"} and len(sizes) > 1):
        raise OrderUnclear("no_look")
    text.take_all(
        r"(?:所有|全部|每一?|整个|各)(?:的)?(?:页面?|幻灯片|张|PPT)?(?:的)?|统一|一律|字体|幻灯片|PPT|[,，、]|"
        r"\b(?:all|every|each|everywhere|throughout|slides?|the|deck|for|font|use|text)\b"
    )
    whole = [step("set_slide_text_style", apply_to_all=True, **look)] if look and len(sizes) > 1 else []
    own = {} if whole else look
    if (
        own
        and "font" in own
        and len(sizes) == 1
        and re.search(r"全部|所有|everywhere|all|统一", text.raw, re.IGNORECASE)
    ):
        whole, own = [step("set_slide_text_style", apply_to_all=True, **look)], {}
    return [
        *whole,
        *(
            step("set_slide_text_style", apply_to_all=True, placeholder_kind=kind, size=size, **own)
            for kind, size in sizes
        ),
    ]


MADE_RULES: Final = (_agenda, _table, _to_points, _sizes)
