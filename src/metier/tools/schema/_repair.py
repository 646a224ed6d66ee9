"""Repairs arguments that a model got nearly right: a misspelt name, a number as text, one value for a list."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, Literal

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.tools.schema._validate import argument_problems

RepairCode = Literal["renamed", "converted", "dropped"]

_SEPARATORS: Final = re.compile(r"[\W_]+")
_WORDS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\W_]+")
_INTEGER: Final = re.compile(r"[+-]?\d{1,18}")
_NUMBER: Final = re.compile(r"[+-]?\d{1,18}(?:\.\d{1,18})?(?:[eE][+-]?\d{1,2})?")
_MIN_LIKENESS: Final = 0.8
_BOOLEANS: Final[Mapping[str, bool]] = MappingProxyType({"true": True, "false": False})


@dataclass(frozen=True, slots=True)
class ArgumentRepair:
    """One change: the argument, what was done, and its value before and after (the names, if it was renamed)."""

    argument: str
    code: RepairCode
    was: JsonValue
    now: JsonValue

    def to_json(self) -> JsonObject:
        return {"argument": self.argument, "code": self.code, "was": self.was, "now": self.now}


def repair_arguments(schema: JsonObject, arguments: JsonObject) -> tuple[JsonObject, tuple[ArgumentRepair, ...]]:
    """Return the arguments with what can be repaired without guessing, and every change.

    Valid arguments stay as they are, and a repair that does not remove a problem is not made. A name is repaired if
    only one argument can be meant by it.
    """
    before = argument_problems(schema, arguments)
    properties = schema.get("properties")
    if not before or not isinstance(properties, Mapping):
        return arguments, ()
    made, repairs = dict(arguments), list[ArgumentRepair]()
    for repair in (*_find_renames(schema, properties, made), *_find_conversions(schema, properties, made)):
        tried = _apply(made, repair)
        after = argument_problems(schema, tried)
        if len(after) < len(before):
            made, before = tried, after
            repairs.append(repair)
    if before and not repairs:
        return arguments, ()
    # A renamed value may need a conversion as well.
    rest, more = repair_arguments(schema, made) if before and repairs else (made, ())
    return rest, (*repairs, *more)


def _apply(arguments: Mapping[str, JsonValue], repair: ArgumentRepair) -> dict[str, JsonValue]:
    if repair.code == "renamed":
        return {str(repair.now) if name == repair.was else name: value for name, value in arguments.items()}
    if repair.code == "dropped":
        return {name: value for name, value in arguments.items() if name != repair.argument}
    return {**arguments, repair.argument: repair.now}


def _find_renames(
    schema: JsonObject, properties: Mapping[str, JsonValue], arguments: Mapping[str, JsonValue]
) -> Iterator[ArgumentRepair]:
    free = [name for name in properties if name not in arguments]
    required = schema.get("required")
    missing = [name for name in free if isinstance(required, list | tuple) and name in required]
    for given in arguments:
        meant = None if given in properties else _find_meant(given, free, missing)
        if meant is not None:
            free.remove(meant)
            yield ArgumentRepair(meant, "renamed", given, meant)


def _find_meant(given: str, free: list[str], missing: list[str]) -> str | None:
    """Argument that this name means: the same letters, a misspelling, or the same words as a missing one."""
    same = [name for name in free if _fold(name) == _fold(given)]
    if len(same) == 1:
        return same[0]
    words = _split_words(given)
    alike = [name for name in missing if words & _split_words(name) or _fold(name).startswith(_fold(given) or " ")]
    if alike:
        return alike[0] if len(alike) == 1 else None
    near = get_close_matches(given, free, n=2, cutoff=_MIN_LIKENESS)
    return near[0] if len(near) == 1 else None


def _fold(name: str) -> str:
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", name)).casefold()


def _split_words(name: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _WORDS.split(name) if len(word) > 1)


def _find_conversions(
    schema: JsonObject, properties: Mapping[str, JsonValue], arguments: Mapping[str, JsonValue]
) -> Iterator[ArgumentRepair]:
    required = schema.get("required")
    needed = frozenset(required) if isinstance(required, list | tuple) else frozenset()
    for name, value in arguments.items():
        wanted = properties.get(name)
        if not isinstance(wanted, Mapping):
            continue
        if value is None and name not in needed:
            yield ArgumentRepair(name, "dropped", None, None)
        elif (converted := _convert(value, wanted)) is not None:
            yield ArgumentRepair(name, "converted", value, converted)


def _convert(value: JsonValue, wanted: Mapping[str, JsonValue]) -> JsonValue:
    """Value in the wanted form; None if there is no obvious one."""
    choices = wanted.get("enum")
    if isinstance(choices, list | tuple) and isinstance(value, str):
        same = [one for one in choices if isinstance(one, str) and _fold(one) == _fold(value)]
        return same[0] if len(same) == 1 else None
    kind = wanted.get("type")
    convert = _CONVERSIONS.get(kind) if isinstance(kind, str) else None
    return None if convert is None else convert(value)


def _to_integer(value: JsonValue) -> JsonValue:
    return int(value) if isinstance(value, str) and _INTEGER.fullmatch(value.strip()) else None


def _to_number(value: JsonValue) -> JsonValue:
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value.strip()) else None


def _to_boolean(value: JsonValue) -> JsonValue:
    return _BOOLEANS.get(value.strip().casefold()) if isinstance(value, str) else None


def _to_text(value: JsonValue) -> JsonValue:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _to_list(value: JsonValue) -> JsonValue:
    """A list that was sent as JSON text, or one value as a list; text that only begins like a list is neither."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            read = load_json(value, any_text=True)
        except JsonInvalid:
            return None
        return read if isinstance(read, list) else None
    return None if value is None or isinstance(value, list) else [value]


_CONVERSIONS: Final[Mapping[str, Callable[[JsonValue], JsonValue]]] = MappingProxyType(
    {
        "integer": _to_integer,
        "number": _to_number,
        "boolean": _to_boolean,
        "string": _to_text,
        "array": _to_list,
    }
)
