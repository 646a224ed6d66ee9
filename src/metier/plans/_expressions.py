"""`$.path` expressions: JMESPath over the run's data, compiled and limited when the plan is loaded."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from metier.json_values import JsonInvalid, JsonObject, JsonValue, copy_json
from metier.limits import PATH_NODES, BadExpression, evaluate, limit_steps, parse_expression, spend_value

MAX_EXPRESSION_CHARS: Final = 500
ALL_DATA: Final = "@"
_DOCUMENT: Final = "document"

_RUN_ERRORS: Final = (ValueError, TypeError, ArithmeticError, AttributeError, LookupError, RecursionError)


@dataclass(frozen=True, slots=True)
class Expression:
    """A compiled expression and the top-level names it reads (`@` when it reads all of the data)."""

    text: str
    parsed: Any
    reads: frozenset[str]


def is_expression(value: JsonValue) -> bool:
    """Whether a value is an expression to look up; a leading `$$` is a literal dollar sign."""
    return isinstance(value, str) and value.startswith("$") and not value.startswith("$$")


@lru_cache(maxsize=4096)
def compile_expression(text: str) -> Expression:
    """Parse `$.path`; rejects what is invalid or could grow without bound."""
    if text != "$" and not text.startswith("$."):
        raise BadExpression("an expression starts with '$.'; write '$$' for a dollar sign that is one")
    if len(text) > MAX_EXPRESSION_CHARS:
        raise BadExpression(f"longer than {MAX_EXPRESSION_CHARS} characters")
    parsed = _read_document_as_text(parse_expression(text[2:] or ALL_DATA))
    return Expression(text, parsed, _find_reads(parsed))


def look_up(text: str, data: JsonObject) -> JsonValue:
    """Evaluate `$.path` to a copy of the value; None if nothing is found or the expression does not fit the data.

    Raises `TooManySteps` if the expression takes too long, or its value is too large, on this data.
    """
    with limit_steps():
        found = _search(text, data)
        spend_value(found)
        try:
            return copy_json(found)
        except JsonInvalid:  # an infinite number, a function reference
            return None


def is_true(text: str, data: JsonObject) -> bool:
    """Whether the value is true by JMESPath's rule: only null, false and empty strings, lists and objects are false."""
    found = _search(text, data)
    return not (found is None or found is False or (isinstance(found, str | list | Mapping) and not found))


def _search(text: str, data: JsonObject) -> Any:
    try:
        return evaluate(compile_expression(text).parsed, data)
    except _RUN_ERRORS:  # a function got a type it does not accept: treated as no value
        return None


def _read_document_as_text(node: Any, *, is_start: bool = False) -> Any:
    """The expression with `$.document` alone read as its text; `$.document.name` and other paths are left alone."""
    kind, children = node["type"], node["children"]
    if kind == "field":
        is_document = node["value"] == _DOCUMENT and not is_start
        return parse_expression(f"{_DOCUMENT}.text") if is_document else node
    if kind in PATH_NODES or kind == "pipe":
        return {**node, "children": [_read_document_as_text(children[0], is_start=True), *children[1:]]}
    if kind in ("expref", "literal", "slice", "index"):
        return node
    return {**node, "children": [_read_document_as_text(child) for child in children]}


def _find_reads(node: Any) -> frozenset[str]:
    kind, children = node["type"], node["children"]
    if kind == "field":
        return frozenset({node["value"]})
    if kind in ("current", "identity"):
        return frozenset({ALL_DATA})
    if kind in ("expref", "literal", "index", "slice"):
        return frozenset()
    if kind in ("subexpression", "pipe") and children[0]["type"] in ("current", "identity"):
        return _find_reads(children[1])  # `@.a` reads `a`, not everything
    if kind in PATH_NODES:
        return _find_reads(children[0])  # the rest of a path applies to the result of its start
    return frozenset().union(*(_find_reads(child) for child in children))
