"""Figures of a whole process: a thousand streams, and the CPU time of a cold start."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles
from typing import Final

import httpx

from benchmarks.faults._outcome import Outcome, judge
from metier.bench._server import PERIOD_S, STREAMS, run_server

_DURATION_S: Final = 10.0
_COLD_CPU_S: Final = 3.0


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
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"METIER_STORAGE_DIR": str(folder)}
    command = [sys.executable, "-m", "metier", "serve", "--port", "0"]
    started = time.monotonic()
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            address = next(word for line in process.stderr for word in line.split() if word.startswith("http://"))
            while httpx.get(f"{address}/readyz", timeout=30).json()["checks"]["preparation"] != "ok":
                time.sleep(0.05)
            return _read_cpu_s(process.pid), time.monotonic() - started
        finally:
            process.terminate()


def _read_cpu_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
