"""JSON Schema 2020-12 for schemas that nobody here wrote: linear-time patterns, a limit on the steps of a validation.

Without the limit a schema of twenty lines runs for hours: `$ref` twice to a definition that does the same, and so on.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from metier.json_values import JsonObject, JsonValue
from metier.limits import REFERENCES, compile_pattern, spend_steps
from metier.tools.schema._explain import describe_unknown_names

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

_KEYWORD_STEPS: Final = 10
_REFERENCE_STEPS: Final = 50

_Keyword: TypeAlias = "Callable[[Validator, Any, object, Any], Iterator[ValidationError] | None]"


@lru_cache(maxsize=1)
def build_dialect() -> "type[Validator]":
    """Validator class of the dialect."""
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    ours: dict[str, _Keyword] = {
        **Draft202012Validator.VALIDATORS,
        "pattern": _validate_pattern,
        "patternProperties": _validate_pattern_properties,
        "additionalProperties": _validate_additional_properties,
        "uniqueItems": _validate_unique_items,
    }
    counted = {name: _count_steps(check, _get_steps(name)) for name, check in ours.items()}
    made: type[Validator] = extend(Draft202012Validator, counted)  # type: ignore[no-untyped-call]  # jsonschema has no type for it
    return made


def _get_steps(keyword: str) -> int:
    return _REFERENCE_STEPS if keyword in REFERENCES or keyword in ("anyOf", "oneOf") else _KEYWORD_STEPS


def _count_steps(check: _Keyword, steps: int) -> _Keyword:
    def check_and_count(
        validator: "Validator", wanted: Any, instance: object, schema: Any
    ) -> "Iterator[ValidationError]":
        spend_steps(steps)
        yield from check(validator, wanted, instance, schema) or ()

    return check_and_count


def _validate_pattern(_: "Validator", pattern: str, instance: object, __: JsonObject) -> "Iterator[ValidationError]":
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, str) and not compile_pattern(pattern)(instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _validate_pattern_properties(
    validator: "Validator", patterns: JsonObject, instance: object, _: JsonObject
) -> "Iterator[ValidationError]":
    if not isinstance(instance, dict):
        return
    for pattern, schema in patterns.items():
        for key, value in instance.items():
            if compile_pattern(pattern)(key):
                yield from validator.descend(value, schema, path=key, schema_path=pattern)  # type: ignore[attr-defined]  # every validator of jsonschema has it, the protocol does not


def _validate_additional_properties(
    validator: "Validator", wanted: JsonValue, instance: object, schema: JsonObject
) -> "Iterator[ValidationError]":
    """Replacement for the library's check, which joins the patterns and searches with `re`."""
    from jsonschema.exceptions import ValidationError

    if not isinstance(instance, dict):
        return
    named, patterns = schema.get("properties"), schema.get("patternProperties")
    known = tuple(named) if isinstance(named, Mapping) else ()
    matchers = [compile_pattern(pattern) for pattern in patterns] if isinstance(patterns, Mapping) else []
    extra = [key for key in instance if key not in known and not any(matches(key) for matches in matchers)]
    if wanted is False and extra:
        yield ValidationError(describe_unknown_names(extra, known))
    elif isinstance(wanted, Mapping):
        for key in extra:
            yield from validator.descend(instance[key], wanted, path=key)  # type: ignore[attr-defined]  # every validator of jsonschema has it, the protocol does not


def _validate_unique_items(
    _: "Validator", wanted: JsonValue, instance: object, __: JsonObject
) -> "Iterator[ValidationError]":
    """Replacement for the library's check, which compares every item with every other: 18 s for 3000 objects."""
    from jsonschema.exceptions import ValidationError

    if wanted and isinstance(instance, list) and len(set(map(_to_key, instance))) < len(instance):
        yield ValidationError("has items that are equal")


def _to_key(value: object) -> object:
    """Hashable value that is equal for equal JSON: `1` equals `1.0` but not `true`."""
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, dict):
        return "object", frozenset((key, _to_key(item)) for key, item in value.items())
    return tuple(map(_to_key, value)) if isinstance(value, list) else value
