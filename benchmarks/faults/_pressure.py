"""F06, F08, F27: a database that is held or silent, a thousand skills."""

import asyncio
import gc
import os
import signal
import sqlite3
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Final

import asyncpg
import httpx

from benchmarks.faults._client import Client
from benchmarks.faults._databases import Databases
from benchmarks.faults._lane import Lane
from benchmarks.faults._outcome import Outcome, judge
from metier.routing import open_router
from metier.settings import Settings
from metier.skills import SkillLibrary

_HELD_S: Final = 10.0
_SILENT_S: Final = 6.0
_REFUSED_WITHIN_S: Final = 5.5
_HEALTH_S: Final = 0.25
_ASKED: Final = 60
_SKILLS: Final = 1000
# A skill written just before a scan is read again by the next one, changed or not; these are older.
_SETTLED_S: Final = 0.2
_ROUTES: Final = 200
_ALONE: Final = httpx.Limits(max_keepalive_connections=0)  # the server ends idle connections meanwhile


async def hold_database(lane: Lane, database: str) -> Outcome:
    """F06: another process holds the write lock for ten seconds; whoever asks is told soon, and nothing is lost."""
    keys = [lane.new_key() for _ in range(_ASKED)]
    async with (
        Client.open(lane.running.address) as client,
        httpx.AsyncClient(base_url=lane.running.address, limits=_ALONE) as http,
    ):
        talk = await client.chat("hello")
        async with _hold(lane.options.database_url):
            asked = [asyncio.create_task(_send(http, key)) for key in keys[: _ASKED // 2]]
            await asyncio.sleep(1.0)
            asked += [asyncio.create_task(_send(http, key)) for key in keys[_ASKED // 2 :]]
            done = await asyncio.gather(*asked)
        again = await asyncio.gather(*(_send(http, key) for key in keys))
        settled = await lane.settle(talk.conversation, talk.events)
    worst_s = max(elapsed_s for _, _, elapsed_s in done)
    codes = {(status, code) for status, code, _ in done}
    ran = sum(status == httpx.codes.OK for status, _, _ in again)
    effects = [one for one in lane.ledger.read() if one[1] in keys]
    is_right = codes == {(503, "store_busy")} and ran == _ASKED and len(effects) == len(set(effects))
    measured = (
        f"{sorted(codes)} after {worst_s:.1f} s at most; sent again {ran} of {_ASKED} ran, {len(effects)} effects"
    )
    return judge(
        *("F06", database, f"write lock held {_HELD_S:g} s, {_ASKED} messages", "503 ≤ 5.5 s, 0 lost", measured),
        ok=is_right and worst_s <= _REFUSED_WITHIN_S and not settled.problems,
        notes=settled.problems,
    )


async def _send(http: httpx.AsyncClient, key: str) -> tuple[int, str, float]:
    body = {"message": f"/clerk talk {key}", "idempotency_key": key}
    started = time.monotonic()
    answer = await http.post("/api/chat", json=body, timeout=60)
    code = answer.json()["error"]["code"] if answer.status_code != httpx.codes.OK else ""
    return answer.status_code, code, time.monotonic() - started


@asynccontextmanager
async def _hold(url: str) -> AsyncIterator[None]:
    """Hold the write lock of SQLite, or the tables of PostgreSQL, for as long as the fault lasts."""
    until = time.monotonic() + _HELD_S
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            await asyncio.sleep(max(0.0, until - time.monotonic()))
            other.execute("ROLLBACK")
        return
    connection = await asyncpg.connect(url)
    async with connection.transaction():
        await connection.execute("LOCK TABLE conversations, turns, requests IN EXCLUSIVE MODE")
        yield
        await asyncio.sleep(max(0.0, until - time.monotonic()))
    await connection.close()


async def silence_postgres(databases: Databases, folder: Path, seed: int) -> Outcome:
    """F08: PostgreSQL answers nothing for some seconds; `/healthz` does, requests are refused, then all goes on."""
    server = databases.server
    assert server is not None
    lane = Lane(folder, databases.create("postgresql"), seed)
    await lane.start()
    health: list[float] = []
    async with (
        Client.open(lane.running.address) as client,
        httpx.AsyncClient(base_url=lane.running.address, limits=_ALONE) as http,
    ):
        talk = await client.chat("hello")
        processes = await _stop_processes(lane.options.database_url, server.get_pid() or 0)
        try:
            reads = [asyncio.create_task(_time_get(http, "/api/conversations")) for _ in range(_ASKED)]
            until = time.monotonic() + _SILENT_S
            while time.monotonic() < until:
                health.append((await _time_get(http, "/healthz"))[1])
                await asyncio.sleep(0.05)
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)
        done = await asyncio.gather(*reads)
        settled = await lane.settle(talk.conversation, talk.events)
    await lane.running.stop()
    worst_s, statuses = max(one for _, one in done), sorted({status for status, _ in done})
    p99_s = sorted(health)[int(len(health) * 0.99)]
    measured = f"{statuses} after {worst_s:.1f} s at most, /healthz {p99_s * 1000:.0f} ms at p99"
    ok = statuses == [503] and worst_s <= _REFUSED_WITHIN_S and p99_s <= _HEALTH_S and not settled.problems
    target = f"503 ≤ {_REFUSED_WITHIN_S:g} s, /healthz ≤ 250 ms, no deadlock"
    return judge("F08", "postgresql", f"silent for {_SILENT_S:g} s", target, measured, ok=ok, notes=settled.problems)


async def _stop_processes(url: str, postmaster: int) -> list[int]:
    """Stop PostgreSQL and every process that serves Metier; the first one first, so that none is added meanwhile."""
    connection = await asyncpg.connect(url)
    os.kill(postmaster, signal.SIGSTOP)
    rows = await connection.fetch("SELECT pid FROM pg_stat_activity WHERE application_name = 'metier'")
    serving = [int(row["pid"]) for row in rows]
    for process in serving:
        os.kill(process, signal.SIGSTOP)
    await connection.close()
    return [postmaster, *serving]


async def _time_get(http: httpx.AsyncClient, path: str) -> tuple[int, float]:
    started = time.monotonic()
    answer = await http.get(path, timeout=60)
    return answer.status_code, time.monotonic() - started


def route_many_skills(folder: Path) -> Outcome:
    """F27: a thousand skills are read, read again after a change, and routed to."""
    topics = ("orders", "覆盖优化", "rapport", "Bericht", "отчёт", "レポート", "보고서", "factura")
    for number in range(_SKILLS):
        place = folder / f"skill-{number}"
        place.mkdir(parents=True)
        topic = topics[number % len(topics)]
        text = f"---\nname: skill-{number}\ndescription: {topic} of kind {number}, section {number % 37}\n---\nDo it.\n"
        (place / "SKILL.md").write_text(text, "utf-8")
    time.sleep(_SETTLED_S)
    library, started = SkillLibrary.from_folders(folder), time.monotonic()
    catalog = library.catalog()
    cold_s = time.monotonic() - started
    gc.freeze()  # as a server does when it is ready; a whole collection of this process takes 140 ms
    (folder / "skill-7" / "SKILL.md").write_text(text.replace(f"skill-{number}", "skill-7"), "utf-8")
    started = time.monotonic()
    library.catalog()
    reload_s = time.monotonic() - started
    router = open_router(Settings(embedder="none", storage_dir=folder / "storage"))
    router.route("first", catalog=catalog)
    times = sorted(_time_routes(router.route, catalog, topics))
    p99_s = times[int(len(times) * 0.99)]
    measured = f"read in {cold_s:.1f} s, again {reload_s * 1000:.0f} ms, routed {p99_s * 1000:.0f} ms at p99"
    ok = len(catalog) == _SKILLS and cold_s <= 5.0 and reload_s <= 0.2 and p99_s <= 0.05
    return judge("F27", "–", f"{_SKILLS} skills", "≤ 5 s, one again ≤ 200 ms, route ≤ 50 ms", measured, ok=ok)


def _time_routes(route: object, catalog: object, topics: Sequence[str]) -> list[float]:
    assert callable(route)
    times = []
    for number in range(_ROUTES):
        started = time.monotonic()
        route(f"{topics[number % len(topics)]} of kind {number * 5}", catalog=catalog)
        times.append(time.monotonic() - started)
    return times
