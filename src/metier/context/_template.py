"""Jinja2 for prompts, in its sandbox, with limits of time and memory.

The sandbox protects the machine, but not time and memory: `'a' * 5e8`, `center` and nested loops all render. So rounds
of loops are counted, filters and operators check the size of what they make, and output is limited. Macros, other files
and calls of anything but a few methods are refused when the template is read.

A name without a value renders as nothing, as in any Jinja2 template, and is collected so that it can be reported.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Final

from metier.json_values import JsonValue

if TYPE_CHECKING:
    from jinja2 import Environment, Template, Undefined, nodes
    from jinja2.runtime import Context

_MAX_TEMPLATE_CHARS: Final = 64_000
_MAX_OUTPUT_CHARS: Final = 1_000_000
_MAX_LOOP_ROUNDS: Final = 10_000
_MAX_WIDTH: Final = 10_000
_MAX_VALUES: Final = 100_000
_MAX_NUMBER: Final = 10**18
_COUNTER_VARIABLE: Final = "steps_taken_"
_COUNT_FILTER: Final = "counted_"
_ALLOWED_NODES: Final = frozenset(
    (
        *("Template", "Output", "TemplateData", "Name", "Const", "If", "For", "CondExpr", "Assign", "With", "Call"),
        *("Getattr", "Getitem", "Slice", "Filter", "FilterBlock", "Test", "Compare", "Operand", "And", "Or", "Not"),
        *("List", "Tuple", "Dict", "Pair", "Keyword", "Concat"),
        *("Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Neg", "Pos"),
    )
)
_METHODS: Final = frozenset(
    (
        *("items", "keys", "values", "get", "lower", "upper", "strip", "lstrip", "rstrip", "split", "splitlines"),
        *("startswith", "endswith", "title", "capitalize", "count", "index", "find", "isdigit", "cycle"),
    )
)
_FUNCTIONS: Final = ("range",)
_REFUSED_FILTERS: Final = ("attr", "random")
_WIDE_FORMAT: Final = re.compile(r"\d{5,}|\*")
_MULTIPLYING_FILTERS: Final = ("replace", "indent", "wordwrap", "urlize")


class TemplateRefused(Exception):
    """The template uses unsupported syntax or exceeds a limit."""


class LoopCounter:
    """Counts the rounds of all loops of one rendering."""

    def __init__(self) -> None:
        self._taken = 0

    def count(self, items: list[object]) -> list[object]:
        self._taken += len(items)
        if self._taken > _MAX_LOOP_ROUNDS:
            raise TemplateRefused(f"its loops take more than {_MAX_LOOP_ROUNDS} rounds")
        return items


def compile_template(source: str) -> "Template":
    """Check and compile a template. Raises `TemplateRefused`, or Jinja2's own error for invalid syntax."""
    if len(source) > _MAX_TEMPLATE_CHARS:
        raise TemplateRefused(f"it has {len(source)} characters, and {_MAX_TEMPLATE_CHARS} are the most")
    environment = _build_environment()
    tree = environment.parse(source)
    _check_nodes(tree, frozenset(environment.filters))
    _join_concatenated(tree)
    _count_loops(tree)
    tree.set_environment(environment)
    return environment.from_string(tree)


def render(template: "Template", values: Mapping[str, JsonValue]) -> str:
    """Render the template. Raises `TemplateRefused` as soon as the output exceeds the size limit."""
    parts: list[str] = []
    size = 0
    for part in template.generate({**values, _COUNTER_VARIABLE: LoopCounter()}):
        size += len(part)
        if size > _MAX_OUTPUT_CHARS:
            raise TemplateRefused(f"it renders more than {_MAX_OUTPUT_CHARS} characters")
        parts.append(part)
    return "".join(parts)


def find_undefined_names(template: "Template") -> tuple[str, ...]:
    """Names that were written so far although they have no value, each once."""
    found: dict[str, None] = getattr(template.environment, _MISSING)
    return tuple(found)


_MISSING: Final = "missing_names"


