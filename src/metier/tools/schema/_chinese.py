"""Schema violations in Chinese, read from their English words.

A violation is written once, in English, and may be stored before it is known who reads it.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from metier.patterns import compile_later

_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "an object": "对象",
        "a list": "列表",
        "a text": "文本",
        "a whole number": "整数",
        "a number": "数字",
        "true or false": "true 或 false",
        "null": "null",
    }
)
_REASONS: Final = tuple(
    (compile_later(pattern, re.DOTALL), text)
    for pattern, text in (
        (r"(.+) missing", "缺少 {0}"),
        (r"must be one of (.+), not (.+)", "只能是 {0} 之一，不能是 {1}"),
        (r"must be (.+?), not (.+)", "应为{0}，不能是 {1}"),
        (r"(.+) does not match (.+)", "{0} 不符合格式 {1}"),
        (r"(.+) is not a valid (.+)", "{0} 不是有效的 {1}"),
        (r"(.+) fits none of the (\d+) forms it may have", "{0} 不符合 {1} 种允许形式中的任何一种"),
        (r"unknown: (.+); known: none", "不认识：{0}"),
        (r"unknown: (.+); known: (.+)", "不认识：{0}；可用：{1}"),
        (r"(.+) is too short", "{0} 太短"),
        (r"(.+) is too long", "{0} 太长"),
        (r"(.+) has more than (\d+) characters", "{0} 超过 {1} 个字"),
        (r"(.+) should be non-empty", "{0} 不能为空"),
        (r"(.+) is less than (?:or equal to )?the minimum of (.+)", "{0} 小于最小值 {1}"),
        (r"(.+) is greater than (?:or equal to )?the maximum of (.+)", "{0} 大于最大值 {1}"),
        (r"has items that are equal", "有重复项"),
        (r"(.+) was expected", "应为 {0}"),
        (r"(.+) is not a multiple of (.+)", "{0} 不是 {1} 的倍数"),
        (r"Additional properties are not allowed \((.+) (?:was|were) unexpected\)", "不允许多余的键：{0}"),
        (r"(.+) does not have enough properties", "{0} 的键太少"),
        (r"(.+) has too many properties", "{0} 的键太多"),
        (r"it is nested too deep.*", "嵌套过深"),
        (r"it takes too many steps.*", "检查所需的步骤过多，请一次少给一些"),
        (r"a number is too large.*", "数字过大"),
    )
)
_OTHER: Final = "不符合要求"
# Up to a semicolon between two violations: not one in quotes, nor the one before what is known.
_PART: Final = compile_later(r"(?:; )?((?:'[^']*'|\"[^\"]*\"|(?!; (?!known: )).)++)", re.DOTALL)
_PLACE: Final = compile_later(r"(\$?[\w.\[\]$-]*): (?=\S)")


def translate_problem(text: str) -> str:
    """A violation in Chinese, with its place if it has one; several are joined by semicolons."""
    parts: list[str] = []
    for one in _PART.findall(text) or [text]:
        if parts and _translate_part(one).endswith(_OTHER):
            parts[-1] += f"; {one}"  # a semicolon inside of what was said before
        else:
            parts.append(one)
    return "；".join(map(_translate_part, parts))


def _translate_part(text: str) -> str:
    place = _PLACE.match(text)
    where, reason = (f"{place[1]}：", text[place.end() :]) if place and not text.startswith("unknown:") else ("", text)
    for pattern, said in _REASONS:
        if found := pattern.fullmatch(reason):
            return where + said.format(*(_translate_type(one) for one in found.groups()))
    return where + _OTHER


def _translate_type(text: str) -> str:
    kinds = [_TYPES.get(one) for one in ([text] if text in _TYPES else text.split(" or "))]
    return " 或 ".join(one for one in kinds if one) if all(kinds) else text
