"""What the pool owns: one worker, user numbers, open files; and what happens to them when things end badly."""

import asyncio
import os
import select
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from metier.errors import Unavailable, UsageError
from metier.tools import ScriptPool
from metier.tools.run import _script_pool
from metier.tools.run._script_pool import ScriptCall
from metier.tools.sandbox import Worker, probe
from scripts.forked_children import Child
from tests.tools.sandbox.support import is_alive, open_files

pytestmark = pytest.mark.skipif(probe().tier == 0, reason=f"no sandbox here: {probe().missing}")


@pytest.fixture
def call(tmp_path: Path) -> ScriptCall:
    skill, folder = tmp_path / "skill", tmp_path / "work"
    (skill / "scripts").mkdir(parents=True)
    folder.mkdir()
    source = "def tool():\n    return {}"
    return ScriptCall(skill / "scripts" / "tool.py", source, "tool", {}, skill, folder, timeout_s=120)


async def test_the_worker_starts_with_the_first_call(call: ScriptCall) -> None:
    async with ScriptPool() as pool:
        assert pool.worker_pid is None
        await pool.call(call)
        assert pool.worker_pid is not None


async def test_a_warm_pool_keeps_its_worker(call: ScriptCall) -> None:
    async with ScriptPool() as pool:
        await pool.warm()
        first = pool.worker_pid
        await pool.call(call)
        assert pool.worker_pid == first


async def test_the_worker_ends_with_the_pool() -> None:
    async with ScriptPool() as pool:
        await pool.warm()
        worker = pool.worker_pid
        assert worker is not None
    assert not is_alive(worker)
    assert pool.worker_pid is None


async def test_a_pool_that_is_not_open_starts_nothing(call: ScriptCall) -> None:
    with pytest.raises(UsageError, match="closed"):
        await ScriptPool().call(call)


async def test_no_open_file_is_left_behind_by_any_end(call: ScriptCall) -> None:
    async with ScriptPool() as pool:
        await pool.call(call)
        before = open_files()
        await pool.call(call)
        await pool.call(replace(call, source="import os\nos._exit(1)"))
        await pool.call(replace(call, source="import time\ntime.sleep(600)", timeout_s=0.2))
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(pool.call(replace(call, source="import time\ntime.sleep(600)")), 0.2)
        assert open_files() == before


async def test_a_user_number_comes_back_after_any_end(call: ScriptCall) -> None:
    async with ScriptPool(uids=range(70_001, 70_002)) as pool:
        await pool.call(replace(call, source="import time\ntime.sleep(600)", timeout_s=0.2))
        assert (await pool.call(call)).code == 0


async def test_more_scripts_than_user_numbers_are_told_to_wait(call: ScriptCall) -> None:
    async with ScriptPool(uids=range(70_003, 70_004)) as pool:
        waiting = asyncio.create_task(pool.call(replace(call, source="import time\ntime.sleep(600)")))
        await asyncio.sleep(0)
        with pytest.raises(Unavailable, match="too many scripts"):
            await pool.call(call)
        waiting.cancel()
        await asyncio.wait([waiting])


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
async def test_every_call_has_a_user_of_its_own(call: ScriptCall) -> None:
    source = "import os\ndef tool():\n    return {'ids': os.getresuid() + os.getresgid(), 'groups': os.getgroups()}"
    async with ScriptPool(uids=range(70_010, 70_013)) as pool:
        ended = [await pool.call(replace(call, source=source)) for _ in range(3)]
    ids = sorted(one.result.data for one in ended)
    assert ids == [
        b'{"data": {"ids": [%b], "groups": []}}' % b", ".join([b"%d" % uid] * 6) for uid in range(70_010, 70_013)
    ]


def _read_children(pid: str) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().split()


async def _run_script_and_tell(folder: Path, says: Connection) -> None:
    source = "import os, time\nprint(os.getpid())\nopen('up', 'w').write('1')\ntime.sleep(600)"
    call = ScriptCall(folder / "tool.py", source, "tool", {}, folder, folder, timeout_s=600)
    async with ScriptPool() as pool:
        running = asyncio.create_task(pool.call(call))
        while not (folder / "up").exists():  # noqa: ASYNC110 - the script is another process
            await asyncio.sleep(0.005)
        worker = str(pool.worker_pid)
        (supervisor,) = _read_children(worker)
        says.send([worker, supervisor, *_read_children(supervisor)])
        await running


def be_server(folder: Path, says: Connection) -> None:
    asyncio.run(_run_script_and_tell(folder, says))


@pytest.mark.skipif(probe().tier != 1, reason="in namespaces the numbers are others")
def test_a_killed_server_takes_worker_and_scripts_with_it(tmp_path: Path) -> None:
    server = Child(be_server, tmp_path)
    pids = server.hear()
    assert len(pids) >= 3
    server.kill()
    watched = [os.pidfd_open(int(pid)) for pid in pids if is_alive(pid)]
    for descriptor in watched:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        assert poll.poll(10_000)
        os.close(descriptor)
    assert not any(map(is_alive, pids))


async def test_without_a_sandbox_the_worker_has_no_bubblewrap_around_it_even_if_it_is_installed(
    call: ScriptCall, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, ...]] = []

    async def start(prefix: tuple[str, ...]) -> Worker:
        started.append(prefix)
        raise OSError("this is as far as it goes")

    monkeypatch.setattr(_script_pool, "bubblewrap_prefix", lambda **_: ("bwrap",))
    monkeypatch.setattr(Worker, "start", start)
    report = replace(probe(), tier=2)
    for policy, trusted in (("off", True), ("off", False), ("required", True)):
        async with ScriptPool(policy=policy, report=report) as pool:  # type: ignore[arg-type]
            with pytest.raises(OSError, match="as far"):
                await pool.call(replace(call, trusted=trusted))
    assert started == [(), ("bwrap",), ("bwrap",)]
