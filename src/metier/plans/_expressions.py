"""`$.path` expressions: JMESPath over the run's data, compiled and limited when the plan is loaded.

JMESPath has no loops and no side effects, but three ways to grow: a multi-select copies its input, `to_string` of a
`to_string` doubles its quotes, and `join` repeats its separator. The first two are bounded and the separator must be a
literal, so a result stays within a small multiple of the data.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from metier.json_values import JsonInvalid, JsonObject, JsonValue, copy_json

MAX_EXPRESSION_CHARS: Final = 500
MAX_COPIES: Final = 64
MAX_LEVELS: Final = 40  # the parser and the interpreter recurse; far below Python's own limit
ALL_DATA: Final = "@"

_PATH_NODES: Final = frozenset(
    {"subexpression", "index_expression", "projection", "value_projection", "filter_projection", "pipe", "flatten"}
)
_RUN_ERRORS: Final = (ValueError, TypeError, ArithmeticError, AttributeError, LookupError, RecursionError)


class BadExpression(ValueError):
    """The expression is invalid or exceeds a limit."""


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
    if sum(text.count(opening) for opening in "([{!&") > MAX_LEVELS:
        raise BadExpression(f"more than {MAX_LEVELS} brackets and signs")
    from jmespath import compile as parse
    from jmespath.exceptions import JMESPathError

    try:
        parsed = parse(text[2:] or ALL_DATA).parsed
        _check_levels(parsed)
        copies = _count_copies(parsed)
        reads = _find_reads(parsed)
    except JMESPathError as error:
        raise BadExpression(" ".join(str(error).split())[:200]) from error
    if copies > MAX_COPIES:
        raise BadExpression(f"it could hold the data {copies} times over; the most is {MAX_COPIES}")
    return Expression(text, parsed, reads)


def look_up(text: str, data: JsonObject) -> JsonValue:
    """Evaluate `$.path` to a copy of the value; None if nothing is found or the expression does not fit the data."""
    try:
        return copy_json(_search(text, data))
    except JsonInvalid:  # an infinite number, a function reference
        return None


def is_true(text: str, data: JsonObject) -> bool:
    """Whether the value is true by JMESPath's rule: only null, false and empty strings, lists and objects are false."""
    found = _search(text, data)
    return not (found is None or found is False or (isinstance(found, str | list | Mapping) and not found))


def _search(text: str, data: JsonObject) -> object:
    from jmespath.visitor import TreeInterpreter

    try:
        return TreeInterpreter().visit(compile_expression(text).parsed, data)
    except _RUN_ERRORS:  # a function got a type it does not accept: treated as no value
        return None


def _check_levels(node: Any) -> None:
    level = [node]
    for _ in range(MAX_LEVELS):
        level = [child for each in level if each["type"] != "slice" for child in each["children"]]
        if not level:
            return
    raise BadExpression(f"nested deeper than {MAX_LEVELS} levels")


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
    if kind in _PATH_NODES:
        return _find_reads(children[0])  # the rest of a path applies to the result of its start
    return frozenset().union(*(_find_reads(child) for child in children))


def _count_copies(node: Any) -> int:
    """Upper bound of how many copies of the input the result may hold."""
    kind = node["type"]
    if kind == "slice":
        if node["children"][2] == 0:
            raise BadExpression("a slice cannot step by 0")
        return 1
    inner = [_count_copies(child) for child in node["children"]]
    if kind in _PATH_NODES:
        return _product(inner)
    if kind == "function_expression":
        return _count_function_copies(node, inner)
    if kind in ("multi_select_list", "multi_select_dict"):
        return max(1, sum(inner))
    return max([1, *inner])


def _count_function_copies(node: Any, inner: list[int]) -> int:
    from jmespath.functions import Functions

    name, arguments = node["value"], node["children"]
    known = Functions.FUNCTION_TABLE.get(name)
    if known is None:
        raise BadExpression(f"there is no function {name!r}")
    signature = known["signature"]
    many = bool(signature and signature[-1].get("variadic"))
    if len(arguments) < len(signature) or (len(arguments) > len(signature) and not many):
        raise BadExpression(f"{name}() takes {len(signature)} arguments, not {len(arguments)}")
    if name == "join" and arguments[0]["type"] != "literal":
        raise BadExpression("the separator of join() must be written out, as in join(', ', names)")
    return 2 * max(1, *inner) if name == "to_string" else _product(inner) if name == "map" else max(1, sum(inner))


def _product(numbers: list[int]) -> int:
    whole = 1
    for number in numbers:
        whole *= max(1, number)
    return whole