def _build_environment() -> "Environment":
    from jinja2 import pass_context
    from jinja2.sandbox import ImmutableSandboxedEnvironment, safe_range

    @pass_context
    def count_rounds(context: "Context", value: Iterable[object]) -> list[object]:
        steps = context[_COUNTER_VARIABLE]
        assert isinstance(steps, LoopCounter)
        return steps.count(list(value))

    class PromptEnvironment(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%"))

        def call_binop(self, context: "Context", operator: str, left: Any, right: Any) -> Any:
            _check_operands(operator, left, right)
            return super().call_binop(context, operator, left, right)

    missing: dict[str, None] = {}
    environment = PromptEnvironment(
        undefined=_make_undefined(missing), autoescape=False, trim_blocks=True, finalize=_check_size
    )
    setattr(environment, _MISSING, missing)
    kept = {name: _limit(name, one) for name, one in environment.filters.items() if name not in _REFUSED_FILTERS}
    environment.filters = {**kept, "join": _join, _COUNT_FILTER: count_rounds}
    environment.globals = {"range": safe_range}
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return environment


def _make_undefined(missing: dict[str, None]) -> "type[Undefined]":
    from jinja2 import ChainableUndefined

    class UndefinedName(ChainableUndefined):
        __slots__ = ()

        def __str__(self) -> str:
            missing[str(self._undefined_name)] = None
            return ""

        def __iter__(self) -> Any:
            missing[str(self._undefined_name)] = None
            return iter(())

    return UndefinedName


def _check_operands(operator: str, left: object, right: object) -> None:
    """Refuse what an operator could make too large."""
    sizes = [len(one) for one in (left, right) if isinstance(one, str | list | tuple)]
    if sizes and (operator != "+" or sum(sizes) > _MAX_OUTPUT_CHARS):
        raise TemplateRefused(f"{operator!r} is for numbers, or for short texts")
    if any(isinstance(one, int | float) and abs(one) > _MAX_NUMBER for one in (left, right)):
        raise TemplateRefused(f"a number for {operator!r} is too large")


def _check_size(value: object) -> object:
    """The value itself; a list of lists that share their parts is small, and its text without end."""
    waiting, seen = [value], 0
    while waiting:
        one = waiting.pop()
        inner: Iterable[object] = (
            one.values() if isinstance(one, dict) else one if isinstance(one, list | tuple) else ()
        )
        waiting.extend(inner)
        seen += 1
        if seen + len(waiting) > _MAX_VALUES:
            raise TemplateRefused(f"a value has more than {_MAX_VALUES} parts")
    return value


def _limit(name: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """Filter that refuses widths, patterns and texts which would make its result too large."""

    @wraps(run)
    def run_limited(*args: Any, **named: Any) -> Any:
        given = (*args, *named.values())
        for one in given:
            _check_size(one)
        texts = sorted((len(one) for one in given if isinstance(one, str)), reverse=True)
        is_wide = any(isinstance(one, int) and abs(one) > _MAX_WIDTH for one in given[1:])
        is_wide |= name == "format" and any(isinstance(one, str) and _WIDE_FORMAT.search(one) for one in args[:1])
        if name in _MULTIPLYING_FILTERS and len(texts) > 1:
            is_wide |= texts[0] * texts[1] > _MAX_OUTPUT_CHARS
        if is_wide or sum(texts) > 2 * _MAX_OUTPUT_CHARS:
            raise TemplateRefused(f"the filter {name!r} makes more than {_MAX_OUTPUT_CHARS} characters")
        return run(*args, **named)

    return run_limited


def _join(items: Iterable[object], between: str = "") -> str:
    texts = [str(_check_size(item)) for item in items]
    if sum(map(len, texts)) + len(between) * len(texts) > _MAX_OUTPUT_CHARS:
        raise TemplateRefused(f"'join' makes more than {_MAX_OUTPUT_CHARS} characters")
    return between.join(texts)


def _check_nodes(tree: "nodes.Node", filters: frozenset[str]) -> None:
    from jinja2 import nodes

    waiting: list[nodes.Node] = [tree]
    while waiting:
        node = waiting.pop()
        kind = type(node).__name__
        if kind not in _ALLOWED_NODES:
            raise TemplateRefused(f"line {node.lineno}: {kind} has no place in a prompt")
        if isinstance(node, nodes.Filter) and (node.name not in filters or node.name == _COUNT_FILTER):
            raise TemplateRefused(f"line {node.lineno}: there is no filter {node.name!r}")
        if isinstance(node, nodes.For) and node.recursive:
            raise TemplateRefused(f"line {node.lineno}: a loop cannot call itself")
        if isinstance(node, nodes.Call):
            _check_call(node)
        waiting.extend(node.iter_child_nodes())


def _check_call(call: "nodes.Call") -> None:
    from jinja2 import nodes

    called = call.node
    if isinstance(called, nodes.Getattr) and called.attr in _METHODS:
        return
    if not (isinstance(called, nodes.Name) and called.name in _FUNCTIONS):
        name = getattr(called, "attr", getattr(called, "name", ""))
        raise TemplateRefused(f"line {call.lineno}: {name!r} cannot be called in a prompt")


def _join_concatenated(tree: "nodes.Template") -> None:
    """Let `a ~ b` be joined by the filter, whose size is limited."""
    from jinja2 import nodes

    for one in list(tree.find_all(nodes.Concat)):
        joined = nodes.Filter(nodes.List(one.nodes), "join", [], [], None, None, lineno=one.lineno)
        one.nodes = [joined]


def _count_loops(tree: "nodes.Template") -> None:
    from jinja2 import nodes

    for loop in list(tree.find_all(nodes.For)):
        loop.iter = nodes.Filter(loop.iter, _COUNT_FILTER, [], [], None, None, lineno=loop.lineno)
