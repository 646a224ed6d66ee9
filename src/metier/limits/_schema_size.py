"""Size of JSON Schemas that skills, plans and tools bring along, measured before anything is validated with them.

A schema of twenty lines can describe 2^30 checks: `$ref` twice to a definition that does the same, and so on.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from metier.json_values import JsonObject, JsonValue
from metier.limits._patterns import InvalidPattern, measure_pattern

__all__ = [
    "MAX_EXPANDED_KEYWORDS",
    "MAX_SCHEMA_KEYWORDS",
    "MAX_SCHEMA_PATTERN_STEPS",
    "REFERENCES",
    "SchemaSize",
    "describe_excess",
    "find_anchors",
    "find_target",
    "measure_schema",
]

REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
MAX_SCHEMA_KEYWORDS: Final = 10_000
MAX_EXPANDED_KEYWORDS: Final = 20_000
MAX_SCHEMA_PATTERN_STEPS: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class SchemaSize:
    """Size of one schema, or of several together.

    `expanded` counts the keywords with every reference written out, `pattern_steps` what compiling the patterns takes.
    """

    keywords: int = 0
    expanded: int = 0
    pattern_steps: int = 0

    def __add__(self, other: "SchemaSize") -> "SchemaSize":
        return SchemaSize(
            self.keywords + other.keywords,
            max(self.expanded, other.expanded),
            self.pattern_steps + other.pattern_steps,
        )


def measure_schema(schema: JsonObject) -> SchemaSize:
    """Measure a schema in one pass over it and one over each definition that a reference names."""
    keywords, _, patterns = _scan(schema)
    if keywords > MAX_SCHEMA_KEYWORDS:
        return SchemaSize(keywords)
    steps = sum(_measure_or_zero(pattern) for pattern in patterns)
    return SchemaSize(keywords, _count_expanded(schema), steps)


def describe_excess(size: SchemaSize) -> str:
    """Which limit this size exceeds, as a sentence, or an empty string."""
    if size.keywords > MAX_SCHEMA_KEYWORDS:
        return f"it has {size.keywords} keywords and values; the most is {MAX_SCHEMA_KEYWORDS}"
    if size.expanded > MAX_EXPANDED_KEYWORDS:
        return f"with its references written out it has more than {MAX_EXPANDED_KEYWORDS} keywords"
    if size.pattern_steps > MAX_SCHEMA_PATTERN_STEPS:
        return f"compiling its patterns takes {size.pattern_steps} steps; the most is {MAX_SCHEMA_PATTERN_STEPS}"
    return ""


def find_anchors(schema: JsonValue) -> Mapping[str, JsonValue]:
    """Subschemas with a name of their own (`$anchor`, `$dynamicAnchor`)."""
    anchors: dict[str, JsonValue] = {}
    waiting = [schema]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping):
            names = (item.get("$anchor"), item.get("$dynamicAnchor"))
            anchors.update({name: item for name in names if isinstance(name, str)})
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    return anchors


def find_target(schema: JsonObject, reference: str, anchors: Mapping[str, JsonValue]) -> JsonValue:
    """What a local reference (`#`, `#/$defs/a`, `#anchor`) points to; None if nothing is there."""
    if reference == "#":
        return schema
    return anchors.get(reference[1:]) or _follow_pointer(schema, unquote(reference.removeprefix("#")))


def _follow_pointer(root: JsonValue, pointer: str) -> JsonValue:
    at = root
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(at, list):
            at = at[int(key)] if key.isdecimal() and len(key) < 5 and int(key) < len(at) else None
        else:
            at = at.get(key) if isinstance(at, Mapping) else None
    return None if at is root else at


def _count_expanded(schema: JsonObject) -> int:
    """Keywords with every reference written out, at most one more than the limit; a circle counts once."""
    anchors = find_anchors(schema)
    sizes: dict[int, int] = {id(schema): -1}  # by target; -1 while its references are being counted
    stack: list[tuple[JsonValue, int, Iterator[JsonValue]]] = [_open(schema, schema, anchors)]
    while True:
        target, total, waiting = stack.pop()
        for child in waiting:
            known = sizes.get(id(child))
            if known is None:
                sizes[id(child)] = -1
                stack += [(target, total, _chain(child, waiting)), _open(child, schema, anchors)]
                break
            total = min(total + max(0, known), MAX_EXPANDED_KEYWORDS + 1)
        else:
            sizes[id(target)] = total
            if not stack:
                return total


def _chain(first: JsonValue, rest: Iterator[JsonValue]) -> Iterator[JsonValue]:
    yield first
    yield from rest


def _open(
    target: JsonValue, schema: JsonObject, anchors: Mapping[str, JsonValue]
) -> tuple[JsonValue, int, Iterator[JsonValue]]:
    keywords, references, _ = _scan(target)
    targets = {reference: find_target(schema, reference, anchors) for reference in dict.fromkeys(references)}
    return target, keywords, iter([targets[one] for one in references if targets[one] is not None])


def _scan(schema: JsonValue) -> tuple[int, list[str], set[str]]:
    """Number of keywords and values in a schema, its local references in order, and its patterns."""
    keywords, references, patterns = 0, list[str](), set[str]()
    waiting = [schema]
    while waiting:
        item = waiting.pop()
        keywords += 1
        if isinstance(item, list | tuple):
            waiting.extend(item)
        if not isinstance(item, Mapping):
            continue
        for key, value in item.items():
            if key in REFERENCES and isinstance(value, str) and value.startswith("#"):
                references.append(value)
            elif key == "pattern" and isinstance(value, str):
                patterns.add(value)
            elif key == "patternProperties" and isinstance(value, Mapping):
                patterns.update(value)
            waiting.append(value)
    return keywords, references, patterns


def _measure_or_zero(pattern: str) -> int:
    try:
        return measure_pattern(pattern)
    except InvalidPattern:
        return 0
