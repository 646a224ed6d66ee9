"""Which regular expressions are safe to run on text that somebody else wrote.

Python's engine tries every way to match. A pattern is refused when one text can be matched by a loop in two ways, as
with `(a+)+` or `(a|a)*`: the number of ways doubles with every letter. `-` between the parts of `[a-z]+(-[a-z]+)*`
leaves one way only, so that pattern is fine. The pattern becomes an automaton of its letters (Glushkov's), which is
then walked by two walkers at once: if they part and meet again within a loop, there are two ways.
"""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

_parser = import_module("re._parser")
_MOST_CHARS = 2_000
_MOST_PLACES = 160
_MOST_STEPS = 200_000
_MOST_LOOPS = 5
_COPIES = 3  # a repeat of at most three is written out; a longer one is taken for one without end
_SAMPLES = "aZ09_ -.\t\n!\x7fé中\U0001f600"
_CATEGORIES: Mapping[str, str] = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}


class _TooHard(ValueError):
    pass


@dataclass(slots=True)
class _Part:
    """A piece of the automaton: may it be empty, is it empty in two ways, at which places does it start and end?"""

    empty: bool = True
    doubled: bool = False
    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()


@dataclass(slots=True)
class _Automaton:
    """Places that read one letter each; `after[p]` are the places that may read the next one."""

    samples: str
    ignore_case: bool
    letters: list[frozenset[str]] = field(default_factory=list)
    after: list[set[int]] = field(default_factory=list)
    steps_left: int = _MOST_STEPS

    def sequence(self, items: Sequence[Any]) -> _Part:
        whole = _Part()
        for op, value in items:
            whole = self._joined(whole, self._item(str(op), value))
        return whole

    def _item(self, op: str, value: Any) -> _Part:
        if op in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            return self._place(op, value)
        if op in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return self._repeat(*value)
        if op == "SUBPATTERN":
            return self.sequence(value[-1])
        if op == "BRANCH":
            return self._either([self.sequence(branch) for branch in value[1]])
        if op == "ATOMIC_GROUP":
            return self.sequence(value)
        if op in ("ASSERT", "ASSERT_NOT"):
            self.sequence(value[1])
            return _Part()
        if op == "AT":
            return _Part()
        raise _TooHard(op)  # a reference to a group: no automaton can say what it matches

    def _place(self, op: str, value: Any) -> _Part:
        if len(self.letters) >= _MOST_PLACES:
            raise _TooHard("too many places")
        read = frozenset(char for char in self.samples if self._reads(op, value, char))
        self.letters.append(read)
        self.after.append(set())
        place = frozenset({len(self.letters) - 1})
        return _Part(empty=False, first=place, last=place)

    def _reads(self, op: str, value: Any, char: str) -> bool:
        cases = {char, char.lower(), char.upper()} if self.ignore_case else {char}
        return any(_one_reads(op, value, each) for each in cases)

    def _joined(self, left: _Part, right: _Part) -> _Part:
        for place in left.last:
            self.after[place] |= right.first
        first = left.first | right.first if left.empty else left.first
        last = left.last | right.last if right.empty else right.last
        return _Part(left.empty and right.empty, left.doubled or right.doubled, first, last)

    def _either(self, parts: list[_Part]) -> _Part:
        return _Part(
            any(part.empty for part in parts),
            any(part.doubled for part in parts) or sum(part.empty for part in parts) > 1,
            frozenset().union(*(part.first for part in parts)),
            frozenset().union(*(part.last for part in parts)),
        )

    def _repeat(self, least: int, most: int, items: Sequence[Any]) -> _Part:
        if int(most) > _COPIES:
            one = self.sequence(items)
            if one.doubled or any(self.after[place] & one.first for place in one.last):
                raise _TooHard("a loop around a loop: the same step twice")
            self._joined(one, one)
            return replace(one, empty=one.empty or least == 0)
        whole = _Part()
        for copy in range(int(most)):
            one = self.sequence(items)
            whole = self._joined(whole, replace(one, empty=one.empty or copy >= least))
        return whole

    def is_ambiguous(self) -> bool:
        """Whether two walkers that read the same text can part and meet again inside one loop."""
        before: list[set[int]] = [set() for _ in self.after]
        for place, following in enumerate(self.after):
            for next_place in following:
                before[next_place].add(place)
        for start in range(len(self.letters)):
            there = self._pairs((start, start), self.after)
            if (start, start) in there:
                back = self._pairs((start, start), before)
                if any(one != other for one, other in there & back):
                    return True
        return False

    def _pairs(self, start: tuple[int, int], steps: list[set[int]]) -> set[tuple[int, int]]:
        seen: set[tuple[int, int]] = set()
        todo = [start]
        while todo:
            one, other = todo.pop()
            self.steps_left -= len(steps[one]) * len(steps[other])
            if self.steps_left < 0:
                raise _TooHard("too many steps")
            for pair in self._moves(steps[one], steps[other]):
                if pair not in seen:
                    seen.add(pair)
                    todo.append(pair)
        return seen

    def _moves(self, ones: set[int], others: set[int]) -> Iterator[tuple[int, int]]:
        return ((one, other) for one in ones for other in others if self.letters[one] & self.letters[other])

    def crowded(self) -> bool:
        """Whether many loops in a row read the same letter, as in `.*.*.*.*.*.*`: n letters take n⁶ steps."""
        loops = [self.letters[place] for place in range(len(self.letters)) if place in self.after[place]]
        return any(sum(char in loop for loop in loops) > _MOST_LOOPS for char in self.samples)


def _one_reads(op: str, value: Any, char: str) -> bool:
    if op == "LITERAL":
        return bool(ord(char) == value)
    if op == "NOT_LITERAL":
        return bool(ord(char) != value)
    if op == "ANY":
        return char != "\n"
    negated = str(value[0][0]) == "NEGATE"
    return negated != any(_member_reads(str(kind), what, char) for kind, what in value)


def _member_reads(kind: str, what: Any, char: str) -> bool:
    if kind == "LITERAL":
        return bool(ord(char) == what)
    if kind == "RANGE":
        return bool(what[0] <= ord(char) <= what[1])
    if kind == "CATEGORY":
        name = str(what).removeprefix("CATEGORY_")
        found = re.match(_CATEGORIES[name.removeprefix("NOT_")], char) is not None
        return found != name.startswith("NOT_")
    return False


def is_unsafe_pattern(pattern: str) -> bool:
    """Whether a text exists on which the pattern takes exponential time, or the pattern is too hard to tell."""
    if len(pattern) > _MOST_CHARS:
        return True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `[[a]` may mean something else in a Python to come
            parsed = _parser.parse(pattern)
        automaton = _Automaton(_samples(pattern), bool(parsed.state.flags & re.IGNORECASE))
        automaton.sequence(parsed)
        return automaton.crowded() or automaton.is_ambiguous()
    except (RecursionError, OverflowError, ValueError, _parser.error):
        return True


def _samples(pattern: str) -> str:
    """One letter of every kind that the pattern can tell apart, near enough: its own letters and their neighbours."""
    near = (chr(min(max(ord(char) + step, 1), 0x10FFFF)) for char in set(pattern) for step in (-1, 0, 1))
    return "".join(sorted({*_SAMPLES, *near}))
