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
_CHECKS = frozenset({"raises", "warns", "fail", "check_schema"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class SeedRow:
    """One requirement of a seed document: its section, its words, and the tests that show it."""

    seed: str
    feature: str
    tests: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """`works` if it has tests, all of them exist and check something; else `open`."""
        return "open" if not self.tests or find_missing_tests(self) or find_empty_tests(self) else "works"


def read_rows(folder: Path = ROWS) -> tuple[SeedRow, ...]:
    """Read all rows, in the order of the files; an unknown key is an error."""
    tables = [
        entry for path in sorted(folder.glob("*.toml")) for entry in tomllib.loads(path.read_text("utf-8"))["rows"]
    ]
    return tuple(SeedRow(**{**entry, "tests": tuple(entry.get("tests", ()))}) for entry in tables)


def find_missing_tests(row: SeedRow, root: Path = ROOT) -> list[str]:
    """Cited tests that do not exist: `path/to/test_file.py::test_name`, or a file as a whole."""
    return [cited for cited in row.tests if not _list_cited(cited, root)]


def find_empty_tests(row: SeedRow, root: Path = ROOT) -> list[str]:
    """Cited tests that check nothing: no `assert` of more than a constant, no expected error, in them or a helper."""
    return [
        f"{cited.partition('::')[0]}::{name}"
        for cited in row.tests
        for name in _list_cited(cited, root)
        if not _checks_something(root / cited.partition("::")[0], name, root)
    ]


def judge_run(row: SeedRow, outcomes: dict[str, set[str]]) -> str:
    """Status of a row after a run of its tests; `outcomes` has the results of the cases of each `file::test`.

    A case that this machine cannot run may be skipped, a whole test may not.
    """
    if row.status == "open":
        return "open"
    results = [
        set().union(*(got for test, got in outcomes.items() if test == cited or test.partition("::")[0] == cited))
        for cited in row.tests
    ]
    if any("failed" in one for one in results):
        return "broken"
    return "works" if all("passed" in one for one in results) else "not shown"


def _list_cited(cited: str, root: Path) -> list[str]:
    name, _, function = cited.partition("::")
    if not (root / name).is_file():
        return []
    known = [one for one in _read_functions(root / name) if one.startswith("test_")]
    return known if not function else [function] if function in known else []


@cache
def _read_functions(path: Path) -> dict[str, _Function]:
    return {item.name: item for item in ast.walk(_read_tree(path)) if isinstance(item, _Function)}


@cache
def _read_tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def _read_imports(path: Path, root: Path) -> dict[str, tuple[Path, str]]:
    """Names that a test file imports from other files of the tests: the file and the name there."""
    return {
        alias.asname or alias.name: (root / f"{item.module.replace('.', '/')}.py", alias.name)
        for item in ast.walk(_read_tree(path))
        if isinstance(item, ast.ImportFrom) and item.module and item.module.startswith("tests.")
        for alias in item.names
    }


@cache
def _checks_something(path: Path, name: str, root: Path) -> bool:
    function = _read_functions(path).get(name) if path.is_file() else None
    if function is None:
        return False
    inside = list(ast.walk(function))
    if any(isinstance(item, ast.Assert) and not isinstance(item.test, ast.Constant) for item in inside):
        return True
    calls = [item for item in inside if isinstance(item, ast.Call)]
    if any(map(_is_check, calls)):
        return True
    helpers = {one.func.id for one in calls if isinstance(one.func, ast.Name)} - {name}
    imports = _read_imports(path, root)
    return any(_checks_something(*imports.get(helper, (path, helper)), root) for helper in sorted(helpers))


def _is_check(call: ast.Call) -> bool:
    """A call that fails where something is wrong: an expected error, an expectation of a page, a checked process."""
    if isinstance(call.func, ast.Attribute):
        owner = call.func.value
        expects = isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "expect"
        checked = any(one.arg == "check" and getattr(one.value, "value", None) is True for one in call.keywords)
        return call.func.attr in _CHECKS or expects or checked
    return False


def seed_lines() -> Iterator[str]:
    """Render the page: one table per document with section, requirement, status and tests."""
    rows = read_rows()
    works = sum(row.status == "works" for row in rows)
    yield "Every requirement of the five documents this product began with, and the test that shows it. A row works if"
    yield "every test it names exists and checks something; the test's input is the document's own text where it has"
    yield "one. Rows: `tests/seeds/rows`. `pytest tests/seeds` runs them all and ends with one line a row.\n"
    yield f"{len(rows)} rows, {works} work.\n"
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
