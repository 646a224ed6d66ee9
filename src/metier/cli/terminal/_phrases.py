"""Sentences that rooms give as English text, in the reader's language when they are printed.

`sentences.zh.json` has the Chinese of each, with the same placeholders. A line is replaced only if it is one of these
sentences from beginning to end, so that text of users and skills stays as it is.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Final

from metier.cli.terminal._words import find_language
from metier.language import Language, choose

_FILE: Final = Path(__file__).with_name("sentences.zh.json")
_PLACEHOLDER: Final = re.compile(r"\\\{(\w+)\\\}")
_LEAD: Final = re.compile(r"\s*(?:[!·✗✓~?→]\s+)?")
# What a rule of the gate comes from; anything would also be a sentence of another room: the message denies ppt.
_SOURCE: Final = r"(?:(?:skills?|task type|tool|plan|policy|operator)\b.*?|\S+)"
_MAX_CHARS: Final = 4_000
_MAX_DEPTH: Final = 3


def translate_text(text: str, language: Language | None = None) -> str:
    """A printed line in the reader's language, or another one, if it is one of the known sentences."""
    if not text.strip() or "\n" in text or len(text) > _MAX_CHARS:
        return text
    return choose(language or find_language(), en=_keep, zh=_translate_line)(text)


def _keep(text: str) -> str:
    return text


def _translate_line(text: str) -> str:
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    return text[:start] + _translate(text[start:], _MAX_DEPTH)


def _translate(text: str, depth: int) -> str:
    if depth == 0:
        return text
    for pattern, chinese in _load_patterns():
        if (found := pattern.fullmatch(text)) is not None:
            return chinese.format(**{name: _translate(value, depth - 1) for name, value in found.groupdict().items()})
    return text


@cache
def _load_patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Patterns of the English sentences, those with the most words of their own first."""
    texts: dict[str, str] = json.loads(_FILE.read_text("utf-8"))
    ranked = sorted(texts.items(), key=lambda one: -len(re.sub(r"\{\w+\}", "", one[0])))
    return tuple((_compile(english), chinese) for english, chinese in ranked)


def _compile(english: str) -> re.Pattern[str]:
    return re.compile(_PLACEHOLDER.sub(_make_group, re.escape(english)))


def _make_group(found: re.Match[str]) -> str:
    return f"(?P<{found[1]}>{_SOURCE if found[1] == 'source' else '.*?'})"
