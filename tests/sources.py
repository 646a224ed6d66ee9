"""The modules of the package, each read and parsed once per test process: to parse all of them takes three seconds."""

import ast
import gc
from collections.abc import Mapping
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src" / "metier"


@cache
def list_modules() -> tuple[Path, ...]:
    return tuple(sorted(SOURCE.rglob("*.py")))


def parse_nodes(path: Path) -> tuple[ast.AST, ...]:
    """The nodes of a module, the module itself first."""
    return _parse_all()[path]


@cache
def _parse_all() -> Mapping[Path, tuple[ast.AST, ...]]:
    """Nodes by module. A million objects that stay: to look through them for garbage would take as long as to parse."""
    gc.disable()
    try:
        return {path: tuple(ast.walk(ast.parse(path.read_text("utf-8")))) for path in list_modules()}
    finally:
        gc.freeze()
        gc.enable()


def parse_module(path: Path) -> ast.Module:
    tree = parse_nodes(path)[0]
    assert isinstance(tree, ast.Module)
    return tree
