"""Rows that words choose by their place in a list: 只改第二条, "the first and the third", 除了第三条都改.

A whole message has to be such a choice. A number without 第 or a noun is how many rows, not which: 只改2条, "fix two".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from metier.patterns import (
    ENGLISH_NUMBERS,
    ENGLISH_ORDINALS,
    compile_later,
    read_chinese_integer,
    read_english_number,
)
from metier.textsearch import to_simplified

_MAX_CHARS: Final = 120
_MAX_ROW: Final = 999
_NUM: Final = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})"
_ROW_NOUN: Final = "条|个|处|行|项|点|号|笔|[张台](?!图)"
_PART_NOUN: Final = "段|页|章|节|款"
_NTH_ZH: Final = rf"(?:第{_NUM}(?:{_ROW_NOUN}|{_PART_NOUN})?|倒数第{_NUM}(?:{_ROW_NOUN})|最后一?(?:{_ROW_NOUN}))"
_NEXT_ZH: Final = rf"(?:{_NTH_ZH}|{_NUM}(?:{_ROW_NOUN}|{_PART_NOUN})?)"
_SPAN_ZH: Final = rf"第{_NUM}(?:{_ROW_NOUN})?(?:到|至|[-~～—–])第?{_NUM}(?:{_ROW_NOUN})?"
_AND_ZH: Final = "(?:、|，|,|和|跟|与|及|以及|还有|[，,]以及|[，,]还有)"
_LISTED_ZH: Final = (
    rf"(?:(?:{_SPAN_ZH}|{_NTH_ZH})(?:{_AND_ZH}(?:{_SPAN_ZH}"
    rf"|{_NEXT_ZH})){{0,5}}(?:这?[两二三四五六几]?(?:{_ROW_NOUN}))?)"
)
_PLAIN_ZH: Final = (
    rf"(?:\d{{1,3}}(?:(?:、|，|,|和|跟|与|及)\d{{1,3}})+(?:这?[两二三四五六几](?:{_ROW_NOUN})|号|行)?|\d{{1,3}}号)"
)
_LIST_ZH: Final = compile_later(rf"{_LISTED_ZH}|{_PLAIN_ZH}")
_DO_ZH: Final = (
    "写入|批准|同意|执行|应用|下发|修改|改正|更正|保留|处理|通过|接受|采纳|确认|需要|要|改|做|选|写|批|修|留|加|动"
)
_LEAD_ZH: Final = r"(?:那么?|就|请|麻烦|好的?|行|可以|嗯|我想|我要|我|帮我|给我|是的|对|先|这样吧?|[，,。]){0,5}"
_ONLY_ZH: Final = "(?:(?:只|仅|单|光|就)(?:先|有|是|把)?)"
_END_ZH: Final = rf"(?:就|即可|够了|可以|好了?|行|吧|了|的|要|{_DO_ZH}){{0,5}}"
_REST_ZH: Final = (
    r"(?:其他|其它|其余|剩下|另外|别|余下)的?(?:行|条|几[条个行处])?(?:我)?(?:都|全部?|先|就|暂时|统统){0,5}"
)
_NOT_ZH: Final = "(?:先?不要|先?别|先?不|先?不用|不必|不需要|无需|跳过|去掉|取消|排除|忽略|略过|拿掉|勾掉)"
_ALL_ZH: Final = (
    rf"[，,；;]?(?:(?:其他|其它|其余|剩下|另外|别|余下)的?|全部|所有的?)?(?:我)?(?:都|全部?){{0,5}}(?:可以|照|行|好"
    rf"|{_DO_ZH}){{0,5}}(?:吧|了){{0,5}}"
)
_KEEPS_ZH: Final = compile_later(
    rf"{_LEAD_ZH}(?:{_ONLY_ZH}(?:{_DO_ZH})?|(?P<bare>)|{_DO_ZH})□(?P<end>{_END_ZH})"
    rf"(?P<rest>[，,；;]?{_REST_ZH}(?:{_NOT_ZH}(?:{_DO_ZH})?|算|跳过)(?:了|吧){{0,5}})?"
)
_LEAVES_ZH: Final = compile_later(
    rf"{_LEAD_ZH}(?:除了?|除开|除去|排除|不算)□(?:以外|之外|外|除外)?{_ALL_ZH}"
    rf"|{_LEAD_ZH}{_NOT_ZH}(?:{_DO_ZH}|管)?□{_ALL_ZH}"
    rf"|{_LEAD_ZH}□(?:除外|(?:先|就|都)?{_NOT_ZH}(?:{_DO_ZH}|管)?)(?:了|吧){{0,5}}"
    rf"(?:[，,；;]{_REST_ZH}(?:可以|照|行|好|{_DO_ZH}){{0,5}}(?:吧|了){{0,5}})?"
)
# Ordinals are written in digits before anything is read: "the second" is "the 2th".
_ORDINAL_WORD: Final = compile_later(rf"\b(?:{'|'.join(ENGLISH_ORDINALS[1:])})\b")
_ORD_EN: Final = r"(?:\d{1,3}(?:st|nd|rd|th)|last)"
_ROW_EN: Final = "(?:one|row|change|item|point|entry|line|comment|edit|finding|issue|problem)s?"
_PART_EN: Final = "(?:paragraph|page|slide|section|clause|article|chapter)s?"
_WORD_EN: Final = rf"(?:{'|'.join(ENGLISH_NUMBERS[1:13])})"
_NO_EN: Final = r"(?:number |no\.? ?|# ?)"
_NTH_EN: Final = (
    rf"(?:(?:the )?{_ORD_EN}(?: (?:{_ROW_EN}|{_PART_EN}))?"
    rf"|(?:the )?(?:(?:{_ROW_EN}|{_PART_EN}) {_NO_EN}?|{_NO_EN})(?:\d{{1,3}}|{_WORD_EN}))"
)
_SPAN_EN: Final = rf"{_NTH_EN} ?(?:to|through|[-–—]) ?(?:{_NTH_EN}|\d{{1,3}}|{_WORD_EN})"
_AND_EN: Final = r"(?:, and |, | and | & | plus )"
_LISTED_EN: Final = (
    rf"(?:{_SPAN_EN}|{_NTH_EN})(?:{_AND_EN}(?:{_SPAN_EN}|{_NTH_EN}|\d{{1,3}}|{_WORD_EN}(?! of))){{0,5}}(?: {_ROW_EN})?"
)
_PLAIN_EN: Final = r"\d{1,3}(?:(?:, and |, | and | & )\d{1,3})+"
_LIST_EN: Final = compile_later(rf"(?<!\w)(?:{_LISTED_EN}|{_PLAIN_EN})\b")
_DO_EN: Final = (
    "(?:fix|change|apply|approve|do|write|take|keep|make|accept|include|use|choose|select|pick|run|push|correct|edit"
    "|want|need|insert|go with)"
)
_ASK_EN: Final = r"(?:(?:can|could|would|will) you (?:please )?)"
_LEAD_EN: Final = (
    r"(?:(?:ok(?:ay)?|yes|well|then|so|please|actually|no|sure|fine|let's|i(?:'d| would) like(?: you)?(?: to)?|i|we"
    r"|i(?:'d| would) (?:only|just) like(?: you)?(?: to)?),? ){0,5}"
)
_ONLY_EN: Final = "(?:only|just)"
_REST_EN: Final = "(?:the (?:rest|others)|everything else|all (?:the )?others?)"
_KEEPS_EN: Final = compile_later(
    rf"{_LEAD_EN}{_ASK_EN}?(?:(?:(?P<bare>)|{_ONLY_EN} |(?:{_ONLY_EN} )?{_DO_EN} (?:{_ONLY_EN} )?))□"
    r"(?P<end>(?: only|,? please| then| for now| will do| is enough| (?:is|are) (?:fine|ok(?:ay)?|good)){0,5})"
    rf"(?P<rest>(?:,|;| and|, and|, but|,? please) (?:(?:do not|don't) (?:touch|change|do|apply|fix) (?:{_REST_EN}"
    rf"|anything else)"
    rf"|(?:leave|skip|drop) {_REST_EN}(?: alone| out| as (?:it is|they are))?|not {_REST_EN}|nothing (?:else|more)"
    rf"|no (?:others?|more)))?"
)
_LEAVES_EN: Final = compile_later(
    rf"{_LEAD_EN}{_ASK_EN}?(?:(?:{_DO_EN} )?(?:all|everything|every (?:row|change)|them all|all of (?:them|it)"
    rf"|{_REST_EN})(?: rows| changes)? )?"
    rf"(?:except(?: for)?|apart from|other than|without|excluding|minus) □(?:,? please)?"
    rf"|{_LEAD_EN}{_ASK_EN}?(?:{_DO_EN} )?(?:all|everything|every (?:row|change)) "
    rf"but □(?:,? please)?"
    rf"|{_LEAD_EN}{_ASK_EN}?(?:skip|drop|leave out|exclude|remove|omit|ignore|untick|not|(?:do not|don't) {_DO_EN}"
    rf"|(?:do not|don't) touch)"
    rf" □(?:,? please)?(?:(?:,|;| and| but|, and|, but) (?:{_DO_EN} "
    rf")?{_REST_EN}(?: (?:is|are) (?:fine|ok(?:ay)?|good))?)?"
    rf"|{_LEAD_EN}{_ASK_EN}?leave □ (?:out|alone|unchanged|as (?:it is|they "
    rf"are))(?:,? please)?"
)
_ITEM: Final = compile_later(
    rf"(?P<before>{_PART_EN}|{_ROW_EN}) {_NO_EN}?(?P<number>\d{{1,3}}|{_WORD_EN})\b"
    rf"|(?P<en>{_ORD_EN}|\b{_WORD_EN})\b(?: (?P<behind>{_PART_EN}|{_ROW_EN})\b)?"
    rf"|(?P<back>倒数)?第?(?P<zh>{_NUM})(?P<noun>{_ROW_NOUN}|{_PART_NOUN})?|(?P<last>最后一?(?:{_ROW_NOUN}))",
    re.IGNORECASE,
)
_TO: Final = compile_later(r"\s?(?:到|至|[-~～—–]|to|through)\s?(?:第|the )?", re.IGNORECASE)
_PARTS: Final = compile_later(rf"{_PART_NOUN}|{_PART_EN}", re.IGNORECASE)
_NTH_ZH_ANYWHERE: Final = compile_later(rf"(?:{_SPAN_ZH}|{_NTH_ZH})(?![天次年月周季批版轮届代])")
_NTH_EN_ANYWHERE: Final = compile_later(
    rf"\b(?:{_SPAN_EN}|{_NTH_EN})\b(?! (?:time|day|week|month|year|half|quarter|party|place|name|of)s?\b)",
    re.IGNORECASE,
)
_MARK: Final = "□"
_STRIP: Final = " \t\r\n。.!！~～，,"


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """Places from `first` to `last`, from 1, or from the end if negative; `noun` is what is counted, if it is said."""

    first: int
    last: int
    noun: str = ""

    @property
    def numbers(self) -> range:
        """All places, from the first to the last."""
        return range(self.first, self.last + 1)

    @property
    def is_part(self) -> bool:
        """Whether a part of a document is counted (第 3 段, "page 2"), and no row of the list."""
        return _PARTS.fullmatch(self.noun) is not None


@dataclass(frozen=True, slots=True)
class PlacedRows:
    """Rows that a message names by their places, or with `is_left_out` all but these."""

    places: tuple[NamedPlace, ...]
    is_left_out: bool = False


def read_places(message: str) -> PlacedRows | None:
    """The rows that a whole message chooses by their places; None for any other message.

    One row that is only named (第二条, "the second one") is not chosen: it may as well be asked about.
    """
    said = _normalise(message)
    if not said or len(said) > _MAX_CHARS:
        return None
    if said.isascii():
        return _read(said, _LIST_EN, _KEEPS_EN, _LEAVES_EN)
    return _read("".join(said.split()), _LIST_ZH, _KEEPS_ZH, _LEAVES_ZH)


def find_places(text: str) -> tuple[NamedPlace, ...]:
    """Places that stand anywhere in a text with 第 or a noun: 第二条为什么要改, "why the second one"."""
    said = _normalise(text)
    pattern = _NTH_EN_ANYWHERE if said.isascii() else _NTH_ZH_ANYWHERE
    joined = said if said.isascii() else "".join(said.split())
    return tuple(place for one in pattern.finditer(joined) for place in _list_places(one[0]))


def mark_places(text: str, mark: str) -> str:
    """The text with a mark in place of each place that `find_places` finds."""
    said = _normalise(text)
    pattern = _NTH_EN_ANYWHERE if said.isascii() else _NTH_ZH_ANYWHERE
    return pattern.sub(mark, said if said.isascii() else "".join(said.split()))


def _normalise(message: str) -> str:
    said = " ".join(to_simplified(message.strip(_STRIP)).replace("’", "'").lower().split())
    said = _ORDINAL_WORD.sub(lambda found: f"{read_english_number(found[0])}th", said)
    is_request = re.match(r"(?:can|could|would|will) you\b", said) is not None
    return said.rstrip("?？").strip() if is_request else said


def _read(said: str, lists: re.Pattern[str], keeps: re.Pattern[str], leaves: re.Pattern[str]) -> PlacedRows | None:
    """What a message says of the one list of places that stands in it."""
    marked, count = lists.subn(_MARK, said)
    if count != 1:
        return None
    listed = next(one[0] for one in lists.finditer(said))
    if leaves.fullmatch(marked):
        return _make(listed, is_left_out=True)
    found = keeps.fullmatch(marked)
    made = _make(listed, is_left_out=False) if found is not None else None
    if found is None or made is None:
        return None
    is_only_named = found["bare"] is not None and not found["end"] and not found["rest"]
    is_one = len(made.places) == 1 and made.places[0].first == made.places[0].last
    return None if is_only_named and is_one else made


def _make(listed: str, *, is_left_out: bool) -> PlacedRows | None:
    places = tuple(_list_places(listed))
    return PlacedRows(places, is_left_out) if places else None


def _list_places(listed: str) -> Iterator[NamedPlace]:
    """Places of a list, those joined by 到 or "to" as one."""
    found = [(one, _number(one)) for one in _ITEM.finditer(listed)]
    at = 0
    while at < len(found):
        item, number = found[at]
        noun, last = _noun(item), number
        if at + 1 < len(found) and _TO.fullmatch(listed[item.end() : found[at + 1][0].start()]):
            at += 1
            last = found[at][1]
            noun = noun or _noun(found[at][0])
        at += 1
        if number and last and (number > 0) == (last > 0) and abs(number) <= _MAX_ROW:
            yield NamedPlace(min(number, last), max(number, last), noun)


def _noun(item: re.Match[str]) -> str:
    return item["noun"] or item["before"] or item["behind"] or ""


def _number(item: re.Match[str]) -> int:
    if item["last"] or (item["en"] or "").lower() == "last":
        return -1
    if text := item["zh"]:
        number = int(text) if text.isdecimal() else read_chinese_integer(text) or 0
        return -number if item["back"] else number
    text = (item["number"] or item["en"] or "").lower()
    if digits := re.match(r"\d+", text):
        return int(digits[0])
    return read_english_number(text) or 0
