"""Linear-time regular expressions for patterns that skills, plans, tools and models bring along.

They run on the Rust engine inside pydantic-core: `^(a+)+$` on 100,000 letters takes 0.4 ms there, and with `re` more
than a lifetime. What that engine does not support (look-around, back references) is refused when the pattern is read,
and so is what it reads in another way than Python and JavaScript do.

Linear means that the time grows with the text times the pattern, where `.{1000}` counts as a thousand. Nothing can stop
a search, and no other thread runs meanwhile: so a pattern is not searched for in a text that is too long for it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

__all__ = ["MAX_PATTERN_CHARS", "PATTERN_HINT", "InvalidPattern", "Pattern", "compile_pattern"]

MAX_PATTERN_CHARS: Final = 2_000
PATTERN_HINT: Final = "write it without look-around and back references"
# Characters of the text times the size of the pattern; 0.016 µs each at worst, so about half a second. Small patterns
# take less: 1 µs a character at worst.
_MAX_COST: Final = 30_000_000
_SMALL: Final = 100
_MAX_CHARS: Final = 1 << 20
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
    _matches: Callable[[object], bool]

    def __call__(self, text: object) -> bool:
        return isinstance(text, str) and len(text) <= self.max_chars and self._matches(text)


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str, *, match_case: bool = True) -> Pattern:
    """Compile a pattern; `InvalidPattern` says why it cannot run.

    A usual pattern is searched for in texts of up to a million characters, `.{1000}` in texts of up to 30,000.
    """
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    if len(pattern) > MAX_PATTERN_CHARS:
        raise InvalidPattern(f"longer than {MAX_PATTERN_CHARS} characters")
    whole = pattern if match_case else f"(?i){pattern}"
    try:
        matches = SchemaValidator(core_schema.str_schema(pattern=whole, regex_engine="rust-regex")).isinstance_python
    except SchemaError as error:
        raise InvalidPattern(str(error).splitlines()[-1].removeprefix("error: ").strip()) from error
    size = _measure_size(pattern)
    return Pattern(_MAX_CHARS if size <= _SMALL else max(_MAX_COST // size, size), matches)


def _measure_size(pattern: str) -> int:
    """Number of characters and classes in a pattern when its counted repetitions are written out."""
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
            last = 1
            sizes[-1] += 1
    return sum(sizes)
