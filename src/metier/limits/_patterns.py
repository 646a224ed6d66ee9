"""Linear-time regular expressions for patterns that skills, plans, tools and models bring along.

They run on the Rust engine inside pydantic-core: `^(a+)+$` on 100,000 letters takes 0.4 ms there, and with `re` more
than a lifetime. What that engine does not support (look-around, back references) is refused when the pattern is read,
and so is what it reads in another way than Python and JavaScript do.

Linear means that the time grows with the text times the pattern, where `.{1000}` counts as a thousand. Nothing can stop
a search, and no other thread runs meanwhile: so a pattern is not searched for in a text that is too long for it.
Compiling takes time as well: `\\w{60}` takes 150 ms, so patterns have a limit on that too.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from metier.limits._steps import spend_steps

__all__ = [
    "MAX_COMPILE_STEPS",
    "MAX_PATTERN_CHARS",
    "PATTERN_HINT",
    "InvalidPattern",
    "Pattern",
    "compile_pattern",
    "measure_pattern",
]

MAX_PATTERN_CHARS: Final = 2_000
PATTERN_HINT: Final = "write it without look-around and back references"
MAX_COMPILE_STEPS: Final = 1_000_000  # about a second
# Characters of the text times the size of the pattern; 0.016 µs each at worst, so about 0.16 s.
_MAX_COST: Final = 10_000_000
_COST_PER_STEP: Final = 64
_MAX_CHARS: Final = 1 << 20
# Microseconds to compile a class of characters, measured; a letter takes 1.
_CLASS_STEPS: Final = (("\\p", 2_500), ("\\P", 2_500), ("\\w", 2_500), ("\\W", 2_500), ("\\s", 300), ("\\S", 300))
_OTHER_CLASS_STEPS: Final = 50
_TOKEN: Final = re.compile(
    r"\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|\(\?P?<\w+>|\(\?[a-zA-Z-]*:?|.",
    re.DOTALL,
)
_SET_OPERATOR: Final = re.compile(r"&&|--|~~|(?<!\\)\[(?!:)")


class InvalidPattern(ValueError):
    """The pattern is malformed, too long or too large, or uses look-around or back references."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """Predicate: does the pattern match anywhere in a text? A text longer than `max_chars` does not match."""

    max_chars: int
    size: int
    _matches: Callable[[object], bool]

    def __call__(self, text: object) -> bool:
        if not isinstance(text, str) or len(text) > self.max_chars:
            return False
        spend_steps(1 + len(text) * self.size // _COST_PER_STEP)
        return self._matches(text)


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str, *, match_case: bool = True) -> Pattern:
    """Compile a pattern; `InvalidPattern` says why it cannot run.

    A usual pattern is searched for in texts of up to a million characters, `.{1000}` in texts of up to 10,000.
    """
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    if len(pattern) > MAX_PATTERN_CHARS:
        raise InvalidPattern(f"longer than {MAX_PATTERN_CHARS} characters")
    steps = measure_pattern(pattern)
    if steps > MAX_COMPILE_STEPS:
        raise InvalidPattern(f"compiling it takes about {steps} steps; the most is {MAX_COMPILE_STEPS}")
    spend_steps(steps)
    whole = pattern if match_case else f"(?i){pattern}"
    try:
        matches = SchemaValidator(core_schema.str_schema(pattern=whole, regex_engine="rust-regex")).isinstance_python
    except SchemaError as error:
        raise InvalidPattern(str(error).splitlines()[-1].removeprefix("error: ").strip()) from error
    size = _measure(pattern, lambda _: 1)
    return Pattern(min(_MAX_CHARS, max(_MAX_COST // size, size)), size, matches)


@lru_cache(maxsize=1024)
def measure_pattern(pattern: str) -> int:
    """Steps that compiling this pattern takes, estimated from its classes and counted repetitions."""
    return _measure(pattern, _weigh)


def _weigh(part: str) -> int:
    """Cost of one token; the classes of a set are added up."""
    cost = sum(part.count(name) * steps for name, steps in _CLASS_STEPS)
    return cost or (_OTHER_CLASS_STEPS if len(part) > 1 or part == "." else 1)


def _measure(pattern: str, weigh: Callable[[str], int]) -> int:
    """Sum of the weights of the characters and classes in a pattern when its counted repetitions are written out."""
    sizes, last = [1], 0
    for part in _TOKEN.findall(pattern):
        if part.startswith("[") and _SET_OPERATOR.search(part, 1):
            raise InvalidPattern(f"'&&', '--', '~~' and '[' in {part[:40]!r} mean something else in other engines")
        if part.startswith("(?") and "<" not in part and "x" in part.partition("-")[0]:
            raise InvalidPattern("the flag 'x' is not supported")
        if part.startswith("("):
            sizes.append(0)
            last = 0
        elif part == ")":
            last = sizes.pop() if len(sizes) > 1 else 0
            sizes[-1] += last
        elif part.startswith("{") and len(part) > 1:
            times = max(int(number or 1) for number in part[1:-1].split(","))
            sizes[-1] += last * max(0, times - 1)
            last *= max(1, times)
        elif part not in "|*+?^$":
            last = weigh(part)
            sizes[-1] += last
    return sum(sizes)
