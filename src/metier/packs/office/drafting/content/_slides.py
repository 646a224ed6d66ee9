"""Drafts for slides: cover, agenda, key figures, risks with remedies, timeline, and a slide with points."""

import re
from collections.abc import Sequence
from typing import Final

from metier.language import Language, choose
from metier.packs.office._counts import COUNT, MOMENTS, read_count
from metier.packs.office._request_text import END, QUOTED, RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_subject, take_title
from metier.packs.office.drafting._topics import (
    Kind,
    TopicMention,
    find_joined_mentions,
    find_mentions,
    find_quoted_mentions,
    list_topics,
)
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.content._figures import draft_figures, names_figure
from metier.packs.office.drafting.content._slide_blocks import write_agenda, write_cover, write_pairs, write_timeline
from metier.packs.office.drafting.lists import find_lists, split_items

__all__ = ["draft_slides"]

_KINDS: Final[tuple[Kind, ...]] = ("cover", "agenda", "kpi", "pairs", "timeline", "slide")
_CONTENT: Final = 2
_PAIR: Final = re.compile(
    r"\s*(?:[,，]?\s*的?(?:对策|应对|措施|办法)(?:措施|办法)?(?:是|为|:|：)|[,，]\s*(?:就|则|便|那就)|"
    r"(?:的话|的时候)?(?:我们)?(?<=[\u4e00-\u9fff]{2})就(?=[\u4e00-\u9fffA-Z])|对应(?:的是)?|"
    r"(?<!\d)\s*[/／]\s*(?!\d)|"
    r"——|—|–|->|→|=>|[=＝]|[:：]|\s-\s)\s*"
)


_RISKS: Final = r"(?:主要|潜在|存在的?)?(?:风险|问题|隐患|困难|难点|短板)"
_REMEDIES: Final = r"(?:应对|解决|整改|改进)(?:对策|措施|办法|方案|建议)|对策|应对|措施|办法|方案"
_HALVES: Final = re.compile(
    rf"({_RISKS})\s*(?:与|和|及|以及|、|/|／|&)\s*(?:其|相应的?)?({_REMEDIES})|"
    rf"({_RISKS})\s*[:：][^;；。\n]*?[,，]\s*({_REMEDIES})\s*[:：]|"
    r"\b(risk|problem|issue|threat|challenge)s?\s*(?:and|&|/|with)\s*(?:their |the )?"
    r"(fix|remed(?:y|ies)|response|mitigation|countermeasure|solution|action|measure)(?:e?s)?\b",
    re.IGNORECASE,
)
_PAIR_LEAD: Final = re.compile(
    r"^[\s,，、.。]*(?:第[一二三四五六七八九十\d]+(?:(?:[条个点项类](?:风险|问题|隐患)?|风险|问题|"
    r"隐患)(?:就?是|为|[:：,，、])?|(?:就?是|[:：,，、]))\s*(?=\S{2})|(?:分别|主要|具体|依次)(?:是|为|有|"
    r"包括)(?=\S{4})|比如|例如|and\s+)?\s*"
)
_MOMENT: Final = re.compile(rf"(?:{MOMENTS})(?:\s*(?:至|到|[-–—~～]|\bto\b)\s*(?:{MOMENTS}))?", re.IGNORECASE)
# A step that begins with the rest of its day or year.
_CUT_MOMENT: Final = re.compile(
    r"(?:至|到|to)\b|(?:19|20)\d\d(?![\d,.])|\d{1,2}(?:[日号]|,?\s+(?:19|20)\d\d\b)|[-/.]\d"
)
_STEP_BEFORE: Final = re.compile(
    r"(?:^|[:,，、;；。→\n]|->)\s*(?:然后|接着|最后|再|and |then )*"
    r"([^:,，、;；。→()\n\ufffc]{2,16}?)\s*(?:[(]|放?在|\bin\b)\s*$",
    re.IGNORECASE,
)


def draft_slides(text: RequestText, language: Language) -> list[DraftBlock]:
    """DraftBlock of slides for this request."""
    mentions = _find_slides(text)
    if names := find_joined_mentions(text, mentions):
        raise Unclear("several", names=names)
    first = next((one for one in mentions if one.topic.kind != "slide"), None) or next(iter(mentions), None)
    if first is None:
        raise Unclear("no_slide")
    match first.topic.kind:
        case "cover":
            return [_draft_cover(text, language)]
        case "agenda":
            return [_draft_agenda(text, first, language)]
        case "kpi":
            return [draft_figures(text, first, language)]
        case "pairs":
            return [_draft_pairs(text, first, language)]
        case "timeline":
            return [_draft_timeline(text, first, language)]
        case _:
            return [_draft_points(text, first, language)]


