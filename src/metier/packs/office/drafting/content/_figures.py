"""Slide of key figures: each in large type with its name below it."""

import re
from collections.abc import Sequence
from typing import Final

from metier.language import Language, choose
from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting._blocks import DraftBlock
from metier.packs.office.drafting._titles import take_title
from metier.packs.office.drafting._topics import TopicMention
from metier.packs.office.drafting._unclear import Unclear
from metier.packs.office.drafting.content._slide_blocks import write_figures

__all__ = ["draft_figures", "names_figure"]

_MAX_FIGURES: Final = 4
_FIGURE: Final = (
    r"[-+]?[¥$€£]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?\s*"
    r"(?:%|‰|亿元|万元|万[台件人吨次户]|亿|万|元|倍|天|小时|分钟?|台|人次?|件|家|户|吨|公里|次|[kKmMbB]\b|pts?\b|ms\b|x\b|/\s*\d+|"
    r"(?:days?|hours?|minutes?|weeks?|months?|years?|people|users|stars?|points|units|million|billion)\b)?"
)
_BETWEEN: Final = re.compile(r",(?!\d{3}(?!\d))\s*(?:and )?|[，、;；]|\s+and\s+")
_CAPTIONED: Final = re.compile(
    rf"(?P<value>{_FIGURE})\s*(?:的|[-–—]\s)?\s*(?P<name>[^\d\s%:：,，(（][^\d:：,，]{{1,30}})", re.IGNORECASE
)
# What leads to a figure and is not its name.
_NO_CAPTION: Final = re.compile(
    r"^(?:and|our|the)\s+|^(?:the )?(?:(?:big|large|huge|key|giant) )*(?:number|figure)s?\b|^(?:大|关键)?数字",
    re.IGNORECASE,
)
# A number in type that one cannot overlook is a key figure, whatever the slide is called.
_HUGE: Final = (
    r"\b(?:huge|giant|enormous|(?:very |really |extra )?(?:big|large)|jumps?|stands? out)\b|"
    r"(?:特别|非常|超级|[特超巨很极])大|大大的|大字|大号|醒目|突出"
)


def names_figure(text: RequestText) -> bool:
    """Whether the request wants a figure in large type: in quotation marks, or bare behind the word for showing it."""
    shown = (
        r"(?:显示|展示|写|放|突出|\b(?:shows?|showing|displays?|displaying|saying|says|with))\s*"
        rf"(?:the (?:number|figure) )?{_FIGURE}(?=[\s,，。.;]|$)"
    )
    return text.has(_HUGE) and (
        any(re.fullmatch(_FIGURE, one.text) for one in text.quotes) or bool(text.quotes and text.has(shown))
    )


def draft_figures(text: RequestText, mention: TopicMention, language: Language) -> DraftBlock:
    """Each figure in large type with its name below it."""
    title = take_title(text)
    figures = _take_figures(text)
    if not 1 <= len(figures) <= _MAX_FIGURES:
        raise Unclear("no_title", what=choose(language, zh="关键指标", en="key figure"))
    return write_figures(title, figures, language, heading=title or mention.topic.title(language))


def _take_figures(text: RequestText) -> list[tuple[str, str]]:
    """Names and values: a label beside a quoted value, or pairs such as `uptime 99.95%`."""
    label = text.take_quote(r"\b(?:label(?:led)?|caption|named|called)\b|标签|名称|说明|标注|指标名")
    label = label or text.take_value(
        r"\b(?:label|caption)\b(?:\s*(?:says|reads|is|saying|reading|:))+|标签(?:为|是|写|:)+"
    )
    quotes = list(text.left_quotes())
    if not label and len(quotes) == 2 and sum(bool(re.search(r"\d", one.text)) for one in quotes) == 1:
        value, name = sorted((one.text for one in quotes), key=lambda one: not re.search(r"\d", one))
        for one in quotes:
            text.consume(one.start - 1, one.end + 1)
        return [(name, value)]
    if label and len(quotes) == 1:
        text.consume(quotes[0].start - 1, quotes[0].end + 1)
        return [(label, quotes[0].text)]
    if not label and len(quotes) == 1 and not re.search(r"\d", quotes[0].text):
        label, quotes = quotes[0].text, []  # the figure stands outside of the quotation
        text.consume(*(text.mask.find('"'), text.mask.rfind('"') + 1))
    if not label and not quotes and (behind := _take_captions(text)):
        return behind
    source = quotes[0].text if len(quotes) == 1 else text.raw
    start = _start_of_figures(text) if len(quotes) != 1 else 0
    found = [
        (one["name"].strip(" ,，、:：和"), one["value"].strip())
        for one in re.finditer(
            (
                rf"(?P<name>[^\d,，、;；。:：\n]*?)\s*(?:为|是|达|达到|\bis\b|\bof\b|"
                rf"[:：])?\s*(?P<value>{_FIGURE})(?=$|[\s,，、;；。.!])"
            ),
            source[start:],
        )
    ]
    if not quotes and not label and _loses_words(source[start:], found):
        return []
    if label and len(found) == 1 and not quotes:
        text.consume(start, len(text.mask))
        return [(label, found[0][1])]
    if found and all(name or len(found) == 1 for name, _ in found):
        if len(quotes) == 1:
            text.consume(quotes[0].start - 1, quotes[0].end + 1)
        else:
            text.consume(start, len(text.mask))
        return [(_NO_CAPTION.sub("", name).strip(), value) for name, value in found]
    return []


_SAYS_NO_MORE: Final = re.compile(
    rf"{_HUGE}|为|是|达到?|和|[(（][^()（）]*[)）]|\b(?:is|of|and|the|our|in|type|letters)\b|[\W_]", re.IGNORECASE
)


def _take_captions(text: RequestText) -> list[tuple[str, str]]:
    """Figures behind a colon, each with its caption behind it: 30% 同比增长、1,200 users; empty if they are not."""
    colon = text.mask.find(":")
    if colon < 0:
        return []
    end = len(text.mask.rstrip(" 。.!"))
    pieces = [one.strip() for one in _BETWEEN.split(text.raw[colon + 1 : end]) if one.strip()]
    found = [_CAPTIONED.fullmatch(one) for one in pieces]
    if not found or not all(found) or "\ufffc" in text.mask[colon:end]:
        return []
    text.consume(colon, len(text.mask))
    return [(one["name"].strip(), one["value"].strip()) for one in found if one]


def _loses_words(said: str, found: Sequence[tuple[str, str]]) -> bool:
    """Whether a word of the figures is none of their names and values: 98% 满意度，说明：客户调查."""
    rest = said
    for one in (part for pair in found for part in pair if part):
        rest = rest.replace(one, " ", 1)
    return _SAYS_NO_MORE.sub("", rest) != ""


def _start_of_figures(text: RequestText) -> int:
    colon = re.search(r":", text.mask)
    if colon:
        return colon.end()
    shown = re.search(
        rf"(?:显示|展示|写|突出|\b(?:shows?|showing|displays?|displaying|with|of))\s+(?={_FIGURE}[\s,，。.;])",
        text.mask,
        re.IGNORECASE,
    )
    if shown:
        return shown.end()
    lead = re.search(r".*(?:显示|展示|写|突出|\b(?:showing|with|of|for|displaying)\b)", text.mask, re.IGNORECASE)
    return lead.end() if lead else 0
