"""A model that fails: asked again with patience, then its stand-in, then an error that says who can mend it."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest
from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.tool import tool_call_chunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from metier.agent.models.providers import ResilientModel, RetryPolicy, classify, dropped_calls, reply_end
from metier.errors import InvalidInput, InvalidSettings, MetierError, TooLarge, Unavailable, UsageError
from metier.testing import FakeModel
from tests.agent.support import Toolbox, asked, both_ways, run


class Waits:
    """Sleeps that only write down how long."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def asleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def retries(self, **changes: Any) -> RetryPolicy:
        return RetryPolicy(jitter=lambda: 1.0, sleep=self.slept.append, async_sleep=self.asleep, **changes)


def steady(*models: BaseChatModel, waits: Waits | None = None, **changes: Any) -> ResilientModel:
    return ResilientModel(models=models, names=("first", "second"), retries=(waits or Waits()).retries(**changes))


async def said(way: str, model: Any) -> AIMessage:
    """The reply, asked for at once or in pieces, by either door."""
    reply: Any
    if way == "sync":
        reply = model.invoke("hi")
    elif way == "async":
        reply = await model.ainvoke("hi")
    else:
        pieces = list(model.stream("hi")) if way == "stream" else [one async for one in model.astream("hi")]
        reply = pieces[0]
        for piece in pieces[1:]:
            reply = reply + piece
    assert isinstance(reply, AIMessage)
    return reply


all_ways = pytest.mark.parametrize("way", ["sync", "async", "stream", "astream"])


@all_ways
async def test_a_passing_fault_is_waited_out(way: str) -> None:
    waits = Waits()
    fake = FakeModel().fail(ConnectionResetError("reset")).fail(httpx.ReadTimeout("slow")).say("好的")
    reply = await said(way, steady(fake, waits=waits))
    assert reply.text == "好的"
    assert waits.slept == [0.5, 1.0]
    assert reply.response_metadata["metier"] == {"attempts": 3, "fallback": False, "model": 0}


@all_ways
async def test_a_good_reply_is_left_as_it_is(way: str) -> None:
    reply = await said(way, steady(FakeModel().say("fine")))
    assert (reply.text, "metier" in reply.response_metadata) == ("fine", False)


@all_ways
async def test_three_attempts_and_then_the_stand_in(way: str) -> None:
    first, second = FakeModel(), FakeModel().say("from the second")
    for _ in range(5):
        first.fail(ConnectionError("down"))
    reply = await said(way, steady(first, second))
    assert reply.text == "from the second"
    assert first.replies_left == 2
    assert reply.response_metadata["metier"] == {"attempts": 4, "fallback": True, "model": 1}


@all_ways
async def test_when_nothing_helps_the_error_says_how_often_and_why(way: str) -> None:
    first = FakeModel().fail(ConnectionError("down")).fail(ConnectionError("down")).fail(ConnectionError("down"))
    with pytest.raises(Unavailable) as caught:
        await said(way, steady(first))
    assert caught.value.message == "the service of model 'first' cannot be reached (3 times): ConnectionError: down"
    assert isinstance(caught.value.__cause__, ConnectionError)


@all_ways
async def test_a_fault_that_will_not_pass_is_not_tried_again(way: str) -> None:
    waits, first = Waits(), FakeModel().fail(ValueError("no such field")).say("never")
    with pytest.raises(Unavailable, match="failed once"):
        await said(way, steady(first, waits=waits))
    assert (waits.slept, first.replies_left) == ([], 1)


@all_ways
async def test_our_own_errors_pass_as_they_are(way: str) -> None:
    with pytest.raises(UsageError, match="no reply left"):
        await said(way, steady(FakeModel()))


def failure(status: int, **headers: str) -> httpx.HTTPStatusError:
    request = httpx.Request("POST", "http://model/v1")
    response = httpx.Response(status, headers=headers, request=request)
    return httpx.HTTPStatusError(f"status {status}", request=request, response=response)


REFUSALS: list[Any] = [
    pytest.param(401, InvalidSettings, "the provider of 'first' refused the key (401)", id="key"),
    pytest.param(404, InvalidSettings, "the provider has no model 'first'", id="model"),
    pytest.param(400, InvalidInput, "the provider of 'first' refused the request", id="request"),
    pytest.param(413, TooLarge, "the request is too large for the provider of 'first'", id="too long"),
]


@pytest.mark.parametrize(("status", "kind", "message"), REFUSALS)
async def test_a_refusal_says_who_can_mend_it(status: int, kind: type[MetierError], message: str) -> None:
    with pytest.raises(kind) as caught:
        await said("async", steady(FakeModel().fail(failure(status))))
    assert caught.value.message.startswith(message)


@both_ways
async def test_retry_after_is_honoured(way: str) -> None:
    waits = Waits()
    await said(way, steady(FakeModel().fail(failure(429, **{"retry-after": "7"})).say("ok"), waits=waits))
    assert waits.slept == [7.0]


async def test_a_provider_that_wants_an_hour_is_left_for_the_stand_in() -> None:
    waits, first = Waits(), FakeModel().fail(failure(429, **{"retry-after": "3600"})).say("never")
    reply = await said("async", steady(first, FakeModel().say("second"), waits=waits))
    assert (reply.text, waits.slept, first.replies_left) == ("second", [0.0], 1)


AFTER: list[Any] = [
    pytest.param("12", 12.0, id="seconds"),
    pytest.param("Sun, 06 Nov 1994 08:49:37 GMT", 0.0, id="a date that is over"),
    pytest.param("soon", None, id="words"),
    pytest.param("-5", None, id="negative"),
]


