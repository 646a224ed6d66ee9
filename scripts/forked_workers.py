"""Test processes of pytest-xdist, forked from one that has imported every test.

To import Metier, what it uses and six hundred files of tests takes ten seconds of CPU, to compile its patterns two,
and a started process does it anew. A forked one has it all: one more than the cores need costs little, and fills the
time in which tests wait.
"""

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from importlib import import_module
from itertools import pairwise
from typing import NamedTuple

import pytest
from execnet import gateway_io
from execnet.gateway_base import ExecModel, Popen2IO
from execnet.xspec import XSpec

from scripts.forked_children import fork_source

# What many tests of the agent load on use. Not ONNX Runtime: it starts a thread, which a fork would lose.
_LOADED_ON_USE = (
    *("PyEMD", "bpe_openai", "chromadb.api", "reportlab.platypus", "sklearn.covariance", "sklearn.ensemble"),
    *("langchain_anthropic", "langchain_google_genai", "langchain_ollama", "langchain_openai"),
)


class ImportOnly:
    """Plugin of a run that imports the files of tests and makes no tests of them: each forked process makes its own."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self) -> list[pytest.Item]:
        return []


class Worker(NamedTuple):
    """A forked process that waits for the first line of execnet: where to write to it, and where it answers."""

    pid: int
    to: int
    answers: int


class WorkerIO(Popen2IO):
    """Connection of execnet to a forked process."""

    def __init__(self, worker: Worker, execmodel: ExecModel) -> None:
        super().__init__(os.fdopen(worker.to, "wb"), os.fdopen(worker.answers, "rb"), execmodel)
        self._pid = worker.pid

    def wait(self) -> int | None:
        """Wait for the end of the process; its exit code, or None if it was waited for before."""
        with suppress(ChildProcessError):
            return os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return None

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._pid, 9)


@contextmanager
def fork_workers(arguments: Sequence[str]) -> Iterator[None]:
    """Let pytest-xdist take forked processes, as many as `-n` says; started ones where there is no safe fork.

    A process that replaces one that crashed is started.
    """
    count = _read_count(arguments)
    if not count or sys.platform != "linux":
        yield
        return
    _import_tests(arguments)
    with fork_source(), _lend(_fork(count)):
        yield


@contextmanager
def _lend(waiting: list[Worker]) -> Iterator[None]:
    create = gateway_io.create_io

    def take(spec: XSpec, execmodel: ExecModel) -> object:
        return WorkerIO(waiting.pop(0), execmodel) if spec.popen and waiting else create(spec, execmodel)

    gateway_io.create_io = take  # type: ignore[assignment]
    try:
        yield
    finally:
        gateway_io.create_io = create


def _read_count(arguments: Sequence[str]) -> int:
    """Number after `-n`; 0 without one."""
    after = [two for one, two in pairwise(arguments) if one == "-n"]
    return int(after[-1]) if after and after[-1].isdecimal() else 0


def _import_tests(arguments: Sequence[str]) -> None:
    """Import the files of tests into this process. What cannot be imported is reported by the run itself.

    Nothing is captured meanwhile: a module that keeps `sys.stderr` when it is imported would keep a closed file.
    """
    nowhere = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")  # kept open for the same reason
    with redirect_stdout(nowhere):
        pytest.main([*arguments, "-n", "0", "--collect-only", "-s"], plugins=[ImportOnly()])
    for name in _LOADED_ON_USE if "metier.agent" in sys.modules else ():
        with suppress(ImportError):
            import_module(name)
    if "metier.patterns" in sys.modules:
        import_module("metier.patterns").compile_remaining(pause_s=0)
    gc.collect()
    gc.freeze()  # no collection in a forked process writes to the memory that all share


def _fork(count: int) -> list[Worker]:
    made: list[Worker] = []
    for _ in range(count):
        (gets, to), (answers, says) = os.pipe(), os.pipe()
        pid = os.fork()
        if pid == 0:
            for end in (to, answers, *(end for one in made for end in one[1:])):
                os.close(end)
            _serve(gets, says)
        os.close(gets)
        os.close(says)
        made.append(Worker(pid, to, answers))
    return made


def _serve(gets: int, says: int) -> None:
    """Be what `python -c` of execnet is: run the line that comes, and end."""
    for end, number in ((gets, 0), (says, 1)):
        os.dup2(end, number)
        os.close(end)
    sys.stdin, sys.stdout = os.fdopen(0, "r", closefd=False), os.fdopen(1, "w", closefd=False)
    if line := sys.stdin.readline():
        exec(eval(line), {"__name__": "__main__"})  # noqa: S102, S307 - execnet's own protocol
    sys.exit(0)
