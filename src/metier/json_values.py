"""JSON types, a strict parser, and copies of JSON values: plain, checked or cleaned."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any, Final, NoReturn, TypeAlias, cast

__all__ = [
    "MAX_JSON_DEPTH",
    "JsonInvalid",
    "JsonObject",
    "JsonTooLarge",
    "JsonValue",
    "clean_json",
    "clean_text",
    "copy_json",
    "is_cleanable",
    "is_plainly_json",
    "iter_texts",
    "list_items",
    "list_objects",
    "load_json",
    "to_plain_json",
]

MAX_JSON_DEPTH: Final = 32
_MAX_COPY_DEPTH: Final = 3 * MAX_JSON_DEPTH  # a result may hold an answer that holds a file's JSON
_MAX_PARTS: Final = 1_000_000  # one object may stand in many places, and in each hold others that do
_MAX_COPIED_PARTS: Final = 10 * _MAX_PARTS
_MAX_INT: Final = 2**63 - 1
_MAX_DIGITS_BITS: Final = 14_000  # Python writes integers of up to 4300 digits
_UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_SURROGATE_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_FLOATS: Final = frozenset({float})
_TEXTS: Final = frozenset({str})
_LEAVES: Final = frozenset({type(None), bool, int, float, str})
_CONTAINERS: Final = frozenset({dict, list})

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
JsonObject: TypeAlias = Mapping[str, JsonValue]


class JsonInvalid(ValueError):
    """The text is not valid JSON (RFC 8259) or exceeds a limit; `line` is set if known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


class JsonTooLarge(JsonInvalid):
    """The value has more text than it may."""


def load_json(text: str, *, any_text: bool = False) -> JsonValue:
    """Parse JSON strictly: no NaN or Infinity, no lone surrogates, no duplicate keys, bounded nesting.

    With `any_text`, a string may hold line ends and lone surrogates, as models write them.
    """
    try:
        value: JsonValue = json.loads(
            text,
            strict=not any_text,
            object_pairs_hook=_reject_duplicate_keys,
            parse_constant=_reject_constant,
            parse_float=_parse_float,
            parse_int=_parse_int,
        )
    except json.JSONDecodeError as error:
        raise JsonInvalid(error.msg, error.lineno) from error
    except RecursionError as error:
        raise JsonInvalid("nested too deep") from error
    _check_depth(value)
    if not any_text and _may_hold_half_characters(text):
        for one in _iter_all_texts(value):
            _check_text(one)
    return value


