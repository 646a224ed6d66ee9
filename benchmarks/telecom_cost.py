"""`python -m benchmarks.telecom_cost`: what the telecom pack costs a server, in memory and processor time.

A server of its own works through every shipped scenario, from the analysis to the comparison. Targets: the first
scenario is analysed and simulated in 3 s of processor time, and the server takes at most 500 MB afterwards; an idle
server grows by at most 20 MB through the pack. `METIER_EMBEDDER=none` leaves the router's vectors out.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

MESSAGES: Final = (
    "帮我分析一下朝阳区的弱覆盖问题",
    "海淀区5G越区覆盖，做根因分析",
    "浦东4G干扰很高，找出原因并做优化仿真",
    "西湖区弱覆盖，做网络优化",
    "天河5G高负荷怎么优化",
)
_SKILL: Final = "network_optimization"
_START_S: Final = 120.0
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_MB: Final = 1_000_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if a target is missed."""
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    growth = _measure_idle(["telecom"]) - _measure_idle([])
    with _serve() as (address, process):
        _post(
            address, "/api/chat", {"message": "弱覆盖是什么意思", "skill": "telecom_knowledge"}
        )  # imports are not counted
        costs = []
        for message in MESSAGES:
            before = _processor_s(process)
            _run_scenario(address, message)
            costs.append(_processor_s(process) - before)
            _write(f"{costs[-1]:5.1f} s, {_memory_mb(process):4.0f} MB after {message}")
        used = _memory_mb(process)
    rows = (("first scenario, s", costs[0], 3.0), ("all used, MB", used, 500.0), ("idle growth, MB", growth, 20.0))
    for name, value, most in rows:
        _write(f"{name}: {value:.1f} (target {most:g}) {'met' if value <= most else 'MISSED'}")
    return int(any(value > most for _, value, most in rows))


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _measure_idle(packs: list[str]) -> float:
    """Memory of a process that has opened a runtime with these packs and done nothing."""
    code = f"""
import asyncio, tempfile
from pathlib import Path
from metier.agent import Runtime
from metier.pack import find_installed_packs
from metier.settings import Settings
async def main():
    folder = Path(tempfile.mkdtemp())
    settings = Settings(skills_dir=(), storage_dir=folder, embedder="none")
    async with Runtime.open(settings, packs=find_installed_packs().select({packs!r})):
        print(Path("/proc/self/status").read_text())
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    return _read_memory_mb(done.stdout)


@contextmanager
def _serve() -> Iterator[tuple[str, int]]:
    """A server with the pack; gives its address and process id."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "skills").mkdir()
        known = {"METIER_STORAGE_DIR": folder, "METIER_SKILLS_DIR": f"{folder}/skills", "METIER_PACKS": "telecom"}
        command = [sys.executable, "-m", "metier", "serve", "--port", "0"]
        with subprocess.Popen(  # noqa: S603
            command,
            env={**os.environ, **known, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            try:
                yield _read_address(process), process.pid
            finally:
                process.terminate()


def _read_address(process: "subprocess.Popen[str]") -> str:
    until = time.monotonic() + _START_S
    for line in process.stdout or ():
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            return found[0]
        if time.monotonic() > until:
            break
    raise SystemExit("the server did not start")


def _run_scenario(address: str, message: str) -> None:
    events = _post(address, "/api/chat", {"message": message, "skill": _SKILL})
    pause = next(one["data"]["pause"] for one in reversed(events) if one["kind"] == "pause.opened")
    events = _post(address, f"/api/pauses/{pause}", {"answer": True})
    if not any(one["kind"] == "turn.done" for one in events):
        raise SystemExit(f"{message} did not end well: {events[-1]}")


def _post(address: str, path: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    """Send JSON, read the events of the answer."""
    headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
    request = urllib.request.Request(address + path, json.dumps(body).encode(), headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=300) as answer:  # noqa: S310
        lines = answer.read().decode().splitlines()
    found = [json.loads(line[5:]) for line in lines if line.startswith("data:")]
    return [one for one in found if "kind" in one]


def _memory_mb(process: int) -> float:
    return _read_memory_mb(Path(f"/proc/{process}/status").read_text("utf-8"))


def _read_memory_mb(status: str) -> float:
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) * 1024 / _MB


def _processor_s(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


if __name__ == "__main__":
    raise SystemExit(main())
