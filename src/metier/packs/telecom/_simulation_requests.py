"""Reads what a message says about a simulation: whether it asks for one, what may change in it, and how much."""

import re
from typing import Final

from metier.patterns import (
    CHINESE_NUMERALS,
    ENGLISH_NUMBER,
    compile_later,
    read_chinese_integer,
    read_english_number,
)

MAX_CHANGES: Final = 20
DEFAULT_CHANGES: Final = 10
_SIMULATION: Final = compile_later(r"仿真|\bsimulat(?:e|ion|ing)\b", re.IGNORECASE)
_CLAUSES: Final = compile_later(r"[，,；;。.!！?？:：\n]+|但是?|不过|\bbut\b|\band\s+then\b")
_UNASKED: Final = compile_later(r"(?:不用|不必|不要|别|无需)(?:再)?问我?|\bwithout\s+asking(?:\s+me)?\b", re.IGNORECASE)
_CONDITION: Final = compile_later(r"如果|要是|假如|必要时|视情况|\b(?:if|unless|in\s+case)\b", re.IGNORECASE)
# Not wanted, not yet, only if, or only spoken of: 先不仿真, 要不要仿真, 仿真会影响现网吗, "before simulating".
_NOT_ASKED: Final = compile_later(
    r"[不别没无免勿]|暂|是否|[吗么呢]|多久|多长|什么|怎么|为什么|之前|以前|上次|刚才|已经|的(?:结果|含义|意思|参数)"
    r"|\b(?:not?|never|without|don'?t|when(?:ever)?|whether|before|until|should|shall|would|may|might|how|what"
    r"|why|does|did|do\s+(?:we|i)|is|are|was|last|previous|earlier)\b|n't\b",
    re.IGNORECASE,
)
_KINDS: Final = (
    ("tilt", compile_later(r"下?倾角|\btilts?\b", re.IGNORECASE)),
    ("azimuth", compile_later(r"方位角|\bazimuths?\b", re.IGNORECASE)),
    ("power", compile_later(r"(?<!成)功率|\bpowers?\b", re.IGNORECASE)),
    ("offset", compile_later(r"偏置|\boffsets?\b", re.IGNORECASE)),
    ("neighbour", compile_later(r"邻区|\bneighbou?rs?\b", re.IGNORECASE)),
)
_RULED_OUT: Final = compile_later(r"[不别勿]|除|\b(?:not?|never|without|except)\b|n't\b", re.IGNORECASE)
_ONLY: Final = compile_later(r"[只仅]|\b(?:only|just)\b", re.IGNORECASE)
_LIMIT_ZH: Final = compile_later(
    rf"(?:最多|不超过|至多|上限)\D{{0,4}}?(\d{{1,3}}|[{CHINESE_NUMERALS}]{{1,3}})\s*[处个项条次]"
)
_LIMIT_EN: Final = compile_later(
    rf"\b(?:at\s+most|no\s+more\s+than|up\s+to|maximum\s+of)\s+(\d{{1,3}}|{ENGLISH_NUMBER})\s+(?:changes?|adjustments?|cells?)",
    re.IGNORECASE,
)


def asks_for_simulation(message: str) -> bool:
    """Whether a message asks for a simulation outright, so that nobody needs to ask whether one is wanted."""
    if _CONDITION.search(message):
        return False
    clauses = _CLAUSES.split(_UNASKED.sub("", message))
    return any(_SIMULATION.search(one) and not _NOT_ASKED.search(one) for one in clauses)


def read_parameter_kinds(message: str) -> list[str]:
    """The kinds of parameters that may change: those that a message names, else all but those it rules out.

    None if it names none, or rules all out.
    """
    named, ruled_out = _split_kinds(message)
    allowed = named or ([name for name, _ in _KINDS] if ruled_out else [])
    return [one for one in allowed if one not in ruled_out]


def limits_simulation(message: str) -> bool:
    """Whether a message says what a simulation may change or how much of it."""
    named, ruled_out = _split_kinds(message)
    only = any(_ONLY.search(one) and any(words.search(one) for _, words in _KINDS) for one in _CLAUSES.split(message))
    return bool(ruled_out) or (bool(named) and only) or bool(_LIMIT_ZH.search(message) or _LIMIT_EN.search(message))


def _split_kinds(message: str) -> tuple[list[str], list[str]]:
    """Kinds of parameters that a message names, and those that it rules out, clause by clause."""
    clauses = [(one, _RULED_OUT.search(_LIMIT_ZH.sub("", one)) is not None) for one in _CLAUSES.split(message)]
    named, ruled_out = (
        [name for name, words in _KINDS if any(is_out is wanted and words.search(one) for one, is_out in clauses)]
        for wanted in (False, True)
    )
    return [one for one in named if one not in ruled_out], ruled_out


def read_most_changes(message: str) -> int | None:
    """How many changes a message allows at most; None if it says nothing of that, or a number that is not possible."""
    number: int | None = None
    if found := _LIMIT_ZH.search(message):
        number = int(found[1]) if found[1].isdigit() else read_chinese_integer(found[1])
    elif found := _LIMIT_EN.search(message):
        number = int(found[1]) if found[1].isdigit() else read_english_number(found[1])
    return number if number is not None and 1 <= number <= MAX_CHANGES else None
