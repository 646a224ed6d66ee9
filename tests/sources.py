"""The modules of the package, each read and parsed once per test process: to parse all of them takes a second."""

import ast
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "metier"


@cache
def list_modules() -> tuple[Path, ...]:
    return tuple(sorted(SOURCE.rglob("*.py")))


@cache
def parse_nodes(path: Path) -> tuple[ast.AST, ...]:
    """The nodes of a module, the module itself first."""
    return tuple(ast.walk(ast.parse(path.read_text("utf-8"))))


def parse_module(path: Path) -> ast.Module:
    tree = parse_nodes(path)[0]
    assert isinstance(tree, ast.Module)
    return tree
