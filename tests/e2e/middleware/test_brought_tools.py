"""Tools that middleware brings, in bad weather: two people at once, stops, crashes, questions, odd names and calls."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import BaseMessage, ToolMessage
from langchain_core.tools import tool as make_tool
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import interrupt
from pydantic import PrivateAttr

from metier.errors import InvalidTool
from metier.store import EventDraft
from metier.testing import FakeModel
from tests.e2e.middleware.support import Handler, Recorder, Result, chat, interrupted_turn
from tests.e2e.support import Desk, answered, opened, said
from tests.e2e.test_crash import later, recovered

ASK = "go through my notes and book the room for tomorrow"


class Booking(AgentMiddleware[Any, Any, Any]):
    """Brings a tool with an effect."""

    def __init__(
        self, *, name: str = "Booking", tool: str = "book_room", asks: bool = False, waits: bool = False
    ) -> None:
        super().__init__()
        self._name = name
        self.booked: list[str] = []
        self.started, self.go_on = asyncio.Event(), asyncio.Event()

        @make_tool(tool)
        async def book(room: str) -> str:
            """Book a room."""
            if asks and interrupt({"question": f"Book {room}?"}) != "yes":
                return "not booked"
            self.started.set()
            if waits:
                await self.go_on.wait()
            self.booked.append(room)
            return f"booked {room}"

        self.tools = [book]

    @property
    def name(self) -> str:
        return self._name


class Rewrite(AgentMiddleware[Any, Any, Any]):
    """Books room B, whatever was asked for."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Result:
        call = request.tool_call
        if call["name"] == "book_room":
            call = {**call, "args": {"room": "B"}}
        return await handler(request.override(tool_call=call))


class ByMessage(FakeModel):
    """Chooses no skill, books the room that the message ends with, and is done."""

    def _next_reply(self, messages: Sequence[BaseMessage], options: Mapping[str, Any]) -> Any:
        room = next(one.text for one in reversed(messages) if one.type == "human").split()[-1]
        called = [one.name for one in messages if isinstance(one, ToolMessage)]
        solo = FakeModel()
        if "book_room" in called:
            solo.say("done")
        elif "use_skill" in {tool["function"]["name"] for tool in options.get("tools", ())} and not called:
            solo.call("use_skill", skill="none")
        else:
            solo.call("book_room", room=room)
        return solo._next_reply(messages, options)


class OddIds(FakeModel):
    """Gives its calls of `book_room` these ids."""

    _ids: list[str] = PrivateAttr(default_factory=list)

    def _number_calls(self, reply: Any) -> Any:
        made = super()._number_calls(reply)
        return [{**one, "id": self._ids.pop(0)} if one["name"] == "book_room" else one for one in made]


class Raises(AgentMiddleware[Any, Any, Any]):
    """Breaks before a call runs."""

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Result:
        if request.tool_call["name"] == "refund":
            raise RuntimeError("the middleware is broken")
        return await handler(request)


async def test_two_people_at_once_each_get_the_result_of_their_own_call(tmp_path: Path) -> None:
    booking, seen = Booking(), Recorder()
    rooms = [f"R{at}" for at in range(6)]
    async with opened(tmp_path, model=ByMessage(), middleware=[seen, booking]) as runtime:
        turns = await asyncio.gather(*(said(runtime, f"please book the room {room}", user=room) for room in rooms))
    assert [turn.all("tool.result")[-1]["data"] for turn in turns] == [{"text": f"booked {room}"} for room in rooms]
    assert sorted(booking.booked) == rooms


async def test_a_stopped_tool_of_middleware_is_closed_and_does_nothing_afterwards(tmp_path: Path) -> None:
    booking = Booking(waits=True)
    async with opened(tmp_path, model=chat().call("book_room", room="A"), middleware=[booking]) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = asyncio.create_task(said(runtime, ASK, talk.id))
        await booking.started.wait()
        assert await runtime.stop(talk.id)
        turn = await reader
        booking.go_on.set()
        await asyncio.sleep(0)
        history = await runtime.store.messages.get_history(talk.id)
    assert booking.booked == []
    assert turn.all("tool.result")[-1]["state"] != "done"
    assert turn.kinds[-1] == "error"
    assert {one.role for one in history} >= {"user"}


async def test_a_tool_of_middleware_that_a_crash_interrupted_is_asked_about_and_runs_once(tmp_path: Path) -> None:
    calls: Any = [{"id": "c1", "name": "book_room", "args": {"room": "A"}}]
    began = {"call": "c1", "tool": "book_room", "arguments": {"room": "A"}, "text": "", "calls": calls}
    await interrupted_turn(tmp_path, EventDraft("tool.called", began))
    booking = Booking()
    async with opened(tmp_path, model=FakeModel().say("done"), middleware=[booking], clock=later()) as runtime:
        turn = await recovered(runtime)
        assert booking.booked == []
        last = await answered(runtime, turn.pause, "retry")
    assert booking.booked == ["A"]
    assert last.text == "done"


