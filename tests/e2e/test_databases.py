"""The heart of it on both databases: steps, pauses, a restart, two turns at once, a death, a stop."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from metier.agent import Runtime, TurnRequest
from metier.errors import ConversationBusy
from metier.testing import FakeModel
from tests.e2e.support import WEAK, Desk, answered, opened, said, told
from tests.e2e.test_crash import killed, later, recovered
from tests.e2e.test_stop import Slow, listening

Open: TypeAlias = Callable[..., AbstractAsyncContextManager[Runtime]]


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'metier.sqlite3'}"
    return str(request.getfixturevalue("postgres_url"))


@pytest.fixture
def start(url: str, tmp_path: Path) -> Open:
    def start(desk: Desk | None = None, model: Any = None, **more: Any) -> AbstractAsyncContextManager[Runtime]:
        return opened(tmp_path, desk, model, database_url=url, **more)

    return start


async def test_the_six_steps_run_over_two_pauses_and_a_restart(start: Open) -> None:
    desk = Desk()
    async with start(desk) as runtime:
        first = await said(runtime, WEAK)
        second = await answered(runtime, first.pause, {"region": "东城"})
    async with start(desk) as runtime:
        last = await answered(runtime, second.pause, True)
        again = await answered(runtime, second.pause, True)
        events = await runtime.store.events.read(first.conversation)
    assert desk.names == ["find_terms", "match_scene", "query_cause", "query_simulation", "compare_results"]
    assert last.one("turn.done")["model_calls"] == 0
    assert [event.seq for event in again.events] == [event.seq for event in last.events]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


async def test_a_skill_is_chosen_and_governs_in_the_same_turn_and_is_there_after_a_restart(start: Open) -> None:
    model = FakeModel().call("use_skill", skill="birth-chart").say("好").say("继续")
    async with start(model=model) as runtime:
        first = await said(runtime, "我有件事想请教")
    async with start(model=model) as runtime:
        await said(runtime, "请继续讲", first.conversation)
    assert ["温和的命理师" in prompt.system for prompt in model.prompts] == [False, True, True]


async def test_two_turns_at_once_on_one_conversation_one_runs_the_other_is_told_it_is_busy(start: Open) -> None:
    model = Slow().say("让我想一想")
    async with start(model=model) as runtime:
        talk = await runtime.store.conversations.create("local")
        reader = listening(runtime.turn(TurnRequest("你好", conversation=talk.id)))
        await model.waits()
        with pytest.raises(ConversationBusy):
            await said(runtime, "在吗", talk.id)
        assert await runtime.stop(talk.id)
        turn = await reader
    assert turn.one("text.done") == {"text": "让我想一想", "stopped": True}


async def test_a_death_in_the_middle_of_a_tool_is_asked_about(start: Open, url: str, tmp_path: Path) -> None:
    killed(tmp_path, "tool", url)
    desk = Desk()
    async with start(desk, clock=later()) as runtime:
        turn = await recovered(runtime)
        last = await answered(runtime, str(turn.all("pause.opened")[-1]["pause"]), "done")
    assert turn.all("pause.opened")[-1]["purpose"] == "outcome"
    assert desk.names == []
    assert last.kinds[-1] == "pause.opened"


async def test_many_conversations_run_at_once_and_do_not_meet(start: Open) -> None:
    async with start() as runtime:
        firsts = await asyncio.gather(*(said(runtime, WEAK) for _ in range(4)))
        regions = ["东城", "西城", "海淀", "朝阳"]
        await asyncio.gather(
            *(told(runtime.answer(one.pause, {"region": region})) for one, region in zip(firsts, regions, strict=True))
        )
        plans = [await runtime.store.plans.get_latest(one.conversation) for one in firsts]
    data: list[Any] = [plan.plan["run"] for plan in plans if plan is not None]
    assert [one["data"]["scene"]["region"] for one in data] == regions
