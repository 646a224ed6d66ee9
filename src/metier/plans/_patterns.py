"""Linear-time regular expressions: the Rust engine inside pydantic-core."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

MAX_PATTERN_CHARS: Final = 500


class BadPattern(ValueError):
    """The pattern is invalid, too long, or uses unsupported syntax."""


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> Callable[[str], bool]:
    """Compile a pattern to a search predicate; look-around and back references are rejected."""
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    if len(pattern) > MAX_PATTERN_CHARS:
        raise BadPattern(f"longer than {MAX_PATTERN_CHARS} characters")
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex")).isinstance_python
    except SchemaError as error:
        raise BadPattern(str(error).splitlines()[-1].removeprefix("error: ").strip()) from error
