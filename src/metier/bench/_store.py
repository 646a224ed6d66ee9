"""Benchmark of appending one event, beside the same row written with bare `sqlite3`."""

import asyncio
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from metier.bench._figures import Figure
from metier.store import JsonObject, Store

EVENTS = 1000
_DATA: JsonObject = {"text": "根因分析完成。是否需要对该场景进行优化仿真？", "tokens": 17}


def measure_store() -> Iterator[Figure]:
    """Measure sequential, acknowledged appends on SQLite."""
    with tempfile.TemporaryDirectory() as temporary:
        raw = median(_time_raw_appends(Path(temporary, "raw.sqlite3")))
        taken = asyncio.run(_time_appends(Path(temporary, "metier.sqlite3")))
    yield Figure("store", "append one event, p50", median(taken), 1, EVENTS, raw, "sqlite3")


async def _time_appends(path: Path) -> list[float]:
    async with Store.open(f"sqlite:///{path}") as store:
        conversation = await store.conversations.create(user="bench")
        taken: list[float] = []
        for _ in range(EVENTS):
            started = perf_counter()
            await store.events.append(conversation.id, "text.delta", _DATA)
            taken.append((perf_counter() - started) * 1000)
        return taken


def _time_raw_appends(path: Path) -> list[float]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(
        "CREATE TABLE event (conversation TEXT, seq INTEGER, data TEXT, PRIMARY KEY (conversation, seq))"
    )
    taken: list[float] = []
    for seq in range(EVENTS):
        started = perf_counter()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO event VALUES (?, ?, ?)", ("c", seq, str(_DATA)))
        connection.execute("COMMIT")
        taken.append((perf_counter() - started) * 1000)
    connection.close()
    return taken
