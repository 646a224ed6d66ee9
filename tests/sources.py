"""The modules of the package, each read and parsed once per test process: to parse all of them takes three seconds."""

import ast
import gc
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

SOURCE = Path(__file__).resolve().parents[1] / "src" / "metier"
_MARKS = (ast.expr_context, ast.operator, ast.cmpop, ast.unaryop, ast.boolop)  # `Load`, `Add`: no rule is about them
_KINDS = frozenset(
    kind
    for kind in vars(ast).values()
    if isinstance(kind, type) and issubclass(kind, ast.AST) and not issubclass(kind, _MARKS)
)
Node = TypeVar("Node", bound=ast.AST)


@cache
def list_modules() -> tuple[Path, ...]:
    return tuple(sorted(SOURCE.rglob("*.py")))


def parse_nodes(path: Path) -> tuple[ast.AST, ...]:
    """The nodes of a module, the module itself first."""
    return _parse_all()[path]


def find_nodes(path: Path, *kinds: type[Node]) -> Iterator[Node]:
    """The nodes of a module that are of these kinds, each kind in the order of the module."""
    found = _sort_all()[path]
    for kind in kinds:
        yield from found.get(kind, ())  # type: ignore[misc]  # what stands at a kind is of it


def find_functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Functions and methods of a module."""
    return [*find_nodes(path, ast.FunctionDef), *find_nodes(path, ast.AsyncFunctionDef)]


@cache
def _parse_all() -> Mapping[Path, tuple[ast.AST, ...]]:
    """Nodes by module. A million objects that stay: to look through them for garbage would take as long as to parse."""
    gc.disable()
    try:
        return {path: tuple(walk(ast.parse(path.read_text("utf-8")))) for path in list_modules()}
    finally:
        gc.freeze()
        gc.enable()


@cache
def _sort_all() -> Mapping[Path, Mapping[type[ast.AST], list[ast.AST]]]:
    """Nodes by module and kind: most rules are about one kind, a hundredth of the nodes."""
    return {path: _sort(nodes) for path, nodes in _parse_all().items()}


def _sort(nodes: Iterable[ast.AST]) -> Mapping[type[ast.AST], list[ast.AST]]:
    found: dict[type[ast.AST], list[ast.AST]] = {}
    for node in nodes:
        found.setdefault(type(node), []).append(node)
    return found


def walk(tree: ast.AST) -> list[ast.AST]:
    """`ast.walk` in half of its time, without the marks of nodes."""
    nodes = [tree]
    for node in nodes:
        for value in node.__dict__.values():
            kind = type(value)
            if kind is list:
                nodes += [one for one in value if type(one) in _KINDS]
            elif kind in _KINDS:
                nodes.append(value)
    return nodes


def parse_module(path: Path) -> ast.Module:
    tree = parse_nodes(path)[0]
    assert isinstance(tree, ast.Module)
    return tree