@pytest.mark.parametrize(("value", "seconds"), AFTER)
def test_retry_after_is_a_number_or_a_date(value: str, seconds: float | None) -> None:
    assert classify(failure(503, **{"retry-after": value})).retry_after_s == seconds


def test_providers_own_errors_are_known_by_status_or_by_name() -> None:
    class RateLimitError(Exception):
        pass

    class APIStatusError(Exception):
        status_code = 529

    assert classify(RateLimitError()).transient
    assert classify(APIStatusError()).transient
    assert not classify(KeyError("choices")).transient


@both_ways
async def test_tools_reach_both_models(way: str) -> None:
    first, second = FakeModel().fail(KeyError("choices")), FakeModel().call("web_search", query="5G").say("Done.")
    first.fail(KeyError("choices"))
    box = Toolbox()
    agent: Any = create_agent(steady(first, second), box.tools())
    result = await run(way, agent, asked())
    assert box.names == ["web_search"]
    assert first.prompts[0].tools == second.prompts[0].tools == ("web_search", "delete_file")
    assert result["messages"][-1].text == "Done."


class Broken(BaseChatModel):
    """Streams some pieces, then does what it is told: break, hang, or go on for ever."""

    pieces: list[AIMessageChunk]
    then: str = "break"

    @property
    def _llm_type(self) -> str:
        return "broken"

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage("whole"))])

    async def _agenerate(self, *_: Any, **__: Any) -> ChatResult:
        await asyncio.Event().wait()
        raise AssertionError

    def _stream(self, *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        for piece in self.pieces:
            yield ChatGenerationChunk(message=piece)
        while self.then == "go on":
            yield ChatGenerationChunk(message=AIMessageChunk(content="and so on, "))
        if self.then == "break":
            raise httpx.RemoteProtocolError("peer closed connection")

    async def _astream(self, *_: Any, **__: Any) -> AsyncIterator[ChatGenerationChunk]:
        for piece in self.pieces:
            yield ChatGenerationChunk(message=piece)
        while self.then == "go on":
            yield ChatGenerationChunk(message=AIMessageChunk(content="and so on, "))
        if self.then == "hang":
            await asyncio.Event().wait()
        raise httpx.RemoteProtocolError("peer closed connection")


stream_ways = pytest.mark.parametrize("way", ["stream", "astream"])
HALF_CALL = AIMessageChunk(
    content="", tool_call_chunks=[tool_call_chunk(name="delete_file", args='{"path": "/tmp/a', id="c1", index=0)]
)


@stream_ways
async def test_a_stream_that_breaks_off_keeps_its_text_and_drops_half_a_call(way: str) -> None:
    first = Broken(pieces=[AIMessageChunk(content="根因是"), HALF_CALL])
    reply = await said(way, steady(first, FakeModel().say("never")))
    assert reply.text == "根因是"
    assert (reply.tool_calls, reply.invalid_tool_calls) == ([], [])
    assert reply.response_metadata["metier"]["interrupted"] == "model_unavailable"
    assert (reply_end(reply), [one.tool for one in dropped_calls(reply)]) == ("connection", ["delete_file"])


@stream_ways
async def test_a_stream_of_which_nothing_was_shown_is_asked_for_again(way: str) -> None:
    reply = await said(way, steady(Broken(pieces=[HALF_CALL]), FakeModel().say("from the second")))
    assert reply.text == "from the second"
    assert reply.tool_calls == []


@stream_ways
async def test_a_stream_that_never_ends_is_left(way: str) -> None:
    reply = await said(way, steady(Broken(pieces=[], then="go on")))
    assert len(reply.text) < 3000
    assert reply_end(reply) == "repetition"


async def test_a_model_that_hangs_is_left_after_its_time() -> None:
    hung = Broken(pieces=[AIMessageChunk(content="")], then="hang")
    before = len(asyncio.all_tasks())
    with pytest.raises(Unavailable, match=r"did not answer within 0.01 s \(2 times\)"):
        await said("async", steady(hung, timeout_s=0.01, attempts=2))
    with pytest.raises(Unavailable, match=r"did not answer within 0.01 s \(2 times\)"):
        await said("astream", steady(hung, timeout_s=0.01, attempts=2))
    assert len(asyncio.all_tasks()) == before


async def test_whoever_stops_waiting_stops_the_call() -> None:
    task = asyncio.create_task(said("astream", steady(Broken(pieces=[], then="hang"))))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


class HttpModel(BaseChatModel):
    """As small as a provider's client can be: one request over a real connection."""

    url: str

    @property
    def _llm_type(self) -> str:
        return "http"

    def _generate(self, *_: Any, **__: Any) -> ChatResult:
        answer = httpx.post(self.url, json={"messages": []}, trust_env=False)
        answer.raise_for_status()
        text = answer.json()["choices"][0]["message"]["content"]
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])


@contextmanager
def serving(*answers: tuple[int, dict[str, str], str]) -> Iterator[str]:
    """A server on this machine that gives these answers in turn."""
    left = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            status, headers, body = left.pop(0)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


GOOD: tuple[int, dict[str, str], str] = (200, {}, json.dumps({"choices": [{"message": {"content": "你好"}}]}))


@both_ways
async def test_over_http_429_and_503_are_waited_out(way: str) -> None:
    waits = Waits()
    with serving((429, {"Retry-After": "3"}, ""), (503, {}, ""), GOOD) as url:
        reply = await said(way, steady(HttpModel(url=url), waits=waits))
    assert reply.text == "你好"
    assert waits.slept == [3.0, 1.0]


async def test_over_http_a_reply_that_is_no_json_is_not_tried_again() -> None:
    with serving((200, {}, "<html>busy</html>"), GOOD) as url, pytest.raises(InvalidSettings, match="no model's API"):
        await said("sync", steady(HttpModel(url=url)))