async def test_what_ran_beside_a_tool_that_asks_does_not_run_again_in_another_process(tmp_path: Path) -> None:
    first_booking, first_asking = Booking(), Booking(name="Asking", tool="ask_room", asks=True)
    model = chat().calls(("book_room", {"room": "A"}), ("ask_room", {"room": "B"}))
    async with opened(tmp_path, model=model, middleware=[first_booking, first_asking]) as runtime:
        turn = await said(runtime, ASK)
    booking, asking = Booking(), Booking(name="Asking", tool="ask_room", asks=True)
    async with opened(tmp_path, model=FakeModel().say("done"), middleware=[booking, asking]) as runtime:
        last = await answered(runtime, turn.pause, "yes")
        history = await runtime.store.messages.get_history(turn.conversation)
    assert (first_booking.booked, booking.booked, asking.booked) == (["A"], [], ["B"])
    assert last.text == "done"
    assert [one.role for one in history].count("tool") == 3


async def test_a_person_is_asked_about_the_call_as_middleware_changed_it(tmp_path: Path) -> None:
    booking, folder = Booking(), tmp_path / "policy.toml"
    folder.write_text('confirm = ["book_*"]', "utf-8")
    model = chat().call("book_room", room="A").say("done")
    more: Any = {"middleware": [Rewrite(), booking], "policy_file": folder}
    async with opened(tmp_path, model=model, **more) as runtime:
        turn = await said(runtime, ASK)
        turn = await answered(runtime, turn.pause, {"decision": "approve"})
        asked = turn.one("pause.opened")
        last = await answered(runtime, turn.pause, {"decision": "approve"})
    assert "B" in str(asked["calls"])
    assert booking.booked == ["B"]
    assert last.text == "done"


async def test_an_approved_call_does_not_run_if_middleware_raises_and_the_conversation_goes_on(tmp_path: Path) -> None:
    desk, broken = Desk(), Raises()
    model = chat().call("refund", number=1).say("not done").call("use_skill", skill="none").say("hello")
    async with opened(tmp_path, desk, model, middleware=[broken]) as runtime:
        turn = await said(runtime, ASK)
        last = await answered(runtime, turn.pause, {"decision": "approve"})
        assert desk.calls == []
        again = await said(runtime, "hello there", turn.conversation)
        waiting = await runtime.store.pauses.list_open(turn.conversation)
    assert last.kinds[-1] == "turn.failed"
    assert "refund" not in [one["tool"] for one in last.all("tool.called")]  # it never began
    assert again.kinds[-1] == "turn.done"
    assert [*waiting] == []


async def test_a_tool_of_middleware_that_the_policy_denies_is_refused_on_record(tmp_path: Path) -> None:
    booking, policy = Booking(), tmp_path / "policy.toml"
    policy.write_text('forbidden = ["book_*"]', "utf-8")
    model = chat().call("book_room", room="A").say("not allowed")
    async with opened(tmp_path, model=model, middleware=[booking], policy_file=policy) as runtime:
        turn = await said(runtime, ASK)
        (refused,) = await runtime.store.violations.list(conversation=turn.conversation)
    assert booking.booked == []
    assert (refused.tool, refused.layer) == ("book_room", "operator")
    assert turn.one("tool.violation")["tool"] == "book_room"


@pytest.mark.parametrize("name", ["../../etc/passwd", "a b", "x" * 500, "rm -rf /", "工具\n", "a\u202eb"])
async def test_a_tool_of_middleware_whose_name_no_model_can_call_is_refused_when_opened(
    tmp_path: Path, name: str
) -> None:
    with pytest.raises(InvalidTool):
        async with opened(tmp_path, model=chat(), middleware=[Booking(tool=name)]):
            pass


async def test_two_middlewares_with_a_tool_of_one_name_are_refused_when_opened(tmp_path: Path) -> None:
    with pytest.raises(InvalidTool, match="book_room"):
        async with opened(tmp_path, model=chat(), middleware=[Booking(), Booking(name="Other")]):
            pass


@pytest.mark.parametrize("ids", [("c", "c"), ("", ""), ("../x\n", "a" * 3000)], ids=["same", "empty", "odd"])
async def test_odd_ids_of_calls_lose_no_call_and_run_none_twice(tmp_path: Path, ids: tuple[str, str]) -> None:
    booking = Booking()
    model = OddIds().call("use_skill", skill="none").calls(("book_room", {"room": "A"}), ("book_room", {"room": "B"}))
    model._ids = [*ids]
    model.say("done")
    async with opened(tmp_path, model=model, middleware=[Recorder(), booking]) as runtime:
        turn = await said(runtime, ASK)
    results = [one["data"] for one in turn.all("tool.result") if one["tool"] == "book_room"]
    assert sorted(booking.booked) == sorted(set(booking.booked))
    assert len(results) == len(booking.booked)
    assert turn.text == "done"
