"""`make sandbox-faults`: crash, hang, flood and overload real scripts, and compare with the targets F14 to F17.

The tests do each of these a few times; this does them often, and measures the server meanwhile.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from metier.tools import ScriptPool, ToolContext, ToolResult, ToolSpec
from metier.tools.run._scripts import ScriptTool
from metier.tools.sandbox import probe

_TICK_S: Final = 0.005
_AT_ONCE: Final = 10
_LIMIT_S: Final = 2.0
_MIB: Final = 1 << 20
CRASHES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "exception": ("raise ValueError('no')", "script_failed"),
        "SIGSEGV": ("import ctypes\nctypes.string_at(0)", "script_crashed"),
        "SIGABRT": ("import os\nos.abort()", "script_crashed"),
        "SIGKILL to itself": ("import os\nos.kill(os.getpid(), 9)", "script_crashed"),
        "exit 137": ("import os\nos._exit(137)", "script_crashed"),
        "no output": ("import os\nos._exit(0)", "script_crashed"),
        "out of memory": ("bytearray(1 << 40)", "out_of_memory"),
        "recursion": ("def f(): f()\nf()", "script_failed"),
        "closed result": ("import os\nos.close(3)", "script_crashed"),
        "NaN": ("return {'x': float('nan')}", "result_not_json"),
    }
)
HANG: Final = """
import os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        open('orphan', 'w').write(str(os.getpid()))
        time.sleep(600)
    os._exit(0)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(600)
"""
MEMORY_BOMB: Final = """
import os
for _ in range(8):
    if os.fork() == 0:
        held = []
        while True:
            held.append(b'x' * (1 << 20))
while True:
    os.wait()
