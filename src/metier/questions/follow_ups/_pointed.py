"""Questions that point to the one thing that the last answer named: 为什么选它, 那个小区怎么了, "why that one?"."""

import re
from collections.abc import Iterable
from typing import Final

from metier.language import Language, Sentences
from metier.patterns import compile_later

_THING: Final = r"(?:它|[这那]一?[个台条](?:小区|站点?|基站|设备|机器|栅格)?|该(?:小区|站点?|设备|机器))"
_THING_EN: Final = r"(?:it|(?:this|that)\s+(?:one|cell|site|machine|row))"
_WHY: Final = compile_later(
    rf"(?:那|可是?|但是?|不过|[，,\s])*(?:为什么|为啥|为何|凭什么|怎么)(?:会|就)?(?:是|选|挑|偏偏是)?{_THING}(?:最?差|最严重|最糟)?(?:呢|啊)?[？?。\s]*"
    rf"|(?i:(?:but\s+|so\s+)?why\s+(?:is\s+(?:it\s+)?|did\s+you\s+(?:choose|pick)\s+)?{_THING_EN}(?:\s+the\s+worst)?[?.\s]*)"
)
_TROUBLE: Final = compile_later(
    rf"(?:那|[，,\s])*{_THING}(?:到底)?(?:是)?(?:怎么了|怎么回事|咋了|咋回事|什么情况|有(?:什么|啥)(?:问题|毛病)|哪里有问题|出了?什么问题)[？?。\s]*"
    rf"|(?:那|[，,\s])*{_THING}(?:到底|是不是)?(?:有多|很)?严重(?:吗|不|不严重)?[？?。\s]*"
    rf"|(?i:(?:so\s+|and\s+)?(?:what(?:'s|\s+is)\s+(?:wrong|the\s+(?:matter|problem|trouble))\s+with|tell\s+me\s+(?:more\s+)?about)\s+{_THING_EN}[?.\s]*)"
)
_WHOLE: Final = Sentences(
    {"why": ("why {name}?", "为什么是{name}"), "trouble": ("tell me about {name}", "{name}有什么问题")}
)
_MIN_NAME: Final = 3


def name_pointed(message: str, answer: str, names: Iterable[str], language: Language) -> str:
    """The question with the name that the last answer gave; empty if it points to nothing, or to several things."""
    said = message.strip()
    code = "why" if _WHY.fullmatch(said) else "trouble" if _TROUBLE.fullmatch(said) else ""
    if not code:
        return ""
    found = {one for one in names if len(one) >= _MIN_NAME and _has_name(answer, one)}
    longest = [one for one in found if not any(one != other and one in other for other in found)]
    return _WHOLE.render(code, language, name=longest[0]) if len(longest) == 1 else ""


def _has_name(text: str, name: str) -> bool:
    return re.search(rf"(?<![0-9A-Za-z-]){re.escape(name)}(?![0-9A-Za-z-])", text) is not None
