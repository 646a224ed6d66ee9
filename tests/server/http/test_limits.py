"""How much one user may ask for."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from metier.errors import RateLimited
from metier.server.http import BodyLimit, RateLimiter
from metier.store import Principal
from tests.server.support import app_in, opened

KEYS = {"ann": "ann-key-0123456789", "bob": "bob-key-0123456789"}


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_minutes_worth_may_come_at_once_and_then_one_by_one() -> None:
    clock = Clock()
    buckets = RateLimiter(6, clock)
    for _ in range(6):
        buckets.take("ann")
    with pytest.raises(RateLimited) as caught:
        buckets.take("ann")
    assert caught.value.retry_after_s == 10
    buckets.take("bob")
    clock.now += 9
    with pytest.raises(RateLimited) as caught:
        buckets.take("ann")
    assert caught.value.retry_after_s == 1
    clock.now += 1
    buckets.take("ann")


def test_no_limit_counts_nobody() -> None:
    buckets = RateLimiter(0)
    for _ in range(10_000):
        buckets.take("ann")


async def test_one_user_does_not_use_up_anothers_requests(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, rate_limit=3, api_keys=KEYS)) as server:
        answers = [await server.client.get("/api/info", headers={"X-API-Key": KEYS["ann"]}) for _ in range(5)]
        assert [one.status_code for one in answers] == [200, 200, 200, 429, 429]
        assert answers[-1].json()["error"]["code"] == "rate_limited"
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 20
        assert (await server.client.get("/api/info", headers={"X-API-Key": KEYS["bob"]})).status_code == 200
        guesses = [await server.client.get("/api/info", headers={"X-API-Key": f"guess-{n}"}) for n in range(5)]
        assert [one.status_code for one in guesses] == [401, 401, 401, 429, 429]
        assert (await server.client.get("/healthz")).status_code == 200


SAID = {"id": "m", "role": "user", "content": "周报"}
OTHER_STREAMS: list[tuple[str, dict[str, object]]] = [
    ("/agui", {"threadId": "t", "runId": "r", "messages": [SAID]}),
    ("/v1/chat/completions", {"messages": [SAID], "stream": True}),
]


async def test_streams_of_one_user_are_counted(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, streams_max=1)) as server:
        made = (await server.client.post("/api/conversations", json={})).json()["id"]
        slot = server.here.stream_slots.take(Principal("local"))
        with slot.opening():
            for method, address, body in (
                ("GET", f"/api/conversations/{made}/events", None),
                ("POST", "/api/chat", {"message": "周报"}),
                *(("POST", address, body) for address, body in OTHER_STREAMS),
            ):
                answer = await server.client.request(method, address, json=body)
                assert (answer.status_code, answer.json()["error"]["code"]) == (429, "rate_limited")
        slot.release()
        for _ in range(2):  # a stream that ends gives its slot back
            answer = await server.client.get(f"/api/conversations/{made}/events?follow=false")
            assert answer.status_code == 200
            for address, body in OTHER_STREAMS:
                assert (await server.client.post(address, json=body)).status_code == 200


async def test_a_body_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, body_max_bytes=1024)) as server:
        answer = await server.client.post("/api/conversations", json={"title": "长" * 2000})
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")
        assert "1024" in answer.json()["error"]["message"]


async def _through(limit: BodyLimit, received: Iterator[Message], **headers: str) -> list[Message]:
    scope: Scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[Message] = []

    async def receive() -> Message:
        for message in received:
            return message
        await asyncio.Event().wait()  # nothing more ever comes
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await limit(scope, receive, send)
    return sent


async def _echo(scope: Scope, receive: Receive, send: Send) -> None:
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": message["body"]})


def _pieces(count: int) -> Iterator[Message]:
    for number in range(count):
        yield {"type": "http.request", "body": b"x" * 10, "more_body": number < count - 1}


async def test_a_body_in_pieces_is_handed_on_whole() -> None:
    sent = await _through(BodyLimit(_echo, 100), _pieces(3))
    assert sent[1]["body"] == b"x" * 30


async def test_a_body_that_does_not_say_how_long_it_is_is_cut_off() -> None:
    sent = await _through(BodyLimit(_echo, 25), _pieces(10**9))
    assert sent[0]["status"] == 413


@pytest.mark.parametrize("length", ["26", "99999999999999999999", "-1", "x", "１２"])
async def test_a_length_that_is_too_large_or_none_is_refused_unread(length: str) -> None:
    received = _pieces(1)
    assert (await _through(BodyLimit(_echo, 25), received, content_length=length))[0]["status"] == 413
    assert len(list(received)) == 1


@pytest.mark.parametrize(
    ("length", "last"), [(None, "http.disconnect"), ("100", "http.disconnect"), ("100", "http.request")]
)
async def test_a_body_that_broke_off_reaches_nobody(length: str | None, last: str) -> None:
    """Half a table would be stored and read as if it were all."""

    async def fail(scope: Scope, receive: Receive, send: Send) -> None:
        pytest.fail("half a body was handed on")

    received: Iterator[Message] = iter(
        [{"type": "http.request", "body": b"a,b\n1,", "more_body": True}, {"type": last}]
    )
    sent = await _through(BodyLimit(fail, 1000), received, **({"content_length": length} if length else {}))
    assert sent[0]["status"] == 400
    assert b"broke off after 6 bytes" in sent[1]["body"]


async def test_a_body_that_never_ends_is_given_up() -> None:
    half: Iterator[Message] = iter([{"type": "http.request", "body": b"x", "more_body": True}])
    assert (await _through(BodyLimit(_echo, 25, wait_s=0.01), half))[0]["status"] == 408
