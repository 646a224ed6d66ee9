"""What the package defines is used: by the package, by what stands beside it, or by readers of the documentation."""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.sources import SOURCE, find_nodes, list_modules, parse_module, parse_nodes, walk

ROOT = Path(__file__).resolve().parents[2]
BESIDE = ("scripts", "training", "benchmarks", "examples")
# A name in a text, alone or behind a module: "create_blank", "metier.packs.life:measure_charts".
NAMED = re.compile(r"(?:[\w.]+[.:])?(\w+)")
# What tests look at in a running process, and tables whose every entry they try.
WATCHED = {"ASSERT_KINDS", "FILE_KINDS", "list_processes", "worker_pid"}

# Fields that nothing reads by name: the record is compared or published whole, tests watch it, or it has no use yet.
UNREAD_FIELDS = {
    *("TelemetrySummary.by_hour", "_CanonicalContent.suspicions"),
    *("BuiltPrompt.digests", "RunOutcome.differences", "PageForm.buttons", "DocumentText.hidden_chars"),
    *("CellView.is_missing_value", "Optimisation.score_before", "Optimisation.score_after", "UtteredCalls.unusable"),
    *("Indicator.meaning_en", "Indicator.meaning_zh", "Threshold.meaning_en", "Threshold.meaning_zh"),
    "Operation.is_ours",
}


def _is_called_by_others(path: Path) -> bool:
    """Whether another program calls what the module defines: a sandbox, Alembic, pytest."""
    return bool({"scripts", "versions"} & set(path.parts)) or path.name == "_pytest_runner.py"


def _list_used(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Names that are read; to stand in `__all__` is not to be used."""
    exports = [one for one in nodes if isinstance(one, ast.Assign) and _is_list_of_exports(one.targets[0])]
    skipped = {id(inner) for one in exports for inner in ast.walk(one)}
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.id if isinstance(node, ast.Name) else node.attr
        elif isinstance(node, ast.alias) and node.asname:
            yield node.name
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            found = NAMED.fullmatch(node.value)
            yield from found.groups() if found else ()


def _is_list_of_exports(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and target.id == "__all__"


def _find_used() -> set[str]:
    beside = [path for folder in BESIDE for path in (ROOT / folder).rglob("*.py")]
    trees = [walk(ast.parse(path.read_text("utf-8"))) for path in beside]
    used = {name for nodes in (*map(parse_nodes, list_modules()), *trees) for name in _list_used(nodes)}
    manifests = [ROOT / "pyproject.toml", *SOURCE.rglob("*.toml"), *SOURCE.rglob("bench/*.json")]
    pages = [path for path in (ROOT / "docs").rglob("*.md") if "reference" not in path.parts]
    texts = [path.read_text("utf-8") for path in (*manifests, *pages, ROOT / "README.md")]
    return used | {word for text in texts for word in re.findall(r"\w+", text)} | WATCHED


def _list_defined(tree: ast.Module) -> Iterator[str]:
    """Functions, classes, constants and methods; what a decorator or a base class may call is left out."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from [] if node.decorator_list else [node.name]
        elif isinstance(node, ast.ClassDef):
            inner = node.body if not node.bases else []
            yield node.name
            yield from (one.name for one in inner if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (one.id for one in targets if isinstance(one, ast.Name))


def test_nothing_is_defined_that_nobody_uses() -> None:
    used = _find_used()
    unused = [
        f"{path.relative_to(SOURCE)}: {name}"
        for path in list_modules()
        if not _is_called_by_others(path)
        for name in _list_defined(parse_module(path))
        if name not in used and not name.startswith("__")
    ]
    assert unused == []


def _list_fields(nodes: Sequence[ast.AST]) -> Iterator[tuple[str, str]]:
    """Fields of dataclasses by their class."""
    for node in nodes:
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(one) for one in node.decorator_list):
            declared = [one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
            yield from ((node.name, ast.unparse(one.target)) for one in declared)


def _list_read(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Names that are read as an attribute, or stand in a text alone, as a key does."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value


def test_a_field_is_read_by_somebody_and_the_list_of_exceptions_only_shrinks() -> None:
    beside = [path for folder in BESIDE for path in (ROOT / folder).rglob("*.py")]
    trees = [walk(ast.parse(path.read_text("utf-8"))) for path in beside]
    read = {name for nodes in (*map(parse_nodes, list_modules()), *trees) for name in _list_read(nodes)}
    fields = {one for path in list_modules() for one in _list_fields(tuple(find_nodes(path, ast.ClassDef)))}
    assert len(fields) > 1000
    assert {f"{owner}.{name}" for owner, name in fields if name not in read} == UNREAD_FIELDS


def test_a_field_that_is_only_given_is_found() -> None:
    code = "@dataclass\nclass Cell:\n  text: str\n  lost: int\nprint(Cell('a', lost=1).text)"
    nodes = tuple(ast.walk(ast.parse(code)))
    assert [name for _, name in _list_fields(nodes) if name not in set(_list_read(nodes))] == ["lost"]


def test_a_function_that_only_tests_call_is_found() -> None:
    tree = ast.parse('__all__ = ["lost", "kept"]\nLIMIT = 1\ndef lost(): ...\ndef kept(): return LIMIT\nkept()')
    used = set(_list_used(tuple(ast.walk(tree))))
    assert [name for name in _list_defined(tree) if name not in used] == ["__all__", "lost"]