"""
FLOODS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "1 GiB on stdout": "import os\nfor _ in range(1024):\n    os.write(1, bytes(1 << 20))",
        "10^6 lines": "for n in range(10**6):\n    print(n)",
        "ANSI and binary": "import os\nfor _ in range(100):\n    os.write(2, b'\\x1b[31m\\xff\\x00' * 100_000)",
        "100 MB of JSON": "import os\nfor _ in range(100):\n    os.write(3, b'[1,' * 333_333)",
    }
)
BOMBS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "processor": "while True: pass",
        "memory": MEMORY_BOMB,
        "forks": "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
        "disk": "for n in range(10**6):\n    open(str(n), 'wb').write(bytes(8 << 20))",
        "files": "for n in range(10**7):\n    open(str(n), 'w').close()",
        "depth": "import os\nwhile True:\n    os.mkdir('d')\n    os.chdir('d')",
    }
)


class Figure(NamedTuple):
    """One line of the report."""

    fault: str
    what: str
    target: str
    measured: str
    ok: bool


class Bench:
    """Runs scripts of one skill in one pool."""

    def __init__(self, area: Path, pool: ScriptPool) -> None:
        self._area = area
        self._pool = pool

    async def run(self, name: str, body: str, timeout_s: float = 20.0) -> ToolResult:
        folder = self._area / "skills" / name
        (folder / "scripts").mkdir(parents=True, exist_ok=True)
        lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
        (folder / "scripts" / "tool.py").write_text(f"def tool():\n{lines}\n    return {{}}\n", "utf-8")
        spec = ToolSpec("tool", "", origin="script", skill=name, timeout_s=timeout_s)
        tool = ScriptTool(spec, self._pool, folder, "scripts/tool.py", "tool")
        return await tool.run({}, ToolContext(self._area / "workspaces" / name))

    def list_orphans(self) -> list[int]:
        """Orphans that are alive: their process ids are in files that they left."""
        pids = [int(path.read_text() or 0) for path in (self._area / "workspaces").rglob("orphan")]
        return [pid for pid in pids if pid and Path(f"/proc/{pid}").exists()]


@asynccontextmanager
async def measure_delays() -> AsyncIterator[list[float]]:
    """Collect how late the event loop is, in seconds, every few milliseconds."""
    delays: list[float] = []

    async def tick() -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(_TICK_S)
            delays.append(time.perf_counter() - started - _TICK_S)

    task = asyncio.create_task(tick())
    try:
        yield delays
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def percentile_ms(delays: Sequence[float], share: float = 0.99) -> float:
    return sorted(delays)[min(len(delays) - 1, int(len(delays) * share))] * 1000 if delays else 0.0


async def crash(bench: Bench, rounds: int) -> Figure:
    """F14: every way to crash has its code."""
    wrong = []
    for _ in range(rounds):
        for name, (body, code) in CRASHES.items():
            result = await bench.run("crash", body)
            found = result.failure.code if result.failure else "no failure"
            wrong += [] if found == code else [f"{name}: {found}"]
    count = rounds * len(CRASHES)
    return Figure("F14", f"{count} crashes", "all classified", f"{count - len(wrong)} right {wrong or ''}", not wrong)


async def hang(bench: Bench, count: int) -> Figure:
    """F15: scripts that hang and leave orphans in sessions of their own."""
    gate = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int) -> tuple[float, str]:
        async with gate:
            started = time.monotonic()
            result = await bench.run(f"hang-{number}", HANG, _LIMIT_S)
            return time.monotonic() - started, result.failure.code if result.failure else ""

    ended = await asyncio.gather(*map(one, range(count)))
    left, codes = bench.list_orphans(), {code for _, code in ended}
    over_s = max(elapsed for elapsed, _ in ended) - _LIMIT_S
    measured = f"{len(left)} survivors, the last ended {over_s:.2f} s after its limit"
    return Figure("F15", f"{count} hangs", "0 survivors", measured, not left and codes == {"timed_out"})


async def flood(bench: Bench) -> Figure:
    """F16: floods of output do not fill the server."""
    before, lines = _resident_bytes(), []
    async with measure_delays() as delays:
        for number, (name, body) in enumerate(FLOODS.items()):
            result = await bench.run(f"flood-{number}", body, 120)
            lines.append(f"{name}: {result.failure.code if result.failure else 'ok'}")
    grown = max(0, _resident_bytes() - before) / _MIB
    measured = f"memory +{grown:.1f} MiB, event loop late by {percentile_ms(delays):.1f} ms p99; {', '.join(lines)}"
    return Figure("F16", "floods of output", "memory + 8 MiB at most", measured, grown <= 8)


async def overload(bench: Bench) -> Figure:
    """F17: bombs are stopped, and the event loop goes on."""
    async with measure_delays() as idle:
        await asyncio.sleep(2)
    lines, wrong = [], []
    async with measure_delays() as delays:
        for number, (name, body) in enumerate(BOMBS.items()):
            result = await bench.run(f"bomb-{number}", body, _LIMIT_S)
            code = result.failure.code if result.failure else "ok"
            lines.append(f"{name}: {code}")
            wrong += [name] if code not in ("timed_out", "out_of_memory", "workspace_full") else []
    p99 = percentile_ms(delays)
    measured = f"event loop late by {p99:.1f} ms p99 (idle {percentile_ms(idle):.1f}); {', '.join(lines)}"
    return Figure("F17", "bombs", "all stopped, loop p99 ≤ 250 ms", measured, not wrong and p99 <= 250)


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


async def run_all(area: Path, rounds: int) -> list[Figure]:
    async with ScriptPool() as pool:
        bench = Bench(area, pool)
        await bench.run("warm", "pass")
        return [await crash(bench, rounds), await hang(bench, 200 * rounds), await flood(bench), await overload(bench)]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the faults; 1 if a target was missed, 3 if there is no sandbox here."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sandbox_faults", description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args(argv)
    if not probe().tier:
        sys.stdout.write(f"no sandbox here: {probe().missing}\n")
        return 3
    with tempfile.TemporaryDirectory(prefix="metier-sandbox-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)  # as root, scripts run as other users
        figures = asyncio.run(run_all(Path(folder), options.rounds))
    sys.stdout.writelines(f"{'ok    ' if one.ok else 'MISSED'} {' · '.join(one[:4])}\n" for one in figures)
    return 0 if all(one.ok for one in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
