"""Faults of the table that are driven over HTTP on one server: races, streams, slow models, reloads."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

import httpx

from benchmarks.faults._client import Client, SeenEvent, Transcript
from benchmarks.faults._databases import read_store
from benchmarks.faults._lane import Lane
from benchmarks.faults._outcome import Outcome, judge
from metier.store import Store

_AT_ONCE: Final = 100
_SAME_KEY: Final = 50
_RECONNECTS: Final = 50
_EDITS: Final = 100
_RELOAD_TURNS: Final = 20


async def send_many_to_one_conversation(lane: Lane, database: str) -> Outcome:
    """F19: a hundred messages to one conversation at once: one runs, the others are told at once."""
    async with Client.open(lane.running.address) as client:
        first = await client.chat("hello")
        started = time.monotonic()
        messages = [f"/clerk talk {lane.new_key()} hold=0.5 pace=0.02" for _ in range(_AT_ONCE)]
        seen = await asyncio.gather(*(client.chat(one, conversation=first.conversation) for one in messages))
        elapsed_s = time.monotonic() - started
        settled = await lane.settle(first.conversation, first.events)
    ran = [one for one in seen if one.status == httpx.codes.OK]
    busy = [one for one in seen if one.status == httpx.codes.CONFLICT]
    ok = len(ran) + len(busy) == _AT_ONCE and bool(ran) and all(one.is_ended for one in ran) and not settled.problems
    measured = f"{len(ran)} ran in turn, {len(busy)} were 409, in {elapsed_s:.1f} s; {len(settled.problems)} problems"
    target = "one at a time, others 409"
    return judge(
        "F19", database, f"{_AT_ONCE} turns on one conversation", target, measured, ok=ok, notes=settled.problems
    )


async def send_one_key_often(lane: Lane, database: str) -> Outcome:
    """F20: one request fifty times with one idempotency key is one turn."""
    key = lane.new_key()
    async with Client.open(lane.running.address) as client:
        seen = await asyncio.gather(*(client.chat(f"/clerk talk {key}", key=key) for _ in range(_SAME_KEY)))
        turns = {one.turn for one in seen if one.turn}
        effects = [one for one in lane.ledger.read() if one == ("send", key)]
    refused = sum(one.status != httpx.codes.OK for one in seen)
    ok = len(turns) == 1 and len(effects) == 1 and refused == 0
    measured = f"{len(turns)} turn, {len(effects)} effect, {refused} refused"
    return judge("F20", database, f"one idempotency key × {_SAME_KEY}", "1 turn, same answer", measured, ok=ok)


async def reconnect_often(lane: Lane, database: str) -> Outcome:
    """F23, F24: the reader of a turn leaves after every few events and comes back; the turn goes on without it."""
    key = lane.new_key()
    async with Client.open(lane.running.address) as client, httpx.AsyncClient(base_url=lane.running.address) as http:
        talk = await client.chat("hello")
        body = {"message": f"/clerk talk {key} pace=0.05 hold=0.2", "conversation_id": talk.conversation}
        async with http.stream("POST", "/api/chat", json=body) as answer:
            turn = answer.headers["X-Turn-Id"]  # and gone
        pieces: list[SeenEvent] = list(talk.events)
        reconnects = 0
        for reconnects in range(1, _RECONNECTS + 1):  # noqa: B007 - counted
            rest = await client.read_stored(talk.conversation, after=pieces[-1].seq)
            pieces += rest.events
            if any(one.kind == "turn.done" and one.turn == turn for one in rest.events):
                break
            await asyncio.sleep(0.05)
        whole = await client.read_stored(talk.conversation)
    problems = _compare(pieces, whole)
    ok = not problems and any(one.kind == "turn.done" and one.turn == turn for one in pieces)
    measured = f"{len(whole.events)} events, {reconnects} times read on, {len(problems)} lost or twice"
    what = "reader leaves mid-turn and reconnects"
    return judge("F23/F24", database, what, "every event once; the turn ends", measured, ok=ok, notes=problems)


def _compare(pieces: list[SeenEvent], whole: Transcript) -> list[str]:
    """Differences between what came in pieces and what is stored; joined texts may be cut elsewhere."""
    seen = [number for one in pieces for number in range(one.first_seq, one.seq + 1)]
    stored = [number for one in whole.events for number in range(one.first_seq, one.seq + 1)]
    if seen != stored:
        return [f"came {seen}, stored {stored}"]
    texts = [
        "".join(str(one.data.get("text", "")) for one in side if one.kind == "text.delta")
        for side in (pieces, whole.events)
    ]
    return [] if texts[0] == texts[1] else ["the text differs"]


async def answer_in_a_race(lane: Lane, database: str) -> Outcome:
    """F25: twenty answers to one approval, half yes and half no: the first wins, the call runs at most once."""
    problems: list[str] = []
    won = {"approve": 0, "reject": 0}
    async with Client.open(lane.running.address) as client:
        for _ in range(5):
            key = lane.new_key()
            asked = await client.chat(f"/clerk bill {key}")
            (pause,) = await client.open_pauses(asked.conversation)
            said = [("approve", "reject")[number % 2] for number in range(20)]
            lane.random.shuffle(said)
            seen = await asyncio.gather(
                *(client.answer(pause["pause"], {"decision": one}, key=f"{key}-{n}") for n, one in enumerate(said))
            )
            winners = {one for one, told in zip(said, seen, strict=True) if told.status == httpx.codes.OK}
            paid = lane.ledger.read().count(("pay", key))
            for one in winners:
                won[one] += 1
            if len(winners) != 1 or paid != ("approve" in winners):
                problems.append(f"{winners} won, paid {paid} times")
            problems += (await lane.settle(asked.conversation, asked.events)).problems
    measured = f"5 approvals, 20 answers each: won {won}, {len(problems)} problems"
    return judge(
        "F25",
        database,
        "answers race for an approval",
        "first wins, 0 double runs",
        measured,
        ok=not problems,
        notes=problems,
    )


async def stop_slow_model(lane: Lane, database: str) -> Outcome:
    """F10: a model that is silent for long: the stream is kept alive, and a stop takes effect at once."""
    async with Client.open(lane.running.address) as client, httpx.AsyncClient(base_url=lane.running.address) as http:
        talk = await client.chat("hello")
        body = {"message": f"/clerk talk {lane.new_key()} pace=30", "conversation_id": talk.conversation}
        heartbeats, kinds = 0, list[str]()
        stopped_s = 0.0
        async with http.stream("POST", "/api/chat", json=body, timeout=60) as answer:
            began = time.monotonic()
            stopping: asyncio.Task[httpx.Response] | None = None
            async for line in answer.aiter_lines():
                heartbeats += line.startswith(": still here")
                kinds += [line.removeprefix("event: ")] if line.startswith("event: ") else []
                if heartbeats and stopping is None:
                    began = time.monotonic()
                    stopping = asyncio.create_task(client.post(f"/api/conversations/{talk.conversation}/stop", {}))
            stopped_s = time.monotonic() - began
    ok = heartbeats >= 1 and kinds[-1:] == ["error"] and stopped_s <= 0.5
    measured = (
        f"{heartbeats} heartbeat in 10 s of silence, stopped in {stopped_s * 1000:.0f} ms, ended with {kinds[-1:]}"
    )
    return judge("F10", database, "a model that says nothing for 30 s", "heartbeats; stop ≤ 500 ms", measured, ok=ok)


async def reload_under_load(lane: Lane, database: str) -> Outcome:
    """F26: a skill is rewritten a hundred times, also half, while turns run with it."""
    file = lane.folder / "skills" / "clerk" / "SKILL.md"
    whole = file.read_text("utf-8")

    async def edit() -> None:
        for number in range(_EDITS):
            half = number % 5 == 0
            file.write_text(whole[:40] if half else f"{whole}\nEdit {number}.\n", "utf-8")
            await asyncio.sleep(0.02)
        file.write_text(f"{whole}\nThe last edit.\n", "utf-8")

    async with Client.open(lane.running.address) as client:
        messages = [f"/clerk talk {lane.new_key()} pace=0.05" for _ in range(_RELOAD_TURNS)]
        editing = asyncio.create_task(edit())
        seen = await asyncio.gather(*(client.chat(one) for one in messages))
        await editing
        visible_s = await _time_until(lambda: _has_text(client, "The last edit."))
        digests = {one.find("skill.activated")[0].data["digest"] for one in seen if one.find("skill.activated")}
    file.write_text(whole, "utf-8")
    finished = sum(bool(one.find("turn.done")) for one in seen)
    ok = finished == _RELOAD_TURNS and visible_s <= 1.0
    measured = (
        f"{finished} of {_RELOAD_TURNS} done with {len(digests)} versions, last edit seen after {visible_s:.2f} s"
    )
    return judge("F26", database, f"{_EDITS} edits, every fifth half-written", "0 broken turns; ≤ 1 s", measured, ok=ok)


async def _has_text(client: Client, part: str) -> bool:
    return part in str(await client.get("/api/skills/clerk"))


async def _time_until(check: Callable[[], Awaitable[bool]], limit_s: float = 30.0) -> float:
    started = time.monotonic()
    while time.monotonic() - started < limit_s:
        if await check():
            break
        await asyncio.sleep(0.02)
    return time.monotonic() - started


async def check_database(lane: Lane, database: str) -> Outcome:
    """All pages and keys of the database after everything that was done to it."""
    problems = await read_store(lane.options.database_url, Store.check)
    measured = f"{len(problems)} problems"
    return judge("P1", database, "integrity of the database at the end", "sound", measured, ok=not problems)
