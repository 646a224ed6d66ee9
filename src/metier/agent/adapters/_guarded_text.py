"""Texts of a model sentence by sentence: the first that a guard refuses is replaced, and nothing after it is shown."""

import re
from collections.abc import Sequence
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language
from metier.pack import PackGuard

_SENTENCE: Final = re.compile(r"[^。！？!?\n]*?(?:[。！？!?\n]+|\.(?=\s|$)\s*|$)")


def guard_text(guards: Sequence[PackGuard], text: str, language: Language, skill: str, profile: JsonObject) -> str:
    """The text as far as all guards let it pass, then the replacement of the first sentence they refuse."""
    if not guards:
        return text
    passed = ""
    for sentence in _SENTENCE.findall(text):
        for guard in guards:
            if instead := guard.check_sentence(sentence, language, skill, profile):
                return f"{passed}{instead}".strip()
        passed += sentence
    return text


def find_complete_length(text: str) -> int:
    """Length of the complete sentences at the start of a text that is still being written."""
    ends = [match.end() for match in re.finditer(r"[。！？!?\n]+|\.\s", text)]
    return ends[-1] if ends else 0
