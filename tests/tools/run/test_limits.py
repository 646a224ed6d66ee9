"""Limits of a whole run: its folder, its memory, and all runs of a conversation together."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import cast

import pytest

from metier.tools import ScriptPool, ToolContext, ToolResult, ToolSpec
from metier.tools.run._scripts import ScriptTool
from metier.tools.sandbox import MIB, ResourceLimits, probe
from metier.tools.sandbox._private_root import can_mount
from metier.workspaces import WorkspaceQuota

pytestmark = pytest.mark.skipif(probe().tier == 0, reason=f"no sandbox here: {probe().missing}")
LIMITS = ResourceLimits(memory_bytes=160 * MIB, file_bytes=MIB, disk_bytes=4 * MIB, max_files=100, max_depth=8)

Write = Callable[..., ScriptTool]


@pytest.fixture
async def pool() -> AsyncIterator[ScriptPool]:
    async with ScriptPool(limits=LIMITS) as opened:
        yield opened


@pytest.fixture
def context(tmp_path: Path) -> ToolContext:
    return ToolContext(tmp_path / "workspace")


@pytest.fixture
def write(tmp_path: Path, pool: ScriptPool) -> Write:
    def make(body: str, into: ScriptPool = pool, timeout_s: float = 120.0) -> ScriptTool:
        folder = tmp_path / "skills" / "demo"
        (folder / "scripts").mkdir(parents=True, exist_ok=True)
        text = f"import mmap, os, time\nMIB = 1 << 20\ndef tool():\n{_indent(body)}\n    return {{'done': True}}\n"
        (folder / "scripts" / "tool.py").write_text(text, "utf-8")
        spec = ToolSpec("tool", "", origin="script", skill="demo", timeout_s=timeout_s)
        return ScriptTool(spec, into, folder, "scripts/tool.py", "tool")

    return make


def _indent(body: str) -> str:
    return "\n".join(f"    {line}" for line in body.strip().splitlines())


def failure_of(result: ToolResult) -> tuple[str, str]:
    assert result.failure is not None, result.data
    return result.failure.code, result.failure.message


KEPT_OPEN = """
held = []
for n in range(40):
    held.append(open(str(n), 'wb', buffering=0))
    held[-1].write(bytes(MIB))
    os.unlink(str(n))
    time.sleep(0.01)
time.sleep(600)
"""
KEPT_MAPPED = """
held = []
for n in range(40):
    with open(str(n), 'w+b') as file:
        file.truncate(MIB)
        held.append(mmap.mmap(file.fileno(), MIB))
    os.unlink(str(n))
    time.sleep(0.01)
for place in held:
    os.close(os.dup(2))
time.sleep(600)
"""
IN_A_CLOSED_FOLDER = """
os.umask(0)
os.mkdir('closed', 0o300)
for n in range(40):
    with open(f'closed/{n}', 'wb') as file:
        file.write(bytes(MIB))
"""
BY_AN_ORPHAN = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for n in range(40):
            with open(str(n), 'wb') as file:
                file.write(bytes(MIB))
        time.sleep(600)
    os._exit(0)
time.sleep(600)
"""
DEEP = """
for n in range(2000):
    os.mkdir('d')
    os.chdir('d')
"""
DISK_BOMBS = {
    "many files of a size each may have": "for n in range(40):\n    open(str(n), 'wb').write(bytes(MIB))",
    "sparse files": "for n in range(40):\n    with open(str(n), 'wb') as file:\n        file.truncate(MIB)",
    "files deleted while they are open": KEPT_OPEN,
    "files in a folder that nobody may list": IN_A_CLOSED_FOLDER,
    "files of a process that left its session": BY_AN_ORPHAN,
}


@pytest.mark.parametrize("body", DISK_BOMBS.values(), ids=DISK_BOMBS)
async def test_a_script_cannot_write_more_than_its_share(write: Write, context: ToolContext, body: str) -> None:
    code, message = failure_of(await write(body).run({}, context))
    assert (code, message.startswith("tool wrote ")) == ("workspace_full", True)
    assert f"it may write {4 * MIB}" in message
    assert list(context.workspace.iterdir()) == []


@pytest.mark.skipif(not probe().drops_uid and probe().tier == 0, reason="needs a supervisor that sees open files")
async def test_files_that_are_only_mapped_count_as_well(write: Write, context: ToolContext) -> None:
    assert failure_of(await write(KEPT_MAPPED).run({}, context))[0] == "workspace_full"


ASKS_ABOUT_THE_MACHINE = """
import ctypes, time
told = [os.uname().nodename]
for ask in (lambda: time.clock_gettime((~os.getppid() << 3) | 2), lambda: os.statvfs('.'),
            lambda: os.posix_fallocate(os.open('x', os.O_CREAT | os.O_RDWR), 0, MIB)):
    try:
        told.append(str(ask()))
    except OSError as error:
        told.append(error.strerror)
told.append(ctypes.CDLL(None).sysinfo(ctypes.create_string_buffer(512)))
return {'told': told, 'sizes': [one.stat().st_size for one in os.scandir()]}
"""


async def test_a_script_learns_neither_how_busy_nor_how_full_the_machine_is(write: Write, context: ToolContext) -> None:
    result = await write(ASKS_ABOUT_THE_MACHINE).run({}, context)
    assert result.data is not None, result.failure
    name, *told = cast("list[object]", result.data["told"])
    assert told == ["Operation not permitted"] * 3 + [-1]
    assert result.data["sizes"] == [0]
    assert (name != os.uname().nodename) is can_mount()


