"""Validate arguments against JSON Schema 2020-12, without fetching references, with linear-time patterns."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final

from metier.errors import InvalidTool, TooManySteps
from metier.json_values import JsonObject, JsonValue, to_plain_json
from metier.limits import (
    PATTERN_HINT,
    REFERENCES,
    InvalidPattern,
    compile_pattern,
    describe_excess,
    find_shape_problem,
    limit_steps,
    measure_schema,
)
from metier.tools.schema._dialect import build_dialect
from metier.tools.schema._explain import explain_error
from metier.tools.schema._formats import get_format_checker

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

MAX_PROBLEMS: Final = 5
_UNEVALUATED: Final = frozenset({"unevaluatedProperties", "unevaluatedItems"})
_SUBSCHEMA_MAPS: Final = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_LITERAL_KEYWORDS: Final = frozenset({"enum", "const", "default", "examples"})


@dataclass(frozen=True, slots=True)
class ArgumentProblem:
    """Position (`$.region[0]`) where the arguments violate the schema, and why."""

    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def check_parameters(schema: JsonObject) -> None:
    """Raise `InvalidTool` if the schema is invalid, fetches a reference, or has an unsupported pattern."""
    _build_validator(_dump_schema(schema))


def argument_problems(schema: JsonObject, arguments: JsonValue) -> tuple[ArgumentProblem, ...]:
    """Return at most five violations of the schema; empty if the arguments are valid.

    A schema that cannot be used is a problem of every argument, and no error.
    """
    from referencing.exceptions import Unresolvable

    try:
        with limit_steps():
            validator = _build_validator(_dump_schema(schema))
            errors = islice(validator.iter_errors(to_plain_json(arguments)), MAX_PROBLEMS)
            found = [ArgumentProblem(_format_path(error.absolute_path), explain_error(error)) for error in errors]
    except RecursionError:
        return (ArgumentProblem("$", "it is nested too deep, or the schema runs in circles"),)
    except TooManySteps:
        return (ArgumentProblem("$", "it takes too many steps to check; give less at once"),)
    except (InvalidTool, InvalidPattern, Unresolvable) as error:
        return (ArgumentProblem("$", f"the tool's schema cannot be used: {str(error)[:200]}"),)
    except (OverflowError, ArithmeticError):
        return (ArgumentProblem("$", "a number is too large to be checked"),)
    return tuple(found)


def parse_json_strings(schema: JsonObject, arguments: JsonValue) -> tuple[JsonValue, tuple[str, ...]]:
    """Parse strings that hold JSON where the schema wants an object or a list; also return notes on each.

    Models often write nested arguments this way.
    """
    whole = _parse_json_string(arguments, "object")
    notes = ["the arguments were a text with JSON in it"] if whole is not arguments else []
    properties = schema.get("properties")
    if not isinstance(whole, Mapping) or not isinstance(properties, Mapping):
        return whole, tuple(notes)
    made = dict(whole)
    for name, wanted in properties.items():
        kind = wanted.get("type") if isinstance(wanted, Mapping) else None
        if name in made and isinstance(kind, str) and kind in ("object", "array"):
            made[name] = _parse_json_string(made[name], kind)
            if made[name] is not whole[name]:
                notes.append(f"$.{name} was a text with JSON in it")
    return made, tuple(notes)


def _parse_json_string(value: JsonValue, kind: str) -> JsonValue:
    opening = "{" if kind == "object" else "["
    if not isinstance(value, str) or not value.lstrip().startswith(opening):
        return value
    from metier.json_values import JsonInvalid, load_json

    try:
        return load_json(value)
    except JsonInvalid:
        return value


def _dump_schema(schema: JsonObject) -> str:
    try:
        return json.dumps(schema, ensure_ascii=False, default=dict, allow_nan=False)
    except RecursionError as error:
        raise InvalidTool("parameters are nested too deep", hint="flatten them") from error
    except (TypeError, ValueError) as error:
        raise InvalidTool(f"parameters are no JSON: {str(error)[:160]}", hint="use finite numbers and texts") from error


@lru_cache(maxsize=1024)  # building a validator takes 1.3 ms, a validation 30 µs
def _build_validator(text: str) -> "Validator":
    from referencing import Registry as References

    schema = json.loads(text)
    if excess := describe_excess(measure_schema(schema)):
        raise InvalidTool(f"parameters are too large: {excess}", hint="describe fewer forms, or refer less")
    if why := find_shape_problem(schema):
        raise InvalidTool(f"parameters are no JSON Schema: {why}", hint="see json-schema.org")
    if schema.get("type") not in (None, "object"):
        raise InvalidTool("parameters must describe an object", hint="tools are called with named arguments")
    _check_combinations(schema)
    for key, value in _iter_keywords(schema):
        _check_keyword(key, value)
    _check_references(schema)
    return build_dialect()(schema, registry=References(), format_checker=get_format_checker())


def _check_combinations(schema: JsonValue) -> None:
    """Refuse what the library evaluates with `re`, or in steps that nobody counts."""
    used = set(_iter_names(schema))
    open_ended = used & _UNEVALUATED
    if open_ended and (beside := used & {"patternProperties", *REFERENCES}):
        message = f"{min(open_ended)} beside {min(beside)} is not supported"
        raise InvalidTool(message, hint="name the properties")


def _iter_names(value: JsonValue) -> Iterator[str]:
    """Yield every name in the schema, wherever it stands: a reference may lead into a default or an example."""
    if isinstance(value, Mapping):
        yield from value
    for item in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _iter_names(item)


def _check_references(schema: JsonObject) -> None:
    """Follow every reference: its target must exist, and what is said of keywords holds there too."""
    from referencing import Registry
    from referencing.exceptions import Unresolvable
    from referencing.jsonschema import DRAFT202012

    resolver = Registry().with_resource("", DRAFT202012.create_resource(schema)).resolver()
    todo, seen, visited = list(_iter_references(schema)), set[str](), set[int]()
    while todo:
        reference = todo.pop()
        if reference in seen:
            continue
        seen.add(reference)
        try:
            target = resolver.lookup(reference).contents
        except (Unresolvable, ValueError, TypeError, LookupError) as error:
            raise InvalidTool(f"{reference[:80]!r} leads nowhere", hint="define it under $defs") from error
        if id(target) in visited:  # many references may lead to one large definition
            continue
        visited.add(id(target))
        for key, value in _iter_keywords(target):
            _check_keyword(key, value)
        todo += _iter_references(target)


def _iter_references(schema: JsonValue) -> Iterator[str]:
    return (value for key, value in _iter_keywords(schema) if key in REFERENCES and isinstance(value, str))


def _check_keyword(key: str, value: JsonValue) -> None:
    if key in REFERENCES and isinstance(value, str) and not value.startswith("#"):
        raise InvalidTool(f"{key!r} points to {value[:80]!r}", hint="nothing is fetched; put it under $defs")
    patterns: Sequence[str] = ()
    if key == "pattern" and isinstance(value, str):
        patterns = (value,)
    elif key == "patternProperties" and isinstance(value, Mapping):
        patterns = tuple(value)
    for pattern in patterns:
        _check_pattern(pattern)


def _check_pattern(pattern: str) -> None:
    try:
        compile_pattern(pattern)
    except InvalidPattern as error:
        message = f"pattern {pattern[:80]!r} cannot be run safely: {error}"
        raise InvalidTool(message, hint=PATTERN_HINT) from error


def _iter_keywords(schema: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """Yield every keyword of the schema and its subschemas, but not properties that happen to be called `pattern`."""
    if isinstance(schema, list):
        for item in schema:
            yield from _iter_keywords(item)
    if not isinstance(schema, Mapping):
        return
    for key, value in schema.items():
        yield key, value
        if key in _SUBSCHEMA_MAPS and isinstance(value, Mapping):
            for item in value.values():
                yield from _iter_keywords(item)
        elif key not in _LITERAL_KEYWORDS:
            yield from _iter_keywords(value)


def _format_path(parts: Sequence[str | int]) -> str:
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
