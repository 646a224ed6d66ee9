"""Resolves arguments and facts of a step from the run's data and supplied values, and lists what is missing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from metier.errors import InvalidInput
from metier.facts import Fact, FactSource, FactSpec, make_fact, read_options
from metier.json_values import JsonObject, JsonValue, iter_texts
from metier.limits import get_properties
from metier.plans._plan import Plan, Step
from metier.plans._values import Gap, JsonPath, resolve_template

_FACT_PATH: Final = re.compile(r"\$\.facts\.([A-Za-z_]\w*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class MissingArgument:
    """A call argument without a value: its name, the path inside it, and the expression that found nothing."""

    argument: str
    path: str
    expression: str = ""

    def to_json(self) -> JsonObject:
        return {"argument": self.argument, "path": self.path, "expression": self.expression}


def resolve_arguments(
    step: Step, data: JsonObject, supplied: JsonObject, schema: JsonObject | None
) -> tuple[JsonObject, tuple[MissingArgument, ...]]:
    """Resolve a step's arguments; returns the known ones and the missing ones.

    A required argument without a value counts as missing; a call never gets null for it. An optional choice that an
    expression found empty is left out, so that the tool's default holds.
    """
    resolved = resolve_template(step.arguments, data)
    found = resolved.value if isinstance(resolved.value, Mapping) else {}
    values = {name: value for name, value in found.items() if not _is_unchosen(name, value, step, schema)}
    missing: dict[str, MissingArgument] = {}
    for gap in resolved.gaps:
        argument = str(gap.path[0])
        if argument in supplied or argument in missing:
            continue
        if not _omit_if_optional(values, gap, schema):
            missing[argument] = MissingArgument(argument, ".".join(str(part) for part in gap.path), gap.expression)
    holes = {gap.path[0] for gap in resolved.gaps}
    values.update({name: value for name, value in supplied.items() if name in holes or name not in step.arguments})
    for argument in _list_required(schema):
        if argument not in missing and _is_empty(argument, values, schema):
            missing[argument] = MissingArgument(argument, argument)
    known = {name: value for name, value in values.items() if name not in missing}
    return known, tuple(missing.values())


def build_form_schema(missing: Iterable[MissingArgument], schema: JsonObject | None) -> JsonObject:
    """Build a JSON Schema for only the missing arguments, taken from the tool's schema."""
    names = [gap.argument for gap in missing]
    properties = get_properties(schema)
    shared = {"$defs": schema["$defs"]} if schema is not None and "$defs" in schema else {}
    return {
        **shared,
        "type": "object",
        "properties": {name: properties.get(name, {}) for name in names},
        "required": list(names),
        "additionalProperties": False,
    }


def evaluate_facts(step: Step, data: JsonObject) -> tuple[Fact, ...]:
    """Facts that a finished step settles; one whose value was not found, or cannot be kept, is left out."""
    found = (_evaluate_fact(spec, step, data) for spec in step.facts)
    return tuple(fact for fact in found if fact is not None)


def facts_from_arguments(plan: Plan, step: Step, given: JsonObject, data: JsonObject) -> tuple[Fact, ...]:
    """Facts that were given as arguments: in place of `$.facts.NAME`, or of what another step's fact did not find."""
    owners = {spec.value: (one, spec) for one in plan.steps for spec in one.facts if isinstance(spec.value, str)}
    made: list[Fact] = []
    for name, value in given.items():
        template = step.arguments.get(name)
        owner, spec = owners.get(template, (step, None)) if isinstance(template, str) else (step, None)
        if spec is None and (path := _FACT_PATH.fullmatch(str(template))):
            spec = next(
                (one for each in plan.steps for one in each.facts if one.name == path[1]), FactSpec(path[1], None)
            )
        if spec is not None:
            fact = _evaluate_fact(replace(spec, value=None, label=None, source="form"), owner, data, value)
            made += [] if fact is None else [fact]
    return tuple(made)


def is_fact_used(plan: Plan, name: str) -> bool:
    """Whether a step of the plan reads or writes this fact."""
    told = [step.to_json() for step in plan.steps]
    reads = {found for text in iter_texts(told) for found in re.findall(r"\bfacts\.(\w+)", text)}
    return name in reads or any(spec.name == name for step in plan.steps for spec in step.facts)


def _evaluate_fact(spec: FactSpec, step: Step, data: JsonObject, given: JsonValue = None) -> Fact | None:
    parts: JsonObject = {"value": spec.value, "label": spec.label, "options": spec.options, "source": spec.source}
    found = resolve_template(parts, data).value
    told = found if isinstance(found, Mapping) else {}
    source: FactSource = "step" if step.ask is None else "form"
    fact = Fact(
        name=spec.name,
        value=told.get("value") if given is None else given,
        title=spec.title,
        label=str(told.get("label") or ""),
        source=next((one for one in get_args(FactSource) if one == told.get("source")), source),
        options=read_options(told.get("options")),
        step=step.id,
    )
    try:
        return make_fact(fact)
    except InvalidInput:  # no value, or one that is too long
        return None


def _omit_if_optional(values: dict[str, JsonValue], gap: Gap, schema: JsonObject | None) -> bool:
    """Remove the gap if it is optional; null stays where the schema allows null. False means the value is required."""
    owner, key = _owner_schema(gap.path, schema), gap.path[-1]
    if owner is None or not isinstance(key, str):
        return False
    if key in _list_required(owner):
        return _allows_null(get_properties(owner).get(key))
    _remove_at(values, gap.path)
    return True


def _is_unchosen(name: str, value: JsonValue, step: Step, schema: JsonObject | None) -> bool:
    """Whether an expression found an empty text for an optional argument that takes one of several words."""
    described = get_properties(schema).get(name)
    choices = described.get("enum") if isinstance(described, Mapping) else None
    is_computed = isinstance(template := step.arguments.get(name), str) and template.startswith("$")
    return (
        value == ""
        and is_computed
        and bool(choices)
        and name not in _list_required(schema)
        and "" not in iter_texts(choices)
    )


def _is_empty(argument: str, values: JsonObject, schema: JsonObject | None) -> bool:
    if argument not in values:
        return True
    return values[argument] is None and not _allows_null(get_properties(schema).get(argument))


def _owner_schema(path: JsonPath, schema: JsonObject | None) -> JsonObject | None:
    """Schema of the object that holds the last key of the path; None if any step to it is not described."""
    at: JsonValue = schema
    for part in path[:-1]:
        if not isinstance(at, Mapping):
            return None
        at = at.get("items") if isinstance(part, int) else get_properties(at).get(part)
    return at if isinstance(at, Mapping) and isinstance(at.get("properties"), Mapping) else None


def _remove_at(values: Any, path: JsonPath) -> None:
    """Remove the key at the path, in place; `values` must be a copy made by `resolve_template`."""
    for part in path[:-1]:
        values = values[part]
    del values[path[-1]]


def _allows_null(schema: JsonValue) -> bool:
    if not isinstance(schema, Mapping):
        return False
    kind = schema.get("type")
    return kind == "null" or (isinstance(kind, list) and "null" in kind)


def _list_required(schema: JsonObject | None) -> tuple[str, ...]:
    found = (schema or {}).get("required")
    return tuple(name for name in found if isinstance(name, str)) if isinstance(found, list | tuple) else ()
