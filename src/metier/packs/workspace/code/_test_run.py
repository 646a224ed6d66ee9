"""Runs the tests of a project in the sandbox, on a copy that is thrown away, with the interpreter that runs Metier."""

import asyncio
import importlib.util
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.errors import SandboxMissing
from metier.json_values import JsonInvalid, JsonObject, load_json
from metier.packs.workspace.code._problems import CodeProblem
from metier.projects import Project
from metier.tools.sandbox import MIB, CommandResult, ResourceLimits, Sandbox, run_command
from metier.workspaces import delete_tree

MAX_TIMEOUT_S: Final = 300
_PLUGINS: Final[Mapping[bytes, str]] = MappingProxyType(
    {b"asyncio": "pytest_asyncio.plugin", b"anyio": "anyio.pytest_plugin", b"mocker": "pytest_mock"}
)
_RUNNER: Final = Path(__file__).with_name("_pytest_runner.py")
_MAX_REPORT_BYTES: Final = 16 << 20
_MAX_TAIL_CHARS: Final = 600
_NO_TESTS: Final = 5
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
_ASSERTION: Final = re.compile(r"^(?:AssertionError: )?(?=assert )")
_ERROR_LINE: Final = re.compile(r"^E +(.+)$", re.MULTILINE)
_PLACE: Final = re.compile(r"^([^\s:][^:\n]*\.py):(\d+): ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TestFailure:
    """A test that failed: where, and which assertion or error."""

    __test__ = False

    test: str
    path: str
    line: int
    reason: str

    @property
    def place(self) -> str:
        """`file:line`, or the test's own name if no line of the project is known."""
        return f"{self.path}:{self.line}" if self.path else self.test


@dataclass(frozen=True, slots=True)
class TestRun:
    """What a run of the tests gave."""

    __test__ = False

    exit_code: int
    passed: int
    skipped: int
    failures: tuple[TestFailure, ...]
    elapsed_s: float
    output: str = ""

    @property
    def is_ok(self) -> bool:
        return self.exit_code == 0 and not self.failures


async def run_project_tests(
    project: Project, workspace: Path, only: str = "", *, timeout_s: int = 60, memory_bytes: int = 1024 * MIB
) -> TestRun:
    """Run the tests; raises `CodeProblem` if they hang, use too much or cannot be started."""
    if importlib.util.find_spec("pytest") is None:
        raise CodeProblem("pytest_missing")
    folder = Path(tempfile.mkdtemp(prefix=".tests-", dir=workspace))
    try:
        await asyncio.to_thread(_copy_files, project, folder / "project")
        done = await _run(folder, [*_select_plugins(folder / "project"), *_select(only)], timeout_s, memory_bytes)
        lines = await asyncio.to_thread(lambda: list(_read_report(folder / "report.jsonl")))
        return _read_run(done, lines, folder, project.name, only)
    finally:
        await asyncio.to_thread(delete_tree, folder)


def _copy_files(project: Project, target: Path) -> None:
    for path, one in project.list_files().items():
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(one.content)
        place.chmod(one.mode | 0o600)


def _select_plugins(project: Path) -> Iterator[str]:
    """Plugins that the tests mention and this environment has; loading all that is installed takes seconds."""
    texts = [file.read_bytes() for file in project.rglob("*.py")]
    for word, module in _PLUGINS.items():
        if any(word in text for text in texts) and importlib.util.find_spec(module.partition(".")[0]) is not None:
            yield from ("-p", module)


def _select(only: str) -> Iterator[str]:
    """Arguments of pytest for one test: a place (`tests/test_a.py::test_b`) or words of its name."""
    if only and (".py" in only):
        yield only.removeprefix("-")
    elif only:
        yield from ("-k", re.sub(r"[^\w\s]", " ", only).strip())


async def _run(folder: Path, arguments: list[str], timeout_s: int, memory_bytes: int) -> CommandResult:
    limits = ResourceLimits(
        wall_s=float(timeout_s),
        cpu_s=timeout_s,
        memory_bytes=memory_bytes,
        disk_bytes=128 * MIB,
        max_files=8_000,
        processes=64,
    )
    command = [sys.executable, "-I", "-B", str(_RUNNER), "project", "report.jsonl", *arguments]
    try:
        return await run_command(
            command,
            sandbox=Sandbox(folder, readable=(_RUNNER.parent,), limits=limits),
            env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        )
    except SandboxMissing as error:
        raise CodeProblem("tests_broken", why=error.message) from error


def _read_report(file: Path) -> Iterator[JsonObject]:
    """Lines of the report; whatever the tests may have done to it is skipped."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return
    with os.fdopen(descriptor, "rb") as source:
        for line in source.read(_MAX_REPORT_BYTES).splitlines():
            try:
                found = load_json(line.decode("utf-8", "replace"))
            except JsonInvalid:
                continue
            if isinstance(found, Mapping):
                yield found


def _read_run(done: CommandResult, lines: list[JsonObject], folder: Path, name: str, only: str) -> TestRun:
    stopped_in = _find_unfinished(lines)
    where = f" ({stopped_in})" if stopped_in else ""
    if done.timed_out:
        raise CodeProblem("tests_hang", seconds=round(done.elapsed_ms / 1000), where=where)
    if done.exceeded is not None:
        raise CodeProblem("tests_over_limit", limit=done.exceeded.kind, where=where)
    output = _clean(done.stdout + done.stderr, folder)
    failures = tuple(_read_failures(lines, folder))
    ended = next((one for one in reversed(lines) if one.get("event") == "end"), None)
    if done.exit_code == _NO_TESTS and not failures:
        raise CodeProblem("test_not_found", name=name, wanted=only) if only else CodeProblem("no_tests", name=name)
    if ended is None or (done.exit_code not in (0, 1) and not failures):
        raise CodeProblem("tests_broken", why=output[-_MAX_TAIL_CHARS:].strip() or f"exit code {done.exit_code}")
    outcomes = [one.get("outcome") for one in lines if one.get("event") == "test"]
    return TestRun(
        done.exit_code,
        outcomes.count("passed"),
        outcomes.count("skipped"),
        failures,
        done.elapsed_ms / 1000,
        output[-_MAX_TAIL_CHARS:],
    )


def _find_unfinished(lines: Iterable[JsonObject]) -> str:
    """The test that had started and not ended; empty if there is none."""
    started = ""
    for one in lines:
        if one.get("event") == "start":
            started = str(one.get("test"))
        elif one.get("event") == "test" and one.get("test") == started:
            started = ""
    return started


def _read_failures(lines: Iterable[JsonObject], folder: Path) -> Iterator[TestFailure]:
    seen: set[tuple[str, str]] = set()
    for one in lines:
        if one.get("outcome") != "failed":
            continue
        test, line = str(one.get("test") or ""), one.get("line")
        message = _clean(str(one.get("message") or "").encode("utf-8", "replace"), folder)
        path, number = str(one.get("path") or ""), line if isinstance(line, int) else 0
        if one.get("event") == "collect":
            places = _PLACE.findall(message)
            path, number = (places[-1][0], int(places[-1][1])) if places else (path or test, max(number, 1))
        if (test, str(one.get("when"))) not in seen:
            seen.add((test, str(one.get("when"))))
            yield TestFailure(test, path, number, _shorten_reason(message))


def _shorten_reason(message: str) -> str:
    """The assertion, or the last error line of an import that failed."""
    errors = _ERROR_LINE.findall(message)
    text = errors[-1] if errors else message
    lines = [line.rstrip() for line in _ASSERTION.sub("", text).splitlines() if line.strip()]
    return "\n".join(lines[:4])[:400]


def _clean(output: bytes, folder: Path) -> str:
    """Output without terminal escapes and without the path of the copy that is thrown away."""
    text = output.decode("utf-8", "replace").replace("\r\n", "\n")
    for place in {str(folder.resolve() / "project"), str(folder / "project"), str(folder.resolve()), str(folder)}:
        text = text.replace(f"{place}/", "").replace(place, ".")
    return _ESCAPES.sub("", text)
