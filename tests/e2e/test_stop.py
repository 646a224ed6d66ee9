"""A person stops a turn: what came is kept, the conversation is free, and nothing is lost in silence."""

import asyncio
from collections.abc import AsyncIterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from pydantic import PrivateAttr
from rich.console import Console

from metier.agent import TurnRequest
from metier.cli._chat import Chat
from metier.errors import RecordNotFound
from metier.store import Event
from metier.testing import FakeModel
from metier.tools import function_tool
from tests.e2e.support import Desk, Told, opened, said, told


class Slow(FakeModel):
    """Says a few pieces, and then waits for ever."""

    _waits: asyncio.Event = PrivateAttr(default_factory=asyncio.Event)

    async def waits(self) -> None:
        await self._waits.wait()

    async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
        async for chunk in super()._astream(*args, **kwargs):
            yield chunk
        if not self.replies_left:
            self._waits.set()
            await asyncio.Event().wait()
            yield ChatGenerationChunk(message=AIMessageChunk(content=""))


def listening(events: AsyncIterator[Event]) -> asyncio.Task[Told]:
    return asyncio.create_task(told(events))


async def test_what_the_model_had_said_is_kept_and_the_conversation_is_free(tmp_path: Path) -> None:
    model = Slow().say("今天天气很好，", "适合出去走走。我们可以先去公园，", "然后")
    async with opened(tmp_path, model=model) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = listening(runtime.turn(TurnRequest("聊聊天气", conversation=talk.id)))
        await model.waits()
        assert await runtime.stop(talk.id)
        turn = await reader
        (stored,) = await runtime.store.turns.list(talk.id)
        history = await runtime.store.messages.get_history(talk.id)
        assert not await runtime.stop(talk.id)
    assert turn.kinds[-2:] == ["text.done", "error"]
    assert turn.one("text.done") == {"text": "今天天气很好，适合出去走走。我们可以先去公园，然后", "stopped": True}
    assert turn.one("error") == {"code": "stopped", "message": "已停止，已有的内容保留。"}
    assert stored.state == "interrupted"
    assert [(one.role, one.content) for one in history] == [
        ("user", "聊聊天气"),
        ("assistant", "今天天气很好，适合出去走走。我们可以先去公园，然后"),
    ]


async def test_the_next_message_goes_on_after_a_stop(tmp_path: Path) -> None:
    model = Slow().say("Let me think about it for a while")
    async with opened(tmp_path, model=model) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = listening(runtime.turn(TurnRequest("hello there", conversation=talk.id)))
        await model.waits()
        await runtime.stop(talk.id)
        await reader
    async with opened(tmp_path, model=FakeModel().say("Of course.")) as runtime:
        turn = await said(runtime, "short, please", talk.id)
    assert turn.text == "Of course."


async def test_nothing_runs_nothing_is_stopped(tmp_path: Path) -> None:
    async with opened(tmp_path, model=FakeModel().say("hi")) as runtime:
        turn = await said(runtime, "hello there")
        assert not await runtime.stop(turn.conversation)
        assert not await runtime.stop("nobody's")
        with pytest.raises(RecordNotFound):
            await runtime.stop(turn.conversation, user="somebody else")


async def test_a_block_that_had_begun_is_no_text(tmp_path: Path) -> None:
    model = Slow().say("The report is ready.\n\n", "```suggestions\n", '["Print', " it")
    async with opened(tmp_path, model=model) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = listening(runtime.turn(TurnRequest("hello there", conversation=talk.id)))
        await model.waits()
        await runtime.stop(talk.id)
        turn = await reader
    assert turn.one("text.done")["text"] == "The report is ready."


class Stuck:
    """A tool that begins and never ends."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.runs = 0

    async def find_order(self, number: int) -> dict[str, Any]:
        """Find an order."""
        self.runs += 1
        self.begun.set()
        await asyncio.Event().wait()
        return {"number": number}


@pytest.mark.parametrize(
    ("idempotent", "state", "code", "plan"),
    [(False, "unknown", "outcome_unknown", "failed"), (True, "stopped", "stopped", "running")],
    ids=["twice does more than once", "twice does no more than once"],
)
async def test_a_call_in_flight_is_answered_and_never_made_again_in_silence(
    tmp_path: Path, idempotent: bool, state: str, code: str, plan: str
) -> None:
    stuck = Stuck()
    tool = function_tool(stuck.find_order, idempotent=idempotent)
    desk = Desk()
    others = [one for one in desk.tools() if one.spec.name != "find_order"]
    desk.tools = lambda: (*others, tool)  # type: ignore[method-assign]
    async with opened(tmp_path, desk) as runtime:
        first = await said(runtime, "refund my order please")
        reader = listening(runtime.answer(first.pause, {"number": 4711}))
        await stuck.begun.wait()
        assert await runtime.stop(first.conversation)
        turn = await reader
        saved = await runtime.store.plans.get_latest(first.conversation)
        history = await runtime.store.messages.get_history(first.conversation)
    result = turn.one("tool.result")
    assert (result["state"], result["ok"]) == (state, False)
    assert result["error"]["code"] == code  # type: ignore[index,call-overload]
    assert history[-1].content == result["content"]
    assert saved is not None
    assert saved.state == plan
    assert turn.kinds[-1] == "error"
    assert stuck.runs == 1


async def test_calls_that_have_not_begun_are_answered_too(tmp_path: Path) -> None:
    stuck = Stuck()
    desk = Desk()
    others = [one for one in desk.tools() if one.spec.name != "find_order"]
    desk.tools = lambda: (*others, function_tool(stuck.find_order))  # type: ignore[method-assign]
    model = FakeModel().calls(("find_order", {"number": 1}), ("refund", {"number": 2}), text="Let me see.")
    async with opened(tmp_path, desk, model) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = listening(runtime.turn(TurnRequest("hello there", conversation=talk.id)))
        await stuck.begun.wait()
        await runtime.stop(talk.id)
        turn = await reader
        history = await runtime.store.messages.get_history(talk.id)
    assert {str(data["tool"]): data["state"] for data in turn.all("tool.result")} == {
        "find_order": "unknown",
        "refund": "stopped",
    }
    assert [one.role for one in history] == ["user", "assistant", "tool", "tool"]


async def test_everybody_who_looks_on_is_shown_every_event_and_may_stumble(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[Event] = []

    def stumbles(event: Event) -> None:
        raise RuntimeError("not today")

    async with opened(tmp_path, model=FakeModel().say("hi"), observers=[stumbles, seen.append]) as runtime:
        turn = await told(runtime.turn(TurnRequest("hello there")))
    assert seen == list(turn.events)
    assert "an observer failed" in caplog.text


async def test_a_turn_is_stopped_from_the_terminal_and_the_talk_goes_on(tmp_path: Path) -> None:
    model, shown = Slow().say("让我想一想这个问题，也许可以"), StringIO()
    async with opened(tmp_path, model=model) as runtime:
        chat = Chat(runtime, Console(file=shown, highlight=False), "", "local", "use_skill")
        turn = asyncio.create_task(chat._run_turn("你好"))
        await model.waits()
        chat.stop()
        await turn
    assert "让我想一想这个问题" in shown.getvalue()
    assert "已停止，已有的内容保留。" in shown.getvalue()
