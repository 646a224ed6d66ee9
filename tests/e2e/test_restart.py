"""A process that ends in the middle of a turn, in good order or not: a call in flight is never run again unasked."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from metier.agent import Runtime, TurnRequest
from metier.errors import ConversationBusy, Unavailable
from metier.language import BilingualText
from metier.store import Store
from metier.testing import FakeModel
from metier.tools import ALWAYS, Preview, Tool, function_tool
from tests.e2e.support import Desk, answered, opened, said, settings_in
from tests.e2e.test_crash import killed, later


class Effect:
    """A tool with an effect that takes its time, in a thread or on the loop."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.count = 0
        self.begun = asyncio.Event()
        self.may_end = threading.Event()

    def tool(self) -> Tool:
        loop = asyncio.get_running_loop()

        def find_order(number: int) -> dict[str, Any]:
            """Find an order."""
            self.count += 1
            loop.call_soon_threadsafe(self.begun.set)
            self.may_end.wait(60)
            return {"number": number}

        async def find_order_async(number: int) -> dict[str, Any]:
            """Find an order."""
            self.count += 1
            self.begun.set()
            while not self.may_end.is_set():  # noqa: ASYNC110 - as a service that answers late
                await asyncio.sleep(0.01)
            return {"number": number}

        find_order_async.__name__ = "find_order"
        return function_tool(find_order if self.way == "thread" else find_order_async)


@asynccontextmanager
async def working(folder: Path, effect: Effect) -> AsyncIterator[tuple[Runtime, str]]:
    """A runtime with a turn in the middle of the effect; on exit it is closed in good order, as by SIGTERM."""
    tools = [tool for tool in Desk().tools() if tool.spec.name != "find_order"]
    async with Runtime.open(settings_in(folder), tools=[*tools, effect.tool()]) as runtime:
        first = await said(runtime, "refund order 4711", skill="shop-order")
        turn = asyncio.create_task(said(runtime, "4711", first.conversation))
        await effect.begun.wait()
        yield runtime, first.conversation
        turn.cancel()


@pytest.mark.parametrize("way", ["thread", "loop"])
async def test_after_an_ordinary_restart_a_person_is_asked_about_the_call_in_flight(tmp_path: Path, way: str) -> None:
    effect, desk = Effect(way), Desk()
    async with working(tmp_path, effect) as (_, conversation):
        pass
    effect.may_end.set()
    async with opened(tmp_path, desk, recover_turns="resume") as runtime:
        await runtime.wait_until_idle()
        (asked,) = await runtime.store.pauses.list_open(conversation)
        assert desk.names == []
        last = await answered(runtime, asked.id, "done")
    assert asked.payload["purpose"] == "outcome"
    assert "find_order" not in desk.names
    assert last.kinds[-1] == "pause.opened"


@pytest.mark.parametrize("way", ["thread", "loop"])
async def test_a_message_after_an_ordinary_restart_runs_no_call_again(tmp_path: Path, way: str) -> None:
    effect, desk = Effect(way), Desk()
    async with working(tmp_path, effect) as (_, conversation):
        pass
    effect.may_end.set()
    async with opened(tmp_path, desk, FakeModel().say("好的。")) as runtime:
        await said(runtime, "继续", conversation)
        (asked,) = await runtime.store.pauses.list_open(conversation)
    assert (desk.names, asked.payload["purpose"]) == ([], "outcome")


async def test_a_message_after_a_crash_that_nobody_recovered_runs_no_call_again(tmp_path: Path) -> None:
    killed(tmp_path, "tool")
    desk = Desk()
    async with opened(tmp_path, desk, FakeModel().say("好的。"), clock=later()) as runtime:
        (talk,) = await runtime.store.conversations.list("local")
        await said(runtime, "继续", talk.id)
        (asked,) = await runtime.store.pauses.list_open(talk.id)
    assert (desk.names, asked.payload["purpose"]) == ([], "outcome")


async def test_a_restart_is_told_once(tmp_path: Path) -> None:
    effect = Effect("loop")
    async with working(tmp_path, effect) as (_, conversation):
        pass
    async with opened(tmp_path, recover_turns="resume") as runtime:
        await runtime.wait_until_idle()
        events = await runtime.store.events.read(conversation)
    told = [event for event in events if event.kind == "error"]
    assert [event.data["code"] for event in told] == ["interrupted"]


