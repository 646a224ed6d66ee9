"""F07, F09: PostgreSQL that restarts, and several servers on one database: take-over, races, throughput."""

import asyncio
import os
import signal
import time
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import httpx

from benchmarks.faults._client import Client
from benchmarks.faults._databases import Databases, read_store
from benchmarks.faults._invariants import check_conversation, read_all
from benchmarks.faults._kills import send_again
from benchmarks.faults._lane import Lane
from benchmarks.faults._load import run_turns
from benchmarks.faults._outcome import Outcome, judge

_SIDE_BY_SIDE: Final = 5
_TAKE_OVER_S: Final = 5.0


async def restart_postgres(databases: Databases, folder: Path, seed: int, turns: int = 20) -> Outcome:
    """F07: PostgreSQL dies at once in the middle of turns and comes back; every turn comes to its end."""
    server = databases.server
    assert server is not None
    lane = Lane(folder, databases.create("postgresql"), seed)
    await lane.start()
    problems: list[str] = []
    async with Client.open(lane.running.address) as client:
        asked = {key: f"/clerk talk {key} pace=0.1 hold=0.3" for key in (lane.new_key() for _ in range(turns))}
        running = [asyncio.create_task(client.chat(message, key=key)) for key, message in asked.items()]
        while len((await client.get("/api/conversations?limit=100"))["conversations"]) < turns:  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        await asyncio.sleep(1.0)
        os.kill(server.get_pid() or 0, signal.SIGQUIT)  # immediate shutdown: as a crash
        await asyncio.sleep(1.0)
        await asyncio.to_thread(server.ensure_postgres_running)
        waiting = asyncio.create_task(_time_until_ready(lane.running.address, time.monotonic()))
        seen = await asyncio.gather(*running)
        ready_s = await waiting
        unanswered = [key for key, told in zip(asked, seen, strict=True) if not told.conversation]
        seen += await asyncio.gather(*(send_again(client, asked[key], key) for key in unanswered))
        settled = [await lane.settle(one.conversation, one.events) for one in seen if one.conversation]
    for one in settled:
        problems += one.problems
    await lane.running.stop()
    cut = turns - len(unanswered)  # without one of them nothing was shown
    ok = not problems and cut > 0 and len(settled) == turns and ready_s <= 2.0
    back_after = f"ready {ready_s:.1f} s after the database"
    measured = f"{len(settled)} of {turns} settled ({cut} were running), {back_after}, {len(problems)} problems"
    return judge("F07", "postgresql", "PostgreSQL dies mid-turn", "0 lost; back ≤ 2 s", measured, ok=ok, notes=problems)


async def _time_until_ready(address: str, since: float) -> float:
    async with httpx.AsyncClient(base_url=address) as http:
        while (await http.get("/readyz")).status_code != httpx.codes.OK:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.05)
    return time.monotonic() - since


