"""Streams over a real connection: cut anywhere, taken up again exactly, and the turn goes on meanwhile."""

import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from metier.store import EventDraft, Store
from metier.tools import Tool, function_tool
from tests.server.live import served
from tests.server.support import app_in, events_of, settings_in

SLOW = """---
name: slow-work
title: 慢活
description: 一步一步做的慢活。Slow work.
triggers: [慢活]
allowed_tools: [hold]
sop:
  - {id: one, call: hold, with: {step: 1}}
  - {id: two, call: hold, with: {step: 2}}
  - {id: three, call: hold, with: {step: 3}}
---

一步一步做。
"""


class Brake:
    """A tool that waits until the test lets it go on."""

    def __init__(self) -> None:
        self.free = threading.Event()

    def tools(self) -> tuple[Tool, ...]:
        def hold(step: int) -> dict[str, int]:
            """Wait for the test."""
            assert step == 1 or self.free.wait(60)
            return {"step": step}

        return (function_tool(hold),)


@pytest.fixture
def brake() -> Iterator[Brake]:
    made = Brake()
    yield made
    made.free.set()


@pytest.fixture
def address(tmp_path: Path, brake: Brake) -> Iterator[str]:
    settings_in(tmp_path)
    (tmp_path / "skills" / "slow-work.md").write_text(SLOW, "utf-8")
    with served(app_in(tmp_path, tools=brake.tools())) as url:
        yield url


async def _events(response: httpx.Response) -> AsyncIterator[dict[str, Any]]:
    text = ""
    async for piece in response.aiter_text():
        text += piece
        whole, cut, text = text.rpartition("\n\n")
        for event in events_of(whole + cut):
            yield event


async def _read(
    events: AsyncIterator[dict[str, Any]], until: Callable[[dict[str, Any]], bool] = lambda _: False
) -> list[dict[str, Any]]:
    """Read a stream up to and with the first event that fits, or to its end."""
    seen: list[dict[str, Any]] = []
    while (event := await anext(events, None)) is not None:
        seen.append(event)
        if until(event):
            break
    return seen


def _called(event: dict[str, Any]) -> bool:
    return bool(event["kind"] == "tool.called" and event["data"]["arguments"] == {"step": 2})


async def test_a_reader_that_leaves_comes_back_to_exactly_the_rest(address: str, brake: Brake) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        async with client.stream("POST", "/api/chat", json={"message": "做慢活"}) as response:
            before = await _read(_events(response), _called)
        brake.free.set()  # nobody reads, and the turn goes on
        name, last = before[0]["conversation"], before[-1]["seq"]
        headers = {"Last-Event-ID": str(last)}
        async with client.stream("GET", f"/api/conversations/{name}/events", headers=headers) as response:
            rest = await _read(_events(response), lambda event: event["kind"] == "turn.done")
        stored = (await client.get(f"/api/conversations/{name}/events.json")).json()["events"]
    assert [*before, *rest] == stored
    assert rest[-1]["kind"] == "turn.done"


async def test_two_readers_of_a_running_turn_are_told_the_same(address: str, brake: Brake) -> None:
    async with (
        httpx.AsyncClient(base_url=address, timeout=30) as client,
        client.stream("POST", "/api/chat", json={"message": "做慢活"}) as response,
    ):
        one = _events(response)
        first = await _read(one, _called)
        path = f"/api/conversations/{first[0]['conversation']}/events"
        async with client.stream("GET", path) as following:
            two = _events(following)
            assert await _read(two, _called) == first
            brake.free.set()
            seen = await _read(two, lambda event: event["kind"] == "turn.done")
        assert await _read(one) == seen


async def test_a_stopped_turn_keeps_what_came_and_frees_the_conversation(address: str, brake: Brake) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        async with client.stream("POST", "/api/chat", json={"message": "做慢活"}) as response:
            events = _events(response)
            seen = await _read(events, _called)
            name = seen[0]["conversation"]
            busy = await client.post("/api/chat", json={"message": "在吗", "conversation_id": name})
            stopped = await client.post(f"/api/conversations/{name}/stop")
            rest = await _read(events)
        brake.free.set()
        assert (busy.status_code, stopped.json()) == (409, {"stopped": True})
        stored = (await client.get(f"/api/conversations/{name}/events.json")).json()["events"]
        assert [*seen, *rest] == stored
        again = await client.post("/api/chat", json={"message": "/weekly-report", "conversation_id": name})
        assert again.status_code == 200


async def test_what_another_process_writes_is_told(tmp_path: Path, address: str) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        name = (await client.post("/api/conversations", json={})).json()["id"]
        async with client.stream("GET", f"/api/conversations/{name}/events") as response:
            async with Store.open(settings_in(tmp_path).database_url) as elsewhere:
                for number in range(3):
                    await elsewhere.events.append(name, "error", {"code": f"e{number}"})
            seen = await _read(_events(response), lambda event: event["seq"] == 3)
    assert [event["data"]["code"] for event in seen] == ["e0", "e1", "e2"]


def _bytes(connection: socket.socket, least: int) -> bytes:
    """At least so many bytes of a stream, and not more than come with them."""
    got = b""
    while len(got) < least and (piece := connection.recv(997)):
        got += piece
    return got


@pytest.mark.parametrize("least", [400, 3000, 20_000, 100_000])
async def test_a_connection_cut_inside_an_event_loses_nothing(tmp_path: Path, address: str, least: int) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        name = (await client.post("/api/conversations", json={})).json()["id"]
        async with Store.open(settings_in(tmp_path).database_url) as elsewhere:
            drafts = [EventDraft("text.done", {"text": f"第{number}段" * 40}) for number in range(400)]
            await elsewhere.events.append_many(name, drafts)
        host, _, port = address.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port))) as connection:
            path = f"/api/conversations/{name}/events"
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            got = _bytes(connection, least)
        head, _, body = got.partition(b"\r\n\r\n")
        assert b"text/event-stream" in head
        seen = _ids(body)
        rest = await client.get(f"{path}?follow=false", headers={"Last-Event-ID": str(seen[-1] if seen else 0)})
        told = [event["seq"] for event in events_of(rest.text)]
    assert [*seen, *told] == list(range(1, 401))


def _ids(body: bytes) -> list[int]:
    """The numbers of the events that came whole, as a client would count them."""
    plain = b""
    while b"\r\n" in body:  # chunks of the transfer
        size, _, body = body.partition(b"\r\n")
        length = int(size or b"0", 16)
        plain, body = plain + body[:length], body[length + 2 :]
    blocks = plain.split(b"\n\n")[:-1]
    return [int(block.split(b"\n")[0].removeprefix(b"id: ")) for block in blocks if block.startswith(b"id: ")]


async def test_a_reader_that_does_not_read_holds_nobody_up(tmp_path: Path, address: str) -> None:
    """Its connection fills up, its queue is dropped, and in the end it has everything all the same."""
    async with httpx.AsyncClient(base_url=address, timeout=30) as client:
        name = (await client.post("/api/conversations", json={})).json()["id"]
        async with client.stream("GET", f"/api/conversations/{name}/events") as lazy:
            async with Store.open(settings_in(tmp_path).database_url) as elsewhere:
                for _ in range(10):
                    drafts = [EventDraft("text.done", {"text": "很长的一段" * 1000})] * 100
                    await elsewhere.events.append_many(name, drafts)
                    assert (await client.get("/healthz")).status_code == 200
            seen = await _read(_events(lazy), lambda event: event["seq"] == 1000)
    assert [event["seq"] for event in seen] == list(range(1, 1001))
