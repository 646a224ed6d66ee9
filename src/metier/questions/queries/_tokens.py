"""A question cut into tokens: names of rows, values, numbers, words of the lexicon, and what none of them has."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from metier.patterns import compile_later
from metier.questions._numbers import read_number, write_digits
from metier.questions.queries._lexicon import CONCEPTS, FILL, FILL_WORD, FILL_WORDS, WORDS
from metier.questions.queries._tables import QueryTable, concepts_of, is_text_column, plain_title
from metier.textsearch import to_simplified

_NUMBER: Final = compile_later(
    r"(?<![\w.])(-?\d+(?:\.\d+)?)\s*(dBm|dB|%|°|度|个?百分点|Mbps|兆|bps|degrees?|percent|points?)?(?:st|nd|rd|th)?(?![A-Za-z\d])"
    r"|(-?\d+(?:\.\d+)?)\s*(dBm|dB|%|°|度|个?百分点|Mbps|兆)?",
    re.IGNORECASE,
)
_WORD_NUMBER: Final = compile_later(
    r"[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b",
    re.IGNORECASE,
)
_COUNTED: Final = compile_later(
    r"\s*(?:个|条|名|行|位|项|处|类|种|度|兆|台|家|小区|栅格|cells?\b|rows?\b|worst|best|lowest|highest|causes?\b)"
)
_CODE: Final = compile_later(
    r"[\u4e00-\u9fff]{1,4}(?:_[A-Za-z0-9]+)+|[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)+|\d{5,}|[A-Z]{1,4}\d{2,}[A-Za-z]?(?![A-Za-z])"
)
_RADIO: Final = compile_later(r"[2-6]G|[Ll]TE|NR", re.ASCII)
_UNKNOWN: Final = compile_later(r"[A-Za-z][A-Za-z']*|.", re.DOTALL)
_ASCII_WORD: Final = compile_later(r"[a-z][a-z0-9]{3,}")
_CJK_RUN: Final = compile_later(r"[\u4e00-\u9fff]{2,}")
_PLAIN: Final = frozenset({"mean", "average", "total", "number", "value", "rate", "level", "cell", "cells", "points"})
# A heading such as "When" is asked for by its own word (`named_rows`); in any other question the word only asks.
_ASKING: Final = frozenset({"what", "when", "where", "which", "who", "whom", "whose", "why", "how"})
_MIN_CODE: Final = 4
_MAX_VALUES: Final = 80
_MAX_VALUE_CHARS: Final = 30
_MIN_GRAM: Final = 3
_BEFORE_NUMBERS: Final = ("first", "last", "row", "compare", "delta", "most", "than", "after", "to", "between")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a question: its kind, what it means, and where it stands. `concepts` are of terms."""

    kind: str
    text: str
    start: int
    end: int
    value: str = ""
    number: float = 0.0
    unit: str = ""
    concepts: frozenset[str] = frozenset()


