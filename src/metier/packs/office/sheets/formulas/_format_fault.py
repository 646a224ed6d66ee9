"""Whether a number format can be written: a damaged one makes a program call the whole file damaged."""

import re
from typing import Final

__all__ = ["is_writable_format"]

_MAX_SECTIONS: Final = 4
_MAX_CHARS: Final = 255
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|_.|\*.', re.DOTALL)
_GENERAL: Final = re.compile(r"General|G/通用格式|AM/PM|A/P|上午/下午", re.IGNORECASE)
_COLORS: Final = "black|blue|cyan|green|magenta|red|white|yellow|黑色?|蓝色?|青色?|绿色?|洋红色?|红色?|白色?|黄色?"
_BRACKET: Final = re.compile(
    rf"\[(?:(?:{_COLORS})|(?:color|颜色)\s*\d{{1,2}}|(?:<=|>=|<>|[<>=])-?\d+(?:\.\d+)?|h{{1,}}|m{{1,}}|s{{1,}}"
    r"|\$[^\]]*|dbnum\d|natnum\d+|~[^\]]*)\]",
    re.IGNORECASE,
)
_FOREIGN: Final = re.compile(r'[\["\]]|[cfijkloqrtuvwxz]', re.IGNORECASE)


def is_writable_format(code: str) -> bool:
    """Whether quotes and brackets are closed, what is in brackets has a meaning, and letters stand in quotes."""
    if len(code) > _MAX_CHARS:
        return False
    plain = _BRACKET.sub("", _GENERAL.sub("", _LITERAL.sub("", code)))
    return plain.count(";") < _MAX_SECTIONS and _FOREIGN.search(plain) is None
