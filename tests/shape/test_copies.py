"""What the package does is written once: no function has the body of another, whatever its names are."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator

import pytest

from tests.sources import SOURCE, list_modules, parse_nodes

MAX_COPIED_NODES = 32  # shorter bodies, such as `float(value) if is_number(value) else None`, may be alike by chance
# Methods that LangChain asks of a model: a scripted one for users, and one of a benchmark that shares nothing with it.
WRITTEN_TWICE = {"bind_tools"}


def _list_body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.stmt]:
    has_docstring = ast.get_docstring(function, clean=False) is not None
    return function.body[1:] if has_docstring else function.body


def _describe(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...]:
    """Body of a function with its own names replaced by their order."""
    nodes = [inner for one in (function.args, *_list_body(function)) for inner in ast.walk(one)]
    named = [one.arg for one in nodes if isinstance(one, ast.arg)]
    named += [one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    named += [one.name for one in nodes if isinstance(one, ast.ExceptHandler) and one.name]
    own = {name: f"#{at}" for at, name in enumerate(dict.fromkeys(named))}
    inner = [one for statement in _list_body(function) for one in ast.walk(statement)]
    return tuple(f"{type(one).__name__} {_value_of(one, own)}" for one in inner)


def _value_of(node: ast.AST, own: dict[str, str]) -> str:
    if isinstance(node, ast.Name):
        return own.get(node.id, node.id)
    if isinstance(node, ast.Constant):
        return repr(node.value)
    values = (getattr(node, name, None) for name in ("attr", "arg", "name", "module"))
    value = next((one for one in values if isinstance(one, str)), "")
    return own.get(value, value) if isinstance(node, ast.arg | ast.ExceptHandler) else value


def _list_functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """All functions; scripts of skills run alone in a sandbox, and migrations stay as they were."""
    for path in list_modules():
        if not {"scripts", "versions"} & set(path.parts):
            for node in parse_nodes(path):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name not in WRITTEN_TWICE:
                    yield f"{path.relative_to(SOURCE)}: {node.name}", node


def _outline(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[type[ast.AST], ...]:
    """Kinds of the nodes of a body: those of a copy are the same, and they are found in a third of the time."""
    return tuple(type(one) for statement in _list_body(function) for one in ast.walk(statement))


def _find_copies(functions: Iterable[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]) -> list[list[str]]:
    places = defaultdict(list)
    for place, function in functions:
        places[_describe(function)].append(place)
    return [copies for copies in places.values() if len(copies) > 1]


def test_a_function_is_written_once() -> None:
    alike = defaultdict(list)
    for place, function in _list_functions():
        if len(outline := _outline(function)) > MAX_COPIED_NODES:
            alike[outline].append((place, function))
    assert len(alike) > 1000
    assert [copies for group in alike.values() if len(group) > 1 for copies in _find_copies(group)] == []


@pytest.mark.parametrize(
    ("other", "is_copy"),
    [
        ("def other(words):\n  '''Says more.'''\n  for one in words:\n    print(one.strip(), 1)", True),
        ("def find(texts):\n  for text in texts:\n    print(text.strip(), 2)", False),
        ("def find(strip):\n  for text in strip:\n    print(text.strip(), 1)", True),
        ("def find(texts):\n  for text in texts:\n    print(text.lower(), 1)", False),
        ("def find(texts):\n  for text in texts:\n    show(text.strip(), 1)", False),
    ],
)
def test_a_copy_with_other_names_is_seen(other: str, is_copy: bool) -> None:
    code = "def find(texts):\n  for text in texts:\n    print(text.strip(), 1)"
    first, second = (ast.parse(one).body[0] for one in (code, other))
    assert isinstance(first, ast.FunctionDef)
    assert isinstance(second, ast.FunctionDef)
    assert (_describe(first) == _describe(second)) == is_copy
