"""F22: readers that stop reading, told from the queues of the kernel, and what they get when they read on."""

import asyncio
import http.client
import json
import socket
import time
from pathlib import Path
from typing import Final

from benchmarks.faults._client import Client
from benchmarks.faults._lane import Lane
from benchmarks.faults._outcome import Outcome, judge
from metier.store import Store

_READERS: Final = 100
_CHECKED: Final = 5
_TURNS: Final = 10
_STORED: Final = 2_000
_EVENT_CHARS: Final = 8_000
_MAX_BYTES_EACH: Final = 64 * 1024
_SETTLE_S: Final = 10.0
_READ_LIMIT_S: Final = 60.0


async def stall_readers(lane: Lane, database: str) -> Outcome:
    """A hundred readers stop reading; the writer does not wait, memory stays, and who reads on gets every event once.

    A reader has stalled if the kernel holds less than half of what it has missed: the rest waits in the store.
    """
    host, port = lane.running.address.removeprefix("http://").split(":")
    async with Client.open(lane.running.address) as client:
        talk = await client.chat("hello")
        await _store_events(lane.options.database_url, talk.conversation)
        alone_s = await _talk(client, lane, talk.conversation)
        before = lane.running.rss_bytes
        sockets = [_open_reader(host, int(port), talk.conversation) for _ in range(_READERS)]
        await asyncio.sleep(_SETTLE_S)  # what the kernel takes is replayed first
        watched_s = await _talk(client, lane, talk.conversation)
        each = (lane.running.rss_bytes - before) // _READERS
        stored = await client.read_stored(talk.conversation)
        missed = sum(len(json.dumps(event.data)) for event in stored.events)
        held = _measure_queues([one.getsockname()[1] for one in sockets])
        stalled = sum(one < missed // 2 for one in held)
        read = await asyncio.gather(*(asyncio.to_thread(_read_on, one, stored.last_seq) for one in sockets[:_CHECKED]))
        for one in sockets:
            one.close()
        settled = await lane.settle(talk.conversation, talk.events)
    complete = sum(one == list(range(1, stored.last_seq + 1)) for one in read)
    measured = (
        f"{stalled} stalled (at most {max(held, default=0) // 1024} of {missed // 1024} KiB in the kernel), "
        f"{each // 1024} KiB each, {_TURNS} turns in {watched_s:.1f} s ({alone_s:.1f} s alone), "
        f"{complete} of {_CHECKED} read on whole"
    )
    is_right = stalled == _READERS and complete == _CHECKED and not settled.problems
    ok = is_right and each <= _MAX_BYTES_EACH and watched_s <= 2 * alone_s + 1
    what = f"{_READERS} readers that do not read"
    target = "all stalled, ≤ 64 KiB each, nobody waits, exact when read on"
    return judge("F22", database, what, target, measured, ok=ok, notes=settled.problems)


async def _store_events(url: str, conversation: str) -> None:
    """Store more than the kernel holds for a connection, in events of ordinary size."""
    async with Store.open(url) as store:
        for _ in range(_STORED // 100):
            async with store.transaction() as tx:
                for _ in range(100):
                    await tx.events.append(conversation, "usage", {"filler": "x" * _EVENT_CHARS})


async def _talk(client: Client, lane: Lane, conversation: str) -> float:
    """Run some turns; the seconds they took."""
    started = time.monotonic()
    for _ in range(_TURNS):
        await client.chat(f"/clerk talk {lane.new_key()}", conversation=conversation)
    return time.monotonic() - started


def _open_reader(host: str, port: int, conversation: str) -> socket.socket:
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    reader.connect((host, port))
    head = f"GET /api/conversations/{conversation}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    reader.sendall(head.encode())
    return reader


def _measure_queues(ports: list[int]) -> list[int]:
    """Bytes that the kernel holds for the connection of each local port, on both sides."""
    queues = dict.fromkeys(ports, 0)
    for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]:
        _, local, remote, _, waiting, *_ = line.split()
        sent, received = (int(one, 16) for one in waiting.split(":"))
        here, there = (int(one.rpartition(":")[2], 16) for one in (local, remote))
        if here in queues:
            queues[here] += received
        if there in queues:
            queues[there] += sent
    return list(queues.values())


def _read_on(reader: socket.socket, last_seq: int) -> list[int]:
    """Numbers of all events that a reader gets when it goes on, in order; joined pieces of text count each."""
    reader.settimeout(_READ_LIMIT_S)
    response = http.client.HTTPResponse(reader, method="GET")
    seen: list[int] = []
    try:
        response.begin()
        while not seen or seen[-1] < last_seq:
            line = response.readline()
            if not line:
                break
            if line.startswith(b"data: "):
                told = json.loads(line.removeprefix(b"data: "))
                seen += range(told.get("first_seq", told["seq"]), told["seq"] + 1) if "seq" in told else ()
    except (OSError, http.client.HTTPException):
        pass
    return seen
