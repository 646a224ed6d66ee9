"""Words that ask about one part of a result: 第二张是什么意思, "and the last?", 月柱呢."""

import re
from typing import Final

from metier.patterns import ENGLISH_ORDINALS, compile_later, read_chinese_integer, read_english_number
from metier.textsearch import to_simplified

MARK: Final = "□"
NUMBER_ZH: Final = r"(?:[一二三四五六七八九十]{1,3}|\d{1,2})"
ORDINAL_EN: Final = rf"(?:{'|'.join(ENGLISH_ORDINALS[1:])}|last|\d{{1,2}}(?:st|nd|rd|th))"
NUMBER_EN: Final = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_MAX_CHARS: Final = 60
_STRIP: Final = " \t\r\n。.!！~～，,?？…"
_ASKS_ZH: Final = (
    r"(?:那|那么|请问|再|请|帮我|给我|想知道|解释|说说?|讲讲?|看看?|具体|详细|展开|一下|关于|而|这|我的|的|[，,]){0,5}□"
    r"(?:这张牌?|那张牌?|这个|那个|的|又|到底){0,5}"
    r"(?:呢|是?(?:什么|啥|怎么样?的?|如何)(?:意思|含义|牌|说法|样|讲|说)?"
    r"|(?:代表|表示|说明|意味着|讲|说|指)(?:的|了)?(?:是)?(?:什么|啥)?|怎么(?:样|看|解释?|理解|说|讲|回事)"
    r"|(?:有)?(?:什么|啥|哪些)(?:意思|含义|说法|星|行星)?|的?(?:意思|含义|牌义|解读)(?:是什么|呢)?|解释|说说?|讲讲?"
    r"|详细|具体|一下|吗){0,5}"
)
_ASKS_EN: Final = (
    r"(?:and |so |but |ok,? |then |please |can you |could you ){0,5}"
    r"(?:what(?:'s| is| does| about| did| of)?(?: in)?|how (?:about|is|do i read|should i read)"
    r"|tell me(?: more)?(?: about)?|explain|read|say more about|more about|describe|why)? ?□"
    r"(?: (?:mean|means|meant|say|says|stand for|tell me|tells me|about|again|in detail|card|here|please|for me|to "
    r"me)){0,5}"
)
_ASKS: Final = compile_later(rf"(?:{_ASKS_ZH}|{_ASKS_EN})")


def normalise(message: str) -> str:
    """A short message in small letters and plain marks; empty if it is too long to be such a question."""
    said = " ".join(to_simplified(message.strip(_STRIP)).replace("’", "'").lower().split())
    return said if len(said) <= _MAX_CHARS else ""


def asks_about(said: str, start: int, end: int) -> bool:
    """Whether a message only asks about what stands between two places in it."""
    return _ASKS.fullmatch(f"{said[:start]}{MARK}{said[end:]}") is not None


def read_place(text: str) -> int:
    """The place that words name, from 1; −1 for the last, 0 for none."""
    if "最后" in text or "末" in text or re.search(r"\blast\b", text):
        return -1
    if digits := re.search(r"\d+", text):
        return int(digits[0])
    if hit := re.search(r"[一二三四五六七八九十]+", text):
        return read_chinese_integer(hit[0]) or 0
    return next((number for one in text.split() if (number := read_english_number(one))), 0)
