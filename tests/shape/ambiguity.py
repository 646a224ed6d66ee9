"""Finds loops of a regular expression that can read one text in two ways: each such text doubles the time of a match.

The positions of a loop are its characters; an edge leads from one to the next that can follow it. A loop is ambiguous
if two different ways lead from a position back to itself over the same characters. Look-around counts as nothing, so a
loop that only a look-ahead makes clear is found as well: write it so that it is clear without.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from re import _constants as codes
from re import _parser as parser
from typing import Any, Final

_UNROLLED: Final = 6
_MAX_POSITIONS: Final = 700
# One character of each kind, for classes that name no character.
_SAMPLES: Final = "aZé 9_-.,，。、?!'\"中于一\n\t/:;()[]{}<>#@%&*+=|~$^"


@dataclass(slots=True)
class _Part:
    """What a part of an expression can begin and end with, and whether it can be empty."""

    first: Counter[int] = field(default_factory=Counter)
    last: Counter[int] = field(default_factory=Counter)
    is_empty: bool = True


class _Loop:
    """Positions of one loop, the characters each reads, and how many ways lead from one to another."""

    def __init__(self, body: Any, flags: int) -> None:
        self.flags = flags
        self.reads: list[frozenset[str]] = []
        self.follow: Counter[tuple[int, int]] = Counter()
        self.alphabet = sorted({*_SAMPLES, *_iter_literals(body)})
        part = self._read_sequence(body)
        self._connect(part.last, part.first)

    def _connect(self, before: Counter[int], after: Counter[int]) -> None:
        for one, ways in before.items():
            for other, more in after.items():
                self.follow[one, other] += ways * more

    def _read_sequence(self, items: Iterable[Any]) -> _Part:
        whole = _Part()
        for item in items:
            part = self._read(item)
            self._connect(whole.last, part.first)
            if whole.is_empty:
                whole.first += part.first
            whole.last = whole.last + part.last if part.is_empty else part.last
            whole.is_empty = whole.is_empty and part.is_empty
        return whole

    def _read(self, item: Any) -> _Part:
        code, value = item
        match code:
            case codes.BRANCH:
                parts = [self._read_sequence(one) for one in value[1]]
                first: Counter[int] = sum((one.first for one in parts), Counter())
                last: Counter[int] = sum((one.last for one in parts), Counter())
                return _Part(first, last, any(one.is_empty for one in parts))
            case codes.SUBPATTERN:
                return self._read_sequence(value[-1])
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                return self._read_repeat(*value)
            case codes.ATOMIC_GROUP | codes.GROUPREF:
                return self._add_position(frozenset({f"\0{len(self.reads)}"}))
            case codes.GROUPREF_EXISTS:
                parts = [self._read_sequence(one) for one in value[1:] if one is not None]
                return _Part(
                    sum((one.first for one in parts), Counter()), sum((one.last for one in parts), Counter()), True
                )
            case codes.AT | codes.ASSERT | codes.ASSERT_NOT | codes.FAILURE:
                return _Part()
        return self._add_position(_find_matching(_write(item), tuple(self.alphabet), self.flags))

    def _add_position(self, reads: frozenset[str]) -> _Part:
        self.reads.append(reads)
        here = Counter({len(self.reads) - 1: 1})
        return _Part(here, Counter(here), False)

    def _read_repeat(self, low: int, high: int, body: Any) -> _Part:
        if high is not codes.MAXREPEAT and high <= _UNROLLED:
            return self._read_sequence([*[(codes.SUBPATTERN, (None, 0, 0, body))] * low, *self._nest(high - low, body)])
        required = [(codes.SUBPATTERN, (None, 0, 0, body))] * min(max(low - 1, 0), _UNROLLED)
        before, part = self._read_sequence(required), self._read_sequence(body)
        self._connect(part.last, part.first)
        self._connect(before.last, part.first)
        is_empty = part.is_empty or not low
        return _Part(before.first if required else part.first, part.last, is_empty)

    def _nest(self, times: int, body: Any) -> list[Any]:
        """`(?:x(?:x)?)?`: each further time only after the one before."""
        if times <= 0:
            return []
        inner = [(codes.SUBPATTERN, (None, 0, 0, body)), *self._nest(times - 1, body)]
        return [(codes.BRANCH, (None, [inner, []]))]

    def find_ambiguity(self) -> str:
        """A text that the loop can read in two ways; empty if there is none."""
        if len(self.reads) > _MAX_POSITIONS:
            return "too large to be looked at"
        after: list[dict[str, list[int]]] = [{} for _ in self.reads]
        for one, other in self.follow:
            for char in self.reads[other]:
                after[one].setdefault(char, []).append(other)
        for (one, other), ways in self.follow.items():
            if ways > 1:
                return f"{self._sample(one)}{self._sample(other)}"
        return self._find_pair(after)

    def _find_pair(self, after: list[dict[str, list[int]]]) -> str:
        """Two ways that part and meet again over the same characters; in a loop each position leads to each other."""
        for start in range(len(self.reads)):
            parted = {
                (one, other): char
                for char, following in after[start].items()
                for one in following
                for other in following
                if one < other
            }
            waiting = list(parted)
            while waiting:
                left, right = pair = waiting.pop()
                for char in after[left].keys() & after[right].keys():
                    for one in after[left][char]:
                        for other in after[right][char]:
                            if one == other:
                                return f"{parted[pair]}{char}"
                            new = (min(one, other), max(one, other))
                            if new not in parted:
                                parted[new] = (parted[pair] + char)[-30:]
                                waiting.append(new)
        return ""

    def _sample(self, position: int) -> str:
        return min(self.reads[position], default="?")


# A loop repeats a group, and most patterns repeat none. With `(?x)`, blanks may stand before what repeats it.
_MAY_HAVE_LOOP: Final = re.compile(r"\)[*+{]|\(\?[a-z]*x")


def find_ambiguous_loops(pattern: str, flags: int = 0) -> list[str]:
    """Texts that loops of the pattern can read in two ways."""
    if not flags & re.VERBOSE and not _MAY_HAVE_LOOP.search(pattern):
        return []
    parsed = parser.parse(pattern, flags)
    case = parsed.state.flags & re.IGNORECASE
    found = (_Loop(body, case).find_ambiguity() for body in _iter_loops(parsed))
    return [text for text in found if text]


def _iter_loops(items: Iterable[Any]) -> Iterator[Any]:
    for code, value in items:
        if code in (codes.MAX_REPEAT, codes.MIN_REPEAT) and _is_loop(*value):
            yield value[2]
        for inner in _iter_inner(code, value):  # also those inside of a loop: they may stand in an atomic group
            yield from _iter_loops(inner)


def _is_loop(_low: int, high: int, body: Any) -> bool:
    """Whether it repeats more than one character, more often than a few times."""
    is_one = len(body) == 1 and body[0][0] in (codes.IN, codes.LITERAL, codes.ANY, codes.NOT_LITERAL)
    return not is_one and (high is codes.MAXREPEAT or high > _UNROLLED)


def _iter_inner(code: Any, value: Any) -> Iterator[Any]:
    match code:
        case codes.BRANCH:
            yield from value[1]
        case codes.SUBPATTERN:
            yield value[-1]
        case codes.ATOMIC_GROUP:
            yield value
        case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
            yield value[2]
        case codes.ASSERT | codes.ASSERT_NOT:
            yield value[1]
        case codes.GROUPREF_EXISTS:
            yield from (one for one in value[1:] if one is not None)


def _iter_literals(items: Iterable[Any]) -> Iterator[str]:
    for code, value in items:
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            yield chr(value)
        elif code is codes.RANGE:
            yield from (chr(value[0]), chr(value[1]))
        elif code is codes.IN:
            yield from _iter_literals(one for one in value if one[0] is not codes.NEGATE)
        else:
            for inner in _iter_inner(code, value):
                yield from _iter_literals(inner)


_CATEGORIES: Final = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


def _write(item: Any) -> str:
    """The expression of one character."""
    code, value = item
    match code:
        case codes.LITERAL:
            return re.escape(chr(value))
        case codes.NOT_LITERAL:
            return f"[^{_escape(value)}]"
        case codes.ANY:
            return r"[^\n]"
        case codes.RANGE:
            return f"{_escape(value[0])}-{_escape(value[1])}"
        case codes.CATEGORY:
            return _CATEGORIES[value]
        case codes.NEGATE:
            return "^"
        case codes.IN:
            return f"[{''.join(_escape(one[1]) if one[0] is codes.LITERAL else _write(one) for one in value)}]"
    raise ValueError(f"unknown part of a pattern: {item}")


def _escape(number: int) -> str:
    return f"\\U{number:08x}"


@cache
def _find_matching(expression: str, alphabet: tuple[str, ...], flags: int) -> frozenset[str]:
    one = re.compile(expression, flags)
    return frozenset(char for char in alphabet if one.fullmatch(char))
