"""Regular expressions that cannot run away: the Rust engine inside pydantic-core matches in linear time."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

PATTERN_CHARS: Final = 500


class BadPattern(ValueError):
    """Why a pattern may not run."""


@lru_cache(maxsize=1024)
def matcher(pattern: str) -> Callable[[str], bool]:
    """A function that says whether the pattern is found in a text; look-around and back references are refused."""
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    if len(pattern) > PATTERN_CHARS:
        raise BadPattern(f"longer than {PATTERN_CHARS} characters")
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex")).isinstance_python
    except SchemaError as error:
        raise BadPattern(str(error).splitlines()[-1].removeprefix("error: ").strip()) from error
