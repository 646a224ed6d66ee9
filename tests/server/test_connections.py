"""Connections that take their time: closed while nothing is asked, kept while something is answered."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn

from metier.server._connections import TimedProtocol

ASK = b"GET / HTTP/1.1\r\nHost: x\r\n"


class Strict(TimedProtocol):
    headers_within_s = 0.05


class Patient(TimedProtocol):
    headers_within_s = 0.5  # a loaded machine needs some time for a request that is sent at once


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answers in two pieces, the second later than headers may come."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await send({"type": "http.response.body", "body": b"ab", "more_body": True})
    await asyncio.sleep(1.5 * Patient.headers_within_s)
    await send({"type": "http.response.body", "body": b"cd"})


@asynccontextmanager
async def connected(
    protocol: type[TimedProtocol], connections_max: int | None = None
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    config = uvicorn.Config(
        application,
        port=0,
        http=protocol,
        lifespan="off",
        log_level="error",
        ws="none",
        limit_concurrency=connections_max,
    )
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        server.servers[0].close()


@pytest.mark.parametrize("sent", [b"G", ASK, ASK + b"X-Long: " + b"a" * 100])
async def test_a_request_that_does_not_come_to_its_body_is_told_408_and_closed(sent: bytes) -> None:
    async with connected(Strict) as (reader, writer):
        writer.write(sent)
        assert_late(await asyncio.wait_for(reader.read(), 60))


async def test_a_connection_that_asks_nothing_is_closed_without_a_word() -> None:
    async with connected(Strict) as (reader, _writer):
        assert await asyncio.wait_for(reader.read(), 60) == b""


def assert_late(answer: bytes) -> None:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.splitlines()[0] == b"HTTP/1.1 408 Request Timeout"
    assert f"Content-Length: {len(body)}".encode() in head
    assert json.loads(body)["error"]["code"] == "unavailable"


async def test_an_answer_may_take_longer_than_headers_and_the_next_request_may_not() -> None:
    async with connected(Patient) as (reader, writer):
        writer.write(ASK + b"\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        assert await reader.readexactly(4) == b"abcd"
        writer.write(ASK)
        assert_late(await asyncio.wait_for(reader.read(), 60))


async def test_a_connection_too_many_is_refused_as_json_and_closed_and_the_others_are_kept() -> None:
    async with connected(TimedProtocol, connections_max=1) as (reader, writer):
        writer.write(ASK + b"\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        second, asking = await asyncio.open_connection(*writer.get_extra_info("peername"))
        asking.write(ASK + b"\r\n")
        head, _, body = (await asyncio.wait_for(second.read(), 60)).partition(b"\r\n\r\n")
        asking.close()
        assert head.startswith(b"HTTP/1.1 503")
        assert b"content-type: application/json" in head.lower()
        assert b"retry-after:" in head.lower()
        assert json.loads(body)["error"]["code"] == "unavailable"
        assert await reader.readexactly(4) == b"abcd"
