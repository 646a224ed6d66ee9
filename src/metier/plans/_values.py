"""Values of a plan: checked copies of JSON, and argument templates whose `$.path` expressions are looked up."""

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from metier.errors import InvalidInput
from metier.json_values import JsonInvalid, JsonObject, JsonValue, copy_json
from metier.limits import limit_steps
from metier.plans._expressions import is_expression, look_up

JsonPath: TypeAlias = tuple[str | int, ...]


def read_json(value: object, what: str) -> JsonValue:
    """Copy a JSON value as dicts and lists; JMESPath checks types by name. `InvalidInput` if it is not JSON."""
    try:
        return copy_json(value)
    except JsonInvalid as error:
        hint = "pass objects, lists, texts, numbers, true, false, null"
        raise InvalidInput(f"{what} is not JSON: {error}", hint=hint) from error


def read_json_object(value: object, what: str) -> JsonObject:
    """Copy a JSON object; `InvalidInput` for anything else."""
    copied = read_json(value, what)
    if not isinstance(copied, Mapping):
        raise InvalidInput(f"{what} is not a JSON object", hint="pass an object with named values")
    return copied


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
    """Look up every `$.path`; has no side effects. Raises `TooManySteps` if the values together are too large."""
    gaps: list[Gap] = []
    with limit_steps():
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


def fold_text(text: str) -> str:
    """Normalise a text for comparison: character width, case and surrounding spaces do not count."""
    return unicodedata.normalize("NFKC", text).casefold().strip()
