"""Benchmark of starting: `metier run` as a new process, beside importing LangChain alone; memory of an idle server."""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import httpx

from metier.bench._corpus import write_corpus
from metier.bench._figures import Figure

_RUNS: Final = 5
_SKILLS: Final = 5
_MESSAGE: Final = "写一份本周的工作周报"
_MAX_RATIO: Final = 2.0
_MAX_IDLE_MB: Final = 450.0
_READY_LIMIT_S: Final = 120.0
_LANGCHAIN: Final = "from langchain.agents import create_agent"
_ROUTING: Final = "from metier.routing import open_router; from metier.settings import load_settings"
_ENCODER: Final = f"{_ROUTING}; [view.embed({_MESSAGE!r}) for view in open_router(load_settings()).views]"


class ProcessTime(NamedTuple):
    """Time of one process in milliseconds."""

    cpu_ms: float
    wall_ms: float


def measure_start() -> Iterator[Figure]:
    """Measure a one-shot run with the built-in model, and the memory of a server with every installed pack."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_corpus(folder / "skills", _SKILLS)
        yield from _compare_run(folder)
        idle_mb = measure_idle_server_mb(folder)
    if idle_mb is not None:
        yield Figure("start", "idle server with all packs", idle_mb, _MAX_IDLE_MB, 1, unit="MB")


def _compare_run(folder: Path) -> Iterator[Figure]:
    run = ("-m", "metier", "run", "--skills", "skills", "--model", "builtin", _MESSAGE)
    time_process(run, folder)  # the first one writes the database, the index and the bytecode
    timed = time_in_turns([run, ("-c", _LANGCHAIN), ("-c", _ENCODER), ("-c", _ROUTING)], folder, _RUNS)
    for kind, (ours, langchain, encoder, routing) in (
        ("CPU", [one.cpu_ms for one in timed]),
        ("wall", [one.wall_ms for one in timed]),
    ):
        target = _MAX_RATIO * langchain + max(0.0, encoder - routing)
        name = f"metier run, builtin, {_SKILLS} skills, {kind}"
        yield Figure("start", name, ours, target, _RUNS, langchain, "import create_agent")


def time_in_turns(commands: Sequence[Sequence[str]], folder: Path, rounds: int) -> list[ProcessTime]:
    """Median times of each command; the commands take turns, so that a busy moment hits all of them."""
    taken = [[time_process(command, folder) for command in commands] for _ in range(rounds)]
    return [
        ProcessTime(median(one.cpu_ms for one in times), median(one.wall_ms for one in times))
        for times in zip(*taken, strict=True)
    ]


def time_process(arguments: Sequence[str], folder: Path) -> ProcessTime:
    """Run Python with these arguments in the folder; time of the process and its children."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, *arguments]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)  # noqa: S603 - our own interpreter
    wall_s, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return ProcessTime(cpu_s * 1000, wall_s * 1000)


def measure_idle_server_mb(folder: Path) -> float | None:
    """Resident memory of a server that is ready and has answered nothing else; None if the system does not tell."""
    with _start_server(folder) as (address, process):
        _wait_until_ready(address)
        return read_resident_mb(process)


@contextmanager
def _start_server(folder: Path) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-m", "metier", "serve", "--skills", "skills", "--port", "0", "--model", "builtin"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own interpreter
        try:
            assert process.stderr is not None
            yield next(word for line in process.stderr for word in line.split() if word.startswith("http")), process.pid
        finally:
            process.terminate()


def _wait_until_ready(address: str) -> None:
    until = time.monotonic() + _READY_LIMIT_S
    while httpx.get(f"{address}/readyz").status_code != httpx.codes.OK:
        if time.monotonic() > until:
            raise TimeoutError(f"the server was not ready after {_READY_LIMIT_S:g} s")
        time.sleep(0.1)


def read_resident_mb(process: int) -> float | None:
    """Resident memory of a process; None if the system does not tell."""
    try:
        status = Path(f"/proc/{process}/status").read_text("utf-8")
    except OSError:
        return None
    found = next((line for line in status.splitlines() if line.startswith("VmRSS:")), None)
    return None if found is None else int(found.split()[1]) / 1024
