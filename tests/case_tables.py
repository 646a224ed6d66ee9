"""A table of cases is one test: its cases run one after another, and those that fail are reported together.

A test costs 3.5 ms before it does anything: its folder, its fixtures, its reports from one process to the other. Most
tables of `pytest.mark.parametrize` need none of that for each of their cases. A table is run as one test if its
function takes nothing but its cases and fixtures that are shared anyway (of a module or a session), and no case has a
mark of its own. `pytest --each-case` runs every case as a test, to select one by its id.
"""

import inspect
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

import pytest

Case = tuple[str, Mapping[str, object]]
_SHARED_SCOPES = ("module", "package", "session")
_FAILURES = (Exception, pytest.fail.Exception)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--each-case", action="store_true", help="run every case of a table as a test of its own")


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class,
) -> Generator[None, object, object]:
    found = yield
    if collector.config.getoption("each_case") or not isinstance(found, list) or len(found) < 2:
        return found
    items = [item for item in found if isinstance(item, pytest.Function)]
    if len(items) != len(found) or not all(_needs_only_its_case(item) for item in items):
        return found
    return [_merge(items)]


def _needs_only_its_case(item: pytest.Function) -> bool:
    """Whether an item takes parameters of its table and fixtures that many tests share, and nothing else."""
    columns, given = _columns(item), vars(item).get("callspec")
    if given is None or set(given.params) != columns or given.marks:
        return False
    if getattr(item.obj, "is_hypothesis_test", False) or any(item.iter_markers("usefixtures")):
        return False
    definitions = item._fixtureinfo.name2fixturedefs
    fixtures = [definitions.get(name) for name in item._fixtureinfo.argnames if name not in columns]
    return all(known and known[-1].scope in _SHARED_SCOPES for known in fixtures)


def _columns(item: pytest.Function) -> set[str]:
    """Names that the table gives values to; none if a fixture makes something of them first."""
    tables = list(item.iter_markers("parametrize"))
    if any("indirect" in table.kwargs for table in tables):
        return set()
    names = [table.args[0] if table.args else table.kwargs["argnames"] for table in tables]
    return {
        name.strip() for some in names for name in (some.split(",") if isinstance(some, str) else some) if name.strip()
    }


def _merge(items: Sequence[pytest.Function]) -> pytest.Function:
    """The item that runs the cases of all items."""
    first = items[0]
    columns = _columns(first)
    cases: list[Case] = [(item.name, {name: item.callspec.params[name] for name in columns}) for item in items]
    function = _run_together_async(first.obj, cases) if _is_async(first) else _run_together(first.obj, cases)
    function.__name__, function.__doc__, function.__module__ = (
        first.originalname,
        first.obj.__doc__,
        first.obj.__module__,
    )
    marks = [mark for mark in first.own_markers if mark.name != "parametrize"]
    names = [name for name in first._fixtureinfo.argnames if name not in columns]
    parameters = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY) for name in names]
    vars(function).update(pytestmark=marks, __signature__=inspect.Signature(parameters), __wrapped__=first.obj)
    assert first.parent is not None
    item: pytest.Function = type(first).from_parent(first.parent, name=first.originalname, callobj=function)
    return item


def _is_async(item: pytest.Function) -> bool:
    return inspect.iscoroutinefunction(item.obj)


def _run_together(test: Callable[..., object], cases: Sequence[Case]) -> Callable[..., Any]:
    def run(**fixtures: object) -> None:
        outcome = Outcome(len(cases))
        for name, values in cases:
            try:
                test(**values, **fixtures)
            except pytest.skip.Exception as skipped:
                outcome.skips.append(skipped)
            except _FAILURES as failure:
                outcome.add(name, failure)
        outcome.end()

    return run


def _run_together_async(test: Callable[..., Any], cases: Sequence[Case]) -> Callable[..., Any]:
    async def run(**fixtures: object) -> None:
        outcome = Outcome(len(cases))
        for name, values in cases:
            try:
                await test(**values, **fixtures)
            except pytest.skip.Exception as skipped:
                outcome.skips.append(skipped)
            except _FAILURES as failure:
                outcome.add(name, failure)
        outcome.end()

    return run


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
