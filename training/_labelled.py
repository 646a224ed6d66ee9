"""Messages with their task types: read from files, and made of others."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from metier.textsearch import has_cjk

TYPES: Final = ("research", "creation", "data_processing", "web_task", "code_development")
_JOINED: Final = (
    *(("research", "creation"),) * 3,
    *(("data_processing", "creation"),) * 2,
    *(("web_task", "data_processing"),) * 2,
    ("code_development", "creation"),
    ("data_processing", "code_development"),
    ("web_task", "creation"),
    ("research", "data_processing"),
    ("research", "web_task"),
    ("research", "code_development"),
    ("web_task", "code_development"),
)
_ROUNDS: Final = 15
_AND: Final = (("，然后", "，再", "，最后", "，接着"), (" and then ", ", then ", " and ", ". After that "))
_PLAIN_AND: Final = (("，", "，"), (" and ", ", "))
_SURROUNDED_SHARE: Final = 0.25
_AFTER_SHARE: Final = 0.3
_CLAUSE_ROUNDS: Final = 4
_DOUBLED_SHARE: Final = 0.12


class Labelled(NamedTuple):
    """A message and its task types."""

    types: frozenset[str]
    message: str


class Clause(NamedTuple):
    """A part of a longer message; `is_first` names its object, others say what is to become of it."""

    is_first: bool
    kind: str
    text: str


def read_clauses(path: Path) -> list[Clause]:
    """Read lines of `first` or `next`, a type and a clause."""
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return [Clause(place == "first", kind, text) for place, kind, text in rows]


def join_clauses(clauses: Sequence[Clause]) -> list[Labelled]:
    """Messages of two clauses: of each pair of types that people ask for together, and of one type twice."""
    chance = random.Random(3)  # noqa: S311
    pairs = [*dict.fromkeys((*_JOINED, *(pair[::-1] for pair in _JOINED))), *((name, name) for name in TYPES)]
    made = []
    for first, second in pairs:
        for is_english, words in enumerate(_AND):
            fit = [one for one in clauses if has_cjk(one.text) != bool(is_english)]
            starts = [one.text for one in fit if one.is_first and one.kind == first]
            ends = [one.text for one in fit if not one.is_first and one.kind == second]
            for _ in range(_CLAUSE_ROUNDS if starts and ends else 0):
                text = chance.choice(starts) + chance.choice((*words, *_PLAIN_AND[is_english])) + chance.choice(ends)
                made.append(Labelled(frozenset({first, second}), text))
    return made


def read_labelled(*paths: Path) -> list[Labelled]:
    """Read lines of types, a tab and a message; `none` is no type, `a+b` are two."""
    lines = [line for path in paths for line in path.read_text("utf-8").splitlines()]
    rows = [line.split("\t", 1) for line in lines if line.strip() and not line.startswith("#")]
    return [Labelled(frozenset() if kind == "none" else frozenset(kind.split("+")), text) for kind, text in rows]


def join_messages(rows: Sequence[Labelled]) -> list[Labelled]:
    """Messages that ask for two things, made of two that ask for one."""
    chance = random.Random(1)  # noqa: S311
    alone = {name: [one.message for one in rows if one.types == {name}] for name in TYPES}
    made = []
    for _ in range(_ROUNDS):
        for first, second in _JOINED:
            for is_english, words in enumerate(_AND):
                one = chance.choice([text for text in alone[first] if has_cjk(text) != bool(is_english)])
                other = chance.choice([text for text in alone[second] if has_cjk(text) != bool(is_english)])
                ending = other[0].lower() + other[1:] if is_english else other
                made.append(Labelled(frozenset({first, second}), one.rstrip("。.？?") + chance.choice(words) + ending))
    return made


def surround_messages(rows: Sequence[Labelled], circumstances: Sequence[str]) -> list[Labelled]:
    """Long messages of one type: a request with what people say around it, or two requests of the same type.

    Without them a model learns that a long message has two types.
    """
    chance = random.Random(2)  # noqa: S311
    single = [one for one in rows if len(one.types) == 1]
    made = []
    for one in single:
        is_chinese = has_cjk(one.message)
        comma, ended = "，" if is_chinese else ", ", one.message.rstrip("。.")
        if chance.random() < _SURROUNDED_SHARE:
            said = chance.choice([text for text in circumstances if has_cjk(text) == is_chinese])
            is_after = chance.random() < _AFTER_SHARE
            gap = comma if is_chinese else (". " if is_after else " ")
            made.append(Labelled(one.types, f"{ended}{gap}{said}" if is_after else f"{said}{gap}{one.message}"))
        if chance.random() < _DOUBLED_SHARE:
            alike = [row.message for row in single if row.types == one.types and has_cjk(row.message) == is_chinese]
            made.append(Labelled(one.types, f"{ended}{comma}{chance.choice(alike)}"))
    return made
