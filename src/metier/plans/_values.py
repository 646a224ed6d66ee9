"""Argument templates: `$.path` expressions are looked up at any depth, everything else is unchanged."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from metier.json_values import JsonObject, JsonValue
from metier.plans._expressions import is_expression, look_up

JsonPath: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A place whose expression found no value."""

    path: JsonPath
    expression: str


@dataclass(frozen=True, slots=True)
class ResolvedTemplate:
    """A template with its expressions resolved; null at every gap."""

    value: JsonValue
    gaps: tuple[Gap, ...] = ()


def resolve_template(template: JsonValue, data: JsonObject) -> ResolvedTemplate:
    """Look up every `$.path`; has no side effects and never raises for a template checked at load."""
    gaps: list[Gap] = []
    return ResolvedTemplate(_resolve_value(template, data, (), gaps), tuple(gaps))


def find_expressions(template: JsonValue, path: JsonPath = ()) -> Iterator[tuple[JsonPath, str]]:
    """Every expression of a template and its path."""
    if isinstance(template, str):
        if is_expression(template):
            yield path, template
    elif isinstance(template, Mapping):
        for key, item in template.items():
            yield from find_expressions(item, (*path, key))
    elif isinstance(template, list):
        for number, item in enumerate(template):
            yield from find_expressions(item, (*path, number))


def _resolve_value(template: JsonValue, data: JsonObject, path: JsonPath, gaps: list[Gap]) -> JsonValue:
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
        return {key: _resolve_value(item, data, (*path, key), gaps) for key, item in template.items()}
    if isinstance(template, list):
        return [_resolve_value(item, data, (*path, number), gaps) for number, item in enumerate(template)]
    return template
