"""Lists and pairs of a message, wherever they stand and whatever signs divide them, and what is left around them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from metier.packs.office._counts import COUNT, MOMENTS
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._asides import names_look
from metier.packs.office.drafting.statements._points import DAYS

__all__ = ["SaidSpan", "list_items", "list_pairs", "list_steps"]

# How something is to look, at the end of a name or as one.
_LOOK: Final = re.compile(
    r"[大小粗细宽窄长短高]一?[点些]|字[大小体号]|标[红蓝绿黄]|[红蓝绿黄橙紫](?:色|字)$|加粗|居中|"
    r"\bin (?:an? )?(?:red|blue|green|yellow|orange|bold|italics?|capitals|black|gr[ae]y|large|small|big|two|"
    r"three|columns?)\b|\b(?:vertical|horizontal|bold|columns?)\b",
    re.IGNORECASE,
)
_MAX_CHARS: Final = 600
_MAX_ITEM_ZH: Final = 14
_MAX_ITEM_WORDS: Final = 6
_MAX_HALF: Final = 40
_MAX_APART: Final = 5  # characters between the longest and the shortest name where only commas divide them
_MAX_SPANS: Final = 900
_STRONG: Final = re.compile(r"(?:^|[:：。\n]|\.\s)\s*\Z")
_STRONG_END: Final = re.compile(r"$|[:：。\n]|\.(?:\s|$)")
_EDGES: Final = " \n\t,，、;；。.:：—–-"
# Where a list may begin behind a sign or a word that leads to it, and where it may end.
_STARTS: Final = re.compile(
    r"^|[:：。\n(（]|[,，;；]|\.(?=\s)|——+|\s[-–—]\s|(?:列出|列明|列|写上|写|包含|包括|讲|放|有|"
    r"依次[是为]|分别[是为]|[是为从])(?=[^\s,，、;；。:：])|"
    r"\b(?:list|listing|lists|with|items?|points?|topics?|steps?|cover|covering|show|are|is|of|for|"
    r"be)\s+(?:the (?:items |points )?)?(?=\S)",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    rf"$|[:：。\n)）]|[,，;；]|\.(?=\s|$)|——+|\s[-–—]\s|(?:这|等|共)?(?:{COUNT}|几)(?:项|条|(?<!一)点|个|件|步|部分)|"
    rf"(?<=[^\s,，、])(?=做成|列成|放在|作为|按这个)|"
    r"\s+(?=(?:on|as|in|into) (?:an?|the|one|bullets?)\b)|\s+(?=as bullets)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SaidSpan:
    """A list of names, or of names with what belongs to each, and where it stands."""

    rows: tuple[tuple[str, ...], ...]
    start: int
    end: int


def _is_whole(text: RequestText, start: int, end: int, sign: "re.Pattern[str]") -> bool:
    """Whether a list does not go on: the sign between its names stands neither before nor behind it."""
    before = text.mask[:start].rstrip()
    if sign.fullmatch(before[-1:] or " ") and before:
        return before[-1] in ",，" and _LEADS_ON.search(before[:-1]) is not None
    found = sign.match(text.mask, end)
    if found is None or not found[0].strip():
        return True
    return found[0].strip() in (",", "，") and _GOES_ON.match(text.mask, found.end()) is not None


# A clause before a list between commas, or behind it, that is no name of it.
_LEADS_ON: Final = re.compile(
    r"(?:页|议程|目录|幻灯片|时间[线轴]|要点|[一二三四五六七八九十]项|\b(?:slide|agenda|please|timeline|"
    r"points|items|topics))\s*$",
    re.IGNORECASE,
)
_GOES_ON: Final = re.compile(
    r"\s*[^,，。;；]{0,12}(?:做成|列成|放在|写成|议程|目录|时间[线轴]|幻灯片|一页|一行)|"
    r"\s*(?:please|put|as|on|in|for|each|one|all|these|those|thanks)\b",
    re.IGNORECASE,
)


def _list_spans(text: RequestText) -> Iterator[tuple[int, int]]:
    """Stretches that may be a list, the longest first; of a long one only those that begin or end at a strong sign."""
    if len(text.mask) > _MAX_CHARS:
        return
    ends = sorted(
        {one.start() for one in _ENDS.finditer(text.mask)} | {one.end() for one in re.finditer('"', text.mask)}
    )
    starts = sorted({one.end() for one in _STARTS.finditer(text.mask)})
    if len(starts) * len(ends) > _MAX_SPANS:
        starts = [one for one in starts if _STRONG.search(text.mask[:one])]
        ends = [one for one in ends if _STRONG_END.match(text.mask, one)]
    spans = [(start, end) for start in starts for end in ends if end - start > 2]
    yield from sorted(spans, key=lambda one: one[0] - one[1])


_ITEM_SIGNS: Final = (
    r"\s*、\s*(?:和|以及|and )?",
    r"\s*[;；]\s*(?:and )?",
    r"\s*(?:→|->|=>)\s*",
    r"\s*[,，]\s*(?:and |最后)?|\s+and\s+|\s*(?:和|以及|及|到|与)\s*",
)
_NUMBERED: Final = re.compile(
    r"(?:^|(?<=[\s,，;；、。:：]))[（(]?(?P<mark>\d{1,2}|[一二三四五六七八九①-⑨])(?:[.)）、](?!\d)|(?<=[①-⑨]))\s*"
)
_MARKS: Final = ("123456789", "一二三四五六七八九", "①②③④⑤⑥⑦⑧⑨")
_COMMAS: Final = 3


def list_items(text: RequestText) -> Iterator[SaidSpan]:
    """Lists of at least three names, or of two between stronger signs, the longest first."""
    yield from _list_numbered(text)
    for strength, sign in enumerate(_ITEM_SIGNS):
        form = re.compile(sign, re.IGNORECASE)
        for start, end in _list_spans(text):
            names = _split(text, start, end, form)
            is_weak = strength == _COMMAS
            if len(names) < 2 + is_weak or not all(map(_is_item, names)) or (is_weak and not _is_even(names)):
                continue
            if (is_weak and re.search("、|;|；", text.mask[start:end])) or not _is_whole(text, start, end, form):
                continue
            yield SaidSpan(tuple((one,) for one in names), start, end)


def _list_numbered(text: RequestText) -> Iterator[SaidSpan]:
    marks = list(_NUMBERED.finditer(text.mask))
    if len(marks) < 2 or not any(one.startswith("".join(mark["mark"] for mark in marks)) for one in _MARKS):
        return
    ends = [*(one.start() for one in marks[1:]), len(text.mask)]
    names = tuple(text.raw[one.end() : end].strip(_EDGES) for one, end in zip(marks, ends, strict=True))
    if all(map(_is_item, names)):
        yield SaidSpan(tuple((one,) for one in names), marks[0].start(), len(text.mask))


def _split(text: RequestText, start: int, end: int, form: "re.Pattern[str]") -> tuple[str, ...]:
    edges = [start, *(edge for one in form.finditer(text.mask, start, end) for edge in one.span()), end]
    return tuple(text.text_of(*one).strip(_EDGES) for one in zip(edges[::2], edges[1::2], strict=True))


def _is_even(names: tuple[str, ...]) -> bool:
    initials = [one[0].isupper() for one in names if one[0].isascii() and one[0].isalpha()]
    if any(initials) and not all(initials):
        return False
    lengths = [len(one) if re.search(r"[\u4e00-\u9fff]", one) else len(one.split()) for one in names]
    return max(lengths) - min(lengths) <= _MAX_APART


def _is_item(name: str) -> bool:
    """Whether words may be a point of a list: short, one clause, no order and no look."""
    if not name or name.count("(") + name.count("（") != name.count(")") + name.count("）"):
        return False
    if re.search(r"[,，、;；。:：!！?？\n\"\ufffc“”]|\.\s|——|→|\s[-–—]\s", name):
        return False
    is_short = (
        len(name) <= _MAX_ITEM_ZH if re.search(r"[\u4e00-\u9fff]", name) else len(name.split()) <= _MAX_ITEM_WORDS
    )
    return (
        is_short
        and not names_look(name)
        and not _REFUSED.search(name)
        and not _LOOK.search(name)
        and _ORDER.search(name) is None
    )


_REFUSED: Final = re.compile(
    r"^(?:不要|别|不用|不写|不加|无需|除|去掉|只要|仅)|除外|以外|不要$|不用$|\b(?:no|not|without|except|only)\b",
    re.IGNORECASE,
)
# What says what is to be done with the list, or that it is one, and is no name in it.
_ORDER: Final = re.compile(
    r"^(?:下面|上面|里面|其中|包含|包括|有(?!机|效|关|限)|是(?!非)|为|列|从|讲|请|麻烦|帮|把|将|给我|"
    r"我[要想需]|需要|新建|新增|新开|加[一上页]|做[一成页]|列[成出]|"
    r"写[上成在]|放[在到上]|排[成在]|插入|添加|生成|每|各占|一行|按(?!摩|键)|用(?![药户水电人工餐地料途])|"
    r"共(?!享)|标题|分别|依次|内容|大一?点|小一?点)|"
    r"幻灯片|一页|议程|目录|时间[线轴]|[这那][一二三四五六七八九几]|就行|即可|谢谢|"
    r"^(?:改[为成到]|换[为成]|调[为成到]|移到)|"
    r"^(?:in|at|by|from|to|for|as|start|begin|please|add|make|create|put|insert|show|new|one|i|we|with|on|as|"
    r"title|titled|called|thanks?|use|keep|list)\b|"
    r"[一二三四五六七八九十\d]+(?:大)?(?:项|条|点|个|步|件|部分)(?:内容)?$|把|将|[这那][些个几]|"
    r"\b(?:slides?|agenda|timeline|please|thanks|"
    r"each|bullets?|so|list|put|these|those|on|with|that|then|make|is|are|be|should|need|want|it|them)\b",
    re.IGNORECASE,
)
_PAIR_SIGNS: Final = (
    r"\s*(?:——+|—|–|→|->|=>|[=＝])\s*",
    r"\s*[:：]\s*",
    r"\s+-\s+|(?<=[\u4e00-\u9fff])-(?=[\u4e00-\u9fff])",
    r"\s*[(（]\s*",
    r"\s*[/／|｜]\s*",
    r"\s*对应(?:的是)?\s*|(?<=[\u4e00-\u9fff])配\s*(?=\")",
    r"[,，]?\s*就(?=[\u4e00-\u9fff]{2})",
    r"[,，]\s*",
    r"\s+",
)
_COMMA_SIGN, _BLANK_SIGN, _BRACKET_SIGN = 7, 8, 3
_BETWEEN: Final = (r"\s*[;；\n]\s*", r"\s*[。\n]\s*|\.\s+", r"\s*[,，、]\s*(?:and )?|\s+and\s+(?=[^,()]*\()")
_LABEL: Final = re.compile(
    r"^(?:(?:第?[一二三四五\d]+[个条、.])?\s*(?:问题|风险|隐患|困难|难点|措施|对策|应对|办法|解决办法|"
    r"risk|problem|issue|threat|fix|remedy|"
    r"action|answer|response)"
    r"\s*[一二三四五六七八九十\d]*\s*(?:是|[:：])\s*|and\s+)",
    re.IGNORECASE,
)


def list_pairs(text: RequestText) -> Iterator[SaidSpan]:
    """Stretches of at least two pairs with one sign inside each and another between them, the longest first."""
    for number, sign in enumerate(_PAIR_SIGNS):
        inner = re.compile(sign, re.IGNORECASE)
        for between in _BETWEEN[: 1 if number == _COMMA_SIGN else 3]:
            outer = re.compile(between, re.IGNORECASE)
            for start, end in _list_spans(text):
                pairs = _read_pairs(text, start, end, outer, inner, sign=number)
                if len(pairs) > 1 and _is_whole(text, start, end, outer):
                    yield SaidSpan(pairs, start, end)


def _read_pairs(
    text: RequestText, start: int, end: int, outer: "re.Pattern[str]", inner: "re.Pattern[str]", *, sign: int
) -> tuple[tuple[str, ...], ...]:
    edges = [start, *(edge for one in outer.finditer(text.mask, start, end) for edge in one.span()), end]
    pairs: list[tuple[str, ...]] = []
    for first, last in zip(edges[::2], edges[1::2], strict=True):
        if not text.mask[first:last].strip(_EDGES):
            continue
        found = list(inner.finditer(text.mask, first, last))
        if len(found) != 1:
            return ()
        halves = (text.text_of(first, found[0].start()), text.text_of(found[0].end(), last))
        if sign == _BRACKET_SIGN:
            if not halves[1].rstrip().endswith((")", "）")):
                return ()
            halves = (halves[0], halves[1].rstrip(" )）"))
        pairs.append(tuple(_LABEL.sub("", one.strip(_EDGES)) for one in halves))
    return tuple(pairs) if all(_is_half(half) for pair in pairs for half in pair) else ()


def _is_half(half: str) -> bool:
    is_clean = bool(half) and not re.search(r"[,，;；。:：\n\ufffc“”\"()（）]|——|→|->|=>|\.\s", half)
    is_clean = is_clean and _HEAD.fullmatch(half) is None
    return (
        is_clean
        and 1 < len(half) <= _MAX_HALF
        and not _SLIDE.search(half)
        and not _LOOK.search(half)
        and not half.endswith((":", "："))
    )


_SLIDE: Final = re.compile(
    r"幻灯片|[一新这那]页|两列|时间[线轴]|标题|(?:风险|问题)(?:和|与|及|以及)|字[号体]|\b(?:slides?|"
    r"please|title|titled|timeline|agenda|"
    r"called|columns?|(?:make|create|add) an?)\b|加粗|居中|"
    r"[左右]边|做成|写风险|写办法|能出的问题|怎么办",
    re.IGNORECASE,
)
_HEAD: Final = re.compile(
    r"(?:主要)?(?:风险|问题|隐患|应对|措施|对策|办法)|(?:risk|problem|issue|fix|remedy|response|answer)s?",
    re.IGNORECASE,
)
_WEEK_EN: Final = r"\bweek (?:one|two|three|four|five|six|\d{1,2})\b|\bW\d{1,2}\b"
_MOMENT: Final = re.compile(
    rf"(?:{_WEEK_EN}|{MOMENTS}|{DAYS})(?!\s*(?:到|至|to\b|through\b|[-~–—]\s*第))", re.IGNORECASE
)
_STEP_ENDS: Final = re.compile(
    r"[,，、;；。:：\n(（)）]|\.(?=\s|$)|——+|→|->|\s[-–—]\s|\s+and\s+(?=week|then)|$", re.IGNORECASE
)
_STEP_LEAD: Final = re.compile(r"\s*(?:[:：]|[-–—]|就?是|为|做|\bis\b|\bfor\b|的)?\s*", re.IGNORECASE)
_JOINS: Final = re.compile(
    r"[\s,，、;；。.:：→>—–-]*(?:然后|再|最后|到|和|\band\b|\bthen\b|\bfinally\b)?[\s,，、]*", re.IGNORECASE
)


def list_steps(text: RequestText) -> SaidSpan | None:
    """Moments with what happens in each, side by side."""
    marks = [
        one
        for one in _MOMENT.finditer(text.mask)
        if not re.search(r"(?:到|至|to|through)\s*$", text.mask[: one.start()])
    ]
    steps: list[tuple[str, ...]] = []
    last = 0
    for one in marks:
        if steps and not _JOINS.fullmatch(text.mask, last, one.start()):
            return None
        lead = _STEP_LEAD.match(text.mask, one.end())
        start = lead.end() if lead else one.end()
        end = _STEP_ENDS.search(text.mask, start)
        last = end.start() if end else len(text.mask)
        step = text.text_of(start, last)
        if not step or not _is_step(step):
            return None
        steps.append((text.raw[slice(*one.span())], step))
    is_each_once = len({label.lower() for label, _ in steps}) == len(steps)
    return SaidSpan(tuple(steps), marks[0].start(), last) if len(steps) > 1 and is_each_once else None


def _is_step(step: str) -> bool:
    is_short = (
        len(step) <= _MAX_ITEM_ZH if re.search(r"[\u4e00-\u9fff]", step) else len(step.split()) <= _MAX_ITEM_WORDS
    )
    return (
        is_short
        and not _REFUSED.search(step)
        and not _LOOK.search(step)
        and not names_look(step)
        and '"' not in step
        and _ORDER.search(step) is None
    )
