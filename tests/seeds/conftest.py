"""`pytest tests/seeds` runs every test that a row of the seed documents cites, and ends with one line per row."""

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from scripts.seed_reference import ROOT, judge_run, read_rows
from tests.packs.conftest import _shipped_scenarios_once

__all__ = ["_shipped_scenarios_once", "pytest_configure"]

_HERE = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    if not any((config.invocation_params.dir / one).resolve() == _HERE for one in config.args):
        return
    cited = {str(ROOT / test) for row in read_rows() for test in row.tests if not test.startswith("tests/seeds/")}
    config.args += sorted(cited - set(config.args))
    config.pluginmanager.register(_RowReport(), "seed-rows")


class _RowReport:
    """Results of the tests of a run, and the rows that they show."""

    def __init__(self) -> None:
        self._outcomes: defaultdict[str, set[str]] = defaultdict(set)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or not report.passed:
            self._outcomes[report.nodeid.partition("[")[0]].add(report.outcome)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        rows = [(judge_run(row, self._outcomes), row) for row in read_rows()]
        terminalreporter.section("rows of the seeds")
        for status, row in rows:
            terminalreporter.write_line(f"{status:12} {row.seed:12} {row.feature}")
        counted = Counter(status for status, _ in rows)
        terminalreporter.write_line(", ".join(f"{number} {status}" for status, number in counted.items()))
