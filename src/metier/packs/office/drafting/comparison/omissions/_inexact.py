"""Words of a request that leave open what is to be written: a number that is a guess, a correction, a condition."""

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["find_inexact", "find_talk_in_list"]

_NUMBER: Final = r"\d[\d,.]*\s*(?:[万亿千百]?[元块台套个件吨%％]?)"
# Rows to fill may be about so many; an amount may not.
_NO_ROWS: Final = r"(?![\d,.]*\s*(?:[行条]|个?空|(?:empty |blank |free )?(?:rows?|lines?)\b))"
_INEXACT: Final = re.compile(
    rf"(?:大约|大概|约|差不多|将近|接近|估计|可能)\s*{_NO_ROWS}\d[\d,.]*|{_NUMBER}(?:左右|上下|出头|来着)|"
    rf"\b(?:about|around|roughly|approximately|almost|nearly|maybe|circa)\s+{_NO_ROWS}\d[\d,.]*|"
    r"\d\s*(?:或者?|还是|\bor\b)\s*\d+|\d\s*[?？](?=\s*[,，;；、])|"
    r"[,，。;；]\s*(?:哦|啊|呃)?(?:不对?|错了|说错了|no|wait|scratch that)\s*[,，]",
    re.IGNORECASE,
)
_OPEN: Final = re.compile(
    r"按[^,，。;:]{1,6}分组|(?:跟|和|照着?|同|像)(?:上次|去年|以前|上回|原来)[^,，。;:]{0,4}|"
    r"可以不[写填要]|可写可不写|可有可无|各[占留放做写]?[一1]页|每(?!周(?:占|用|各|写)?一列)[^,，。;:]{1,3}[一二两三四五六\d]+[行列页]|"
    r"\b(?:group(?:ed)? by|like (?:last|the (?:last|previous|old))|same as|"
    r"one (?:row|line|slide|page|column) (?:per|for each)(?! week\b)|in (?:thousands|millions|billions))\b",
    re.IGNORECASE,
)
_SUMS: Final = re.compile(r"自动(?:求和|合计|累加)|能求和")
_AFTER_BRACKET: Final = re.compile(r"\)\s*、\s*([^,，、。;:!?()\[\]\n]+)")
_MIN_ITEMS: Final = 3


def find_inexact(request: str, written: Sequence[str]) -> str:
    """The part of a request, without its quotations, that leaves open what is written; empty if there is none."""
    if found := _INEXACT.search(request) or _OPEN.search(request):
        return "" if found[0].strip() in written else found[0].strip(" ,，。;；")
    if (found := _SUMS.search(request)) and not any(one.startswith("=") for one in written):
        return found[0]
    for found in _AFTER_BRACKET.finditer(request):
        if not any(one and found[1].strip().startswith(one) for one in written):
            return found[1].strip()
    return ""


def find_talk_in_list(items: Sequence[str]) -> str:
    """The last of some items, if it is a clause in small letters after names with capital ones."""
    *names, last = items
    if len(names) + 1 < _MIN_ITEMS or not all(one[:1].isupper() for one in names):
        return ""
    return last if last[:1].islower() and len(last.split()) > 2 else ""
