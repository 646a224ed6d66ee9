"""JSON Schema `format` keywords that are checked: those without extra dependencies, and three of our own."""

from datetime import datetime, time
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from jsonschema import FormatChecker

_FROM_LIBRARY: Final = ("date", "email", "ipv4", "ipv6", "uuid")


@lru_cache(maxsize=1)
def get_format_checker() -> "FormatChecker":
    """Return the format checker that all schemas share."""
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=_FROM_LIBRARY)
    checker.checks("date-time", raises=ValueError)(_is_date_time)
    checker.checks("time", raises=ValueError)(_is_time)
    checker.checks("uri", raises=ValueError)(_is_uri)
    return checker


def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or ("T" in value.upper() and datetime.fromisoformat(value).tzinfo is not None)


def _is_time(value: object) -> bool:
    return not isinstance(value, str) or time.fromisoformat(value).tzinfo is not None


def _is_uri(value: object) -> bool:
    if not isinstance(value, str):
        return True
    parts = urlsplit(value)
    return bool(parts.scheme and (parts.netloc or parts.path)) and not any(char.isspace() for char in value)
