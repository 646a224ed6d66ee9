"""Short questions that a skill states itself: what 严重吗 or "how bad?" means after its answer."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.patterns import compile_later
from metier.textsearch import to_simplified

_MAX_CHARS: Final = 60
_BEFORE: Final = compile_later(
    r"^(?:那么?|嗯|哦|所以|好的?|请问|谢谢|ok(?:ay)?\b|so\b|and\b|but\b|well\b|then\b|thanks\b|please\b|[，,、\s])+"
)
_AFTER: Final = compile_later(r"[吗呢啊呀吧么嘛的了\s，,。.？?！!]+$")
_REST: Final = r"(?:\s?[^\s，,]{1,12}){1,4}"
_FACT: Final = compile_later(r"\{(\w+)\}")


def find_stated(message: str, stated: JsonValue, language: Language, facts: Mapping[str, str]) -> str:
    """The request that a message means by the `short_questions` of a skill; empty if they do not have it.

    Each has what it `says`, a list of wordings in which `*` stands for a few words, and what it `means`: one text, or
    one for each language, with facts of the conversation in braces. A fact that is not known leaves the message alone.
    """
    said = _trim(message)
    if not said or len(message) > _MAX_CHARS:
        return ""
    for one in _list_stated(stated):
        wordings = one.get("says")
        listed = wordings if isinstance(wordings, Sequence) and not isinstance(wordings, str) else [wordings]
        if any(isinstance(wording, str) and _is_said(wording, said) for wording in listed):
            return _fill(one.get("means"), language, facts)
    return ""


def _list_stated(stated: JsonValue) -> Iterator[JsonObject]:
    listed = stated if isinstance(stated, Sequence) and not isinstance(stated, str) else ()
    yield from (one for one in listed if isinstance(one, Mapping))


def _trim(text: str) -> str:
    """A message without the words around a short question: 那严重吗？ is 严重."""
    return _AFTER.sub("", _BEFORE.sub("", to_simplified(text.strip()).casefold()))


def _is_said(wording: str, said: str) -> bool:
    parts = [re.escape(_trim(part)) for part in wording.split("*")]
    return any(parts) and re.fullmatch(_REST.join(parts), said) is not None


def _fill(means: JsonValue, language: Language, facts: Mapping[str, str]) -> str:
    text = means.get(language) if isinstance(means, Mapping) else means
    if not isinstance(text, str) or any(not facts.get(name) for name in _FACT.findall(text)):
        return ""
    return _FACT.sub(lambda found: facts[found[1]], text).strip()
