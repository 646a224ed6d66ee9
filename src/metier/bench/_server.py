"""Server benchmark: a thousand concurrent streams, time to the first event, size of the web page."""

import asyncio
import gzip
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, sleep
from typing import Final

import httpx

from metier.bench._figures import Figure
from metier.errors import Unavailable

STREAMS: Final = 1000
PERIOD_S: Final = 0.25
DURATION_S: Final = 15.0
_CONVERSATIONS: Final = 20
_TURNS: Final = 60
_STARTS: Final = 3
_READY_TIMEOUT_S: Final = 120.0
_SKILL: Final = """---
name: weekly-report
description: 汇总一周的工作，写成周报。Write the weekly report.
triggers: [周报]
---
先问结论，再写一页。
"""
_SETTLE_S: Final = 3.0
_CONNECT_BATCH: Final = 50
_EVENT: Final = re.compile(rb'"seq":(\d+)')
_FIRST: Final = re.compile(rb'"first_seq":(\d+)')
_LOADED: Final = re.compile(r'<(?:script|link)[^>]+?(?:src|href)="/([^"]+\.(?:js|css))"')
UI_FOLDER: Final = Path(__file__).parents[1] / "server" / "ui"


@dataclass(slots=True)
class StreamStats:
    """Totals over all streams: gaps between events, missing or repeated events, broken connections.

    `cpu_share` is the share of one core the server used; None if the system does not tell.
    """

    gaps_s: list[float] = field(default_factory=list)
    events: int = 0
    missing: int = 0
    errors: int = 0
    cpu_share: float | None = None


class _EventReader(asyncio.Protocol):
    """Minimal SSE client; a thousand real clients would not fit on the measured machine."""

    def __init__(self, request: bytes, heard: StreamStats) -> None:
        self._request = request
        self._heard = heard
        self._rest = b""
        self._last: int | None = None
        self._at = 0.0
        self.counting = False
        self.leaving = False
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        assert isinstance(transport, asyncio.Transport)
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        whole, cut, self._rest = (self._rest + data).rpartition(b"\n\n")
        for block in whole.split(b"\n\n") if cut else ():
            if (found := _EVENT.search(block)) is not None:
                first = _FIRST.search(block)
                self._record_event(int(first[1] if first else found[1]), int(found[1]))

    def _record_event(self, first: int, last: int) -> None:
        now = perf_counter()
        if self._last is not None:
            self._heard.missing += abs(first - self._last - 1)
            if self.counting:
                self._heard.gaps_s.append(now - self._at)
                self._heard.events += 1
        self._last, self._at = last, now

    def connection_lost(self, error: Exception | None) -> None:
        self._heard.errors += not self.leaving

    def leave(self) -> None:
        self.leaving = True
        if self._transport is not None:
            self._transport.close()


def measure_server() -> Iterator[Figure]:
    """Measure a thousand streams at four events per second, then short turns."""
    heard, waits = run_server(STREAMS, DURATION_S, turns=_TURNS)
    p99 = quantiles(heard.gaps_s, n=100)[98] * 1000
    count = len(heard.gaps_s)
    name = f"{STREAMS} streams at {1 / PERIOD_S:g} events/s"
    yield Figure("server", f"{name}: gap between events, p99", p99, 2000 * PERIOD_S, count)
    yield Figure(
        "server",
        f"{name}: events per second",
        heard.events / DURATION_S,
        0.95 * STREAMS / PERIOD_S,
        count,
        unit="/s",
        more=True,
    )
    yield Figure("server", f"{name}: events missing or twice", heard.missing, 1, count, unit="")
    yield Figure("server", f"{name}: connections broken", heard.errors, 1, STREAMS, unit="")
    if heard.cpu_share is not None:
        yield Figure("server", f"{name}: of one core", 100 * heard.cpu_share, 80, 1, unit="%")
    yield Figure("server", "first event of a turn, p50", median(waits) * 1000, 50, len(waits))
    starts = [time_first_event_after_ready() for _ in range(_STARTS)]
    yield Figure("server", "first event of the first message after /readyz", median(starts) * 1000, 150, _STARTS)
    if (weight := measure_first_load_kb(UI_FOLDER)) is not None:
        yield Figure("server", "first load of the page, gz", weight, 80, 1, unit="KB")


