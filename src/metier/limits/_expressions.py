"""JMESPath expressions that skills and plans bring along: limited when they are read, counted when they are evaluated.

JMESPath has no loops and no side effects, but three ways to grow: a multi-select copies its input, `to_string` of a
`to_string` doubles its quotes, and `join` repeats its separator. The first two are limited and the separator must be a
literal, so a result stays within a small multiple of the data.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from metier.json_values import JsonObject
from metier.limits._steps import limit_steps, spend_steps, spend_value

__all__ = ["MAX_COPIES", "MAX_LEVELS", "PATH_NODES", "BadExpression", "evaluate", "parse_expression"]

MAX_COPIES: Final = 64
MAX_LEVELS: Final = 40  # the parser and the interpreter recurse; far below Python's own limit
PATH_NODES: Final = frozenset(
    {"subexpression", "index_expression", "projection", "value_projection", "filter_projection", "pipe", "flatten"}
)
_VISIT_STEPS: Final = 2


class BadExpression(ValueError):
    """The expression is invalid or exceeds a limit."""


def parse_expression(text: str) -> Any:
    """Parse a JMESPath expression to its syntax tree; rejects what is invalid or could grow without bound."""
    if sum(text.count(opening) for opening in "([{!&") > MAX_LEVELS:
        raise BadExpression(f"more than {MAX_LEVELS} brackets and signs")
    from jmespath import compile as parse
    from jmespath.exceptions import JMESPathError

    try:
        parsed = parse(text).parsed
        _check_levels(parsed)
        copies = _count_copies(parsed)
    except (JMESPathError, RecursionError) as error:
        raise BadExpression(" ".join(str(error).split())[:200]) from error
    if copies > MAX_COPIES:
        raise BadExpression(f"it could hold the data {copies} times over; the most is {MAX_COPIES}")
    return parsed


def evaluate(parsed: Any, data: JsonObject) -> Any:
    """Evaluate a syntax tree; raises `TooManySteps` if that takes too long on this data."""
    with limit_steps():
        return _get_interpreter_class()().visit(parsed, data)


@lru_cache(maxsize=1)
def _get_interpreter_class() -> Any:
    """JMESPath's interpreter, with a step for every visit and for every value that a function or comparison reads."""
    from jmespath.functions import Functions
    from jmespath.visitor import Options, TreeInterpreter

    class CountedFunctions(Functions):
        def call_function(self, function_name: str, resolved_args: Iterable[Any]) -> Any:
            arguments = list(resolved_args)
            spend_value(arguments)
            return super().call_function(function_name, arguments)

    class CountedInterpreter(TreeInterpreter):
        def __init__(self) -> None:
            super().__init__(Options(custom_functions=CountedFunctions()))

        def visit(self, node: Any, *args: Any, **kwargs: Any) -> Any:
            spend_steps(_VISIT_STEPS)
            return super().visit(node, *args, **kwargs)

        def visit_comparator(self, node: Any, value: Any) -> Any:
            sides = [self.visit(child, value) for child in node["children"]]
            spend_value(sides)
            literals: Any = [{"type": "literal", "value": side, "children": []} for side in sides]
            return super().visit_comparator({"type": node["type"], "value": node["value"], "children": literals}, value)

        def visit_flatten(self, node: Any, value: Any) -> Any:
            found = super().visit_flatten(node, value)
            spend_steps(len(found or ()))
            return found

    return CountedInterpreter


def _check_levels(node: Any) -> None:
    level = [node]
    for _ in range(MAX_LEVELS):
        level = [child for each in level if each["type"] != "slice" for child in each["children"]]
        if not level:
            return
    raise BadExpression(f"nested deeper than {MAX_LEVELS} levels")


def _count_copies(node: Any) -> int:
    """Upper bound of how many copies of the input the result may hold."""
    kind = node["type"]
    if kind == "slice":
        if node["children"][2] == 0:
            raise BadExpression("a slice cannot step by 0")
        return 1
    inner = [_count_copies(child) for child in node["children"]]
    if kind in PATH_NODES:
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