async def test_a_runtime_that_drains_lets_turns_end_and_takes_no_new_ones(tmp_path: Path) -> None:
    effect = Effect("thread")
    async with working(tmp_path, effect) as (runtime, conversation):
        draining = asyncio.create_task(runtime.drain(30))
        await asyncio.sleep(0)
        with pytest.raises(Unavailable, match="stopping"):
            await anext(runtime.turn(TurnRequest("hello")))
        effect.may_end.set()
        assert await draining
        (asked,) = await runtime.store.pauses.list_open(conversation)
    assert (effect.count, asked.payload["purpose"]) == (1, "ask")


async def test_draining_ends_when_its_time_is_up(tmp_path: Path) -> None:
    effect = Effect("loop")
    async with working(tmp_path, effect) as (runtime, _):
        assert not await runtime.drain(0)


async def test_a_runtime_that_drains_gives_up_no_turn_and_takes_up_none(tmp_path: Path) -> None:
    effect = Effect("loop")
    async with working(tmp_path, effect) as (runtime, conversation):
        assert not await runtime.drain(0)
        dead = await runtime.store.conversations.create("local")
        await runtime.store.turns.start(dead.id, "another process", 0.000001)
        assert await runtime.resume_interrupted() == ()
        events = await runtime.store.events.read(conversation)
        (turn,) = await runtime.store.turns.list(conversation)
    assert (turn.state, [event for event in events if event.kind == "error"]) == ("running", [])


@pytest.mark.parametrize("still_runs", [True, False])
async def test_an_answer_that_two_processes_get_at_once_is_the_same_turn_for_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, still_runs: bool
) -> None:
    desk = Desk()
    async with opened(tmp_path, desk) as one, opened(tmp_path, desk) as other:
        first = await said(one, "refund order 4711", skill="shop-order")

        write = type(other.store).write_together

        async def write_too_late(store: Store, writes: Any) -> Any:
            if getattr(getattr(writes, "func", None), "__name__", "") == "store_and_resume":
                monkeypatch.undo()
                await said(one, "4711", first.conversation, idempotency_key="k")
                if still_runs:
                    raise ConversationBusy("the other process runs it")
            return await write(store, writes)

        monkeypatch.setattr(type(other.store), "write_together", write_too_late)
        again = await said(other, "4711", first.conversation, idempotency_key="k")
    assert desk.names == ["find_order"]
    assert (again.kinds[0], again.kinds[-1]) == ("pause.answered", "pause.opened")


async def test_an_undo_that_may_have_happened_is_shown_anew_before_it_runs_again(tmp_path: Path) -> None:
    steps, begun, ends = ["one", "two", "three"], asyncio.Event(), asyncio.Event()

    async def undo() -> dict[str, str]:
        """Take the last step back."""
        gone = steps.pop()
        begun.set()
        await ends.wait()
        return {"gone": gone}

    def preview_undo() -> Preview:
        return Preview(BilingualText(f"撤销 {steps[-1]}", f"Undo {steps[-1]}"))

    tools, settings = (
        [function_tool(undo, approval=ALWAYS, preview=preview_undo)],
        settings_in(tmp_path, skills_dir=(tmp_path / "none",)),
    )
    async with Runtime.open(settings, tools=tools, model=FakeModel().call("undo")) as runtime:
        first = await said(runtime, "take the last change back")
        (asked,) = await runtime.store.pauses.list_open(first.conversation)
        turn = asyncio.create_task(answered(runtime, asked.id, {"decision": "approve"}))
        await begun.wait()
        turn.cancel()
    ends.set()
    async with Runtime.open(settings, tools=tools, model=FakeModel(), recover_turns="resume") as runtime:
        await runtime.wait_until_idle()
        (asked,) = await runtime.store.pauses.list_open(first.conversation)
        await answered(runtime, asked.id, "retry")
        (asked,) = await runtime.store.pauses.list_open(first.conversation)
    assert "Undo two" in str(asked.payload["calls"])
    assert steps == ["one", "two"]