def run_server(
    streams: int, seconds: float, *, turns: int, period_s: float = PERIOD_S
) -> tuple[StreamStats, list[float]]:
    """Start a server, read its streams for so many seconds, and time turns; returns totals and waits in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        conversations = min(_CONVERSATIONS, streams)
        with _start_server(Path(folder), conversations, period_s) as (address, process):
            return asyncio.run(_measure_streams(address, process, streams, seconds)), _time_first_events(address, turns)


def time_first_event_after_ready(embedder: str = "use-multilingual") -> float:
    """Start a server, wait until `/readyz` answers 200, and time the first event of its first message in seconds."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "skills").mkdir()
        (place / "skills" / "weekly-report.md").write_text(_SKILL, "utf-8")
        with _start_server(place, 1, 3600.0, embedder) as (address, _):
            _wait_until_ready(address)
            return _time_first_events(address, 1)[0]


def _wait_until_ready(address: str) -> None:
    until = perf_counter() + _READY_TIMEOUT_S
    while httpx.get(f"{address}/readyz").status_code != 200:
        if perf_counter() > until:
            raise Unavailable(f"the server is not ready after {_READY_TIMEOUT_S:g} s", hint="GET /readyz says why")
        sleep(0.05)


@contextmanager
def _start_server(
    folder: Path, conversations: int, period_s: float, embedder: str = "none"
) -> Iterator[tuple[str, int]]:
    (folder / "skills").mkdir(exist_ok=True)
    numbers = (str(conversations), str(period_s))
    command = [sys.executable, "-m", "metier.bench._server_child", str(folder), *numbers, embedder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own interpreter
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.terminate()


async def _measure_streams(address: str, process: int, streams: int, seconds: float) -> StreamStats:
    async with httpx.AsyncClient(base_url=address) as client:
        listed = (await client.get("/api/conversations?limit=1000")).json()["conversations"]
    heard = StreamStats()
    readers = await _connect_readers(address, [one["id"] for one in listed], streams, heard)
    await asyncio.sleep(_SETTLE_S if seconds > _SETTLE_S else 0)
    for reader in readers:
        reader.counting = True
    before = _read_cpu_s(process)
    await asyncio.sleep(seconds)
    after = _read_cpu_s(process)
    heard.cpu_share = None if before is None or after is None else (after - before) / seconds
    for reader in readers:
        reader.leave()
    await asyncio.sleep(0)
    return heard


def _read_cpu_s(process: int) -> float | None:
    """CPU time of a process; None if the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _connect_readers(address: str, names: Sequence[str], streams: int, heard: StreamStats) -> list[_EventReader]:
    host, _, port = address.removeprefix("http://").partition(":")
    loop = asyncio.get_running_loop()

    async def connect(number: int) -> _EventReader:
        path = f"/api/conversations/{names[number % len(names)]}/events"
        request = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
        _, reader = await loop.create_connection(lambda: _EventReader(request, heard), host, int(port))
        return reader

    readers: list[_EventReader] = []
    for start in range(0, streams, _CONNECT_BATCH):
        some = range(start, min(start + _CONNECT_BATCH, streams))
        readers += await asyncio.gather(*(connect(number) for number in some))
        await asyncio.sleep(0.05)
    return readers


def _time_first_events(address: str, turns: int) -> list[float]:
    """Seconds from sending a message to the first event of its turn."""
    waits: list[float] = []
    with httpx.Client(base_url=address, timeout=60) as client:
        for _ in range(turns):
            started = perf_counter()
            with client.stream("POST", "/api/chat", json={"message": "你好，今天天气怎么样"}) as answer:
                next(piece for piece in answer.iter_text() if "event: turn.started" in piece)
                waits.append(perf_counter() - started)
    return waits


def measure_first_load_kb(folder: Path) -> float | None:
    """Compressed size of the page and the files it loads first; None if the page is not built."""
    index = folder / "index.html"
    if not index.is_file():
        return None
    text = index.read_text("utf-8")
    files = [index, *(folder / name for name in dict.fromkeys(_LOADED.findall(text)))]
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in files) / 1024
