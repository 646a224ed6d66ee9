"""Emulates the YAML reader of `skills-ref`: the rules of StrictYAML on PyYAML's events.

`skills-ref` loads with StrictYAML, a fork of ruamel.yaml. Their common ancestor, the pure-Python reader of PyYAML,
produces the same events; what StrictYAML refuses in addition is checked here.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

StrictValue: TypeAlias = "str | list[StrictValue] | dict[str, StrictValue] | None"

_MAX_DEPTH: Final = 100
# Line breaks in YAML 1.1 but not in 1.2. Inside a line they are replaced by a no-break space, which has the same
# length and is also a blank; before text at the start of a line the two versions cannot be reconciled.
_OLD_BREAK_INSIDE = re.compile(r"(?<=\S)[\x85\u2028\u2029]")
_OLD_BREAK = re.compile("[\x85\u2028\u2029](?![ \x85\u2028\u2029]*\n)")
_SECOND_END = re.compile(r"^\.\.\.[ \t]*\n(?:.*\n)*?\.\.\.", re.MULTILINE)
_MERGE = "<<"


class StrictRefused(ValueError):
    """StrictYAML would refuse this text; `line` counts from 1."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class StrictDocument:
    """Keys and values of a front matter; a value that StrictYAML does not read as text, list or map is `None`."""

    values: Mapping[str, StrictValue]
    lines: Mapping[str, int]


def load_strict_yaml(text: str) -> StrictDocument:
    """Parse one block mapping or raise `StrictRefused`."""
    lines: dict[str, int] = {}
    text = _OLD_BREAK_INSIDE.sub("\xa0", text)
    if found := _OLD_BREAK.search(text) or _SECOND_END.search(text):
        raise StrictRefused("a line end that readers disagree on", text.count("\n", 0, found.start()) + 1)
    try:
        root = _parse_root(iter(yaml.parse(text, Loader=yaml.SafeLoader)), lines)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise StrictRefused(error.problem or "cannot be parsed", line) from error
    except yaml.reader.ReaderError as error:
        raise StrictRefused("a character that YAML does not allow", text.count("\n", 0, error.position) + 1) from error
    if not isinstance(root, dict):
        raise StrictRefused("not a list of keys and values", 1)
    return StrictDocument(root, lines)


def _parse_root(events: Iterator[Event], lines: dict[str, int]) -> StrictValue:
    root: StrictValue = None
    documents = 0
    for event in events:
        if isinstance(event, DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise StrictRefused("more than one document", _line_of(event))
        elif isinstance(event, MappingStartEvent):
            _check_event(event, 0)
            root = _parse_mapping(events, 1, lines)
        elif isinstance(event, ScalarEvent | SequenceStartEvent | AliasEvent):
            root = _parse_value(event, events, 1)
    return root


def _parse_value(event: Event, events: Iterator[Event], depth: int) -> StrictValue:
    _check_event(event, depth)
    if isinstance(event, ScalarEvent):
        # The resolver reads an unquoted '=' as YAML's obsolete "value" type, which is not text.
        return None if event.value == "=" and not event.style else str(event.value)
    if isinstance(event, MappingStartEvent):
        return _parse_mapping(events, depth + 1)
    items: list[StrictValue] = []
    while not isinstance(child := next(events), SequenceEndEvent):
        items.append(_parse_value(child, events, depth + 1))
    return items


def _parse_mapping(events: Iterator[Event], depth: int, lines: dict[str, int] | None = None) -> dict[str, StrictValue]:
    found: dict[str, StrictValue] = {}
    columns: set[int] = set()
    while not isinstance(key := next(events), MappingEndEvent):
        _check_event(key, depth)
        if not isinstance(key, ScalarEvent):
            raise StrictRefused("a key that is not a word", _line_of(key))
        if key.value in found:
            raise StrictRefused(f"key {key.value!r} is written twice", _line_of(key))
        start = next(events)
        value = _parse_value(start, events, depth)
        if isinstance(start, MappingStartEvent) and start.start_mark:
            columns.add(start.start_mark.column)
        if len(columns) > 1:
            raise StrictRefused("maps side by side that are indented differently", _line_of(start))
        if key.value == _MERGE and not key.style:
            _check_merge(value, _line_of(key))
            continue
        found[key.value] = value
        if lines is not None:
            lines[key.value] = _line_of(key)
    return found


def _check_merge(value: StrictValue, line: int) -> None:
    parts = value if isinstance(value, list) else [value]
    if not all(isinstance(part, dict) for part in parts):
        raise StrictRefused("a merge key ('<<') without a map", line)


def _check_event(event: Event, depth: int) -> None:
    if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
        raise StrictRefused("an anchor or alias", _line_of(event))
    if getattr(event, "tag", None):
        raise StrictRefused("a tag", _line_of(event))
    if getattr(event, "flow_style", False):
        raise StrictRefused("a value in flow style ('[…]' or '{…}')", _line_of(event))
    if depth > _MAX_DEPTH:
        raise StrictRefused("values nested too deep", _line_of(event))


def _line_of(event: Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1
