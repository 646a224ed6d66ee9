"""Validation and encoding of values before a transaction starts, identical for both databases."""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import cast

from metier.errors import InvalidRecord
from metier.json_values import JsonObject, JsonValue, is_plainly_json
from metier.names import suggest

_MAX_DEPTH = 100
_MAX_INT = 2**63 - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SCALARS = frozenset({str, int, float, bool})


def check_text(value: str, field: str) -> str:
    """Return the text, or raise `InvalidRecord` if one of the databases cannot store it."""
    if not isinstance(value, str):
        raise InvalidRecord(f"{field} must be text, not {value!r}", hint=_NOTHING_WRITTEN)
    if fault := _find_text_fault(value):
        raise InvalidRecord(f"{field} {fault}", hint=_FAULT_HINT)
    return value


def check_name(value: str, field: str) -> str:
    """Return the text if it is not blank; for ids, users, tools and keys."""
    if not check_text(value, field).strip():
        raise InvalidRecord(f"{field} must not be empty", hint=_NOTHING_WRITTEN)
    return value


def check_optional_name(value: str | None, field: str) -> str | None:
    """`check_name` for a value that may be `None`."""
    return None if value is None else check_name(value, field)


def check_choice(value: str, allowed: Collection[str], field: str) -> str:
    """Return the value if it is one of the allowed ones; otherwise `InvalidRecord` suggests the nearest."""
    if value in allowed:
        return value
    hint = suggest(str(value), allowed, f"one of: {', '.join(sorted(allowed))}")
    raise InvalidRecord(f"{field} cannot be {value!r}", hint=hint)


def check_integer(value: int, field: str, *, least: int = 0) -> int:
    """Return the integer if it fits in 64 bits and is at least `least`."""
    if type(value) is not int or not least <= value <= _MAX_INT:
        message = f"{field} must be a whole number from {least} to 2**63-1, not {value!r}"
        raise InvalidRecord(message, hint=_NOTHING_WRITTEN)
    return value


def to_micros(moment: datetime, field: str = "time") -> int:
    """Microseconds since 1970 UTC; a datetime without time zone is an `InvalidRecord`."""
    if moment.tzinfo is None:
        message = f"{field} must be a datetime with a time zone, not {moment!r}"
        raise InvalidRecord(message, hint="add a time zone: datetime.now(UTC)")
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(value: int) -> datetime:
    """The UTC datetime for stored microseconds."""
    return _EPOCH + timedelta(microseconds=value)


def from_optional_micros(value: int | None) -> datetime | None:
    """`from_micros` for a value that may be `None`."""
    return None if value is None else from_micros(value)


def seconds_to_micros(seconds: float, field: str) -> int:
    """A duration in seconds as microseconds, at least 1."""
    if not math.isfinite(seconds) or not 0 < seconds <= 10**9:
        message = f"{field} must be between 0 and 10**9 seconds, not {seconds!r}"
        raise InvalidRecord(message, hint=_NOTHING_WRITTEN)
    return max(1, round(seconds * 1_000_000))


def encode_json(value: JsonValue, field: str) -> str:
    """Encode the value as JSON text; `InvalidRecord` names the path inside it that cannot be stored."""
    if not is_plainly_json(value, _MAX_DEPTH) and (found := _find_fault(value, _MAX_DEPTH)):
        path, fault = found
        raise InvalidRecord(f"{field}{path} {fault}", hint=_FAULT_HINT)
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=dict)


def encode_object(value: JsonObject, field: str) -> str:
    """`encode_json` for a value that must be a JSON object."""
    if not isinstance(value, Mapping):
        raise InvalidRecord(f"{field} must be a JSON object, not {value!r}", hint=_FAULT_HINT)
    return encode_json(value, field)


def decode_json(stored: str) -> JsonValue:
    """Decode stored JSON text."""
    return cast("JsonValue", json.loads(stored))


def decode_object(stored: str) -> JsonObject:
    """Decode stored JSON text of an object."""
    return cast("JsonObject", json.loads(stored))


_NOTHING_WRITTEN = "nothing was written; correct the value and store it again"
_FAULT_HINT = "nothing was written; store clean text, finite numbers of at most 64 bits, and objects with text keys"


def _find_text_fault(value: str) -> str | None:
    if "\x00" in value:
        return "has a NUL character"
    if value.isascii():
        return None
    try:
        value.encode()
    except UnicodeEncodeError:
        return "has a lone surrogate"
    return None


def _find_fault(value: object, depth: int) -> tuple[str, str] | None:
    """Path and reason of the first value that cannot be stored, or `None`."""
    if value is None or type(value) in _SCALARS:  # the common case; `isinstance(…, Mapping)` is slower
        reason = _find_scalar_fault(value)
        return ("", reason) if reason else None
    if type(value) is dict or isinstance(value, list | tuple | Mapping):
        return ("", f"is nested deeper than {_MAX_DEPTH} levels") if depth == 0 else _find_nested_fault(value, depth)
    reason = _find_scalar_fault(value)
    return ("", reason) if reason else None


def _find_nested_fault(value: Mapping[object, object] | Sequence[object], depth: int) -> tuple[str, str] | None:
    if type(value) is dict or isinstance(value, Mapping):
        for key, item in value.items():
            if not isinstance(key, str):
                return "", f"has the key {key!r}, which is not text"
            if reason := _find_text_fault(key):
                return "", f"has a key that {reason}"
            if found := _find_fault(item, depth - 1):
                return f".{key}{found[0]}", found[1]
        return None
    for index, item in enumerate(value):
        if found := _find_fault(item, depth - 1):
            return f"[{index}]{found[0]}", found[1]
    return None


def _find_scalar_fault(value: object) -> str | None:
    if isinstance(value, str):
        return _find_text_fault(value)
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, int):
        return None if -_MAX_INT - 1 <= value <= _MAX_INT else "is an integer beyond 64 bits"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"is {value}, which JSON has no word for"
    return f"is a {type(value).__name__}, which is not JSON"