def _find_slides(text: RequestText) -> list[TopicMention]:
    """What the request names; a quoted title or the signs of pairs say more than the word for a slide."""
    mentions = find_mentions(text, _KINDS)
    if (pairs := _find_said_pairs(text)) and not {"pairs", "timeline"} & {one.topic.kind for one in mentions}:
        return [pairs]
    if all(one.topic.kind == "slide" for one in mentions):
        if mentions and names_figure(text):
            return [
                TopicMention(
                    next(one for one in list_topics() if one.kind == "kpi"), mentions[0].start, mentions[0].end
                )
            ]
        mentions = [*find_quoted_mentions(text, _KINDS), *mentions]
        for one in find_mentions(text, ("slide",)):
            text.consume(one.start, one.end)
        if mentions and len(re.findall(r"→|——|=>|->|对应", text.mask)) > 1:
            mentions = [
                TopicMention(
                    next(one for one in list_topics() if one.kind == "pairs"), mentions[0].start, mentions[0].end
                )
            ]
    return mentions


def _find_said_pairs(text: RequestText) -> TopicMention | None:
    """Risks or problems of which each sentence at the end names one with what is done about it."""
    said = re.search(
        r"风险|问题|隐患|困难|难点|短板|\b(?:risks?|problems?|issues?|threats?|challenges?)\b", text.mask, re.IGNORECASE
    )
    sign = r"(?::|——|→|->|=>|[,，]\s*的?(?:对策|应对|措施|办法)(?:措施|办法)?(?:是|为|:))"
    one = rf"[^:;。.\n]{{2,40}}{sign}\s*[^:;。\n]{{2,60}}?"
    if said is None or not re.compile(rf"[.。:,，\n]\s*{one}(?:[;。\n]|\.\s)\s*{one}(?:[;。\n.]|$)").search(
        text.mask, said.end()
    ):
        return None
    topic = next(one for one in list_topics() if one.kind == "pairs")
    end = re.compile(r"[.。:,，\n]").search(text.mask, said.end())
    return TopicMention(topic, said.start(), end.start() if end else said.end())


def _draft_cover(text: RequestText, language: Language) -> DraftBlock:
    subtitle = (
        _take_called(text, r"副标题|\bsub-?title\b")
        or text.take_quote(r"\b(?:underneath|below)\b(?: it| that)?:?")
        or text.take_quote(r"副标题(?:为|是|写|用|:)*|\bsub-?title\b(?:\s+(?:is|of|reading))?\s*:?")
        or text.take_value(
            r"副标题(?:为|是|写|:)+|\bsub-?title\b\s*(?:is|:)|(?:下面|底下|下方|下头)?(?:用|来|放|"
            r"加)?(?:一?行)?小字(?:体)?(?:写上?|是|为|:)+|副标题(?![用要大小字为是写:的在])(?=\s*[^\s\"])"
        )
    )
    quotes = [one.text for one in text.left_quotes()]
    if not subtitle and len(quotes) == 2 and not text.has(r"标题|\btitle[d]?\b(?! slide| page)"):
        for one in list(text.left_quotes()):
            text.consume(one.start - 1, one.end + 1)
        return write_cover(quotes[0], quotes[1], language)
    title = (
        _take_called(text, r"标题|题目|\b(?:main )?(?:title|heading)\b")
        or take_title(text)
        or text.take_any_quote()
        or text.take_value(
            r"(?:主|大)标题(?![用要大小字的在])(?:为|是|写|:)*|(?:标题页|封面页?|首页):|"
            r"(?:^|(?<=[.,;:?!]))\s*(?:the |main )*title\s*(?:is|:)"
        )
    )
    if not title:
        raise Unclear("no_title", what=choose(language, zh="标题页", en="title slide"))
    subtitle = subtitle or (text.take_any_quote() if len(list(text.left_quotes())) == 1 else "")
    return write_cover(title, subtitle, language)


def _take_called(text: RequestText, role: str) -> str:
    """Quotation before the word that says what it is: “信息中心” as the subtitle."""
    found = text.take(
        rf"({QUOTED})\s*(?:(?:(?:should|must|will) be|as|for|is|作为?|做|当|[是为]|in)\s*(?:the |its |a |"
        rf"an |我们的)*|the )(?:{role})"
    )
    return text.raw[found.start(1) + 1 : found.end(1) - 1].strip() if found else ""


def _draft_agenda(text: RequestText, mention: TopicMention, language: Language) -> DraftBlock:
    title = take_title(text)
    items = _take_items(text, mention)
    text.take_all(mention.topic.pattern.pattern)
    return write_agenda(title or mention.read_name(text, language), items, language)