def to_plain_json(value: JsonValue) -> JsonValue:
    """Copy mappings and sequences as dicts and lists, the only types that some libraries accept."""
    if type(value) in _LEAVES:  # most parts are; to ask one for its interfaces takes ten times long
        return value
    if isinstance(value, Mapping):
        return {str(key): to_plain_json(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [to_plain_json(item) for item in value]
    return value


def clean_text(text: str) -> str:
    """Replace characters that databases reject: NUL and lone surrogates."""
    return _UNSTORABLE.sub("\ufffd", text)


def clean_json(value: JsonValue) -> JsonValue:
    """Copy a value so that every database can store it.

    Texts are cleaned, integers beyond 64 bits become texts, numbers that are not finite become null, and so does
    everything nested deeper than 96 levels.
    """
    return _clean_value(value, _MAX_COPY_DEPTH)


def is_cleanable(value: object) -> bool:
    """Whether a value is JSON but for half characters, huge integers and depth, which `clean_json` replaces."""
    waiting: list[tuple[object, bool]] = [(value, False)]
    around = set[int]()  # what stands around the value that is looked at: one of these again is a loop
    for _ in range(_MAX_PARTS):
        if not waiting:
            return True
        one, is_left = waiting.pop()
        if is_left:
            around.discard(id(one))
        elif isinstance(one, Mapping | list | tuple):
            if id(one) in around or (isinstance(one, Mapping) and not all(isinstance(key, str) for key in one)):
                return False
            if len(waiting) + len(one) > _MAX_PARTS:
                return False
            around.add(id(one))
            waiting.append((one, True))
            waiting.extend((item, False) for item in (one.values() if isinstance(one, Mapping) else one))
        elif not (one is None or isinstance(one, str | int) or (isinstance(one, float) and math.isfinite(one))):
            return False
    return False


def _clean_value(value: JsonValue, levels: int) -> JsonValue:
    if isinstance(value, str):
        return clean_text(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if -_MAX_INT <= value <= _MAX_INT else _write_digits(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if levels == 0:
        return None
    if isinstance(value, Mapping):
        return _clean_object(value, levels)
    return [_clean_value(item, levels - 1) for item in value]


def _clean_object(value: JsonObject, levels: int) -> JsonObject:
    """A copy with a name of its own for every value, also where two names differ only in what is replaced."""
    cleaned: dict[str, JsonValue] = {}
    numbers = dict[
        str, int
    ]()  # the last number that was tried with a name: none is tried twice, however many are equal
    for key, item in value.items():
        name = plain = clean_text(str(key))
        while name in cleaned:
            numbers[plain] = numbers.get(plain, 1) + 1
            name = f"{plain}\ufffd{numbers[plain]}"
        cleaned[name] = _clean_value(item, levels - 1)
    return cleaned


def _write_digits(value: int) -> str | None:
    return str(value) if value.bit_length() <= _MAX_DIGITS_BITS else None


def is_plainly_json(value: Any, levels: int) -> bool:
    """Whether a value is made of dicts, lists, and texts and numbers that every database can store.

    Read in one loop, without a call per part: a result may be the map of a city. `False` says only that it has to be
    looked at part by part: it has other types, a fault, more than a million parts or more than `levels` levels.
    """
    leaves: dict[type, list[Any]] = {kind: [] for kind in _LEAVES}
    names, level, left = set[Any](), [value], _MAX_PARTS
    for levels_left in range(levels, -1, -1):
        below: list[Any] = []
        for one in level:
            if (kind := type(one)) in leaves:
                leaves[kind].append(one)
            elif kind not in _CONTAINERS or not levels_left or (left := left - len(one)) < 0:
                return False
            elif kind is list:
                below += one
            else:
                names.update(one)
                below += one.values()
        if not below:
            return set(map(type, names)) <= _TEXTS and _are_good_texts(names) and _are_good_leaves(leaves)
        level = below
    return False


def _are_good_texts(texts: set[Any]) -> bool:
    joined = "".join(texts)
    return "\x00" not in joined and (joined.isascii() or not _SURROGATE.search(joined))


def _are_good_leaves(leaves: Mapping[type, list[Any]]) -> bool:
    whole = leaves[int] or [0]
    return (
        _are_good_texts(set(leaves[str]))  # one text may stand in many places
        and math.isfinite(sum(leaves[float]))
        and -_MAX_INT <= min(whole) <= max(whole) <= _MAX_INT
    )


def copy_json(value: object, *, max_bytes: int | None = None) -> JsonValue:
    """Copy a value as plain dicts and lists; `JsonInvalid` for anything that is not JSON, and for ten million parts.

    `JsonTooLarge` as soon as it is sure that its text would have more than `max_bytes`: before all of it is copied.
    """
    if max_bytes is None and is_plainly_json(value, _MAX_COPY_DEPTH):
        return _copy_plain(value)
    return _copy_value(value, 1, _Room(_MAX_COPIED_PARTS, max_bytes))


def _copy_plain(value: Any) -> JsonValue:
    """Copy what is plainly JSON."""
    if type(value) is dict:
        return {key: _copy_plain(item) if type(item) in _CONTAINERS else item for key, item in value.items()}
    if type(value) is list:
        return [_copy_plain(item) if type(item) in _CONTAINERS else item for item in value]
    return cast("JsonValue", value)


@dataclass(slots=True)
class _Room:
    """How much a copy may still get: an object that stands in many places is copied for each of them."""

    parts: int
    text_bytes: int | None

    def take(self, parts: Sized) -> None:
        self.parts -= len(parts)
        if self.parts < 0:
            raise JsonInvalid(f"it has more than {_MAX_COPIED_PARTS} parts")
        self.take_text(len(parts) * 2)  # no part is shorter: a digit and a comma

    def take_text(self, least_bytes: int) -> None:
        if self.text_bytes is None:
            return
        self.text_bytes -= least_bytes
        if self.text_bytes < 0:
            raise JsonTooLarge("its text is too long")


def _copy_value(value: object, depth: int, room: _Room) -> JsonValue:
    kind = type(value)  # most values are of exactly these types; to ask a value for its interfaces takes ten times long
    if kind is dict and depth <= _MAX_COPY_DEPTH:
        return _copy_object(cast("dict[object, object]", value), depth, room)
    if kind is list and depth <= _MAX_COPY_DEPTH:
        return _copy_items(cast("list[object]", value), depth, room)
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, str):
        room.take_text(len(value))
        _check_text(value)
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise JsonInvalid(f"{value} is not a number of JSON")
        return value
    if depth > _MAX_COPY_DEPTH:
        raise JsonInvalid(f"nested deeper than {_MAX_COPY_DEPTH} levels")
    if isinstance(value, Mapping):
        return _copy_object(value, depth, room)
    if isinstance(value, list | tuple):
        return _copy_items(value, depth, room)
    raise JsonInvalid(f"a {type(value).__name__} stands in it")


def _copy_object(value: Mapping[object, object], depth: int, room: _Room) -> JsonObject:
    room.take(value)
    copied = {_check_key(key): _copy_value(item, depth + 1, room) for key, item in value.items()}
    if room.text_bytes is not None:
        room.take_text(sum(map(len, copied)))
    return copied


def _copy_items(items: Sequence[object], depth: int, room: _Room) -> list[JsonValue]:
    room.take(items)
    if _has_finite_numbers(items):
        return list(cast("Sequence[JsonValue]", items))
    if _has_good_leaves(items):
        if room.text_bytes is not None:
            room.take_text(sum(len(one) for one in items if isinstance(one, str)))
        return list(cast("Sequence[JsonValue]", items))
    return [_copy_value(item, depth + 1, room) for item in items]


def _has_finite_numbers(items: Sequence[object]) -> bool:
    """Whether all items are finite floats, as in the rows of a map: such a list need not be read item by item."""
    return set(map(type, items)) == _FLOATS and all(map(math.isfinite, cast("Sequence[float]", items)))


def _has_good_leaves(items: Sequence[object]) -> bool:
    """Whether all items are texts, finite numbers and the like, as in the row of a table."""
    kinds = set(map(type, items))
    if not kinds <= _LEAVES:
        return False
    if str in kinds:
        texts = "".join([one for one in items if isinstance(one, str)])
        if not texts.isascii() and _SURROGATE.search(texts):
            return False
    return float not in kinds or all(math.isfinite(one) for one in items if isinstance(one, float))


def _check_key(key: object) -> str:
    if not isinstance(key, str):
        raise JsonInvalid(f"key {key!r} is not a text")
    _check_text(key)
    return key


def _check_text(text: str) -> None:
    """Reject lone surrogates: they pass the parser, then fail wherever the text is written as UTF-8."""
    if not text.isascii() and _SURROGATE.search(text):
        raise JsonInvalid(f"half of a character stands in {text[:40]!r}")


def _reject_duplicate_keys(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise JsonInvalid(f"key {twice[:80]!r} is written twice")
    return found


def _reject_constant(name: str) -> NoReturn:
    raise JsonInvalid(f"{name} is not JSON")


def _parse_float(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise JsonInvalid(f"{digits[:40]} is too large a number")
    return number


def _parse_int(digits: str) -> int:
    try:
        return int(digits)
    except ValueError as error:  # Python's limit is 4300 digits
        raise JsonInvalid(f"a number of {len(digits)} digits is too large") from error


def _check_depth(value: JsonValue) -> None:
    """Reject what is nested too deep, level by level: only what holds something else is looked at."""
    level: list[JsonValue] = [value] if type(value) in _CONTAINERS else []
    for _ in range(MAX_JSON_DEPTH):
        level = [item for one in level for item in _list_items(one) if type(item) in _CONTAINERS]
        if not level:
            return
    raise JsonInvalid(f"nested deeper than {MAX_JSON_DEPTH} levels")


def _list_items(value: JsonValue) -> Iterable[JsonValue]:
    return value.values() if isinstance(value, dict) else cast("list[JsonValue]", value)


def _may_hold_half_characters(text: str) -> bool:
    """Whether half of a character is written in a text of JSON, as it is or as an escape."""
    return _SURROGATE_ESCAPE.search(text) is not None or (not text.isascii() and _SURROGATE.search(text) is not None)


def _iter_all_texts(value: JsonValue) -> Iterator[str]:
    """Yield every text in a parsed value, names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
    if type(value) in _CONTAINERS:
        for one in _list_items(value):
            yield from _iter_all_texts(one)


def iter_texts(value: JsonValue) -> Iterator[str]:
    """Yield every text in a value, names of fields left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from iter_texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from iter_texts(one)


def list_items(value: JsonValue) -> Sequence[JsonValue]:
    """Items of a JSON list; nothing for any other value."""
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def list_objects(value: JsonValue) -> list[JsonObject]:
    """Objects in a JSON list; nothing for any other value."""
    return [one for one in list_items(value) if isinstance(one, Mapping)]
