"""What keeps the house in shape: small files, one door per room, no hidden state, no blanket excepts."""

import ast
import importlib
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "metier"
MODULES = sorted(path for path in SOURCE.rglob("*.py") if "versions" not in path.parts)
ROOMS = sorted(path.parent for path in SOURCE.glob("*/__init__.py"))
MOST_LINES = 400
MOST_FUNCTION_LINES = 60
# The edges of the program, where a failure becomes an answer.
MAY_CATCH_EVERYTHING = {
    "agent/lifecycle/_driver.py",
    "cli/_main.py",
    "telemetry/_lane.py",
    "tools/run/_executor.py",
    "tools/sandbox/_runner.py",
}
# Constructors and tables that are long because they are lists.
LONG_FUNCTIONS = {"skills/read/_build.py:build_skill"}

_MUTABLE = (ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)


def _named(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(_tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("path", MODULES, ids=_named)
def test_a_module_is_small(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES


@pytest.mark.parametrize("path", MODULES, ids=_named)
def test_a_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(_tree(path))


@pytest.mark.parametrize("path", MODULES, ids=_named)
def test_a_function_is_small(path: Path) -> None:
    long = {
        f"{_named(path)}:{node.name}"
        for node in _functions(path)
        if (node.end_lineno or 0) - node.lineno + 1 > MOST_FUNCTION_LINES
    }
    assert long <= LONG_FUNCTIONS


def test_the_list_of_long_functions_only_shrinks() -> None:
    lengths = {
        f"{_named(path)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in MODULES
        for node in _functions(path)
    }
    assert {name for name in LONG_FUNCTIONS if lengths.get(name, 0) > MOST_FUNCTION_LINES} == LONG_FUNCTIONS


@pytest.mark.parametrize("path", MODULES, ids=_named)
def test_nobody_but_the_edges_catches_everything(path: Path) -> None:
    handlers = [node for node in ast.walk(_tree(path)) if isinstance(node, ast.ExceptHandler)]
    blanket = [
        node for node in handlers if node.type is None or ast.unparse(node.type) in ("Exception", "BaseException")
    ]
    assert not blanket or _named(path) in MAY_CATCH_EVERYTHING


@pytest.mark.parametrize("path", MODULES, ids=_named)
def test_only_the_settings_read_the_environment(path: Path) -> None:
    reads = {
        ast.unparse(node)
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in ("os.environ", "os.getenv", "os.environb")
    }
    assert not reads or path.name == "settings.py"


@pytest.mark.parametrize("path", MODULES, ids=_named)
def test_a_module_holds_no_mutable_state(path: Path) -> None:
    """A module-level list, set or dictionary must be annotated as something that cannot be changed."""
    tree = _tree(path)
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, _MUTABLE):
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
            annotation = ast.unparse(node.annotation) if isinstance(node, ast.AnnAssign) else ""
            assert name == "__all__" or annotation.startswith(("Mapping[", "JsonObject")), (
                f"{name} can be changed by anybody"
            )
    assert not any(isinstance(node, ast.Global) for node in ast.walk(tree))


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_has_one_door(room: Path) -> None:
    module = importlib.import_module(f"metier.{room.name}")
    assert module.__all__ == sorted(module.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    assert all(hasattr(module, name) for name in module.__all__)
    open_files = [path.name for path in room.glob("*.py") if not path.name.startswith("_")]
    assert open_files == []


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_has_a_design_page_and_tests(room: Path) -> None:
    assert (ROOT / "docs" / "design" / f"{room.name}.md").is_file()
    assert list((ROOT / "tests" / room.name).glob("test_*.py"))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


@pytest.mark.parametrize("path", MODULES, ids=_named)
def test_a_room_is_entered_by_its_door(path: Path) -> None:
    own = _named(path).split("/")[0]
    for module in _imports(path):
        parts = module.split(".")
        if parts[0] == "metier" and len(parts) > 2 and parts[1] != own:
            assert not any(part.startswith("_") for part in parts[2:]), f"{module} is private to its room"


def test_the_version_has_a_line_in_the_changelog() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_contributing_fits_on_a_page() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text("utf-8").splitlines()) <= 60


def test_the_constraints_pin_versions_and_name_no_host() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    assert all("==" in line and "://" not in line and not line.startswith("-") for line in lines)
