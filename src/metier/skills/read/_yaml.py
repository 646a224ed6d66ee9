"""Strict YAML reader for front matter that keeps scalars as text.

It walks PyYAML's event stream, so anchors, aliases, tags and repeated keys are refused before any value is built. An
unquoted scalar becomes a `PlainScalar`, a string that may be read as a number or boolean where a field requires one;
a quoted scalar is an ordinary string.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

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

from metier.json_values import JsonValue
from metier.patterns import compile_later
from metier.skills.model import MAX_YAML_DEPTH

# libyaml is about ten times faster than the pure-Python reader; both raise the same errors.
_LOADER: type[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# Every branch must be linear: `digits, dot, digits` with backtracking takes a second on 16 KiB of digits.
_AMBIGUOUS = compile_later(
    r"""(?ix) ~ | null | true | false | yes | no | on | off | y | n | =
    | [-+]? (?: 0x[0-9a-f_]+ | 0o?[0-7_]+ | 0b[01_]+ )
    | [-+]? (?: [0-9][0-9_]* (?: \.[0-9_]* )? | \.[0-9][0-9_]* ) (?: e[-+]?[0-9]+ )?
    | [-+]? [0-9][0-9_]* (?: :[0-5]?[0-9] )+ (?: \.[0-9_]* )? | [-+]?\.inf | \.nan
    | \d{4}-\d\d?-\d\d? (?: (?: t | [ \t]+ ) \d\d? :\d\d:\d\d [-+.:\dzZ\x20\t]* )?""",
)
# No leading zeros: `007` is an identifier, not seven.
_INT = compile_later(r"[-+]?(?:0|[1-9][0-9]{0,1000})")
_FLOAT = compile_later(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_CONSTANTS: Mapping[str, JsonValue] = {"": None, "null": None, "~": None, "true": True, "false": False}


class PlainScalar(str):
    """Text of an unquoted scalar, which may be read as a number or boolean."""

    __slots__ = ()

    @property
    def is_ambiguous(self) -> bool:
        """Whether other YAML readers would parse this word as something other than text."""
        return bool(_AMBIGUOUS.fullmatch(self))


Node: TypeAlias = "str | list[Node] | dict[str, Node]"


class YamlRefused(ValueError):
    """The text is refused; `code` is the diagnostic code, `line` counts from 1 in the given text."""

    def __init__(self, code: str, message: str, line: int | None) -> None:
        super().__init__(message)
        self.code = code
        self.line = line


@dataclass(slots=True)
class YamlDocument:
    """Values of one mapping, and the line of each key (`a.b`) and list item (`a.b[0]`)."""

    data: dict[str, Node]
    lines: dict[str, int] = field(default_factory=dict)


def load_yaml(text: str) -> YamlDocument:
    """Parse one block mapping or raise `YamlRefused`."""
    document = YamlDocument({})
    try:
        events = iter(yaml.parse(text, Loader=_LOADER))
        root = _parse_document(events, document.lines)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise YamlRefused("yaml_invalid", error.problem or "cannot be parsed", line) from error
    except (yaml.reader.ReaderError, UnicodeEncodeError) as error:
        found = yaml.reader.Reader.NON_PRINTABLE.search(text)
        line = text.count("\n", 0, found.start()) + 1 if found else None
        raise YamlRefused("yaml_invalid", "a character that YAML does not allow", line) from error
    if not isinstance(root, dict):
        raise YamlRefused("yaml_not_mapping", "front matter must be 'key: value' lines", 1)
    document.data = root
    return document


def _parse_document(events: Iterator[Event], lines: dict[str, int]) -> "Node | None":
    root: Node | None = None
    documents = 0
    for event in events:
        if isinstance(event, DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise YamlRefused("yaml_multiple_documents", "only one document is allowed", _line_of(event))
        elif isinstance(event, ScalarEvent | SequenceStartEvent | MappingStartEvent | AliasEvent):
            root = _parse_node(event, events, lines, "", 1)
    return root


def _parse_node(event: Event, events: Iterator[Event], lines: dict[str, int], at: str, depth: int) -> Node:
    _check_event(event, depth)
    if isinstance(event, ScalarEvent):
        return event.value if event.style else PlainScalar(event.value)
    if isinstance(event, SequenceStartEvent):
        items: list[Node] = []
        while not isinstance(child := next(events), SequenceEndEvent):
            path = f"{at}[{len(items)}]"
            lines[path] = _line_of(child)
            items.append(_parse_node(child, events, lines, path, depth + 1))
        return items
    return _parse_mapping(events, lines, at, depth)


def _parse_mapping(events: Iterator[Event], lines: dict[str, int], at: str, depth: int) -> dict[str, Node]:
    found: dict[str, Node] = {}
    while not isinstance(event := next(events), MappingEndEvent):
        if not isinstance(event, ScalarEvent):
            _check_event(event, depth)
            raise YamlRefused("yaml_invalid", "a key must be a word", _line_of(event))
        _check_event(event, depth)
        key = str(event.value)
        if key == "<<" and not event.style:
            raise YamlRefused("yaml_merge_key", "merge keys ('<<') are not allowed", _line_of(event))
        if key in found:
            raise YamlRefused("yaml_duplicate_key", f"key {key!r} is written twice", _line_of(event))
        path = f"{at}.{key}" if at else key
        lines[path] = _line_of(event)
        found[key] = _parse_node(next(events), events, lines, path, depth + 1)
    return found


def _check_event(event: Event, depth: int) -> None:
    if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
        raise YamlRefused("yaml_alias", "anchors and aliases are not allowed", _line_of(event))
    if tag := getattr(event, "tag", None):
        raise YamlRefused("yaml_tag", f"tag {tag!r} is not allowed", _line_of(event))
    if depth > MAX_YAML_DEPTH:
        raise YamlRefused("yaml_too_deep", f"nested deeper than {MAX_YAML_DEPTH} levels", _line_of(event))


def _line_of(event: Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def node_to_json(node: Node) -> JsonValue:
    """Convert a node to JSON; unquoted scalars are resolved by YAML 1.2's core schema (null, booleans, numbers)."""
    if isinstance(node, dict):
        return {key: node_to_json(value) for key, value in node.items()}
    if isinstance(node, list):
        return [node_to_json(item) for item in node]
    if not isinstance(node, PlainScalar):
        return node
    if node.lower() in _CONSTANTS:
        return _CONSTANTS[node.lower()]
    if _INT.fullmatch(node):
        return int(node)
    if _FLOAT.fullmatch(node) and "inf" not in str(number := float(node)):
        return number
    return str(node)
