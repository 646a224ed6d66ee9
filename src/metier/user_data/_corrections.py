"""What a user may write into their profile by hand: a value that is stored keeps its kind, a new one is plain."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from metier.errors import InvalidInput, Refused
from metier.json_values import JsonObject, JsonValue

_SKILL_DATA: Final = "skill_data"
_MAX_DEPTH: Final = 8
_MAX_NAME: Final = 64
_MAX_TEXT: Final = 2_000
_MAX_VALUE: Final = 20_000  # characters of JSON: a list or an object that stands there already
_MAX_PROFILE: Final = 200_000


def check_corrections(changes: Mapping[str, JsonValue], profile: JsonObject, skills: Mapping[str, JsonObject]) -> None:
    """Raise `InvalidInput` or `Refused` for a path or a value that cannot be one; `skills` has the data of each skill.

    A list replaces only one that is stored; a new object holds plain values, as a form gives them. No two paths may
    overlap: which of them is written last would decide.
    """
    _check_overlaps(changes)
    for path, value in changes.items():
        parts = _split(path)
        stored = _find(parts, profile, skills)
        if value is not None:
            _check_value(path, value, stored)
    whole = [profile, *skills.values(), dict(changes)]
    if any(one is not None for one in changes.values()) and sum(map(_measure, whole)) > _MAX_PROFILE:
        raise Refused("the profile is full", hint=f"it may have {_MAX_PROFILE} characters: remove something first")


def _check_overlaps(changes: Mapping[str, JsonValue]) -> None:
    for path in changes:
        parts = path.split(".")
        outer = next((one for at in range(1, len(parts)) if (one := ".".join(parts[:at])) in changes), None)
        if outer is not None:
            raise InvalidInput(
                f"{outer[:80]!r} and {path[:80]!r} overlap", hint="give the whole or its parts, not both"
            )


def _split(path: str) -> Sequence[str]:
    parts = path.split(".")
    if len(parts) > _MAX_DEPTH or not all(map(_is_name, parts)):
        hint = f"names joined by '.', as birth_info.date; at most {_MAX_DEPTH} of {_MAX_NAME} characters"
        raise InvalidInput(f"{path[:80]!r} is no path of a profile", hint=hint)
    if parts[0] == _SKILL_DATA and len(parts) < 3:  # else it would be stored as a part of the profile of that name
        raise InvalidInput(f"{path[:80]!r} names no value of a skill", hint="as skill_data.career.interests")
    if parts[0] == _SKILL_DATA and parts[1].startswith("_"):
        raise Refused(f"{path[:80]!r} is counted by the server", hint="other paths can be corrected")
    return parts


def _is_name(part: str) -> bool:
    return 0 < len(part) <= _MAX_NAME and part.isprintable() and part == part.strip()


def _find(parts: Sequence[str], profile: JsonObject, skills: Mapping[str, JsonObject]) -> JsonValue:
    is_skill_data = parts[0] == _SKILL_DATA
    found: JsonValue = skills.get(parts[1], {}) if is_skill_data else profile
    for part in parts[2:] if is_skill_data else parts:
        if found is not None and not isinstance(found, Mapping):
            raise InvalidInput(f"{'.'.join(parts)!r} lies below a {_kind_of(found)}", hint="only an object has parts")
        found = None if found is None else found.get(part)
    return found


def _check_value(path: str, value: JsonValue, stored: JsonValue) -> None:
    kind = _kind_of(value)
    if stored is not None and kind != _kind_of(stored):
        raise InvalidInput(f"{path!r} is a {_kind_of(stored)}, not a {kind}", hint="give a value of the same kind")
    if isinstance(stored, Mapping) and isinstance(value, Mapping):
        for name, one in value.items():
            if one is not None:
                _check_value(f"{path}.{name}", one, stored.get(name))
    if stored is None and not all(map(_is_plain, value.values() if isinstance(value, Mapping) else [value])):
        raise InvalidInput(f"nothing like this is stored as {path!r}", hint="give a text, a number or yes/no")
    if isinstance(value, str) and len(value) > _MAX_TEXT:
        raise InvalidInput(f"{path!r} is too long: {len(value)} characters", hint=f"at most {_MAX_TEXT}")
    if _measure(value) > _MAX_VALUE:
        raise InvalidInput(f"{path!r} is too large", hint=f"at most {_MAX_VALUE} characters of JSON")


def _is_plain(value: JsonValue) -> bool:
    return value is None or isinstance(value, str | int | float)


def _kind_of(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "yes/no"
    if isinstance(value, int | float):
        return "number"
    return "text" if isinstance(value, str) else "object" if isinstance(value, Mapping) else "list"


def _measure(value: JsonValue) -> int:
    return len(json.dumps(value, ensure_ascii=False, default=dict))
