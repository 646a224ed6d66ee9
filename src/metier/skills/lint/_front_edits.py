"""Edits of front matter that keep its meaning: quoting ambiguous words, moving keys under `metadata`."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import yaml
from yaml.nodes import CollectionNode, MappingNode, Node, ScalarNode, SequenceNode

from metier.skills.read import STANDARD_KEYS, PlainScalar, SkillField, YamlRefused, find_field, load_yaml, node_to_json
from metier.skills.read import Node as Value
from metier.skills.write import escape_dashes, quote_yaml

MeaningCheck: TypeAlias = Callable[[str], bool]
_Pair: TypeAlias = tuple[ScalarNode, Node]
_PREFIXES = ("metier.", "metier-", "metier_")
_TEXT_KINDS = ("text", "spoken", "texts", "lines")
_COMMENT = re.compile(r"(?:^|(?<=\s))#[^\n]*")


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `front[start:end]` by `text`."""

    start: int
    end: int
    text: str


def _apply(front: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        front = front[: edit.start] + edit.text + front[edit.end :]
    return front


def _top_level_pairs(front: str) -> list[_Pair]:
    """Top-level keys with their nodes. The pure-Python loader is required: its marks count characters."""
    try:
        root = yaml.compose(front, Loader=yaml.SafeLoader)
    except yaml.YAMLError:
        return []
    return _pairs_with_scalar_keys(root) if isinstance(root, MappingNode) and not root.flow_style else []


def _pairs_with_scalar_keys(node: MappingNode) -> list[_Pair]:
    return [(key, value) for key, value in node.value if isinstance(key, ScalarNode)]


# Unquoted words -------------------------------------------------------------------------------------------------------


def quote_bare_words(front: str) -> tuple[str, list[str]]:
    """Quote words such as `no` and `1.10` in text fields; returns the new front matter and the changed keys."""
    edits: list[Edit] = []
    changed: list[str] = []
    for key, field, node in _iter_text_fields(front):
        found = [edit for scalar in _get_scalars(node, field) if (edit := _quote_edit(front, scalar))]
        edits += found
        changed += [key] if found else []
    return _apply(front, edits), changed


def _iter_text_fields(front: str) -> Iterator[tuple[str, SkillField, Node]]:
    for key, value in _top_level_pairs(front):
        if (field := find_field(key.value)) and field.kind in _TEXT_KINDS:
            yield key.value, field, value
        elif key.value == "metadata" and isinstance(value, MappingNode):
            yield from _iter_prefixed_fields(value)


def _iter_prefixed_fields(metadata: MappingNode) -> Iterator[tuple[str, SkillField, Node]]:
    for key, value in _pairs_with_scalar_keys(metadata):
        plain = next((key.value[len(prefix) :] for prefix in _PREFIXES if key.value.startswith(prefix)), None)
        if plain and (field := find_field(plain)) and field.kind in _TEXT_KINDS:
            yield key.value, field, value


def _get_scalars(node: Node, field: SkillField) -> list[ScalarNode]:
    items = node.value if isinstance(node, SequenceNode) and field.kind not in ("text", "spoken") else [node]
    return [item for item in items if isinstance(item, ScalarNode)]


def _quote_edit(front: str, scalar: ScalarNode) -> Edit | None:
    start, end = scalar.start_mark.index, scalar.end_mark.index
    written = front[start:end]
    if scalar.style or not written or written != scalar.value or not PlainScalar(written).is_ambiguous:
        return None
    return Edit(start, end, f"'{written}'")


# Keys that belong under `metadata` ------------------------------------------------------------------------------------


def move_under_metadata(front: str, keeps_meaning: MeaningCheck) -> tuple[str, list[str]]:
    """Move non-standard keys under `metadata` where that keeps the meaning; returns the new text and the moved keys."""
    moved: list[str] = []
    while True:
        values = _load_values(front)
        nested = values.get("metadata")
        taken = nested if isinstance(nested, dict) else {}
        keys = [key for key, value in values.items() if key not in taken and _can_move(key, value)]
        front, now = _move_keys(front, keys, keeps_meaning)
        if not now:
            return front, moved
        moved += now


def _can_move(key: str, value: Value) -> bool:
    """Whether this is a key of Metier or an `x-` text; keys of other tools may only work at top level."""
    if key in STANDARD_KEYS:
        return False
    if key.lower().startswith("x-"):
        return isinstance(value, str) and node_to_json(value) == str(value)
    field = find_field(key)
    return field is not None and field.kind != "ignored"


def _move_keys(front: str, keys: Sequence[str], keeps_meaning: MeaningCheck) -> tuple[str, list[str]]:
    """Move all keys at once; if that changes the meaning, bisect, so that one unmovable key costs log n attempts."""
    attempt = _render_move(front, keys) if keys else None
    if attempt is not None and keeps_meaning(attempt):
        return attempt, list(keys)
    if len(keys) < 2:
        return front, []
    middle = len(keys) // 2
    front, first = _move_keys(front, keys[:middle], keeps_meaning)
    front, second = _move_keys(front, keys[middle:], keeps_meaning)
    return front, first + second


def _render_move(front: str, keys: Sequence[str]) -> str | None:
    pairs = _top_level_pairs(front)
    values = _load_values(front)
    moving = [(key, node) for key, node in pairs if key.value in keys]
    metadata = next((node for key, node in pairs if key.value == "metadata"), None)
    place = _find_insertion(front, metadata)
    if place is None:
        return None
    at, indent, head = place
    entries = "".join(_render_entry(front, key, node, values[key.value], indent) for key, node in moving)
    removals = [Edit(key.start_mark.index, _next_line_start(front, node), "") for key, node in moving]
    return _apply(front, [*removals, Edit(at, at, head + entries)])


def _load_values(front: str) -> dict[str, Value]:
    try:
        return load_yaml(front).data
    except YamlRefused:
        return {}


def _find_insertion(front: str, metadata: Node | None) -> tuple[int, str, str] | None:
    """Offset, indentation and leading text for new `metadata` entries; `None` if it cannot be extended."""
    if metadata is None:
        return len(front), "  ", "metadata:\n" if front.endswith("\n") or not front else "\nmetadata:\n"
    if isinstance(metadata, MappingNode) and metadata.value and not metadata.flow_style:
        return _next_line_start(front, metadata), " " * metadata.value[0][0].start_mark.column, ""
    if isinstance(metadata, ScalarNode) and not metadata.value and not metadata.style:
        return _next_line_start(front, metadata), "  ", ""
    return None


def _render_entry(front: str, key: ScalarNode, node: Node, value: Value, indent: str) -> str:
    name = front[key.start_mark.index : key.end_mark.index]
    lines = [*_find_comments(front, key, node), f"{name}: {_render_value(front, key.value, node, value)}".rstrip()]
    return "".join(f"{indent}{line}\n" for line in lines)


def _render_value(front: str, key: str, node: Node, value: Value) -> str:
    """One-line texts unchanged, other texts quoted, lists and maps as JSON text."""
    if isinstance(value, str):
        source = front[node.start_mark.index : node.end_mark.index]
        return quote_yaml(value) if "\n" in source or "---" in source else source
    field = find_field(key)
    texts = field is not None and field.kind in ("texts", "lines", "words") and isinstance(value, list)
    plain = [str(item) for item in value] if texts else node_to_json(value)
    return _single_quote(escape_dashes(json.dumps(plain, ensure_ascii=False)))


def _single_quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


# Positions ------------------------------------------------------------------------------------------------------------


def _iter_leaves(node: Node) -> Iterator[Node]:
    """Scalars of a value: the marks of a block collection itself extend into the text after it."""
    if isinstance(node, ScalarNode):
        yield node
    for child in () if isinstance(node, ScalarNode) else node.value:
        for part in child if isinstance(child, tuple) else (child,):
            yield from _iter_leaves(part)


def _end_index(node: Node) -> int:
    if not isinstance(node, CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return _end_index(last[1] if isinstance(last, tuple) else last)


def _next_line_start(front: str, node: Node) -> int:
    """Offset of the line after the value."""
    end = _end_index(node)
    if end and front[end - 1] == "\n":
        return end
    found = front.find("\n", end)
    return len(front) if found < 0 else found + 1


def _find_comments(front: str, key: ScalarNode, node: Node) -> list[str]:
    """Comments between the key and the end of its value, which move along on their own lines."""
    at = key.end_mark.index
    found: list[str] = []
    for leaf in _iter_leaves(node):
        start, end = leaf.start_mark.index, leaf.end_mark.index
        found += _COMMENT.findall(front[at:start])
        if isinstance(leaf, ScalarNode) and leaf.style in ("|", ">"):
            found += _COMMENT.findall(front[start:end].split("\n", 1)[0])
        at = max(at, end)
    return found + _COMMENT.findall(front[at : _next_line_start(front, node)])
