"""What a speaker takes back: the value behind 不对, 我是说 or “no wait” stands for the one before it."""

import re
from typing import Final

from metier.packs.office._request_text import RequestText

__all__ = ["find_retraction", "take_back"]

_EDGE: Final = r"[\s,，.。…—–~-]*"
_FILLER: Final = rf"(?:{_EDGE}(?:哦|噢|嗯|呃|额|啊|哎|诶|呀|um+|uh+|er+))*{_EDGE}"
_SAYS: Final = (
    r"(?:(?:(?<![对的行可])不不?不?(?=\s*[,，]?\s*(?:[\d图表第]|是))|(?:不对){1,2}|不是不是|(?:我)?[说讲写弄念]?错了|"
    r"口误|更正(?:一下)?|我是说|我的意思是|等一?下|"
    r"(?:no,? )+(?:wait|sorry)|wait,? no|sorry,? (?:i mean|make (?:that|it)|that['’]s)|"
    r"scratch that|(?:actually )?make (?:that|it)|"
    r"i mean(?:t)?|correction:?|or rather|actually,? no)"
    r"(?:[\s,，.。:]*(?:应该是|应该|还是|改成|是|我是说|make (?:that|it)|i mean|it['’]s|it should be))?)"
)
_NUMBER: Final = r"[-−]?[¥$€£]?\d[\d,]*(?:\.\d+)?"
_LABEL: Final = r"(?:第[一二三四五六七八九十\d]{1,2}[个块项条列行点步页张]|[图表]\s?(?=\d))"
_BACK: Final = re.compile(rf"{_FILLER}(?<![A-Za-z]){_SAYS}{_FILLER}", re.IGNORECASE)
_LAST_NUMBER: Final = re.compile(
    rf"(?P<said>{_NUMBER})(?P<unit>[%％]|\s?[a-z]{{1,10}}|[\u4e00-\u9fff]{{1,2}})?$", re.IGNORECASE
)
_FIRST_NUMBER: Final = re.compile(
    rf"(?P<said>{_NUMBER})(?P<unit>[%％]|\s?[a-z]{{1,10}}|[\u4e00-\u9fff]{{1,2}})?", re.IGNORECASE
)
_QUOTE_ENDS: Final = re.compile(r'"[^"]+"$')
# 月报哦不是月报是周报: what it is not is said again.
_NOT_BUT: Final = re.compile(
    rf"(?P<old>[\u4e00-\u9fff]{{2,6}}){_FILLER}不是(?P=old){_EDGE}(?:应该)?是(?P<new>[\u4e00-\u9fff]{{2,6}}?)(?=[啊呀哦吧嘛]|[\s,，。;；]|$)[啊呀哦吧嘛]*"
)
_AFTER: Final = re.compile(r"[啊呀吧哦嘛](?=[\s,，。;；\u4e00-\u9fff]|$)")
_END: Final = re.compile(
    r"(?:元|块钱?)?\s*(?:$|[\s,，.。;；:：、)）!！?？]|[啊呀吧哦嘛]|然后|再(?!次)|最后|还有|就[行好])"
)
# What takes something back wherever it begins a clause.
_LEFT: Final = re.compile(
    r"(?:^|[\s,，.。;；…])(?:[哦噢嗯呃额啊哎诶呀唉][,，]?|(?:oh|ah|um|uh|er|oops|sorry),? )*"
    r"(?:(?:不对){1,2}(?=[\s,，.。;；]|$)|(?:我|刚才|前面)*[说讲写弄念搞打记]错了|错了(?=[\s,，.。;；]|$)|口误|我是说(?!明)|我的意思是|"
    r"(?:no,? )+wait\b|wait,? no\b|"
    r"scratch that\b|make that\b(?=\s*(?:[\"\d]|$))|i mean(?:t)?\b|or rather\b|correction:|my mistake\b|i misspoke\b)",
    re.IGNORECASE,
)
_MAX_BACK: Final = 40
_MAX_TIMES: Final = 6


def take_back(request: str) -> str:
    """The message with each value that its speaker corrects as corrected; one that stands for no value stays."""
    for _ in range(_MAX_TIMES):
        said = _take_once(request)
        if said == request:
            return request
        request = said
    return request


def find_retraction(request: str) -> str:
    """Words that take something back of which it is not known what; empty if there are none."""
    found = _LEFT.search(RequestText(request).mask)
    return found[0].strip(" ,，.。;；\n") if found else ""


def _take_once(request: str) -> str:
    mask = RequestText(request).mask
    if found := _NOT_BUT.search(mask):
        start, end = found.span("new")
        return f"{request[: found.start()]}{request[start:end]}，{request[found.end() :].lstrip('，, ')}"
    for found in _BACK.finditer(mask):
        before, after = mask[: found.start()], mask[found.end() :]
        start = _find_said(before, after)
        if start >= 0:
            return f"{request[:start]}{_drop_particle(request[found.end() :])}"
    return request


def _find_said(before: str, after: str) -> int:
    """Where the value begins that the words behind a retraction stand for; −1 if there is none of their kind."""
    label = re.match(_LABEL, after)
    if label is not None:
        return before.rfind(label[0], max(0, len(before) - _MAX_BACK))
    if after.startswith('"'):
        quoted = _QUOTE_ENDS.search(before)
        return quoted.start() if quoted else -1
    last, first = _LAST_NUMBER.search(before), _FIRST_NUMBER.match(after)
    if last is None or first is None:
        return -1
    old, new = ((one["unit"] or "").strip() for one in (last, first))
    rest = after[first.end("said") :].lstrip() if old else after[first.end("said") :]
    return last.start() if new.startswith(old) and _ends(rest[len(old) :]) else -1


def _ends(after: str) -> bool:
    """Whether a corrected number ends with its unit: no measure of its own (2台) and no remark (2处缺失) follows."""
    return _END.match(after) is not None


def _drop_particle(said: str) -> str:
    """What follows without the particle behind its first value."""
    first = re.match(rf"{_NUMBER}", said)
    if first is None or not _AFTER.match(said, first.end()):
        return said
    return f"{first[0]}，{said[first.end() + 1 :].lstrip('，, ')}"
