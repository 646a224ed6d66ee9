"""Texts of a model sentence by sentence: the first that a guard refuses is replaced, and nothing after it is shown."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from metier.json_values import JsonObject, JsonValue, iter_texts
from metier.language import Language
from metier.pack import PackGuard

_SENTENCE: Final = re.compile(r"[^。！？!?\n]*?(?:[。！？!?\n]+|\.(?=\s|$)\s*|$)")
_MARKS: Final = " \t\n*-#>"
_MAX_CHARS: Final = 100_000


def guard_text(
    guards: Sequence[PackGuard],
    text: str,
    language: Language,
    skill: str,
    profile: JsonObject,
    *,
    own: Collection[str] = (),
) -> str:
    """The text as far as all guards let it pass, then the replacement of the first sentence they refuse.

    `own` are sentences that tools wrote (`find_own_sentences`): they stand as they are.
    """
    if not guards:
        return text
    passed = ""
    for sentence in _SENTENCE.findall(text):
        for guard in guards if sentence.strip(_MARKS) not in own else ():
            if instead := guard.check_sentence(sentence, language, skill, profile):
                return f"{passed}{instead}".strip()
        passed += sentence
    return text


def find_own_sentences(arguments: JsonValue, data: JsonValue) -> frozenset[str]:
    """Sentences of a result that its tool wrote: whole ones, and none that the call's arguments had."""
    given = "\n".join(iter_texts(arguments))
    written = "\n".join(iter_texts(data))[:_MAX_CHARS]
    found = (one.strip(_MARKS) for one in _SENTENCE.findall(written))
    return frozenset(one for one in found if one and one not in given)


def find_complete_length(text: str) -> int:
    """Length of the complete sentences at the start of a text that is still being written."""
    ends = [match.end() for match in re.finditer(r"[。！？!?\n]+|\.\s", text)]
    return ends[-1] if ends else 0
