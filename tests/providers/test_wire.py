"""What servers of OpenAI's protocol send that the protocol does not say, frame by frame."""

import json
from typing import Any

import pytest

from tests.e2e.support import Told
from tests.providers.conftest import Lives
from tests.providers.server import MODEL, Reply, sse
from tests.providers.support import NOTE

pytestmark = pytest.mark.asyncio(loop_scope="module")

SSE = {"content-type": "text/event-stream"}
DONE = Reply(text=("It is done.",))


def frame(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": MODEL, "choices": [choice], **more}


def call(arguments: object, name: str | None = None, **more: Any) -> dict[str, Any]:
    function = {"arguments": arguments, **({"name": name} if name else {})}
    return frame({"tool_calls": [{"index": 0, **more, "function": function}]})


def usage(inside: int, outside: int) -> dict[str, int]:
    return {"prompt_tokens": inside, "completion_tokens": outside, "total_tokens": inside + outside}


def stream(*frames: dict[str, Any]) -> Reply:
    return Reply(body=b"".join(map(sse, (*frames, "[DONE]"))), headers=SSE)


async def ask(lives: Lives, *replies: Reply) -> tuple[Told, list[str]]:
    live = await lives.get("openai")
    told = await live.ask(*replies)
    return told, [text for _, text in live.notes.written]


WHOLE = call(NOTE, "write_note", id="c1")


@pytest.mark.parametrize(
    "finish",
    ["abort", "cancelled", "error", "insufficient_system_resource", "malformed_function_call", "other", "timeout"],
)
async def test_a_reply_that_broke_off_at_the_server_runs_no_call(lives: Lives, finish: str) -> None:
    told, written = await ask(lives, stream(WHOLE, frame({}, finish)), DONE)
    assert (written, told.text) == ([], "It is done.")


@pytest.mark.parametrize("finish", ["eos", "function_call", "stop", "tool_calls"])
async def test_a_reply_that_ended_well_runs_its_call(lives: Lives, finish: str) -> None:
    assert (await ask(lives, stream(WHOLE, frame({}, finish)), DONE))[1] == ["whole"]


@pytest.mark.parametrize(
    "frames",
    [
        pytest.param((call("", "write_", id="c1"), call(NOTE, "note")), id="in pieces"),
        pytest.param((call("", "write_note", id="c1"), call(NOTE, "write_note", id="c1")), id="twice"),
        pytest.param(tuple(call(piece, "write_note", id="c1") for piece in NOTE), id="with every piece"),
    ],
)
async def test_the_name_of_a_call_is_read_however_it_comes(lives: Lives, frames: tuple[dict[str, Any], ...]) -> None:
    assert (await ask(lives, stream(*frames, frame({}, "tool_calls")), DONE))[1] == ["whole"]


async def test_tokens_that_come_as_a_running_total_are_counted_once(lives: Lives) -> None:
    frames = [frame({"content": word}, usage=usage(10, at)) for at, word in enumerate(("Hello ", "wor", "ld."), 1)]
    told, _ = await ask(lives, stream(*frames, frame({}, "stop", usage=usage(10, 3))))
    (used,) = told.all("usage")
    assert (used["input_tokens"], used["output_tokens"]) == (10, 3)


@pytest.mark.parametrize(
    "told_usage", [usage(-5, -7), usage(5, -7), usage(10**18, 5), usage(10**30, 5)], ids=json.dumps
)
async def test_a_number_of_tokens_that_cannot_be_is_estimated(lives: Lives, told_usage: dict[str, int]) -> None:
    told, _ = await ask(lives, stream(frame({"content": "Hello"}), frame({}, "stop", usage=told_usage)))
    (used,) = told.all("usage")
    assert used["estimated"] is True
    assert 0 < int(str(used["input_tokens"])) < 100_000
    assert told.text == "Hello"


@pytest.mark.filterwarnings("error:Pydantic serializer warnings")
async def test_what_is_written_differently_and_means_the_same_is_read(lives: Lives) -> None:
    """Arguments as an object, numbers as ids, the older `function_call`, a byte order mark before the first frame."""
    end, inside = frame({}, "tool_calls"), json.loads(NOTE)
    old = [{"name": "write_note", "arguments": ""}, {"arguments": NOTE[:4]}, {"arguments": NOTE[4:]}]
    marked = b"\xef\xbb\xbf" + b"".join(map(sse, (WHOLE, end, "[DONE]")))
    odd = {
        "object": stream(call(inside, "write_note", id="c1"), end),
        "object after nothing": stream(call(None, "write_note", id="c1"), call(inside), end),
        "number": stream(call(NOTE, "write_note", id=7), end),
        "function_call": stream(*(frame({"function_call": one}) for one in old), frame({}, "function_call")),
        "mark": Reply(body=marked, headers=SSE),
    }
    read = {name: await ask(lives, reply, reply, DONE) for name, reply in odd.items()}
    assert {name: (told.text, written) for name, (told, written) in read.items()} == {
        name: ("It is done.", ["whole", "whole"]) for name in odd
    }


async def test_a_refusal_is_what_the_model_says(lives: Lives) -> None:
    told, _ = await ask(
        lives, stream(frame({"refusal": "I cannot "}), frame({"refusal": "do that."}), frame({}, "stop"))
    )
    assert told.text == "I cannot do that."
