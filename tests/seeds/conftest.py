"""`pytest tests/seeds` ends with one line per row of the seed documents."""

import pytest

from scripts.seed_reference import read_rows
from tests.packs.conftest import _shipped_scenarios_once

__all__ = ["_shipped_scenarios_once", "pytest_terminal_summary"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int, config: pytest.Config) -> None:
    if exitstatus or not any("tests/seeds" in argument for argument in config.args):
        return
    terminalreporter.section("rows of the seeds")
    for row in read_rows():
        terminalreporter.write_line(f"{row.status:12} {row.seed:12} {row.feature}")
