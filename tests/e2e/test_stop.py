"""A person stops a turn: what came is kept, the conversation is free, and nothing is lost in silence."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk
from pydantic import PrivateAttr
from rich.console import Console

from metier.agent import TurnRequest
from metier.cli._chat import Chat
from metier.errors import MetierError, RecordNotFound
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


async def test_what_the_model_was_thinking_is_kept_apart(tmp_path: Path) -> None:
    model = Slow().think("先想一想：", "用户在问天气，" * 10).say()
    async with opened(tmp_path, model=model) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = listening(runtime.turn(TurnRequest("聊聊天气", conversation=talk.id)))
        await model.waits()
        assert await runtime.stop(talk.id)
        turn = await reader
        history = await runtime.store.messages.get_history(talk.id)
    thought = "先想一想：" + "用户在问天气，" * 10
    assert (turn.one("reasoning.done")["text"], turn.one("reasoning.done")["stopped"]) == (thought, True)
    assert "".join(str(one["text"]) for one in turn.all("reasoning.delta")) == thought
    assert "text.done" not in turn.kinds
    assert [one.role for one in history] == ["user"]


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
    ("writes", "idempotent", "state", "code", "plan", "says"),
    [
        (False, False, "unknown", "outcome_unknown", "failed", "nobody knows whether it took effect"),
        (False, True, "stopped", "stopped", "running", "it has no result"),
        (True, True, "stopped", "stopped", "running", "it may still take effect"),
    ],
    ids=["twice does more than once", "twice does no more than once", "twice does no more than once, and it writes"],
)
async def test_a_call_in_flight_is_answered_and_never_made_again_in_silence(
    tmp_path: Path, writes: bool, idempotent: bool, state: str, code: str, plan: str, says: str
) -> None:
    stuck = Stuck()
    async with opened(tmp_path, with_tool(stuck, idempotent=idempotent, writes=writes)) as runtime:
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
    assert says in str(result["content"])
    assert saved is not None
    assert saved.state == plan
    assert turn.kinds[-1] == "error"
    assert stuck.runs == 1


async def test_a_process_that_dies_after_the_last_step_loses_no_report(tmp_path: Path) -> None:
    model = Slow().call("find_order", number=4711).say("Order")
    async with opened(tmp_path, model=model) as runtime:
        first = await said(runtime, "refund order 4711", skill="shop-order")
        reader = listening(runtime.answer(first.pause, False))
        await model.waits()  # the plan is done, and the report is being written
    await reader
    async with opened(tmp_path) as runtime:
        (turn,) = await runtime.store.turns.list(first.conversation)
        after = await told(runtime.resume(turn.id))
    assert after.kinds[-1] == "turn.done"
    assert after.text.startswith("Order 4711 of Ann: sent.")


async def test_a_stopped_plan_stays_stopped_until_the_user_asks_for_it(tmp_path: Path) -> None:
    stuck = Stuck()
    async with opened(tmp_path, with_tool(stuck, idempotent=True)) as runtime:
        first = await said(runtime, "refund my order please")
        reader = listening(runtime.answer(first.pause, {"number": 4711}))
        await stuck.begun.wait()
        assert await runtime.stop(first.conversation)
        stopped = await reader
        assert stopped.one("suggestions")["suggestions"] == [{"text": "Go on", "value": "Go on"}]
        for message in ("what skills do you have?", "hello there"):  # other things go on without it
            await said(runtime, message, first.conversation)
        assert stuck.runs == 1
        stuck.begun.clear()
        again = asyncio.create_task(said(runtime, "go on", first.conversation))
        await stuck.begun.wait()
        assert await runtime.stop(first.conversation)
        await again
        dropped = await said(runtime, "never mind, no refund", first.conversation)
        assert dropped.text == "All right, it stays stopped."
        await said(runtime, "go on", first.conversation)
    assert stuck.runs == 2


def with_tool(stuck: Stuck, *, idempotent: bool = False, writes: bool = False) -> Desk:
    """A desk whose `find_order` never ends."""
    desk = Desk()
    others = [one for one in desk.tools() if one.spec.name != "find_order"]
    tool = function_tool(stuck.find_order, idempotent=idempotent, effects=frozenset({"writes"} if writes else ()))
    desk.tools = lambda: (*others, tool)  # type: ignore[method-assign]
    return desk


async def test_calls_that_have_not_begun_are_answered_too(tmp_path: Path) -> None:
    stuck = Stuck()
    model = FakeModel().calls(("find_order", {"number": 1}), ("refund", {"number": 2}), text="Let me see.")
    async with opened(tmp_path, with_tool(stuck), model) as runtime:
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


class StopsAsItFails(MetierError):
    """An error whose turn is stopped while it is being recorded."""

    code = "invalid_input"

    def __init__(self) -> None:
        super().__init__("no disk")
        self.stop: Callable[[], Coroutine[Any, Any, bool]] | None = None
        self.stopping: asyncio.Task[bool] | None = None

    def to_json(self) -> dict[str, Any]:
        if self.stop is not None and self.stopping is None:
            self.stopping = asyncio.create_task(self.stop())
        return super().to_json()


class Fail(AgentMiddleware[Any, Any, Any]):
    """Fails before the model is called, or after a tool has run."""

    def __init__(self, error: Exception, *, after_tool: bool = False) -> None:
        super().__init__()
        self._error = error
        self._after_tool = after_tool

    async def abefore_model(self, state: Any, runtime: Any) -> None:
        if not self._after_tool:
            raise self._error

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        await handler(request)
        raise self._error


ENDS = {"turn.done", "turn.failed", "error", "pause.opened"}


async def test_a_stop_before_a_failure_is_recorded_is_the_end_of_the_turn(tmp_path: Path) -> None:
    error = StopsAsItFails()
    async with opened(tmp_path, model=FakeModel().say("hi"), middleware=[Fail(error)]) as runtime:
        talk = await runtime.store.conversations.create("local")
        error.stop = partial(runtime.stop, talk.id)
        turn = await told(runtime.turn(TurnRequest("hello there", conversation=talk.id)))
        assert error.stopping is not None
        assert await error.stopping
        (stored,) = await runtime.store.turns.list(talk.id)
    assert [one.data.get("code") for one in turn.events if one.kind in ENDS] == ["stopped"]
    assert stored.state == "interrupted"


def on_result(act: Callable[[str], None]) -> Callable[[Event], None]:
    """An observer that acts when a call gets its result."""
    return lambda event: act(event.conversation) if event.kind == "tool.result" else None


async def test_a_stop_after_a_failure_is_recorded_is_none(tmp_path: Path) -> None:
    stops: list[asyncio.Task[bool]] = []
    async with opened(
        tmp_path,
        model=FakeModel().call("find_order", number=1),
        middleware=[Fail(RuntimeError("no disk"), after_tool=True)],
        observers=[on_result(lambda talk: stops.append(asyncio.create_task(runtime.stop(talk))))],
    ) as runtime:
        turn = await told(runtime.turn(TurnRequest("hello there")))
        (stopped,) = await asyncio.gather(*stops)
        (stored,) = await runtime.store.turns.list(turn.conversation)
    assert not stopped
    assert [one.kind for one in turn.events if one.kind in ENDS] == ["turn.failed"]
    assert stored.state == "failed"


async def test_a_second_stop_does_not_disturb_the_first(tmp_path: Path) -> None:
    stuck, stops = Stuck(), list[asyncio.Task[bool]]()
    model = FakeModel().call("find_order", number=1)
    again = on_result(lambda talk: stops.append(asyncio.create_task(runtime.stop(talk))))
    async with opened(tmp_path, with_tool(stuck), model, observers=[again]) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = listening(runtime.turn(TurnRequest("hello there", conversation=talk.id)))
        await stuck.begun.wait()
        assert await runtime.stop(talk.id)
        (second,) = await asyncio.gather(*stops)
        turn = await reader
    assert second
    assert [one.data.get("code") for one in turn.events if one.kind in ENDS] == ["stopped"]


async def test_a_stopped_turn_gets_its_end_although_the_program_ends(tmp_path: Path) -> None:
    stuck, writing = Stuck(), asyncio.Event()
    model = FakeModel().call("find_order", number=1)
    observer = on_result(lambda talk: writing.set())
    async with opened(tmp_path, with_tool(stuck), model, observers=[observer]) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = listening(runtime.turn(TurnRequest("hello there", conversation=talk.id)))
        await stuck.begun.wait()
        stop = asyncio.create_task(runtime.stop(talk.id))
        await writing.wait()
    assert await stop
    assert (await reader).events[-1].data["code"] == "stopped"


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
