"""Wraps untrusted data in `<data>` tags that name its source and that the data itself cannot forge."""

import re
from typing import Final

from metier.patterns import compile_later

_MAX_SOURCE_CHARS: Final = 80
# Markup that a model, a chat template or our own code would interpret: our data tags, role tags, special tokens.
# The bracket may be full-width or small, followed by invisible characters: models read those as the same sign.
# Repetitions are bounded: two unbounded ones in a row are quadratic on blanks.
_OPEN: Final = "<＜﹤‹〈⟨"
_GAP: Final = r"[\s\u200b-\u200f\u2060\ufeff]{0,4}"
_NAMES: Final = "data|system|skill|instructions?|assistant|user|developer|tool|tool_result|tool_call"
_TAG = compile_later(rf"[{_OPEN}](?={_GAP}/?{_GAP}(?:{_NAMES})(?![A-Za-z0-9_])|{_GAP}\|)", re.IGNORECASE)
_LABEL = compile_later(r"(?im)(?P<before>tool[_ ]result|^[ \t>*_#-]{0,12}(?:system|assistant|developer))[ \t]{0,4}:")
_SOURCE_FORBIDDEN = compile_later(r"[\s<>＜＞\"'`|]+")
_FENCED: Final = compile_later(r'<data from="[^"\n]*">\n(?P<data>.*)\n</data>(?P<after>[^<]*)', re.DOTALL)
_CONTROL_CHARS = compile_later("[\ud800-\udfff\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def replace_control_chars(text: str) -> str:
    """Replace control characters and lone surrogates, which providers reject, by U+FFFD."""
    return _CONTROL_CHARS.sub("\ufffd", text)


def disarm(text: str) -> str:
    """Neutralise imitated role tags and labels by replacing the bracket or colon; everything else stays unchanged."""
    return _LABEL.sub(r"\g<before>：", _TAG.sub("«", replace_control_chars(text)))


def fence(text: str, source: str) -> str:
    """Wrap a text in `<data>` tags naming its source. The text can neither close its tag nor open another."""
    label = _SOURCE_FORBIDDEN.sub(" ", disarm(source)).strip()[:_MAX_SOURCE_CHARS]
    return f'<data from="{label}">\n{disarm(text)}\n</data>'


def has_fence(text: str) -> bool:
    """Whether a tag that `fence` writes stands in the text."""
    return '<data from="' in text or "</data>" in text


def unfence(text: str) -> tuple[str, str]:
    """The data of a text that `fence` wrapped, and what follows the fence; the text itself if there is no fence."""
    found = _FENCED.fullmatch(text)
    return (found["data"], found["after"].strip()) if found else (text, "")
