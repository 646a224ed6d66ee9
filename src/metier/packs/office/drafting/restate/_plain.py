"""Small things of spoken and formal writing: emoji, particles, words of the other language, numbers in characters."""

import re
from typing import Final

from metier.packs.office._request_text import RequestText
from metier.packs.office.drafting.restate._phrases import MIXED
from metier.patterns import read_chinese_integer

__all__ = ["restate_plain"]

# A request in the form of a question: its mark belongs to no name.
_ASKED: Final = re.compile(
    r"(?:^|(?<=[.!?] ))(?:(?:hi|hello|hey|please|so|and)\b[, ]*)*(?:could|can|would|will|may|might)\b[^.!?？]*"
    r"(?P<mark>[?？])\s*$|"
    r"(?:能不能|可不可以|能否|可否|可以|能)[^。！!?？]*(?:吗|么)?(?P<sign>[?？])\s*$",
    re.IGNORECASE,
)
_EMOJI: Final = re.compile(
    r"\s*[\U0001F000-\U0001FAFF\u2600-\u27BF\uFE0F]+\s*(?=[,，。;；:：!！?？]?)|\s*[~～]+\s*(?=[^\d])"
)
_TAG: Final = re.compile(r"[【\[](?:急|加急|特急|重要|紧急|在线等|求助|urgent|asap)[】\]]\s*", re.IGNORECASE)
_PARTICLES: Final = re.compile(r"(?<=[\u4e00-\u9fff])[哈啦哟喔噢呗咯诶哇嗷捏]+(?=[,，。;；!！?？\n]|$)")
# Courtesy of letters, which says nothing about the thing.
_COURTESY: Final = re.compile(
    r"(?:^|(?<=[,，。;；\n]))\s*(?:(?:如果?|若)(?:您)?方便(?:的话)?[,，]?|方便的话[,，]?|烦请|劳驾|有劳|敬请|恳请|特请|拜托|兹(?:需|因|请)?|现(?:需|请)|请予(?=插入|增加|添加|制作|办理))(?:您|你|贵处)?"
)
_GIVEN: Final = re.compile(r"[,，。;；]?\s*(?:请予|望予|请)(?:插入|增加|添加|制作|办理)(?=[。,，;；]|$)")
_SENTENCE: Final = re.compile(r"(?<=[A-Za-z]{3}[.!?] )(?=[a-z])|(?<=\d[.!?] )(?=[a-z])")
_NO_SENTENCE: Final = re.compile(r"\b(?:etc|approx|incl|excl|est|max|min|vs|fig|ref|tel)[.] $", re.IGNORECASE)
_NUMERALS: Final = re.compile(
    r"(?<=[\u4e00-\u9fff])(?<![一二三四五六七八九十百千万零两第])(?P<number>[一二三四五六七八九十两][一二三四五六七八九十百千万零两]+)"
    r"(?P<unit>(?:人次|[人个件台套次份元辆名])?)(?=[,，、。;；]|$)"
)


def restate_plain(request: str) -> str:
    """The request without such small things; quotations stay as they are."""
    said = _EMOJI.sub("，", _TAG.sub("", _restate_question(request)))
    said = re.sub(r"，(?=[,，。;；:：!！?？]|$)|(?<=[,，。;；:：!！?？])，|^，", "", said) if said != request else said
    said = _PARTICLES.sub("", said)
    if re.search(r"[\u4e00-\u9fff]", said):
        for form, new in MIXED:
            said = form.sub(new, said)
        said = _GIVEN.sub(
            "", _COURTESY.sub("请", re.sub(r"(?:^|(?<=[,，。;；\n]))兹?需(?=\S+[一1][份张个])", "请插入", said))
        )
        said = re.sub(r"(?<=[\u4e00-\u9fff])\s+(?=[这那][一二两三四五六七八九几\d]+[列栏项个])", "", said)
    said = _restate_numerals(_restate_sentences(said))
    quotes = [[one.text for one in RequestText(text).quotes] for text in (request, said)]
    return said if quotes[0] == quotes[1] else request


def _restate_question(said: str) -> str:
    mask = RequestText(said).mask
    found = _ASKED.search(mask) if mask.count("?") == 1 else None
    return said if found is None else f"{said[: found.start(found.lastgroup or 0)]}{'。' if found['sign'] else '.'}"


def _restate_sentences(said: str) -> str:
    """Sentences that begin with a small letter begin with a capital one."""
    places = [one.start() for one in _SENTENCE.finditer(said) if not _NO_SENTENCE.search(said[: one.start()])]
    for at in places:
        said = f"{said[:at]}{said[at].upper()}{said[at + 1 :]}"
    return said


def _restate_numerals(said: str) -> str:
    """Amounts in Chinese characters behind at least two names become digits: 城东三百二十，城西二百八十五."""
    found = [one for one in _NUMERALS.finditer(said) if re.search(r"[十百千万]", one["number"])]
    if len(found) < 2 or re.search(r"\d", said):
        return said
    for one in reversed(found):
        number = read_chinese_integer(one["number"])
        if number is None:
            return said
        said = f"{said[: one.start()]}{number}{one['unit']}{said[one.end() :]}"
    return said
