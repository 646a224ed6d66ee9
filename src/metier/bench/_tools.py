"""Benchmark of the gate and of sandboxed scripts, beside a fresh interpreter."""

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from metier.bench._figures import Figure, median_ms
from metier.skills import SkillLibrary
from metier.tools import Gate, Rules, ScriptPool, SkillScripts, Tool, ToolCall, ToolContext, ToolSpec
from metier.tools.sandbox import probe

CHECKS = 20_000
CALLS = 100
_MANIFEST = """---
name: bench-scripts
description: Scripts that do nothing, or far too much.
tools:
  - {name: nothing, description: Does nothing.}
  - {name: flood, description: Writes a gigabyte.}
---
Run them.
"""
_NOTHING = "def nothing():\n    return {}\n"
_FLOOD = """import os

def flood():
    block = b"x" * (1 << 20)
    for _ in range(1024):
        os.write(1, block)
    return {}
"""


def measure_tools() -> Iterator[Figure]:
    """Measure the gate and, if there is a sandbox, an empty script cold and warm and one that floods its output."""
    yield _measure_gate()
    if not probe().tier:
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "skills", "bench-scripts")
        (folder / "scripts").mkdir(parents=True)
        (folder / "SKILL.md").write_text(_MANIFEST, "utf-8")
        (folder / "scripts" / "nothing.py").write_text(_NOTHING, "utf-8")
        (folder / "scripts" / "flood.py").write_text(_FLOOD, "utf-8")
        for path in (Path(temporary), folder.parent, folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        work = Path(temporary, "work")
        work.mkdir()
        yield from asyncio.run(_measure_scripts(folder.parent, work))


def _measure_gate() -> Figure:
    specs = {f"tool_{number}": ToolSpec(f"tool_{number}", "A tool.") for number in range(100)}
    names = frozenset(specs)
    rules = (
        Rules("operator", "policy", forbidden=frozenset({"tool_1"})),
        Rules("skill", "skill bench", allowed=names - {"tool_2"}),
        Rules("plan", "plan", allowed=names - {"tool_3"}),
    )
    gate = Gate(rules, specs)
    calls = [ToolCall("1", f"tool_{number % 100}", {}) for number in range(CHECKS)]
    started = perf_counter()
    for call in calls:
        gate.check(call)
    taken = (perf_counter() - started) * 1_000_000 / CHECKS
    return Figure("tools", "gate check, 100 tools, 3 layers", taken, 50, CHECKS, unit="µs")


async def _measure_scripts(skills: Path, work: Path) -> Iterator[Figure]:
    skill = SkillLibrary.from_folders(skills).catalog()["bench-scripts"]
    context = ToolContext(work)
    started = perf_counter()
    async with ScriptPool() as pool:
        tools = {declared.name: SkillScripts(pool).build_tool(skill, declared) for declared in skill.tools}
        cold = await _time_call(tools["nothing"], context, started)
        warm = [await _time_call(tools["nothing"], context) for _ in range(CALLS)]
        before = _read_resident_mb()
        await tools["flood"].run({}, context)
        grown = max(_read_resident_mb() - before, 0.0)
    raw = median_ms(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), times=5)
    return iter(
        (
            Figure("tools", "sandboxed script, first call", cold, 150, 1, raw, "a fresh interpreter"),
            Figure("tools", "sandboxed script, p50", median(warm), 10, CALLS, raw, "a fresh interpreter"),
            Figure("tools", "memory after 1 GiB of output", grown, 8, 1, unit="MB"),
        )
    )


async def _time_call(tool: Tool, context: ToolContext, started: float | None = None) -> float:
    began = perf_counter() if started is None else started
    result = await tool.run({}, context)
    if result.failure is not None:
        raise RuntimeError(result.failure.message)
    return (perf_counter() - began) * 1000


def _read_resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
