"""Rows of the five seed documents, each with the tests that show it, as the page `docs/reference/seeds.md`."""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROWS = ROOT / "tests" / "seeds" / "rows"
TITLES = {
    "000": "Skill middleware and telecom workbench",
    "001": "Tool and skill dispatch",
    "002": "Plan, execute, reflect over signals",
    "003": "Context of an agent with skills",
    "004": "Skill folders, tools, telemetry",
}


@dataclass(frozen=True, slots=True)
class SeedRow:
    """One requirement of a seed document: its section, its words, and the tests that show it."""

    seed: str
    feature: str
    tests: tuple[str, ...] = ()
    pack: str = ""

    @property
    def status(self) -> str:
        """`works` with a test, `not yet due` if a later pack owes it, else `open`."""
        if self.tests:
            return "works"
        return f"not yet due (pack {self.pack})" if self.pack else "open"


def read_rows(folder: Path = ROWS) -> tuple[SeedRow, ...]:
    """Read all rows, in the order of the files; an unknown key is an error."""
    tables = [
        entry for path in sorted(folder.glob("*.toml")) for entry in tomllib.loads(path.read_text("utf-8"))["rows"]
    ]
    return tuple(SeedRow(**{**entry, "tests": tuple(entry.get("tests", ()))}) for entry in tables)


def find_missing_tests(row: SeedRow, root: Path = ROOT) -> list[str]:
    """Cited tests that do not exist: `path/to/test_file.py::test_name`, or a file as a whole."""
    missing = []
    for cited in row.tests:
        name, _, function = cited.partition("::")
        if not (root / name).is_file() or (function and function not in _list_tests(root / name)):
            missing.append(cited)
    return missing


@cache
def _list_tests(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text("utf-8"))
    functions = (item for item in ast.walk(tree) if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(item.name for item in functions if item.name.startswith("test_"))


def seed_lines() -> Iterator[str]:
    """Render the page: one table per document with section, requirement, status and tests."""
    rows = read_rows()
    works = sum(row.status == "works" for row in rows)
    later = sum(row.status.startswith("not yet due") for row in rows)
    yield "Every requirement of the five documents this product began with, and the test that shows it. A row with a"
    yield "test works; the test's input is the document's own text where it has one. Rows: `tests/seeds/rows`.\n"
    yield f"{len(rows)} rows, {works} work, {later} belong to later packs.\n"
    for number, title in TITLES.items():
        yield f"## {number} {title}\n\n| section | requirement | status | test |\n|---|---|---|---|"
        for row in rows:
            if row.seed.startswith(number):
                yield _render_row(row)
        yield ""


def _render_row(row: SeedRow) -> str:
    section = row.seed.partition(" ")[2] or "whole"
    tests = "<br>".join(f"`{test.removeprefix('tests/')}`" for test in row.tests)
    return f"| {section} | {row.feature.replace('|', chr(92) + '|')} | {row.status} | {tests} |"
