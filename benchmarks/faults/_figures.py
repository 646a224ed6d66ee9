"""The real command, started as a person starts it: a thousand streams, the CPU time of a start, and kills in a turn."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import quantiles
from typing import Final

import httpx

from benchmarks.faults._outcome import Outcome, judge
from metier.bench._server import PERIOD_S, STREAMS, run_server

_DURATION_S: Final = 10.0
_COLD_CPU_S: Final = 3.0
_SKILL: Final = """---
name: clock
title: Clock
description: Says what time it is, for the fault suite.
tools: [get_current_time]
sop:
  - {id: now, call: get_current_time, save: now}
---
Say it.
"""
_ENDINGS: Final = (("message_stored", "kill"), ("tool_done", "kill"), ("result_stored", "term"))
COLD_KILLS: Final = len(_ENDINGS)
_MESSAGE: Final = {"message": "/clock", "idempotency_key": "key-cold"}
_LIMIT_S: Final = 300.0


def measure_streams() -> Outcome:
    """F21: a thousand readers of one server at four events per second."""
    heard, _ = run_server(STREAMS, _DURATION_S, turns=1)
    p99_ms = quantiles(heard.gaps_s, n=100)[98] * 1000
    ok = heard.errors == 0 and heard.missing == 0 and p99_ms <= 2000 * PERIOD_S
    measured = f"{STREAMS - heard.errors} held, {heard.missing} events missing or twice, gap p99 {p99_ms:.0f} ms"
    target = f"all held, 0 missing, p99 ≤ {2000 * PERIOD_S:.0f} ms"
    return judge("F21", "sqlite", f"{STREAMS} streams at {1 / PERIOD_S:g} events/s", target, measured, ok=ok)


def measure_cold_start() -> Outcome:
    """CPU time of `metier serve` from its start until `/readyz` answers 200, with encoders and all packs.

    The second start counts: a restart finds its bytecode compiled.
    """
    with tempfile.TemporaryDirectory() as folder:
        cpu_s, wall_s = [_start_cold(Path(folder)) for _ in range(2)][-1]
    measured = f"{cpu_s:.1f} s of CPU, {wall_s:.1f} s of time"
    what = "restart of `metier serve` to ready, not forked"
    return judge("F01", "sqlite", what, "< 3 s of CPU", measured, ok=cpu_s < _COLD_CPU_S)


def _start_cold(folder: Path) -> tuple[float, float]:
    """CPU time and time until the server is ready."""
    started = time.monotonic()
    with serve_cold(folder) as (process, _):
        return _read_cpu_s(process.pid), time.monotonic() - started


def kill_cold(kind: str, folder: Path, urls: list[str]) -> Outcome:
    """Kill the command at some points, each on a database of its own, and look at the turn after the next start."""
    problems: list[str] = []
    for (point, action), url in zip(_ENDINGS, urls, strict=True):
        problems += [f"{point} ({action}): {one}" for one in _kill_at(point, action, folder / point, url)]
    what = f"`metier serve` itself, not forked: {', '.join(f'{point} ({action})' for point, action in _ENDINGS)}"
    measured = f"{len(_ENDINGS)} kills, {len(problems)} problems"
    return judge("F01", kind, what, "every turn done, 0 gaps", measured, ok=not problems, notes=problems)


def _kill_at(point: str, action: str, folder: Path, url: str) -> list[str]:
    (folder / "skills" / "clock").mkdir(parents=True)
    (folder / "skills" / "clock" / "SKILL.md").write_text(_SKILL, "utf-8")
    given = {"METIER_SKILLS_DIR": str(folder / "skills"), "METIER_DATABASE_URL": url, "METIER_EMBEDDER": "none"}
    given |= {"METIER_LEASE_S": "1", "METIER_DRAIN_S": "0.3", "METIER_DEV_ROUTES": "true"}
    with serve_cold(folder, **given, METIER_FAULTS=f"{point}={action}") as (process, address):
        with suppress(httpx.TransportError):  # the server dies before its answer is whole
            httpx.post(f"{address}/api/chat", json=_MESSAGE, timeout=_LIMIT_S)
        code = _wait(process)
    expected = 0 if action == "term" else -signal.SIGKILL
    problems = [] if code == expected else [f"the exit code is {code} instead of {expected}"]
    with serve_cold(folder, **given) as (_, address), httpx.Client(base_url=address, timeout=_LIMIT_S) as http:
        again = http.post("/api/chat", json=_MESSAGE)
        conversation = again.headers.get("X-Conversation-Id", "")
        until = time.monotonic() + _LIMIT_S
        while (turns := http.get(f"/api/conversations/{conversation}/turns").json()["turns"])[0]["state"] != "done":
            if time.monotonic() > until:
                return [*problems, f"the turn is {turns[0]['state']}"]
            time.sleep(0.2)
        events = http.get(f"/api/conversations/{conversation}/events.json").json()["events"]
    if len(turns) != 1 or [one["seq"] for one in events] != list(range(1, len(events) + 1)):
        problems.append(f"{len(turns)} turns, events {[one['seq'] for one in events]}")
    return problems


def _wait(process: "subprocess.Popen[str]") -> int | None:
    try:
        return process.wait(_LIMIT_S)
    except subprocess.TimeoutExpired:
        return None


@contextmanager
def serve_cold(folder: Path, **environment: str) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """`metier serve` as a person starts it, in a folder of its own: the process and its address, once it is ready."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", "metier", "serve", "--port", "0"]
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        command,
        cwd=folder,
        env={**kept, "METIER_STORAGE_DIR": str(folder), **environment},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            told = (word for line in process.stderr for word in line.split())
            address = next((word for word in told if word.startswith("http://")), "")
            assert address, f"`metier serve` did not start in {folder}"
            while httpx.get(f"{address}/readyz", timeout=60).json()["checks"]["preparation"] != "ok":
                time.sleep(0.05)
            yield process, address
        finally:
            process.terminate()


def _read_cpu_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
