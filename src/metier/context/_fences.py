"""Data stands between fences that say where it is from, and cannot write a fence itself."""

import re
from typing import Final

_LONGEST_SOURCE: Final = 80
# What a model, a chat template or we ourselves would read as a mark: our fences, tags of roles, special tokens.
# The bracket may be wide or small, with unseen characters after it: models read those as the same sign. Runs are
# bounded: two free ones in a row are quadratic on blanks.
_OPEN: Final = "<＜﹤‹〈⟨"
_GAP: Final = r"[\s\u200b-\u200f\u2060\ufeff]{0,4}"
_NAMES: Final = "data|system|skill|instructions?|assistant|user|developer|tool|tool_result|tool_call"
_TAG = re.compile(rf"[{_OPEN}](?={_GAP}/?{_GAP}(?:{_NAMES})(?![A-Za-z0-9_])|{_GAP}\|)", re.IGNORECASE)
_LABEL = re.compile(r"(?im)(?P<before>tool[_ ]result|^[ \t>*_#-]{0,12}(?:system|assistant|developer))[ \t]{0,4}:")
_NOT_IN_A_SOURCE = re.compile(r"[\s<>＜＞\"'`|]+")
_NOT_TEXT = re.compile("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def readable(text: str) -> str:
    """Without what no text holds: control characters and halves of characters, which no provider takes."""
    return _NOT_TEXT.sub("\ufffd", text)


def disarm(text: str) -> str:
    """The text with imitated marks made harmless: another bracket, another colon; all else stays as it is."""
    return _LABEL.sub(r"\g<before>：", _TAG.sub("«", readable(text)))


def fence(text: str, source: str) -> str:
    """The text as data of this source. Whatever it holds, it cannot close its fence or open another."""
    label = _NOT_IN_A_SOURCE.sub(" ", disarm(source)).strip()[:_LONGEST_SOURCE]
    return f'<data from="{label}">\n{disarm(text)}\n</data>'
