"""A deck as orders name it: slides by number, place or title."""

import re
from typing import Final

from metier.packs.office._pieces import TextPiece
from metier.packs.office._request_text import QUOTED, RequestText
from metier.packs.office.orders._about import find_about
from metier.packs.office.orders._context import OrderContext
from metier.packs.office.orders._lexicon import find_synonyms
from metier.packs.office.orders._ordinals import EN_ORDINAL, ORDINAL, read_ordinal
from metier.packs.office.orders._unclear import OrderUnclear

__all__ = ["take_except", "take_slides", "take_title"]

_PAGE: Final = r"(?:页|张)(?:幻灯片|PPT|片子|slides?)?"


def take_slides(context: OrderContext, text: RequestText) -> list[int]:
    """Numbers of slides that the order names."""
    slides = context.reading.slides
    count = len(slides)
    found: list[int] = []
    while True:
        if match := text.take(
            rf"第({ORDINAL})\s*(?:页|张)?\s*(?:到|至|-|~)\s*第?({ORDINAL}){_PAGE}|\b(?:slides|"
            rf"pages)\s+(\d+)\s*(?:to|-|through)\s*(\d+)\b"
        ):
            low, high = read_ordinal(match[1] or match[3]) or 0, read_ordinal(match[2] or match[4]) or 0
            found += range(low, high + 1)
        elif match := text.take(
            rf"第({ORDINAL})(?:、|和|，|,)(?=第?{ORDINAL}(?:、|和|页|张))|第({ORDINAL}){_PAGE}|"
            rf"(?<=\ufffc)({ORDINAL}){_PAGE}|\b(?:slide|page)s?\s+(?:number\s+)?(\d+)\b|"
            rf"(?<=\ufffc)\s*(?:and|,|&)\s*(?:slide\s+)?(\d+)\b|\b({EN_ORDINAL})\s+(?:slide|page)\b"
        ):
            found.append(read_ordinal(next(one for one in match.groups() if one)) or 0)
        elif text.take(rf"最后(?:的)?一?{_PAGE}|末页|\b(?:the )?last (?:slide|page)\b"):
            found.append(count)
        elif text.take(r"首页|封面(?:页)?|\b(?:the )?(?:cover|title) (?:slide|page)\b"):
            found.append(1)
        elif (number := _take_about(context, text)) is not None or (number := _take_titled(context, text)) is not None:
            found.append(number)
        elif match := re.search(
            rf"(?:标题(?:为|是|叫)?)?({QUOTED})(?:的)?(?:这|那)?一?{_PAGE}|\b(?:slide|page) (?:titled|"
            rf"called|named|with the title) ({QUOTED})|({QUOTED}) (?:slide|page)\b",
            text.mask,
            re.IGNORECASE,
        ):
            group = next(number for number in (1, 2, 3) if match[number])
            words = text.text_of(*match.span(group))
            hits = [one.number for one in slides if words in one.title]
            if len(hits) != 1:
                raise OrderUnclear(
                    "many_places" if hits else "no_text_here", text=words, **({"count": len(hits)} if hits else {})
                )
            text.consume(*match.span())
            found.append(hits[0])
        else:
            break
    wrong = next((one for one in found if not 1 <= one <= count), None)
    if wrong is not None and count:
        raise OrderUnclear("no_such", text=f"第{wrong}页", known=(f"{count} 页 / slides",))
    return list(dict.fromkeys(found))


def take_except(context: OrderContext, text: RequestText) -> list[int]:
    """Slides that an order for all leaves out: except on slide 5, 除了第五页."""
    found = re.search(
        r"(?:[,，]\s*)?(?:但)?除(?:了)?(?P<zh>[^,，。]{2,20}?)(?:以外|之外|外)?(?=$|[,，。]|都|全)|"
        r"[,]?\s*\b(?:except|apart from|"
        r"but not|excluding|not)(?: for)?(?: on)? (?P<en>[^,.;]{3,40})$",
        text.mask,
        re.IGNORECASE,
    )
    if found is None:
        return []
    group = "zh" if found["zh"] else "en"
    part = RequestText(text.raw[found.start(group) : found.end(group)])
    slides = take_slides(context, part)
    if slides:
        text.consume(*found.span())
    return slides


def _take_about(context: OrderContext, text: RequestText) -> int | None:
    """A slide by what its title says: the slide about the budget, 讲预算的那一页."""
    match = re.search(
        rf"\bthe (?:slide|page) (?:about|on|that is about|which is about) (?:the |"
        rf"our )?(?P<en>[^,.;:\"\ufffc]+?)(?=$|[,.;:\ufffc]| to\b| after\b|"
        rf" before\b| and\b)|(?:讲|关于|说|介绍)(?P<zh>[^,，。;:\"\ufffc的]{{2,12}}?)(?:的)?(?:那|这)一?{_PAGE}",
        text.mask,
        re.IGNORECASE,
    )
    if match is None:
        return None
    subject = (match["en"] or match["zh"]).strip()
    titles = [TextPiece(str(one.number), one.title) for one in context.reading.slides if one.title.strip()]
    hits = find_about(subject, titles, is_sentence=False)
    if hits is None:
        raise OrderUnclear("no_text_here", text=subject)
    text.consume(*match.span())
    return int(hits[0].address)


def _take_titled(context: OrderContext, text: RequestText) -> int | None:
    """A slide by the words of its title: 进度那页, 预算页, the Budget slide."""
    for slide in sorted(context.reading.slides, key=lambda one: -len(one.title)):
        for name in (slide.title.strip(), *find_synonyms(slide.title)):
            form = (
                rf"{re.escape(name)}\s*(?:的)?(?:这|那)?一?(?:页|张)(?:幻灯片|PPT)?|"
                rf"\b{re.escape(name)}\s+(?:slide|page|one)\b"
            )
            if len(name) > 1 and (match := re.search(form, text.mask, re.IGNORECASE)):
                text.consume(*match.span())
                return slide.number
    return None


def take_title(context: OrderContext, text: RequestText) -> int | None:
    """A slide by its title alone, where a place was begun: 挪到方案前面."""
    for slide in context.reading.slides:
        for name in (slide.title.strip(), *find_synonyms(slide.title)):
            if len(name) > 1 and (
                match := re.search(
                    (
                        rf"{re.escape(name)}(?=的?[前后之]|\s*(?:页|这|那)?(?:[提挪移放调搬排]|\ufffc))|(?:after|"
                        rf"before|move|put|\ufffc)\s+(?:the )?(?P<en>{re.escape(name)})\b"
                    ),
                    text.mask,
                    re.IGNORECASE,
                )
            ):
                text.consume(*(match.span("en") if match["en"] else match.span()))
                return slide.number
    return None