def _take_items(text: RequestText, mention: TopicMention) -> tuple[str, ...]:
    if colon := re.compile(":").search(text.mask, mention.start):
        items = split_items(text, colon.end(), len(text.mask))
        if len(items) >= 2:
            text.consume(colon.end(), len(text.mask))
            return items
    chain = re.search(r"[^:,，。;\n→>\ufffc]+(?:(?:→|->)[^:,，。;\n→>\ufffc]+){2,}", text.mask)
    if chain:
        text.consume(*chain.span())
        return tuple(one.strip() for one in re.split(r"→|->", text.raw[chain.start() : chain.end()]))
    found = next((one for one in find_lists(text)), None)
    if found is None:
        raise Unclear("no_list")
    if found.count is not None and found.count != len(found.items):
        raise Unclear("item_count", said=found.count, named=len(found.items), names=found.items)
    text.consume(found.start, found.end)
    return found.items


def _draft_pairs(text: RequestText, mention: TopicMention, language: Language) -> DraftBlock:
    """Table of risks and what is done about them."""
    title = take_title(text) or text.take_any_quote()
    said = text.take(rf"(?:一?共|总共|共有)?(?:有)?({COUNT})\s*(?:条|项|点|种|对)(?!\d)")
    pairs, start = _find_pairs(text, mention)
    if said and read_count(said[1]) not in (1, len(pairs)):
        raise Unclear("item_count", said=said[1], named=len(pairs), names=tuple(one[0] for one in pairs))
    text.consume(start, len(text.mask))
    heads = _name_halves(title, text.raw) or list(mention.topic.default_columns(language))
    stripped = [(a.strip(), b.strip(" 。.")) for a, b in pairs]
    return write_pairs(title, heads, stripped, language, heading=title or mention.read_name(text, language))


def _name_halves(title: str, said: str) -> list[str]:
    """What a request calls the two halves of a pair: 问题与对策, “problems and fixes”; empty if it does not say."""
    found = _HALVES.search(title) or _HALVES.search(said)
    if found is None:
        return []
    return [one[:1].upper() + one[1:] for one in found.groups() if one]


def _find_pairs(text: RequestText, mention: TopicMention) -> tuple[list[list[str]], int]:
    """Pairs that go on to the end of the request, and where they start: after a colon, the word or a clause."""
    colon = re.compile(":").search(text.mask, mention.start)
    if bracketed := _find_bracketed(text, colon.end() if colon else mention.end):
        return bracketed
    ends = [one.end() for one in re.finditer(r"[。,，;；!?？\n]|[.](?=\s)", text.mask) if one.end() >= mention.end]
    for start in (colon.end() if colon else mention.end, mention.end, *ends):
        pieces = [one for one in re.split(r"[;；\n。]|(?<=[^\s\d])[.](?=\s|$)", text.raw[start:]) if one.strip()]
        smaller = [one for one in re.split(r"[,，;；\n。]", text.raw[start:]) if one.strip()]
        pieces = smaller if len(smaller) > len(pieces) and all(_PAIR.search(one) for one in smaller) else pieces
        pairs = [_PAIR.split(_PAIR_LEAD.sub("", one), maxsplit=1) for one in pieces]
        is_single = all(len(_PAIR.findall(one)) == 1 or not re.search("[,，]", one) for one in pieces)
        if pairs and is_single and all(len(one) == 2 and one[0].strip() and one[1].strip() for one in pairs):
            if any(re.search(r"——|→|->|=>", remedy) for _, remedy in pairs):
                raise Unclear("no_list")  # three of a kind are no pair
            return pairs, start
    return _find_halves(text, ends)


def _find_bracketed(text: RequestText, start: int) -> tuple[list[list[str]], int] | None:
    """Pairs whose second half stands in brackets: 甲（乙）、丙（丁）; what follows them is left to be read."""
    pair = r"[^,，、。;:()\n]{2,30}\s*\([^()\n]{2,40}\)"
    found = re.compile(rf"\s*{pair}(?:\s*(?:[、,，;]|\band\b)\s*{pair})+").match(text.mask, start)
    if found is None:
        return None
    pairs = [
        [text.raw[start + one.start(at) : start + one.end(at)].strip() for at in (1, 2)]
        for one in re.finditer(r"([^,，、。;:()\n]{2,30}?)\s*\(([^()\n]{2,40})\)", text.mask[start : found.end()])
    ]
    text.consume(start, found.end())
    return [[re.sub(r"^and\s+", "", one), other] for one, other in pairs], len(text.mask)


_LABEL: Final = re.compile(
    r"^(?:问题|风险|隐患|困难|难点|措施|对策|应对|办法|解决办法|"
    r"risk|problem|issue|fix|remedy|action)\s*[一二三四五六七八九十\d]*\s*[:： ]\s*",
    re.IGNORECASE,
)


