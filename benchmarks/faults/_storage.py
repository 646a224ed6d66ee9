"""F04, F05: a disk that is full, and a database file that is damaged, emptied, foreign, read-only or gone."""

import asyncio
import os
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import httpx

from benchmarks.faults._client import Client
from benchmarks.faults._lane import Lane
from benchmarks.faults._outcome import Outcome, judge
from benchmarks.faults._servers import ServerDied

_DISK_BYTES: Final = 12 << 20
_WRITABLE_WITHIN_S: Final = 1.0
_MESSAGE: Final = "/clerk talk {key} " + "word " * 20_000
_MAX_MESSAGES: Final = 200
_PAGE_BYTES: Final = 4096


async def fill_disk(folder: Path, seed: int) -> Outcome:
    """F04: the disk of the database fills up; writes are refused as such, reads go on, and with room all is well."""
    what, target = "disk of 12 MB full", "storage_full, reads go on, writable ≤ 1 s after room, 0 corrupt"
    async with _small_disk(folder) as disk:
        if disk is None:
            return judge("F04", "sqlite", what, target, "not run: no right to mount a file system", ok=True)
        lane = Lane(folder / "lane", f"sqlite:///{disk / 'm.db'}", seed)
        await lane.start()
        async with Client.open(lane.running.address) as client:
            talk = await client.chat("hello")
            refused = await _fill(client, lane, talk.conversation)
            turns = await client.turns(talk.conversation)
            listed = await client.get("/api/conversations")
            os.truncate(disk / "ballast", 0)
            freed = time.monotonic()
            while not (again := await client.chat("hello")).find("turn.done") and time.monotonic() - freed < 30:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
            writable_s = time.monotonic() - freed
            settled = await lane.settle(talk.conversation, talk.events)
        await lane.running.stop()
    codes = sorted(set(refused))
    reads = bool(listed["conversations"]) and bool(turns)
    measured = f"{codes}, reads {'went on' if reads else 'failed'}, writable after {writable_s:.2f} s"
    is_right = (
        set(codes) <= {"storage_full", "conversation_busy"}
        and "storage_full" in codes
        and reads
        and bool(again.find("turn.done"))
        and not settled.problems
    )
    ok = is_right and writable_s <= _WRITABLE_WITHIN_S
    return judge("F04", "sqlite", what, target, measured, ok=ok, notes=settled.problems)


async def _fill(client: Client, lane: Lane, conversation: str) -> list[str]:
    """Send long messages until three are refused; their codes."""
    refused: list[str] = []
    for _ in range(_MAX_MESSAGES):
        told = await client.chat(_MESSAGE.format(key=lane.new_key()), conversation=conversation)
        if told.status != httpx.codes.OK:
            refused.append(str(told.error.get("code")))
        elif told.closed or told.find("turn.failed"):
            refused.append(str((told.closed or told.find("turn.failed")[0].data).get("code")))
        if len(refused) == 3:
            break
    return refused


@asynccontextmanager
async def _small_disk(folder: Path) -> AsyncIterator[Path | None]:
    """A file system with little room, half of it taken by a file; None without the right to mount one."""
    place = folder / "disk"
    place.mkdir(parents=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={_DISK_BYTES}", "tmpfs", str(place)]
    if (await asyncio.to_thread(subprocess.run, command, capture_output=True, check=False)).returncode:
        yield None
        return
    try:
        (place / "ballast").write_bytes(bytes(_DISK_BYTES // 2))
        yield place
    finally:
        await asyncio.to_thread(subprocess.run, ["umount", "-l", str(place)], capture_output=True, check=False)


async def damage_database(folder: Path, seed: int) -> Outcome:
    """F05: a server whose database file cannot be used does not start, says why, and does not replace the file."""
    wrong, refused = [], 0
    lane = Lane(folder, f"sqlite:///{folder / 'm.db'}", seed)
    await lane.start()
    async with Client.open(lane.running.address) as client:
        talk = await client.chat("hello")
    await lane.running.stop()
    path = folder / "m.db"
    whole = path.read_bytes()
    damages = {
        "empty": b"",
        "another program's": b"no database at all\n" * 400,
        "without its head": bytes(100) + whole[100:],
        "cut": whole[: 2 * _PAGE_BYTES],
    }
    for name, content in damages.items():
        _write_anew(path, content)
        log = (folder / "server.log").stat().st_size
        try:
            await asyncio.wait_for(lane.start(), 60)
            wrong.append(f"{name}: it started")
            await lane.running.stop()
        except ServerDied:
            said = (folder / "server.log").read_bytes()[log:].decode("utf-8", "replace")
            refused += 1
            if path.read_bytes() != content or "Traceback" in said.splitlines()[:1]:
                wrong.append(f"{name}: the file was changed, or nothing was said")
    _write_anew(path, whole)
    await lane.start()
    settled = await lane.settle(talk.conversation, talk.events)
    wrong += [*settled.problems, *await _take_away(lane, path)]
    measured = f"{refused} of {len(damages)} refused, {len(wrong)} problems; a file taken away is not made anew"
    target = "100 % refused, never recreated"
    ok = refused == len(damages) and not wrong
    return judge("F05", "sqlite", "file empty, foreign, damaged, cut, gone", target, measured, ok=ok, notes=wrong)


async def _take_away(lane: Lane, path: Path) -> list[str]:
    """Rename the file of a running server, then put it back; what was wrong."""
    wrong, away = [], path.with_suffix(".away")
    async with Client.open(lane.running.address) as client:
        _rename(path, away)
        told = await client.chat("hello")
        if told.status != httpx.codes.SERVICE_UNAVAILABLE:
            wrong.append(f"gone: {told.status} {told.error}")
        if _rename(away, path):
            wrong.append("gone: the file was made anew")
        if not (await client.chat("hello")).find("turn.done"):
            wrong.append("back: no message is taken")
    await lane.running.stop()
    return wrong


def _rename(source: Path, target: Path) -> bool:
    """Rename a file; whether there was one at the target."""
    was_there = target.exists()
    source.rename(target)
    return was_there


def _write_anew(path: Path, content: bytes) -> None:
    for beside in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + beside).unlink()
    path.write_bytes(content)
