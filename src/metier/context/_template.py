"""Jinja2 for prompts, in its sandbox, with limits of time and memory.

The sandbox protects the machine, but not time and memory: `'a' * 5e8`, `center` and nested loops all render. So rounds
of loops are counted, and so is what filters, tests, comparisons and methods go through; filters and operators check the
size of what they make, and output is limited. Macros, other files and calls of anything but a few methods are refused
when the template is read.

A name without a value renders as nothing, as in any Jinja2 template, and is collected so that it can be reported.
"""

import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from contextvars import ContextVar
from functools import wraps
from types import GeneratorType
from typing import TYPE_CHECKING, Any, Final, cast

from metier.json_values import JsonValue

if TYPE_CHECKING:
    from jinja2 import Environment, Template, Undefined, nodes
    from jinja2.runtime import Context

_MAX_TEMPLATE_CHARS: Final = 64_000
_MAX_OUTPUT_CHARS: Final = 1_000_000
_MAX_LOOP_ROUNDS: Final = 10_000
_MAX_WORK: Final = 3_000_000
_CHARS_PER_STEP: Final = 32  # text is gone through so much faster than a list
_STEPS_PER_CALL: Final = 16  # to call a filter takes so much longer than to go to the next part of a list
_MAX_WIDTH: Final = 10_000
_MAX_VALUES: Final = 100_000
_MAX_NUMBER: Final = 10**18
_HOLDERS: Final = (dict, list, tuple)  # only these are looked into: most parts of a value are texts and numbers
_COUNT_FILTER: Final = "counted_"
_WEIGH_FILTER: Final = "weighed_"
_OWN_FILTERS: Final = (_COUNT_FILTER, _WEIGH_FILTER)
_CHEAP_FILTERS: Final = ("length", "count", "first", "last", "default", "d")
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
    """Counts the rounds of all loops of one rendering, and what its filters go through."""

    def __init__(self) -> None:
        self._taken = 0
        self._work = 0

    def count(self, items: list[object]) -> list[object]:
        self._taken += len(items)
        if self._taken > _MAX_LOOP_ROUNDS:
            raise TemplateRefused(f"its loops take more than {_MAX_LOOP_ROUNDS} rounds")
        return items

    def count_call(self) -> None:
        """Count the call of a filter: `map` calls one for each part."""
        self._add_work(_STEPS_PER_CALL)

    def weigh(self, value: object) -> object:
        """The value, whose parts count as work; those of a generator do when they are taken."""
        if isinstance(value, GeneratorType | reversed):
            return self._weigh_each(value)
        if isinstance(value, str):
            self._add_work(1 + len(value) // _CHARS_PER_STEP)
        elif isinstance(value, list | tuple | dict):
            self._add_work(_count_parts(value))
        else:
            self._add_work(1 + (len(value) if isinstance(value, range | KeysView | ValuesView | ItemsView) else 0))
        return value

    def _weigh_each(self, values: Iterable[object]) -> Iterator[object]:
        for one in values:
            self._add_work(1)
            yield one

    def _add_work(self, steps: int) -> None:
        self._work += steps
        if self._work > _MAX_WORK:
            raise TemplateRefused(f"its filters take more than {_MAX_WORK} steps")


_COUNTER: Final[ContextVar[LoopCounter]] = ContextVar("counter of the rendering")


def compile_template(source: str) -> "Template":
    """Check and compile a template. Raises `TemplateRefused`, or Jinja2's own error for invalid syntax."""
    if len(source) > _MAX_TEMPLATE_CHARS:
        raise TemplateRefused(f"it has {len(source)} characters, and {_MAX_TEMPLATE_CHARS} are the most")
    environment = _build_environment()
    tree = environment.parse(source)
    _check_nodes(tree, frozenset(environment.filters))
    _join_concatenated(tree)
    _weigh_operands(tree)
    _count_loops(tree)
    tree.set_environment(environment)
    return environment.from_string(tree)


def render(template: "Template", values: Mapping[str, JsonValue]) -> str:
    """Render the template. Raises `TemplateRefused` as soon as the output exceeds the size limit."""
    parts: list[str] = []
    size = 0
    token = _COUNTER.set(LoopCounter())
    try:
        for part in template.generate(values):
            size += len(part)
            if size > _MAX_OUTPUT_CHARS:
                raise TemplateRefused(f"it renders more than {_MAX_OUTPUT_CHARS} characters")
            parts.append(part)
    finally:
        _COUNTER.reset(token)
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
        del context  # asked for so that no loop is evaluated when the template is compiled
        return _get_counter().count(list(value))

    class PromptEnvironment(ImmutableSandboxedEnvironment):
        intercepted_binops = frozenset(("+", "-", "*", "/", "//", "%"))

        def call_binop(self, context: "Context", operator: str, left: Any, right: Any) -> Any:
            _check_operands(operator, _weigh(left), _weigh(right))
            return super().call_binop(context, operator, left, right)

        def call(self, context: "Context", called: Any, /, *args: Any, **named: Any) -> Any:
            _weigh(getattr(called, "__self__", None))
            return super().call(context, called, *args, **named)

    missing: dict[str, None] = {}
    environment = PromptEnvironment(
        undefined=_make_undefined(missing), autoescape=False, trim_blocks=True, finalize=_check_size
    )
    setattr(environment, _MISSING, missing)
    kept = {name: _limit(name, one) for name, one in environment.filters.items() if name not in _REFUSED_FILTERS}
    environment.filters = {**kept, "join": _limit("join", _join), _COUNT_FILTER: count_rounds, _WEIGH_FILTER: _weigh}
    environment.tests = {
        name: _weigh_arguments(cast("Callable[..., Any]", one)) for name, one in environment.tests.items()
    }
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


def _get_counter() -> LoopCounter:
    return _COUNTER.get(None) or LoopCounter()  # what is constant is evaluated before any rendering


def _weigh(value: object) -> object:
    return _get_counter().weigh(value)


def _check_size(value: object) -> object:
    """The value itself, unless it has too many parts."""
    _count_parts(value)
    return value


def _count_parts(value: object) -> int:
    """Count all parts of a value; a list of lists that share their parts is small, and its text without end."""
    waiting, seen = [value] if isinstance(value, _HOLDERS) else [], 1
    while waiting:
        one = waiting.pop()
        seen += len(one)
        if seen > _MAX_VALUES:
            raise TemplateRefused(f"a value has more than {_MAX_VALUES} parts")
        parts: Iterable[object] = one.values() if isinstance(one, dict) else one
        waiting.extend([part for part in parts if isinstance(part, _HOLDERS)])
    return seen


def _limit(name: str, run: Callable[..., Any]) -> Callable[..., Any]:
    """Filter that refuses widths, patterns and texts which would make its result too large."""

    @wraps(run)
    def run_limited(*args: Any, **named: Any) -> Any:
        _get_counter().count_call()
        if name not in _CHEAP_FILTERS:
            args = tuple(_weigh(one) for one in args)
            named = {key: _weigh(one) for key, one in named.items()}
        given = (*args, *named.values())
        texts = sorted((len(one) for one in given if isinstance(one, str)), reverse=True)
        is_wide = any(isinstance(one, int) and abs(one) > _MAX_WIDTH for one in given[1:])
        is_wide |= name == "format" and any(isinstance(one, str) and _WIDE_FORMAT.search(one) for one in args[:1])
        if name in _MULTIPLYING_FILTERS and len(texts) > 1:
            is_wide |= texts[0] * texts[1] > _MAX_OUTPUT_CHARS
        if is_wide or sum(texts) > 2 * _MAX_OUTPUT_CHARS:
            raise TemplateRefused(f"the filter {name!r} makes more than {_MAX_OUTPUT_CHARS} characters")
        return run(*args, **named)

    return run_limited


def _weigh_arguments(run: Callable[..., Any]) -> Callable[..., Any]:
    """Test whose arguments count as work."""

    @wraps(run)
    def run_weighed(*args: Any, **named: Any) -> Any:
        return run(*map(_weigh, args), **{key: _weigh(one) for key, one in named.items()})

    return run_weighed


def _join(items: Iterable[object], between: str = "") -> str:
    texts = [str(_check_size(item)) for item in items]
    for text in texts:
        _weigh(text)
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
        if isinstance(node, nodes.Filter) and (node.name not in filters or node.name in _OWN_FILTERS):
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


def _weigh_operands(tree: "nodes.Template") -> None:
    """Let what is compared or sliced count as work."""
    from jinja2 import nodes

    for one in list(tree.find_all(nodes.Compare)):
        for part in one.ops:
            part.expr = nodes.Filter(part.expr, _WEIGH_FILTER, [], [], None, None, lineno=one.lineno)
    for item in list(tree.find_all(nodes.Getitem)):
        if isinstance(item.arg, nodes.Slice):
            item.node = nodes.Filter(item.node, _WEIGH_FILTER, [], [], None, None, lineno=item.lineno)


def _count_loops(tree: "nodes.Template") -> None:
    from jinja2 import nodes

    for loop in list(tree.find_all(nodes.For)):
        loop.iter = nodes.Filter(loop.iter, _COUNT_FILTER, [], [], None, None, lineno=loop.lineno)