def _find_halves(text: RequestText, ends: Sequence[int]) -> tuple[list[list[str]], int]:
    """Pairs with a comma inside and a semicolon between them: 甲，乙；丙，丁; what they begin with alike is dropped."""
    colon = re.search(":", text.mask)
    for start in (*([colon.end()] if colon else []), *ends):
        pieces = [one.strip(" 。.") for one in re.split(r"[;；\n]", text.raw[start:]) if one.strip(" 。.")]
        halves = [re.split(r"[,，]\s*", re.sub(r"^(?:要是|如果|若|万一|if )\s*", "", one)) for one in pieces]
        if len(halves) > 1 and all(len(one) == 2 and all(half.strip() for half in one) for one in halves):
            return [[_LABEL.sub("", half.strip()) for half in one] for one in halves], start
    raise Unclear("no_list")


def _draft_timeline(text: RequestText, mention: TopicMention, language: Language) -> DraftBlock:
    """Table with the periods above what happens in them."""
    title = take_title(text)
    marks = list(_MOMENT.finditer(text.mask))
    marks = [one for one in marks if one.end() > mention.start] or marks
    if len(marks) < 2:
        raise Unclear("no_list")
    edges = [*(one.start() for one in marks[1:]), len(text.mask)]
    steps = _find_steps_before(text, marks) or [
        (text.raw[one.start() : one.end()], _name_step(text.raw[one.end() : edge]))
        for one, edge in zip(marks, edges, strict=True)
    ]
    if any(not step or _CUT_MOMENT.match(step) for _, step in steps):
        raise Unclear("no_list")
    end = len(text.mask)
    if (cut := re.search(r"[,，;；。]", steps[-1][1])) and not any(
        re.search(r"[,，;；。]", one) for _, one in steps[:-1]
    ):
        end = text.raw.rfind(steps[-1][1]) + cut.start()  # what follows is no part of the last step
        steps[-1] = (steps[-1][0], steps[-1][1][: cut.start()])
    said = re.search(
        r"([一二两三四五六七八九十\d]+)\s*个?[周月季]|\b(\w+)[\s-]+(?:weeks?|months?)\b", text.mask[: marks[0].start()]
    )
    unit = re.search(r"[周月季]|week|month", said[0], re.IGNORECASE) if said else None
    is_same = unit is not None and unit[0].lower() in steps[0][0].lower()
    _check_steps(said if is_same else None, [label for label, _ in steps])
    text.consume(said.start() if said else marks[0].start(), end)
    return write_timeline(title, steps, language, heading=title or mention.read_name(text, language))


def _find_steps_before(text: RequestText, marks: list[re.Match[str]]) -> list[tuple[str, str]]:
    """Periods that stand behind what happens in them: 启动（第1周）, 启动在第1周; empty if they do not."""
    steps = []
    for one in marks:
        found = _STEP_BEFORE.search(text.mask[: one.start()])
        if not found or re.match(r"\s*[^\s,，、;；。→)\n.-]", text.mask[one.end() :]):
            return []
        steps.append((text.raw[one.start() : one.end()], text.raw[found.start(1) : found.end(1)].strip()))
    return steps


def _name_step(said: str) -> str:
    """What happens in a period, without the words that join it: 第1周是启动，再到第2周."""
    step = said.strip(" ,，、;；:：。.-—→>/／|｜\n")
    step = re.sub(r"[,，、;；]\s*(?:再|最后|直)?(?:到|and|and then|then)$|\s+(?:and|then)$", "", step)
    bare = re.sub(r"^(?:就?[是为做搞要]|就(?!业)|\b(?:is|for|we)\b)\s*", "", step).strip(" ,，、;；")
    return bare.removesuffix("了") if bare != step else bare


def _check_steps(said: "re.Match[str] | None", labels: list[str]) -> None:
    count = read_count(said[1] or said[2] or "") if said else None
    if count is not None and count != len(labels):
        raise Unclear("item_count", said=count, named=len(labels), names=tuple(labels))


def _draft_points(text: RequestText, mention: TopicMention, language: Language) -> DraftBlock:
    title = take_title(text) or _quoted_title(text, mention) or take_subject(text)
    if not title:
        raise Unclear("no_slide")
    items = _take_items(text, mention)
    block = DraftBlock("slide", title, language)
    block.add("add_slide", title=title, layout=_CONTENT, content="\n".join(items))
    return block


def _quoted_title(text: RequestText, mention: TopicMention) -> str:
    found = re.search(rf"{QUOTED}|:|{END}", text.mask[mention.end :])  # behind a colon it is a part of the content
    if not found or not found[0].startswith('"'):
        return ""
    quote = next(one for one in text.left_quotes() if one.start > mention.end)
    text.consume(quote.start - 1, quote.end + 1)
    return quote.text
