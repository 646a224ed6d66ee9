"""Whether the server runs, whether it can answer, and its counters."""

import asyncio
import errno
import os
import tempfile
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from metier.errors import StoreUnavailable
from metier.pack import Packs
from metier.routing import Router
from metier.server import create_app
from metier.server.observe import Preparation
from metier.skills import Catalog
from tests.server.support import Open, opened, prepared, settings_in


async def test_a_server_is_ready_when_the_first_message_need_not_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = threading.Event(), threading.Event()
    prepare = Router.prepare

    def slowly(router: Router, catalog: Catalog) -> tuple[str, ...]:
        begun.set()
        may_end.wait(60)
        return prepare(router, catalog)

    monkeypatch.setattr(Router, "prepare", slowly)
    async with opened(create_app(settings_in(tmp_path), packs=Packs())) as server:
        await asyncio.to_thread(begun.wait, 30)
        answer = await server.client.get("/readyz")
        assert (answer.status_code, answer.json()["checks"]["store"]) == (503, "ok")
        assert "being loaded" in answer.json()["checks"]["preparation"]
        assert (await server.client.get("/healthz")).status_code == 200
        may_end.set()
        await prepared(server)
        assert (await server.client.get("/readyz")).status_code == 200


@pytest.mark.parametrize("error", [StoreUnavailable("the index is gone"), LookupError("the index is gone")])
async def test_preparation_that_fails_says_why_and_is_tried_again(error: Exception) -> None:
    tries: list[str] = []

    async def prepare() -> None:
        tries.append(preparation.status)
        if len(tries) == 1:
            raise error
        done.set()

    done = asyncio.Event()
    preparation = Preparation(prepare, retry_s=0)
    async with preparation.run():
        await done.wait()
    assert "the index is gone" in tries[1]


async def test_readiness_follows_the_store(server: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    await prepared(server)
    checks = {"store": "ok", "disk": "ok", "skills": "ok", "preparation": "ok"}
    assert (await server.client.get("/readyz")).json() == {"ok": True, "checks": checks}

    async def gone(*_: object, **__: object) -> None:
        raise StoreUnavailable("the database is gone")

    monkeypatch.setattr(server.here.store.conversations, "list", gone)
    answer = await server.client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["store"]) == (503, "the database is gone")
    assert (await server.client.get("/healthz")).status_code == 200


async def test_a_server_that_was_told_to_stop_is_not_ready(server: Open) -> None:
    await prepared(server)
    await server.here.runtime.drain(0)
    answer = await server.client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["preparation"]) == (503, "the server is stopping")
    assert (await server.client.get("/healthz")).status_code == 200


@pytest.mark.parametrize(("flag", "free", "sentence"), [(os.ST_RDONLY, 10**6, "read-only"), (0, 1, "4096 bytes left")])
async def test_readiness_follows_the_disk(
    server: Open, monkeypatch: pytest.MonkeyPatch, flag: int, free: int, sentence: str
) -> None:
    await prepared(server)
    disk = SimpleNamespace(f_flag=flag, f_bavail=free, f_frsize=4096)
    monkeypatch.setattr(os, "statvfs", lambda _: disk)
    answer = await server.client.get("/readyz")
    assert answer.status_code == 503
    assert sentence in answer.json()["checks"]["disk"]


async def test_readiness_is_red_when_a_write_fails_whatever_the_flags_of_the_disk_say(
    server: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    await prepared(server)
    storage = server.here.settings.storage_dir
    before = {path.name for path in storage.iterdir()}
    assert (await server.client.get("/readyz")).status_code == 200
    assert {path.name for path in storage.iterdir()} == before

    def refuse(**_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    answer = await server.client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["disk"] == "the storage folder cannot be written: Read-only file system"


async def test_the_counters_count(server: Open) -> None:
    told = await server.chat("帮我写这周的周报")
    await server.client.post(f"/api/pauses/{told[-1]['data']['pause']}", json={"answer": "上线了"})
    text = (await server.client.get("/metrics")).text
    found = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert float(found['metier_turns_total{state="done"}']) == 1
    assert float(found['metier_turns_total{state="paused"}']) == 1
    assert float(found['metier_events_total{kind="turn.started"}']) == 1
    assert float(found["metier_route_ms_count"]) == 1
    assert float(found["metier_tool_calls_total"]) == 1
    assert float(found["metier_streams"]) == 0
    assert float(found["metier_stream_frames"]) > len(told)


async def test_two_servers_in_one_process_count_apart(tmp_path: Path, server: Open) -> None:
    async with opened(create_app(settings_in(tmp_path / "skills"), packs=Packs())) as other:
        await server.chat("周报")
        text = (await other.client.get("/metrics")).text
        assert 'kind="turn.started"' not in text
