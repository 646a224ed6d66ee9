"""Script for the sandbox: runs pytest on a project and writes what happened, one JSON object a line.

Called as `python _pytest_runner.py PROJECT REPORT [ARGUMENT …]`; it imports nothing of Metier.
"""

import json
import os
import sys
from typing import Any

_MAX_CHARS = 2_000
_USAGE_ERROR = 4


class TestRecorder:
    """Pytest plugin that writes each test as it starts and ends: a test that hangs is known by its name."""

    def __init__(self, report: str, project: str) -> None:
        self._file = open(report, "w", encoding="utf-8", buffering=1)  # noqa: PTH123, SIM115 - until the process ends
        self._project = os.path.realpath(project)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._write(event="start", test=nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.outcome != "passed":
            self._write_report("test", report)

    def pytest_collectreport(self, report: Any) -> None:
        if report.outcome == "failed":
            self._write_report("collect", report)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self._write(event="end", code=int(exitstatus))

    def _write_report(self, event: str, report: Any) -> None:
        found = {"event": event, "test": report.nodeid, "outcome": report.outcome, "when": getattr(report, "when", "")}
        if report.outcome == "failed":
            found |= self._describe(report.longrepr)
        self._write(**found)

    def _describe(self, failure: object) -> dict[str, object]:
        """Place and reason of a failure: the last line of the traceback that is in the project."""
        crash = getattr(failure, "reprcrash", None)
        entries = getattr(getattr(failure, "reprtraceback", None), "reprentries", ())
        places = [(one.path, one.lineno) for one in map(_get_place, entries) if one is not None]
        places += [(crash.path, crash.lineno)] if crash is not None else []
        inside = [found for found in places if self._is_inside(found[0])]
        path, line = inside[-1] if inside else ("", 0)
        text = crash.message if crash is not None else str(getattr(failure, "longrepr", failure))
        return {"path": self._relative(path), "line": line, "message": text[:_MAX_CHARS]}

    def _is_inside(self, path: str) -> bool:
        return os.path.realpath(os.path.join(self._project, path)).startswith(self._project + os.sep)  # noqa: PTH118 - texts, as pytest gives and takes them

    def _relative(self, path: str) -> str:
        full = os.path.realpath(os.path.join(self._project, path)) if path else ""  # noqa: PTH118 - texts, as pytest gives and takes them
        return os.path.relpath(full, self._project) if full else ""

    def _write(self, **values: object) -> None:
        self._file.write(json.dumps(values, default=str) + "\n")


def _get_place(entry: object) -> Any:
    return getattr(entry, "reprfileloc", None)


def run_tests(project: str, report: str, arguments: list[str]) -> int:
    """Run pytest in the project; options that a missing plugin would bring are left out."""
    import pytest

    os.chdir(project)
    source = os.path.join(project, "src")  # noqa: PTH118 - texts, as pytest gives and takes them
    sys.path[:0] = [project, *([source] if os.path.isdir(source) else [])]  # noqa: PTH112 - texts, as pytest gives and takes them
    options = ("-q", "--tb=short", "--continue-on-collection-errors", "-p", "no:cacheprovider", *arguments)
    for overrides in ((), ("-o", "addopts=")):
        given = [f"--rootdir={project}", *overrides, *options]
        code = int(pytest.main(given, plugins=[TestRecorder(report, project)]))
        if code != _USAGE_ERROR:
            break
    return code


if __name__ == "__main__":
    sys.exit(run_tests(os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), sys.argv[3:]))
