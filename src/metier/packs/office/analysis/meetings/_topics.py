"""Topics of a meeting: the list that somebody announces, and sentences that open one."""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from metier.language import BilingualText, split_sentences
from metier.packs.office.analysis._model import DocumentFinding
from metier.packs.office.analysis.meetings._transcript import Utterance
from metier.packs.office.analysis.meetings.records import cut_mark

__all__ = ["find_topics"]

_TOPIC: Final = re.compile(
    r"^(?:好(?:的)?[，。,]\s*|行[，。]\s*|那(?:么)?[，]?\s*)?(?:今天开会.{0,12}[，,]\s*)?"
    r"(?:(?:议题|讨论|事项|议程|内容|汇报)[一二三四五六七八九十\d]+\s*[:：、是]|议题[一二三四五六七八九十\d]+|"
    r"第[一二三四五六七八九十\d]+(?:个|项|件)"
    r"(?:议题|议程|事项|内容|问题|事情?)?[是，,：: ]|"
    r"(?:我们|咱们|大家)?(?:首先|先|接下来|接着|然后|下面|再|最后|现在|下一个|另外|今天|本次会(?:议|(?!议))|"
    r"这次会(?:议|(?!议)))(?:我们|大家|请大家)?(?:来|就|要|主要)*(?:进入|讨论|"
    r"看一?下?|看看|说一?下?|说说|谈一?下?|谈谈|"
    r"过一下|回顾|总结|梳理|通报|传达|研究|议一?下?|汇报|听取|聊一?下?|商量)(?![了过]))"
)
_TOPIC_ENGLISH: Final = re.compile(
    r"(?:\b(?:first|second|third|next|last|final)\s+(?:topic|item|point)\b|\bmove on to\b|\bmoving on to\b|"
    r"\blet(?:'s| us) (?:discuss|talk about|look at)\b|\btopic\s*\d*\s*:|\bnext up\b)",
    re.IGNORECASE,
)
_TOPIC_TAIL: Final = re.compile(
    r"(?:议题|事项|内容|topic|item)\s*(?:[一二三四五六七八九十\d]+)?\s*[:：，,是]?\s*", re.IGNORECASE
)
_MAX_TITLE_CHARS: Final = 40
_COUNTS: Final[Mapping[str, int]] = MappingProxyType(
    {"两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
)
# `今天主要定两件事，一是……，二是……`; `Two things today: …, and …`.
_AGENDA: Final = re.compile(
    r"(?:([两二三四五六2-6])(?:件事情?|个(?:事情?|议题|问题|事项|内容)|项(?:议题|内容|工作|议程|事项)?|"
    r"点)[^，,：:。]{0,6}[，,：:]"
    r"|\b(two|three|four|five|six|[2-6])\s+(?:things|points|topics|items|issues|matters)\b[^.:]{0,24}:)\s*(.+)$",
    re.IGNORECASE,
)
_ITEM_MARK: Final = re.compile(
    r"[，,；;。\s]*(?:[一二三四五六]是|[第其][一二三四五六](?:个|项|件)?(?:事情?)?(?:是|[，,、])?|"
    r"[（(]?[1-6一二三四五六][)）.、]|(?:还有)?一个是)"
)
_ITEM_JOINT: Final = re.compile(r"\s*(?:[;；、]|,\s*and\s|,\s|\sand\s|，|以及|和)\s*")
_ORDINAL: Final = re.compile(
    r"^(?:好的?[，。,]\s*)?(?:第([一二三四五六])(?:个|项|件)|(?:ok(?:ay)?[,.]\s*)?(?:the\s+)?(first|second|"
    r"third|fourth|fifth|sixth)\b)",
    re.IGNORECASE,
)
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth")


def find_topics(said: Iterable[Utterance]) -> Iterator[DocumentFinding]:
    """Topics in their order. A sentence that opens one of an announced list is no further topic."""
    announced = 0
    for utterance in said:
        if utterance.part == "topic":
            yield _make_topic(utterance, cut_mark(utterance.text)[:_MAX_TITLE_CHARS], utterance.text)
        if utterance.part not in ("", "note"):
            continue
        for sentence in split_sentences(utterance.text):
            plain = sentence.strip()
            if agenda := _read_agenda(plain):
                announced = len(agenda)
                yield from (_make_topic(utterance, title, plain) for title in agenda)
                break
            if _opens_topic(plain) and not 0 < _read_ordinal(plain) <= announced:
                yield _make_topic(utterance, _name_topic(plain), plain)
                break


def _make_topic(utterance: Utterance, title: str, quote: str) -> DocumentFinding:
    text = BilingualText(title, title)
    values = {"speaker": utterance.speaker}
    return DocumentFinding("topic", utterance.address, utterance.line, text, severity="low", quote=quote, values=values)


def _read_agenda(sentence: str) -> tuple[str, ...]:
    """Topics that a sentence counts and lists; empty if their number is not the one it names."""
    match = _AGENDA.search(sentence)
    if match is None or sentence.endswith(("?", "？")):
        return ()
    word = (match[1] or match[2]).casefold()
    count = _COUNTS.get(word) or int(word)
    for mark in (_ITEM_MARK, _ITEM_JOINT):
        parts = [part.strip(" ，,。.;；：:") for part in mark.split(match[3])]
        items = tuple(part[:_MAX_TITLE_CHARS] for part in parts if part)
        if len(items) == count:
            return items
    return ()


def _read_ordinal(sentence: str) -> int:
    match = _ORDINAL.match(sentence)
    if match is None:
        return 0
    return "一二三四五六".index(match[1]) + 1 if match[1] else _ORDINALS.index(match[2].casefold()) + 1


def _opens_topic(sentence: str) -> bool:
    if sentence.endswith(("?", "？")):
        return False
    if _TOPIC_ENGLISH.search(sentence):
        return True
    # An announcement may follow a remark within the sentence: `……两项内容，首先看一下……`.
    return any(_TOPIC.match(part) for part in (sentence, *re.split(r"[，,。]", sentence)[1:]))


def _name_topic(sentence: str) -> str:
    if match := _TOPIC_ENGLISH.search(sentence):
        rest = sentence[match.end() :].strip(" :,.;是")
        rest = re.split(r"[,;.](?:\s|$)", re.sub(r"^(?:is|will be)\s+", "", rest), maxsplit=1)[0]
        rest = re.sub(r"\s+first$", "", rest)
        return rest[:_MAX_TITLE_CHARS] or sentence[:_MAX_TITLE_CHARS]
    parts = (sentence, *re.split(r"[，,。]", sentence)[1:])
    part = next(text for text in parts if _TOPIC.match(text))
    rest = _TOPIC.sub("", part, count=1)
    rest = _TOPIC_TAIL.sub("", rest, count=1) if rest.startswith(("议题", "事项")) else rest
    rest = re.sub(
        r"^第[一二三四五六七八九十\d]+(?:个|项|件)(?:议题|议程|事项|内容|问题|事情?)?[，,：: 是]*",
        "",
        rest.strip(" ，,：:是一下"),
    )
    return (
        re.split(r"[，,]", rest.strip(" ，,。：:."), maxsplit=1)[0][:_MAX_TITLE_CHARS]
        or sentence.strip("。 ")[:_MAX_TITLE_CHARS]
    )
