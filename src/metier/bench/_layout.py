"""Benchmark of the layout: how deep the imports inside of `agent/` go, and how many files the largest folder holds."""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import metier
from metier.bench._figures import Figure

MAX_FLOORS = 8
MAX_FILES = 20
_ROOT = Path(metier.__file__).parent
_GENERATED = "versions"  # migrations of the database: one file each, and nobody looks for anything there


def measure_layout() -> Iterator[Figure]:
    """Count floors and files; both come out the same on every machine."""
    floors = count_floors(read_imports(_ROOT / "agent", "metier.agent"))
    yield Figure("layout", "import floors in agent/", float(floors), MAX_FLOORS + 1, 1, unit="floors")
    sizes = Counter(path.parent for path in _ROOT.rglob("*.py") if _GENERATED not in path.parts)
    (largest, count), *_ = sizes.most_common(1)
    name = f"largest folder ({largest.relative_to(_ROOT.parent).as_posix()}/)"
    yield Figure("layout", name, float(count), MAX_FILES + 1, len(sizes), unit="files")


def read_imports(folder: Path, package: str) -> Mapping[str, frozenset[str]]:
    """Which parts of a package (its modules and sub-packages) each of them imports, also inside of functions."""
    found: dict[str, set[str]] = {}
    for path in folder.rglob("*.py"):
        part = path.relative_to(folder).parts[0].removesuffix(".py")
        if part != "__init__":  # the door of the package stands above all of them
            found.setdefault(part, set()).update(_list_parts(ast.parse(path.read_text("utf-8")), package))
    return {part: frozenset((named & found.keys()) - {part}) for part, named in found.items()}


def count_floors(imports: Mapping[str, frozenset[str]]) -> int:
    """Length of the longest chain of imports; the imports must not run in a circle."""

    @cache
    def find_floor(part: str) -> int:
        return 1 + max(map(find_floor, imports[part]), default=0)

    return max(map(find_floor, imports), default=0)


def _list_parts(tree: ast.Module, package: str) -> Iterator[str]:
    """Parts of the package that a module names in its imports."""
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{name}" for name in names]
        inside = (name.removeprefix(f"{package}.") for name in names if name.startswith(f"{package}."))
        yield from (name.partition(".")[0] for name in inside)