async def race_two_servers(databases: Databases, folder: Path, seed: int, races: int = 50) -> Outcome:
    """F09: two servers get a message for one conversation at the same moment, again and again; some side by side."""
    url = databases.create("postgresql")
    lanes = [Lane(folder, url, seed + number, lease_s=4.0) for number in range(2)]
    for lane in lanes:
        await lane.start()
    each = max(1, races // _SIDE_BY_SIDE)
    async with Client.open(lanes[0].running.address) as one, Client.open(lanes[1].running.address) as other:
        done = await asyncio.gather(*(_race(lanes[0], (one, other), each) for _ in range(_SIDE_BY_SIDE)))
    problems = [problem for one in done for problem in one.problems]
    for line in done:
        check = partial(check_conversation, conversation=line.conversation, ledger=lanes[0].ledger, seen=[])
        problems += await read_store(url, check)
    for lane in lanes:
        await lane.running.stop()
    ran = sum(line.ran for line in done)
    measured = f"{2 * each * _SIDE_BY_SIDE} messages, {ran} ran, the others 409; {len(problems)} problems"
    what = f"two servers, {_SIDE_BY_SIDE} conversations"
    ok = not problems and ran >= each * _SIDE_BY_SIDE
    return judge("F09", "postgresql", what, "0 interleaved turns", measured, ok=ok, notes=problems)


class _Race(NamedTuple):
    conversation: str
    ran: int
    problems: list[str]


async def _race(lane: Lane, clients: tuple[Client, Client], races: int) -> _Race:
    talk = await clients[0].chat("hello")
    problems: list[str] = []
    ran = 0
    for _ in range(races):
        messages = [f"/clerk talk {lane.new_key()}" for _ in clients]
        seen = await asyncio.gather(
            *(
                client.chat(message, conversation=talk.conversation)
                for client, message in zip(clients, messages, strict=True)
            )
        )
        won = sum(told.status == httpx.codes.OK for told in seen)
        problems += [] if won else [f"nobody won: {[told.error.get('message') for told in seen]}"]
        ran += won
        problems += [str(told.error) for told in seen if told.status not in (httpx.codes.OK, httpx.codes.CONFLICT)]
    return _Race(talk.conversation, ran, problems)


async def take_over(databases: Databases, folder: Path, seed: int) -> tuple[Outcome, list[str]]:
    """F09: the owner of a turn is killed; another server goes on with it. Returns the event log too."""
    url = databases.create("postgresql")
    lanes = [Lane(folder, url, seed + number, lease_s=4.0) for number in range(2)]
    for lane in lanes:
        await lane.start()
    key = lanes[0].new_key()
    async with Client.open(lanes[0].running.address) as one:
        reading = asyncio.create_task(one.chat(f"/clerk talk {key} pace=0.2", key=key))
        await asyncio.sleep(1.5)
        await lanes[0].running.kill()
        killed = time.time()
        seen = await reading
    owners = {lanes[0].running.pid: "server 1", lanes[1].running.pid: "server 2"}
    settled = await lanes[1].settle(seen.conversation, seen.events, limit_s=30)
    events = await read_store(url, partial(read_all, conversation=seen.conversation))
    interrupted = next(event for event in events if event.data.get("code") == "interrupted")
    took_s = interrupted.at.timestamp() - killed
    first = events[0].at.timestamp()
    log = [
        f"{event.at.timestamp() - first:7.2f} s  {event.seq:3}  {event.kind:18} {_describe(event.data)}"
        for event in events
        if event.kind != "text.delta"
    ]
    await lanes[1].running.stop()
    effects = lanes[0].ledger.read().count(("send", key))
    ok = took_s < _TAKE_OVER_S and not settled.problems and effects == 1
    measured = f"taken over {took_s:.2f} s after kill -9, {effects} effect, {len(settled.problems)} problems"
    outcome = judge(
        "F09",
        "postgresql",
        "the owner of a turn is killed",
        "< 5 s, no effect twice",
        measured,
        ok=ok,
        notes=settled.problems,
    )
    kill_line = (
        f"{killed - first:7.2f} s       kill -9 of the server that runs the turn ({len(owners)} servers, lease 4 s)"
    )
    return outcome, sorted([*log, kill_line], key=lambda line: float(line.split()[0]))


def _describe(data: object) -> str:
    kept = {name: value for name, value in dict(data).items() if name in ("tool", "state", "code", "skill", "text")}  # type: ignore[call-overload]
    return " ".join(f"{name}={str(value)[:40]!r}" for name, value in kept.items())


async def measure_workers(databases: Databases, folder: Path, seed: int, turns: int = 80) -> list[tuple[int, float]]:
    """Turns per second with one to four servers on one PostgreSQL."""
    curve = []
    for count in (1, 2, 3, 4):
        url = databases.create("postgresql")
        lanes = [Lane(folder / str(count), url, seed + number, lease_s=4.0) for number in range(count)]
        for lane in lanes:
            await lane.start()
        result = await run_turns(lanes, turns, "/clerk talk", at_once=16)
        curve.append((count, result.finished / result.elapsed_s))
        for lane in lanes:
            await lane.running.stop()
    return curve
