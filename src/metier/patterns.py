"""Linear-time regular expressions for patterns that skills, plans, tools and models bring along.

They run on the Rust engine inside pydantic-core: `^(a+)+$` on 100,000 letters takes 0.4 ms there, and with `re` more
than a lifetime. What that engine does not support (look-around, back references) is refused when the pattern is read.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

__all__ = ["MAX_PATTERN_CHARS", "PATTERN_HINT", "InvalidPattern", "compile_pattern"]

MAX_PATTERN_CHARS: Final = 2_000
PATTERN_HINT: Final = "write it without look-around and back references"


class InvalidPattern(ValueError):
    """The pattern is malformed, too long or too large, or uses look-around or back references."""


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str, *, match_case: bool = True) -> Callable[[object], bool]:
    """Return a predicate: does the pattern match anywhere in a text? `InvalidPattern` says why it cannot run."""
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    if len(pattern) > MAX_PATTERN_CHARS:
        raise InvalidPattern(f"longer than {MAX_PATTERN_CHARS} characters")
    whole = pattern if match_case else f"(?i){pattern}"
    try:
        return SchemaValidator(core_schema.str_schema(pattern=whole, regex_engine="rust-regex")).isinstance_python
    except SchemaError as error:
        raise InvalidPattern(str(error).splitlines()[-1].removeprefix("error: ").strip()) from error
