"""Kill points outside of a turn: K12 branch, K18 reload, K19 migration (F31), K20 closing and backup (F32)."""

import asyncio
import multiprocessing
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import httpx
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.ext.asyncio import create_async_engine

from benchmarks.faults._client import Client
from benchmarks.faults._databases import DatabaseKind, Databases, read_store
from benchmarks.faults._lane import Lane
from benchmarks.faults._outcome import Outcome, judge
from benchmarks.faults._servers import ServerDied
from metier.faults import arm_faults
from metier.store import Store
from metier.store.database._migrate import build_alembic_config

T = TypeVar("T")
_OLD_VERSION = "0006"
_FORKS = multiprocessing.get_context("forkserver")


async def kill_during_reload(lane: Lane) -> Outcome:
    """K18: the server dies between reading changed skills and using them; the next one has the change."""
    async with Client.open(lane.running.address) as client:
        before = (await client.get("/api/skills/clerk"))["digest"]
    await lane.running.arm("skills_read=kill")
    file = lane.folder / "skills" / "clerk" / "SKILL.md"
    file.write_text(file.read_text("utf-8") + "\nOne more line.\n", "utf-8")
    code = await lane.running.wait(20)
    if code is None:
        await lane.running.kill()
    await lane.start()
    async with Client.open(lane.running.address) as client:
        after = (await client.get("/api/skills/clerk"))["digest"]
        told = await client.chat(f"/clerk talk {lane.new_key()}")
    ok = code == -signal.SIGKILL and before != after and bool(told.find("turn.done"))
    measured = f"exit code {code}, change {'' if before != after else 'not '}there, next turn {told.events[-1].kind}"
    return judge("K18", "sqlite", "SIGKILL during a reload of skills", "the change is live", measured, ok=ok)


async def kill_during_branch(lane: Lane, kind: DatabaseKind) -> Outcome:
    """K12: the server dies when the files of a branch are copied; no half branch is left, and the next one is whole."""
    async with Client.open(lane.running.address) as client:
        told = await client.chat(f"/clerk talk {lane.new_key()}")
        await client.chat(f"/clerk talk {lane.new_key()}", conversation=told.conversation)
        last = (await client.turns(told.conversation))[-1]["id"]
        before = len((await client.get("/api/conversations"))["conversations"])
        await lane.running.arm("branch_copied=kill")
        with suppress(httpx.HTTPError):
            await client.post(f"/api/conversations/{told.conversation}/branch", {"turn": last})
    code = await lane.running.wait(20)
    await lane.start()
    async with Client.open(lane.running.address) as client:
        after = len((await client.get("/api/conversations"))["conversations"])
        again = await client.post(f"/api/conversations/{told.conversation}/branch", {"turn": last})
    ok = code == -signal.SIGKILL and before == after and again.status_code == 201
    measured = f"exit code {code}, {after - before} half branches, the next one {again.status_code}"
    return judge("K12", kind, "SIGKILL while a conversation is branched", "whole or not at all", measured, ok=ok)


async def kill_during_migration(databases: Databases, kind: DatabaseKind, folder: Path, seed: int) -> Outcome:
    """K19, F31: the server dies in a migration; the database is as before, and the next start migrates it."""
    url = databases.create(kind, migrated=False)
    await _run_sql(url, _create_old)
    lane = Lane(folder, url, seed, faults="tables_migrated=kill")
    died = ""
    try:
        await lane.start()
    except ServerDied as error:
        died = str(error)
    kept = await _run_sql(url, _read_version)
    lane = Lane(folder, url, seed)
    await lane.start()
    async with Client.open(lane.running.address) as client:
        found = [one["title"] for one in (await client.get("/api/conversations"))["conversations"]]
        told = await client.chat(f"/clerk talk {lane.new_key()}")
    await lane.running.stop()
    ok = bool(died) and kept == _OLD_VERSION and found == ["kept"] and bool(told.find("turn.done"))
    measured = f"version {kept} after the kill, rows kept: {found == ['kept']}, next turn {told.events[-1].kind}"
    return judge("F31", kind, "SIGKILL inside a migration, then a start", "all or nothing", measured, ok=ok)


async def kill_at_close(lane: Lane) -> Outcome:
    """K20: the server is told to stop and dies when it closes the database, which checkpoints the log."""
    async with Client.open(lane.running.address) as client:
        told = await client.chat(f"/clerk talk {lane.new_key()}")
    await lane.running.arm("database_closing=kill")
    lane.running.send_signal(signal.SIGTERM)
    code = await lane.running.wait(20)
    await lane.start()
    async with Client.open(lane.running.address) as client:
        again = await client.read_stored(told.conversation)
    problems = await read_store(lane.options.database_url, Store.check)
    ok = code == -signal.SIGKILL and again.last_seq == told.last_seq and not problems
    measured = f"exit code {code}, {again.last_seq} of {told.last_seq} events, {len(problems)} problems in the file"
    return judge("K20", "sqlite", "SIGKILL while the database is closed", "nothing lost", measured, ok=ok)


async def back_up_during_writes(lane: Lane) -> Outcome:
    """F32, K20: a backup is killed and leaves nothing; one made during turns is sound and complete."""
    first, second = lane.folder / "killed.sqlite3", lane.folder / "copy.sqlite3"
    child = _FORKS.Process(target=_back_up, args=(lane.options.database_url, first, "backup_copied=kill"))
    child.start()
    await asyncio.to_thread(child.join)
    async with Client.open(lane.running.address) as client:
        told = await client.chat(f"/clerk talk {lane.new_key()}")
        messages = [f"/clerk talk {lane.new_key()} pace=0.01" for _ in range(10)]
        turns = [asyncio.create_task(client.chat(one)) for one in messages]
        await asyncio.to_thread(_back_up, lane.options.database_url, second, "")
        done = await asyncio.gather(*turns)
    async with Store.open(f"sqlite:///{second}") as copy:
        problems = await copy.check()
        events = await copy.events.read(told.conversation, limit=500)
    ok = not first.exists() and not problems and len(events) == told.last_seq and all(one.is_ended for one in done)
    measured = f"{len(events)} of {told.last_seq} events of before in the copy, {len(problems)} problems"
    return judge(
        "F32", "sqlite", "backup during ten turns; another one killed", "sound, all of before", measured, ok=ok
    )


def _back_up(url: str, target: Path, faults: str) -> None:
    async def copy() -> None:
        async with Store.open(url) as store:
            await store.backup(target)

    with arm_faults(faults):
        asyncio.run(copy())


async def _run_sql(url: str, work: Callable[[Connection], T]) -> T:
    """Run a function on a connection of the driver, past the store."""
    if url.startswith("sqlite"):
        with create_engine(url).begin() as connection:
            return work(connection)
    engine = create_async_engine(url.replace("postgresql://", "postgresql+asyncpg://", 1))
    async with engine.begin() as opened:
        done = await opened.run_sync(work)
    await engine.dispose()
    return done


def _create_old(connection: Connection) -> None:
    """A database of an older version with one row."""
    from alembic import command

    config = build_alembic_config()
    config.attributes["connection"] = connection
    command.upgrade(config, _OLD_VERSION)
    columns = "id, user_id, title, created_at, updated_at, last_seq, last_position, last_fence"
    connection.execute(text(f"INSERT INTO conversations ({columns}) VALUES ('a', 'local', 'kept', 1, 1, 0, 0, 0)"))  # noqa: S608 - fixed names


def _read_version(connection: Connection) -> str:
    return str(connection.execute(text("SELECT version_num FROM metier_version")).scalar())
