"""Argument templates: `$.path` expressions are looked up at any depth, everything else is unchanged."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from metier.jsons import JsonObject, JsonValue
from metier.plans._expressions import is_expression, look_up

Path: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A place whose expression found no value."""

    path: Path
    expression: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """A template with its expressions resolved; null at every gap."""

    value: JsonValue
    gaps: tuple[Gap, ...] = ()


def resolve(template: JsonValue, data: JsonObject) -> Resolved:
    """Look up every `$.path`; has no side effects and never raises for a template checked at load."""
    gaps: list[Gap] = []
    return Resolved(_resolved(template, data, (), gaps), tuple(gaps))


def expressions_in(template: JsonValue, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Every expression of a template and its path."""
    if isinstance(template, str):
        if is_expression(template):
            yield path, template
    elif isinstance(template, Mapping):
        for key, item in template.items():
            yield from expressions_in(item, (*path, key))
    elif isinstance(template, list):
        for number, item in enumerate(template):
            yield from expressions_in(item, (*path, number))


def _resolved(template: JsonValue, data: JsonObject, path: Path, gaps: list[Gap]) -> JsonValue:
    if isinstance(template, str):
        if not template.startswith("$"):
            return template
        if template.startswith("$$"):
            return template[1:]
        found = look_up(template, data)
        if found is None:
            gaps.append(Gap(path, template))
        return found
    if isinstance(template, Mapping):
        return {key: _resolved(item, data, (*path, key), gaps) for key, item in template.items()}
    if isinstance(template, list):
        return [_resolved(item, data, (*path, number), gaps) for number, item in enumerate(template)]
    return template
