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
from _pytest.fixtures import FuncFixtureInfo
from _pytest.python import CallSpec

Case = tuple[str, Mapping[str, object]]
_SHARED_SCOPES = ("module", "package", "session")
_TABLES = pytest.StashKey[dict[int, list[CallSpec]]]()  # cases of a collector's tables, by the `id` of the first
_FAILURES = (Exception, pytest.fail.Exception)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--each-case", action="store_true", help="run every case of a table as a test of its own")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "shares_fixtures: the cases of a table share the fixtures of the test")


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Keep one case of each table: four of five items would be made in each test process and then left out."""
    calls = metafunc._calls
    if metafunc.config.getoption("each_case") or len(calls) < 2 or not _may_run_together(metafunc):
        return
    columns, groups = _columns(metafunc.definition), dict[str, list[CallSpec]]()
    for call in calls:
        groups.setdefault(repr(_fixture_params(call, columns)), []).append(call)
    assert metafunc.definition.parent is not None
    tables = metafunc.definition.parent.stash.setdefault(_TABLES, {})
    tables.update({id(cases[0]): cases for cases in groups.values()})
    calls[:] = [cases[0] for cases in groups.values()]


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class,
) -> Generator[None, object, object]:
    found = yield
    tables = collector.stash.get(_TABLES, {})
    if not isinstance(found, list) or not tables:
        return found
    made = [_merge(item, tables.pop(id(vars(item).get("callspec")), ())) for item in found]
    assert not tables, "a case of a table became no item"
    return made


def _may_run_together(metafunc: pytest.Metafunc) -> bool:
    """Whether a test takes a case, fixtures that may be shared, and nothing else."""
    columns, test = _columns(metafunc.definition), metafunc.definition
    if not columns or any(call.marks or not columns <= set(call.params) for call in metafunc._calls):
        return False
    if getattr(metafunc.function, "is_hypothesis_test", False) or any(test.iter_markers("usefixtures")):
        return False
    if _shares_fixtures(test):
        return True
    definitions = test._fixtureinfo.name2fixturedefs
    fixtures = [definitions.get(name) for name in test._fixtureinfo.argnames if name not in {*columns, "tmp_path"}]
    are_shared = all(known and known[-1].scope in _SHARED_SCOPES for known in fixtures)
    return are_shared and all(columns == set(call.params) for call in metafunc._calls)


def _shares_fixtures(item: pytest.Item) -> bool:
    return item.get_closest_marker("shares_fixtures") is not None


def _columns(item: pytest.Item) -> set[str]:
    """Names that the table gives values to; none if a fixture makes something of them first."""
    tables = list(item.iter_markers("parametrize"))
    if any("indirect" in table.kwargs for table in tables):
        return set()
    names = [table.args[0] if table.args else table.kwargs["argnames"] for table in tables]
    return {
        name.strip() for some in names for name in (some.split(",") if isinstance(some, str) else some) if name.strip()
    }


def _fixture_params(call: CallSpec, columns: set[str]) -> dict[str, object]:
    """Parameters of a test's fixtures, such as the database a store is opened on."""
    return {name: value for name, value in call.params.items() if name not in columns}


def _merge(first: pytest.Function, calls: Sequence[CallSpec]) -> pytest.Function:
    """The item that runs these cases, of which `first` has the first; `first` itself if it is of no table."""
    if not calls:
        return first
    columns = _columns(first)
    params = _fixture_params(calls[0], columns)
    cases: list[Case] = [
        (f"{first.originalname}[{call.id}]", {name: call.params[name] for name in columns}) for call in calls
    ]
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
        callspec=replace(calls[0], params=params, _idlist=ids) if ids else None,
        fixtureinfo=_without(first._fixtureinfo, columns),
    )
    return item


def _without(known: FuncFixtureInfo, columns: set[str]) -> FuncFixtureInfo:
    """What is known of a test's fixtures, without the columns of its table."""
    return FuncFixtureInfo(
        argnames=tuple(name for name in known.argnames if name not in columns),
        initialnames=tuple(name for name in known.initialnames if name not in columns),
        names_closure=[name for name in known.names_closure if name not in columns],
        name2fixturedefs={name: found for name, found in known.name2fixturedefs.items() if name not in columns},
    )


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
