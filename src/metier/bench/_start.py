"""Benchmark of starting: `metier run` as a new process, beside importing LangChain alone; a server with all packs."""

import os
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
_MAX_USED_MB: Final = 500.0
_MAX_READY_MS: Final = 3_000.0
_MAX_EXAMPLE_MS: Final = 3_000.0
_READY_LIMIT_S: Final = 120.0
_FIRST_CHOICE: Final = "第一个"
_LANGCHAIN: Final = "from langchain.agents import create_agent"
_ROUTING: Final = "from metier.routing import open_router; from metier.settings import load_settings"
_ENCODER: Final = f"{_ROUTING}; [view.embed({_MESSAGE!r}) for view in open_router(load_settings()).views]"


class ProcessTime(NamedTuple):
    """Time of one process in milliseconds."""

    cpu_ms: float
    wall_ms: float


def measure_start() -> Iterator[Figure]:
    """Measure a one-shot run with the built-in model, and a server with every installed pack: restart and memory."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_corpus(folder / "skills", _SKILLS)
        yield from _compare_run(folder)
        idle_mb = measure_idle_server_mb(folder)
        if idle_mb is not None:
            yield Figure("start", "idle server with all packs", idle_mb, _MAX_IDLE_MB, 1, unit="MB")
            yield from measure_used_server(folder)


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


def measure_used_server(folder: Path) -> Iterator[Figure]:
    """Measure a restarted server until it is ready, and for each pack a server that answered all examples of the pack.

    Each example is asked and its first question answered with the first choice. The encoder is loaded when a server is
    ready, so it is part of the restart and of the memory, and not of the first example.
    """
    from metier.pack import find_installed_packs

    with _start_server(folder) as (address, process):
        _wait_until_ready(address)
        ready_ms = read_cpu_s(process) * 1000
    yield Figure("start", "restarted server with all packs ready, CPU", ready_ms, _MAX_READY_MS, 1)
    for pack in find_installed_packs().found:
        with _start_server(folder, "--pack", pack.id) as (address, process):
            _wait_until_ready(address)
            yield from _measure_examples(address, process, pack.id, [one.zh for one in pack.examples])


def _measure_examples(address: str, process: int, pack: str, examples: Sequence[str]) -> Iterator[Figure]:
    before_s = read_cpu_s(process)
    for number, example in enumerate(examples):
        _use_example(address, example)
        if number == 0:
            taken_ms = (read_cpu_s(process) - before_s) * 1000
            name = f"first example of {pack}, with its question, CPU"
            yield Figure("start", name, taken_ms, _MAX_EXAMPLE_MS, 1)
    used_mb = read_resident_mb(process) or 0.0
    yield Figure("start", f"server after all examples of {pack}", used_mb, _MAX_USED_MB, 1, unit="MB")


def _use_example(address: str, example: str) -> None:
    conversation = None
    for message in (example, _FIRST_CHOICE):
        body = {"message": message, "conversation_id": conversation} if conversation else {"message": message}
        answer = httpx.post(f"{address}/api/chat", json=body, timeout=_READY_LIMIT_S)
        answer.raise_for_status()
        conversation = answer.headers["x-conversation-id"]


def read_cpu_s(process: int) -> float:
    """Seconds of processor time that a process and its ended children took so far (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def _start_server(folder: Path, *options: str) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-m", "metier", "serve", "--skills", "skills", "--port", "0", "--model", "builtin"]
    with subprocess.Popen([*command, *options], cwd=folder, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own interpreter
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
