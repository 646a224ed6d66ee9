"""Short questions that a skill states itself: what 严重吗 or "how bad?" means after its answer."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.names import is_command
from metier.patterns import compile_later
from metier.textsearch import to_simplified

_MAX_CHARS: Final = 60
_MAX_STATED: Final = 20
_MAX_WORDINGS: Final = 60
_BEFORE: Final = compile_later(
    r"^(?:那么?|嗯|哦|所以|好的?|请问|谢谢|ok(?:ay)?\b|so\b|and\b|but\b|well\b|then\b|thanks\b|please\b|[，,、\s])+"
)
_AFTER: Final = compile_later(r"[啊呀呢\s，,。.？?！!]+$")
_WHEN: Final = "{when}"
_TIME: Final = (
    r"(?:下?周末|下?周[一二三四五六日天]|下个?(?:星期|周|月)初?|月底|年底|明天|后天|今晚|下班|检修|大修|停机|多久|多长时间|几天"
    r"|[\d一二两三四五六七八九十半]+个?(?:小时|天|周|星期|月)"
    r"|(?:(?:till|until|for|to)\s+)?(?:the\s+)?(?:weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight"
    r"|next\s+(?:week|month|shift|shutdown)|end\s+of\s+the\s+(?:week|month|year)|shutdown|(?:\d+|a|an|two|three)\s+(?:hours?|days?|weeks?|months?)))"
)
_FACT: Final = compile_later(r"\{(\w+)\}")


def find_stated(message: str, stated: JsonValue, language: Language, facts: Mapping[str, str]) -> str:
    """The request that a message means by the `short_questions` of a skill; empty if they do not have it.

    Each has what it `says`, a list of wordings in which `{when}` stands for a time, and what it `means`: one text, or
    one for each language, with facts of the conversation in braces. A fact that is not known leaves the message alone.
    """
    said = _trim(message)
    if not said or len(message) > _MAX_CHARS:
        return ""
    for one in _list_stated(stated):
        wordings = one.get("says")
        listed = wordings if isinstance(wordings, Sequence) and not isinstance(wordings, str) else [wordings]
        texts = (wording for wording in listed[:_MAX_WORDINGS] if isinstance(wording, str))
        if any(len(text) <= _MAX_CHARS and _is_said(text, said) for text in texts):
            return _fill(one.get("means"), language, facts)
    return ""


def _list_stated(stated: JsonValue) -> Iterator[JsonObject]:
    listed = stated if isinstance(stated, Sequence) and not isinstance(stated, str) else ()
    yield from (one for one in listed[:_MAX_STATED] if isinstance(one, Mapping))


def _trim(text: str) -> str:
    """A message without the words around a short question: 那严重吗？ is 严重吗."""
    return _AFTER.sub("", _BEFORE.sub("", to_simplified(text.strip()).casefold()))


def _is_said(wording: str, said: str) -> bool:
    parts = [re.escape(part) for part in _trim(wording).split(_WHEN)]
    return any(parts) and re.fullmatch(_TIME.join(parts), said) is not None


def _fill(means: JsonValue, language: Language, facts: Mapping[str, str]) -> str:
    text = means.get(language) if isinstance(means, Mapping) else means
    if not isinstance(text, str) or any(not facts.get(name) for name in _FACT.findall(text)):
        return ""
    whole = _FACT.sub(lambda found: facts[found[1]], text).strip()
    return "" if is_command(whole) else whole  # a command is a person's own