_Ranked = tuple[tuple[int, int], Token]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names of rows, values of text columns and words of headings, in lower case."""

    names: Mapping[str, str]
    values: Mapping[str, str]
    terms: frozenset[str]


def make_vocabulary(tables: Sequence[QueryTable]) -> Vocabulary:
    """All words that the tables have."""
    names, values, terms = dict[str, str](), dict[str, str](), set[str]()
    for one in tables:
        known = {name.lower(): name for name in one.names if len(name) > 1 and not name.isdecimal()}
        if one.kind in ("causes", "pairs"):
            terms |= {plain_title(name) for name in known}
        else:
            names |= known
        for at in range(1, len(one.table.columns)):
            terms |= set(_list_terms(one.table.columns[at].title))
            if is_text_column(one.table, at):
                found = {str(row[at]) for row in one.table.rows if at < len(row) and isinstance(row[at], str)}
                if len(found) <= _MAX_VALUES:
                    values |= {word: text for text in found for word in _list_spellings(text)}
        if one.kind != "joined":
            terms |= set(_list_terms(re.split("[：:]", plain_title(one.table.title))[-1]))
    return Vocabulary(names, values, frozenset(terms))


def cut_tokens(text: str, vocabulary: Vocabulary) -> list[Token]:
    """Cut a question into tokens, the longest at each place; what nothing knows is of the kind `unknown`."""
    said, made, at = write_digits(to_simplified(text.strip())), list[Token](), 0
    lower = said.lower()
    vocabulary = _keep_said(vocabulary, lower)
    while at < len(said):
        found = [*_find_known(said, lower, at, vocabulary), *_find_tokens(said, at, vocabulary, made)]
        best = max(found, key=lambda one: one[0], default=None)
        if best is None:
            word = _UNKNOWN.match(said, at)
            end = word.end() if word is not None else at + 1
            made.append(Token("unknown", said[at:end], at, end))
            at = end
            continue
        at = best[1].end
        made.append(best[1])
    return made


def _keep_said(vocabulary: Vocabulary, lower: str) -> Vocabulary:
    names = {word: text for word, text in vocabulary.names.items() if word in lower}
    values = {word: text for word, text in vocabulary.values.items() if word in lower}
    return Vocabulary(names, values, frozenset(word for word in vocabulary.terms if word in lower))


def _find_tokens(said: str, at: int, vocabulary: Vocabulary, before: Sequence[Token]) -> Iterator[_Ranked]:
    """What may begin here besides the words of the tables, each with its length and rank."""
    code = _CODE.match(said, at)
    if code and _is_code(code[0]) and _begins_whole(said, at) and not _ends_in_name(code[0], vocabulary):
        yield (len(code[0]), 3), Token("code", code[0], at, code.end(), code[0])
    yield from _find_numbers(said, at, before)
    yield from _find_words(said, at)
    word, fill = FILL_WORD.match(said, at), FILL.match(said, at)
    if word and word[0].lower().replace("’", "'") in FILL_WORDS and _begins_whole(said, at):
        yield (len(word[0]), 1), Token("fill", word[0], at, word.end())
    if fill and fill.end() > at and _ends_whole(said, at, fill.end()):
        yield (len(fill[0]), 1), Token("fill", fill[0], at, fill.end())


def _find_known(said: str, lower: str, at: int, vocabulary: Vocabulary) -> Iterator[_Ranked]:
    """Names, values and headings of the tables; a value that is a word for a quantity is one."""

    def begins(word: str) -> bool:
        return lower.startswith(word, at) and _ends_whole(said, at, at + len(word))

    for word, text in vocabulary.names.items():
        if begins(word):
            yield (len(word), 5), Token("name", text, at, at + len(word), text)
    for word, text in vocabulary.values.items():
        if begins(word):
            about = _concepts_of_word(plain_title(text))
            kind, value = ("term", word) if about else ("value", text)
            yield (len(word), 4), Token(kind, text, at, at + len(word), value, concepts=about)
    for word in filter(begins, vocabulary.terms):
        yield (len(word), 1), Token("term", word, at, at + len(word), word, concepts=_concepts_of_word(word))


def _find_words(said: str, at: int) -> Iterator[_Ranked]:
    """Words of the lexicon."""
    for kind, value, pattern in WORDS:
        if (found := pattern.match(said, at)) and found.end() > at and _ends_whole(said, at, found.end()):
            yield (len(found[0]), 2), Token(kind, found[0], at, found.end(), value)
    for name, pattern in CONCEPTS.items():
        if (found := pattern.match(said, at)) and _ends_whole(said, at, found.end()):
            yield (len(found[0]), 2), Token("term", found[0], at, found.end(), name, concepts=concepts_of(found[0]))


def _find_numbers(said: str, at: int, before: Sequence[Token]) -> Iterator[_Ranked]:
    if (found := _NUMBER.match(said, at)) and not (said[at] == "-" and at and said[at - 1].isdigit()):
        text = found[1] or found[3]
        unit = (found[2] or found[4] or "").lower()
        yield (len(found[0]), 3), Token("number", found[0], at, found.end(), number=float(text), unit=unit)
    if found := _WORD_NUMBER.match(said, at):
        last = next((one.kind for one in reversed(before) if one.kind != "fill" or one.text.strip()), "")
        is_english = found[0].isascii() and found[0].lower() != "one"
        if (is_english or last in _BEFORE_NUMBERS or _COUNTED.match(said, found.end())) and _begins_whole(said, at):
            number = float(read_number(found[0].lower()))
            yield (len(found[0]), 3), Token("number", found[0], at, found.end(), number=number)


def _list_terms(title: str) -> Iterator[str]:
    """Words of a heading: itself, its longer English words, and parts of its Chinese."""
    plain = plain_title(title).lower()
    if len(plain) > 1 and plain not in _ASKING:
        yield plain
    yield from (word for word in _ASCII_WORD.findall(plain) if word not in _PLAIN | _ASKING)
    for run in _CJK_RUN.findall(plain):
        yield run
        for size in range(_MIN_GRAM, len(run)):
            yield from (run[at : at + size] for at in range(len(run) - size + 1))


def _list_spellings(text: str) -> Iterator[str]:
    """How a value can be written: without brackets, and a place with or without its last word."""
    plain = plain_title(text).lower()
    if 1 < len(plain) <= _MAX_VALUE_CHARS and not _is_code(plain):
        yield plain
        bare = re.sub(r"(?<=..)[区市县]$| district$", "", plain)
        yield from (bare, f"{bare}区" if not bare.isascii() else f"{bare} district")


def _is_code(text: str) -> bool:
    digits = sum(char.isdigit() for char in text)
    has_letter = any(char.isalpha() for char in text)
    return (
        not _RADIO.fullmatch(text)
        and len(text) >= _MIN_CODE
        and digits >= (1 if has_letter else 5 if "_" not in text else 2)
    )


def _concepts_of_word(word: str) -> frozenset[str]:
    """What a word is about if it is a word for just that; a longer phrase stands for itself."""
    return frozenset(name for name, pattern in CONCEPTS.items() if pattern.fullmatch(word))


def _begins_whole(said: str, at: int) -> bool:
    """Whether a word of letters begins here and not inside another."""
    return not (at and said[at].isascii() and said[at].isalnum() and said[at - 1].isascii() and said[at - 1].isalnum())


def _ends_in_name(code: str, vocabulary: Vocabulary) -> bool:
    """Whether a known name stands at the end of a run of Chinese characters and a code."""
    lower = code.lower()
    return any(lower.endswith(name) and lower != name for name in vocabulary.names) and not code[0].isascii()


def _ends_whole(said: str, start: int, end: int) -> bool:
    last = said[end - 1]
    inside = end < len(said) and last.isascii() and last.isalnum() and said[end].isascii() and said[end].isalnum()
    return not inside and _begins_whole(said, start)
