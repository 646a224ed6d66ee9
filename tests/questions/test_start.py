"""The words of questions cost a start nothing: 300 patterns, mostly long lists of words, of which few are used."""

import ast
from collections.abc import Iterator
from pathlib import Path

import metier.questions

ROOM = Path(metier.questions.__file__).parent


def iter_run_at_import(node: ast.AST) -> Iterator[ast.AST]:
    """What runs when a module is imported: all but the bodies of its functions."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from iter_run_at_import(child)


def test_no_pattern_of_a_question_is_compiled_when_its_module_is_imported() -> None:
    compiled = [
        f"{file.name}:{node.lineno}"
        for file in ROOM.rglob("*.py")
        for node in iter_run_at_import(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"
    ]
    assert compiled == []