async def test_a_script_cannot_make_files_without_end(write: Write, context: ToolContext) -> None:
    body = "for n in range(3000):\n    open(str(n), 'w').close()"
    assert failure_of(await write(body).run({}, context)) == (
        "workspace_full",
        "tool made more than 100 files and folders; its files were deleted",
    )
    assert list(context.workspace.iterdir()) == []


async def test_a_script_cannot_make_folders_deeper_than_anybody_lists(write: Write, context: ToolContext) -> None:
    assert failure_of(await write(DEEP).run({}, context)) == (
        "workspace_full",
        "tool made folders deeper than 8 levels; its files were deleted",
    )
    assert list(context.workspace.iterdir()) == []


async def test_another_name_of_a_file_takes_no_space(write: Write, context: ToolContext) -> None:
    body = "open('one', 'wb').write(bytes(MIB))\nfor n in range(50):\n    os.link('one', f'name-{n}')"
    assert (await write(body).run({}, context)).data == {"done": True}


async def test_what_is_within_the_limits_stays(write: Write, context: ToolContext) -> None:
    body = "os.makedirs('a/b/c')\nfor n in range(3):\n    open(f'a/b/c/{n}', 'wb').write(bytes(MIB))"
    assert (await write(body).run({}, context)).data == {"done": True}
    assert sum(path.stat().st_size for path in context.workspace.rglob("*") if path.is_file()) == 3 * MIB


MEMORY_BOMB = """
for n in range(8):
    if os.fork() == 0:
        held = b'x' * (60 * MIB)
        time.sleep(600)
        os._exit(len(held) & 1)
time.sleep(600)
"""
SHARED_AFTER_FORK = """
held = b'x' * (60 * MIB)
children = []
for n in range(6):
    pid = os.fork()
    if pid == 0:
        time.sleep(0.2)
        os._exit(held[n * MIB] != 120)
    children.append(pid)
assert all(os.waitpid(pid, 0)[1] == 0 for pid in children)
"""


async def test_all_processes_of_a_script_share_one_limit_of_memory(write: Write, context: ToolContext) -> None:
    code, message = failure_of(await write(MEMORY_BOMB).run({}, context))
    assert (code, f"together they may use {160 * MIB}" in message) == ("out_of_memory", True)


@pytest.mark.skipif(os.geteuid() == 0 and not probe().drops_uid, reason="proportional shares cannot be read here")
async def test_memory_that_forked_processes_share_counts_once(write: Write, context: ToolContext) -> None:
    assert (await write(SHARED_AFTER_FORK).run({}, context)).data == {"done": True}


async def test_scripts_of_one_conversation_stay_within_its_quota_together(write: Write, context: ToolContext) -> None:
    """Six scripts want 3 MiB each of a workspace of 8: as many get it as fit, whoever comes first."""
    async with ScriptPool(limits=LIMITS, quota=WorkspaceQuota(8 * MIB, 1000)) as pool:
        tool = write("for n in range(3):\n    open(str(n), 'wb').write(bytes(MIB))", pool)
        results = await asyncio.gather(*(tool.run({}, context) for _ in range(6)))
    kept = [path.stat().st_size for path in context.workspace.rglob("*") if path.is_file()]
    assert sum(kept) == 3 * MIB * sum(result.ok for result in results) <= 8 * MIB
    assert any(result.ok for result in results)
    assert {failure_of(result)[0] for result in results if not result.ok} == {"workspace_full"}


async def test_a_full_workspace_refuses_the_next_script_with_numbers(write: Write, context: ToolContext) -> None:
    context.workspace.mkdir()
    (context.workspace / "old").write_bytes(bytes(2 * MIB))
    async with ScriptPool(limits=LIMITS, quota=WorkspaceQuota(2 * MIB, 1000)) as pool:
        result = await write("pass", pool).run({}, context)
    assert failure_of(result) == (
        "workspace_full",
        f"the workspace holds {2 * MIB} of {2 * MIB} bytes in 2 of 1000 files",
    )
    assert [path.name for path in context.workspace.iterdir()] == ["old"]


async def test_scripts_that_do_not_fit_into_memory_wait_for_each_other(write: Write, context: ToolContext) -> None:
    """Room for one at a time: each finds the mark of the one before it gone."""
    async with ScriptPool(limits=LIMITS, memory_bytes=200 * MIB) as pool:
        tool = write("time.sleep(0.05)", pool)
        results = await asyncio.gather(*(tool.run({}, context) for _ in range(3)))
    assert [result.ok for result in results] == [True] * 3


async def test_a_script_that_waits_too_long_for_memory_is_told_so(write: Write, context: ToolContext) -> None:
    async with ScriptPool(limits=LIMITS, memory_bytes=200 * MIB) as pool:
        long = asyncio.create_task(write("time.sleep(600)", pool).run({}, context))
        while not list(context.workspace.glob("tool-*")):  # noqa: ASYNC110 - the first one is under way
            await asyncio.sleep(0.005)
        result = await write("pass", pool, timeout_s=0.2).run({}, context)
        long.cancel()
        await asyncio.gather(long, return_exceptions=True)
    assert failure_of(result) == ("unavailable", "too many scripts are under way")
