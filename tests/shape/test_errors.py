"""Errors tell what to do: each has a hint where it is made, or its class writes one."""

import ast
from collections.abc import Iterable, Iterator

import pytest

from tests.sources import SOURCE, find_nodes, list_modules

ROOT_ERROR = "MetierError"


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Name | ast.Attribute):
        return node.id if isinstance(node, ast.Name) else node.attr
    return ast.unparse(node).rsplit(".", 1)[-1]


def _has_own_constructor(node: ast.ClassDef) -> bool:
    return any(isinstance(one, ast.FunctionDef) and one.name == "__init__" for one in node.body)


def _find_errors(classes: Iterable[ast.ClassDef]) -> set[str]:
    """Errors that are made with the constructor of the root; a class with its own writes the hint itself."""
    given = [one for one in classes if not _has_own_constructor(one)]
    found = {ROOT_ERROR}
    while more := {one.name for one in given if {*map(_last_name, one.bases)} & found} - found:
        found |= more
    return found


def _list_silent(nodes: Iterable[ast.AST], errors: set[str]) -> Iterator[int]:
    """Lines where an error is made without a hint; `**` may hold one."""
    for node in nodes:
        if isinstance(node, ast.Call) and _last_name(node.func) in errors and node.args:
            hint = next((one.value for one in node.keywords if one.arg in ("hint", None)), None)
            if hint is None or (isinstance(hint, ast.Constant) and not hint.value):
                yield node.lineno
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name) and node.exc.id in errors:
            yield node.lineno


def test_every_error_says_what_to_do() -> None:
    errors = _find_errors(one for path in list_modules() for one in find_nodes(path, ast.ClassDef))
    assert len(errors) > 40
    silent = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in list_modules()
        for line in _list_silent(find_nodes(path, ast.Call, ast.Raise), errors)
    ]
    assert silent == []


@pytest.mark.parametrize(
    ("code", "is_silent"),
    [
        ("raise Lost('it is gone')", True),
        ("raise errors.Lost('it is gone', hint='')", True),
        ("found = Lost('it is gone')", True),
        ("raise Lost", True),
        ("raise Lost('it is gone', hint='look again')", False),
        ("raise Lost('it is gone', hint=make())", False),
        ("raise Lost('it is gone', **told)", False),
        ("raise Told('it is gone')", False),
        ("raise ValueError('it is gone')", False),
    ],
)
def test_an_error_without_a_hint_is_seen(code: str, is_silent: bool) -> None:
    classes = ast.parse(
        "class Lost(MetierError): ...\nclass Told(Lost):\n  def __init__(self, text): super().__init__(text, hint='x')"
    )
    errors = _find_errors(one for one in ast.walk(classes) if isinstance(one, ast.ClassDef))
    assert bool(list(_list_silent(ast.walk(ast.parse(code)), errors))) == is_silent
