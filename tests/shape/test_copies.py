"""What the package does is written once: no function has the body of another, whatever its names are."""

import ast
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from importlib.machinery import SourceFileLoader
from inspect import CO_OPTIMIZED
from opcode import opmap
from pathlib import Path
from types import CodeType

import pytest

from tests.sources import SOURCE, find_functions, list_modules

MAX_COPIED_NODES = 32  # shorter bodies, such as `float(value) if is_number(value) else None`, may be alike by chance
# Methods that LangChain asks of a model: a scripted one for users, and one of a benchmark that shares nothing with it.
WRITTEN_TWICE = {"bind_tools"}
# How Python calls a method depends on what the module imports, and how long an operation is on what it is about.
_SAME = bytes.maketrans(bytes([opmap.get("LOAD_METHOD", 0)]), bytes([opmap["LOAD_ATTR"]]))
_LEFT_OUT = bytes(opmap[name] for name in ("CACHE", "EXTENDED_ARG", "PUSH_NULL") if name in opmap)


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


def _list_modules() -> list[Path]:
    """Scripts of skills run alone in a sandbox, and migrations stay as they were."""
    return [path for path in list_modules() if not {"scripts", "versions"} & set(path.parts)]


def _list_alike() -> list[list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]]:
    """Functions that take the same steps; copies do, and Python has compiled all of them."""
    alike = defaultdict(list)
    for path in _list_modules():
        code = SourceFileLoader(path.stem, str(path)).get_code(path.stem)
        for one in _iter_codes(code) if code else ():
            if one.co_flags & CO_OPTIMIZED and not one.co_name.startswith("<") and one.co_name not in WRITTEN_TWICE:
                alike[_outline(one)].append((path, one.co_firstlineno, one.co_name))
    assert len(alike) > 1000
    return [[_find_function(*place) for place in places] for places in alike.values() if len(places) > 1]


def _iter_codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _iter_codes(one)


def _outline(code: CodeType) -> Hashable:
    """The operations of a function and of those in it, without what they are about."""
    return (
        code.co_code[::2].translate(_SAME, _LEFT_OUT),
        *(_outline(one) for one in code.co_consts if isinstance(one, CodeType)),
    )


def _find_function(path: Path, line: int, name: str) -> tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The function that begins in a line, or whose first decorator does."""
    (found,) = (
        one
        for one in find_functions(path)
        if one.name == name and line == min([one.lineno, *(each.lineno for each in one.decorator_list)])
    )
    return f"{path.relative_to(SOURCE)}: {name}", found


def _is_long(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return sum(1 for statement in _list_body(function) for _ in ast.walk(statement)) > MAX_COPIED_NODES


def _find_copies(functions: Iterable[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]) -> list[list[str]]:
    places = defaultdict(list)
    for place, function in functions:
        places[_describe(function)].append(place)
    return [copies for copies in places.values() if len(copies) > 1]


def test_a_function_is_written_once() -> None:
    alike = [[(place, one) for place, one in group if _is_long(one)] for group in _list_alike()]
    assert [copies for group in alike for copies in _find_copies(group)] == []


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
    outlines = {_outline(one) for each in (code, other) for one in _compile_functions(each)}
    assert len(outlines) == 1 or not is_copy


@pytest.mark.parametrize("before", ["import math\n", "@cache\n", 'TEXT = ""\n'])
def test_a_copy_takes_the_same_steps_whatever_stands_before_it(before: str) -> None:
    code = "def find(numbers):\n  return [math.sqrt(one) for one in numbers if one.real > LIMIT]"
    assert [*map(_outline, _compile_functions(before + code))] == [*map(_outline, _compile_functions(code))]


def _compile_functions(code: str) -> list[CodeType]:
    return [one for one in compile(code, "", "exec").co_consts if isinstance(one, CodeType)]
