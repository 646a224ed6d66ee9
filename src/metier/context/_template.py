"""A safe subset of Jinja2 for prompts.

Jinja2's sandbox protects the machine, but not time and memory: `'a' * 5e8`, `center` and nested loops all render. So
the parsed template is checked first: only text, values, `if`, `for` and a few filters; no calls, no arithmetic, no
assignments. The rest can grow only by loops, whose rounds are counted, and by output, whose size is limited.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from metier.json_values import JsonValue

if TYPE_CHECKING:
    from jinja2 import Environment, Template, nodes
    from jinja2.runtime import Context

_MAX_TEMPLATE_CHARS: Final = 64_000
_MAX_OUTPUT_CHARS: Final = 1_000_000
_MAX_LOOP_ROUNDS: Final = 10_000
_COUNTER_VARIABLE: Final = "steps_taken_"
_COUNT_FILTER: Final = "counted_"
_ALLOWED_NODES: Final = frozenset(
    (
        *("Template", "Output", "TemplateData", "Name", "Const", "If", "For", "CondExpr"),
        *("Getattr", "Getitem", "Filter", "Test", "Compare", "Operand", "And", "Or", "Not"),
        *("List", "Tuple", "Dict", "Pair", "Keyword"),
    )
)


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
    _count_loops(tree)
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


def _build_environment() -> "Environment":
    from jinja2 import StrictUndefined, pass_context
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    @pass_context
    def count_rounds(context: "Context", value: Iterable[object]) -> list[object]:
        steps = context[_COUNTER_VARIABLE]
        assert isinstance(steps, LoopCounter)
        return steps.count(list(value))

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False, trim_blocks=True)
    kept = {
        name: environment.filters[name] for name in ("default", "first", "last", "length", "lower", "trim", "upper")
    }
    environment.filters = {**kept, "join": _join, _COUNT_FILTER: count_rounds}
    environment.globals = {}
    return environment


def _join(items: Iterable[object], between: str = "") -> str:
    texts = [str(item) for item in items]
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
        waiting.extend(node.iter_child_nodes())


def _count_loops(tree: "nodes.Template") -> None:
    from jinja2 import nodes

    for loop in list(tree.find_all(nodes.For)):
        loop.iter = nodes.Filter(loop.iter, _COUNT_FILTER, [], [], None, None, lineno=loop.lineno)
