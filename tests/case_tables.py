"""A table of cases is one test: its cases run one after another, and those that fail are reported together.

A test costs 3.5 ms before it does anything: its folder, its fixtures, its reports from one process to the other. Most
tables of `pytest.mark.parametrize` need none of that for each of their cases. A table is run as one test if its
function takes nothing but its cases, a folder (each case gets its own) and fixtures that are shared anyway (of a module
or a session), and no case has a mark of its own. With `pytest.mark.shares_fixtures` all fixtures are shared by the
cases. `pytest --each-case` runs every case as a test, to select one by its id.
"""

import inspect
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

Case = tuple[str, Mapping[str, object]]
_SHARED_SCOPES = ("module", "package", "session")
_FAILURES = (Exception, pytest.fail.Exception)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--each-case", action="store_true", help="run every case of a table as a test of its own")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "shares_fixtures: the cases of a table share the fixtures of the test")


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class,
) -> Generator[None, object, object]:
    found = yield
    if collector.config.getoption("each_case") or not isinstance(found, list) or len(found) < 2:
        return found
    items = [item for item in found if isinstance(item, pytest.Function)]
    if len(items) != len(found) or not all(_may_run_with_others(item) for item in items):
        return found
    groups: dict[str, list[pytest.Function]] = {}
    for item in items:
        groups.setdefault(repr(_fixture_params(item)), []).append(item)
    return [_merge(group) for group in groups.values()]


def _may_run_with_others(item: pytest.Function) -> bool:
    """Whether an item takes a case, fixtures that may be shared, and nothing else."""
    columns, given = _columns(item), vars(item).get("callspec")
    if given is None or given.marks or not columns or not columns <= set(given.params):
        return False
    if getattr(item.obj, "is_hypothesis_test", False) or any(item.iter_markers("usefixtures")):
        return False
    if _shares_fixtures(item):
        return True
    definitions = item._fixtureinfo.name2fixturedefs
    fixtures = [definitions.get(name) for name in item._fixtureinfo.argnames if name not in {*columns, "tmp_path"}]
    return columns == set(given.params) and all(known and known[-1].scope in _SHARED_SCOPES for known in fixtures)


def _shares_fixtures(item: pytest.Function) -> bool:
    return item.get_closest_marker("shares_fixtures") is not None


def _columns(item: pytest.Function) -> set[str]:
    """Names that the table gives values to; none if a fixture makes something of them first."""
    tables = list(item.iter_markers("parametrize"))
    if any("indirect" in table.kwargs for table in tables):
        return set()
    names = [table.args[0] if table.args else table.kwargs["argnames"] for table in tables]
    return {
        name.strip() for some in names for name in (some.split(",") if isinstance(some, str) else some) if name.strip()
    }


def _fixture_params(item: pytest.Function) -> dict[str, object]:
    """Parameters of the item's fixtures, such as the database a store is opened on."""
    columns = _columns(item)
    return {name: value for name, value in item.callspec.params.items() if name not in columns}


def _merge(items: Sequence[pytest.Function]) -> pytest.Function:
    """The item that runs the cases of all items, which have the same fixtures."""
    first = items[0]
    columns, params = _columns(first), _fixture_params(first)
    cases: list[Case] = [(item.name, {name: item.callspec.params[name] for name in columns}) for item in items]
    run = _run_together_async if inspect.iscoroutinefunction(first.obj) else _run_together
    function = run(first.obj, cases, has_folders=not _shares_fixtures(first))
    names = [name for name in first._fixtureinfo.argnames if name not in columns]
    function.__name__, function.__doc__, function.__module__ = (
        first.originalname,
        first.obj.__doc__,
        first.obj.__module__,
    )
    vars(function).update(
        pytestmark=[mark for mark in first.own_markers if mark.name != "parametrize"],
        __signature__=inspect.Signature([inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names]),
        __wrapped__=first.obj,
    )
    ids = [str(value) for value in params.values()]
    item: pytest.Function = type(first).from_parent(
        first.parent,
        name=f"{first.originalname}[{'-'.join(ids)}]" if ids else first.originalname,
        originalname=first.originalname,
        callobj=function,
        callspec=replace(first.callspec, params=params, _idlist=ids) if ids else None,
    )
    return item


def _run_together(test: Callable[..., object], cases: Sequence[Case], *, has_folders: bool) -> Callable[..., Any]:
    def run(**fixtures: object) -> None:
        outcome = Outcome(len(cases))
        for name, arguments in _prepare(cases, fixtures, has_folders=has_folders):
            try:
                test(**arguments)
            except pytest.skip.Exception as skipped:
                outcome.skips.append(skipped)
            except _FAILURES as failure:
                outcome.add(name, failure)
        outcome.end()

    return run


def _run_together_async(test: Callable[..., Any], cases: Sequence[Case], *, has_folders: bool) -> Callable[..., Any]:
    async def run(**fixtures: object) -> None:
        outcome = Outcome(len(cases))
        for name, arguments in _prepare(cases, fixtures, has_folders=has_folders):
            try:
                await test(**arguments)
            except pytest.skip.Exception as skipped:
                outcome.skips.append(skipped)
            except _FAILURES as failure:
                outcome.add(name, failure)
        outcome.end()

    return run


def _prepare(cases: Sequence[Case], fixtures: Mapping[str, object], *, has_folders: bool) -> Iterator[Case]:
    """Names and arguments of the cases; each is run in a folder of its own if the test asks for one."""
    folder = fixtures.get("tmp_path") if has_folders else None
    for number, (name, values) in enumerate(cases):
        arguments = {**fixtures, **values}
        if isinstance(folder, Path):
            own = folder / f"{number}"
            own.mkdir(mode=0o755)
            os.chdir(own)
            arguments["tmp_path"] = own
        yield name, arguments


class Outcome:
    """Failed and skipped cases of a table."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.failures: list[BaseException] = []
        self.skips: list[BaseException] = []

    def add(self, name: str, failure: BaseException) -> None:
        """Keep a failure with the name of its case."""
        failure.add_note(f"case: {name}")
        self.failures.append(failure)

    def end(self) -> None:
        """Raise what failed; skip if no case ran."""
        if len(self.failures) == 1:
            raise self.failures[0]
        if self.failures:
            raise BaseExceptionGroup(f"{len(self.failures)} of {self.count} cases failed", self.failures)
        if len(self.skips) == self.count:
            raise self.skips[0]
