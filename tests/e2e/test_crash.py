"""`kill -9` in the middle of a turn: nothing recorded is lost or done again, and what nobody can know is asked."""

import signal
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from metier.agent import Runtime
from metier.errors import Refused
from metier.store import Turn
from metier.store._turns import Turns
from metier.testing import FakeModel
from scripts.forked_children import Child
from tests.e2e.child import run_until_killed
from tests.e2e.support import WEAK, Desk, Told, answered, opened, said, told

if TYPE_CHECKING:
    from metier.store import Event


def killed(folder: Path, where: str, url: str = "") -> None:
    """Run a turn in another process, and kill it where it says it is."""
    child = Child(run_until_killed, folder, where, url)
    assert child.hear() == "here"
    assert child.kill().code == -signal.SIGKILL


def later(minutes: int = 1) -> Callable[[], datetime]:
    """A clock by which every lease of a moment ago is over."""
    return lambda: datetime.now(UTC) + timedelta(minutes=minutes)


async def recovered(runtime: Runtime) -> Told:
    """Go on with what was interrupted, and read what came of it."""
    (turn,) = await runtime.resume_interrupted()
    await runtime.wait_until_idle()
    events: list[Event] = [one for one in await runtime.store.events.read(turn.conversation) if one.turn == turn.id]
    return Told(events)


@pytest.mark.parametrize(
    ("answer", "ran", "end"),
    [("retry", ["find_order"], "pause.opened"), ("done", [], "pause.opened"), ("skip", [], "turn.done")],
)
async def test_a_tool_in_flight_is_not_run_again_unless_a_person_says_so(
    tmp_path: Path, answer: str, ran: list[str], end: str
) -> None:
    killed(tmp_path, "tool")
    desk = Desk()
    async with opened(tmp_path, desk, clock=later()) as runtime:
        turn = await recovered(runtime)
        assert desk.names == []
        asked = turn.all("pause.opened")[-1]
        last = await answered(runtime, str(asked["pause"]), answer)
    assert asked["purpose"] == "outcome"
    assert "find_order" in str(asked["text"])
    assert desk.names == ran
    assert last.kinds[-1] == end


async def test_a_tool_that_may_run_twice_is_simply_run_again(tmp_path: Path) -> None:
    killed(tmp_path, "idempotent")
    desk = Desk(idempotent=True)
    async with opened(tmp_path, desk, clock=later()) as runtime:
        turn = await recovered(runtime)
    assert desk.names == ["find_order"]
    assert turn.all("pause.opened")[-1]["purpose"] == "ask"


async def test_a_turn_that_dies_in_the_models_call_goes_on_with_what_is_stored(tmp_path: Path) -> None:
    killed(tmp_path, "model")
    desk = Desk()
    model = FakeModel().say("RSRP 是信号强度。")
    async with opened(tmp_path, desk, model, clock=later()) as runtime:
        turn = await recovered(runtime)
        (waiting,) = await runtime.store.pauses.list_open(turn.conversation)
    assert desk.names == []
    assert turn.text == "RSRP 是信号强度。"
    assert [data["tool"] for data in turn.all("tool.result")] == ["find_terms"]
    assert waiting.payload["purpose"] == "ask"


@pytest.mark.parametrize(
    ("answer", "ran"), [("retry", ["find_terms"]), ("done", []), ("skip", [])], ids=["again", "done", "skipped"]
)
async def test_a_task_that_dies_in_its_sub_agent_is_not_run_again_unless_a_person_says_so(
    tmp_path: Path, answer: str, ran: list[str]
) -> None:
    killed(tmp_path, "task")
    desk, model = Desk(), FakeModel()
    if answer == "retry":
        model.call("find_terms", query="RSRP").say("RSRP 是信号强度。")
    model.say("结论：信号弱。")
    async with opened(tmp_path, desk, model, skills_dir=(tmp_path / "skills",), clock=later()) as runtime:
        turn = await recovered(runtime)
        assert desk.names == []
        asked = turn.one("pause.opened")
        last = await answered(runtime, str(asked["pause"]), answer)
        history = await runtime.store.messages.get_history(turn.conversation)
    assert (asked["purpose"], "task" in str(asked["text"])) == ("outcome", True)
    assert desk.names == ran
    assert [data["tool"] for data in last.all("tool.result") if "parent" not in data] == ["task"]
    assert [call.name for one in history for call in one.tool_calls] == ["task"]
    assert [one.role for one in history] == ["user", "assistant", "tool", "assistant"]
    below = [data["call"] for data in (*turn.all("tool.called"), *last.all("tool.called")) if "parent" in data]
    assert len(below) == len(set(below)) == 2 + len(ran)  # no call of the dead sub-agent was made again
    assert last.text == "结论：信号弱。"


async def test_a_runtime_that_recovers_does_so_when_it_starts(tmp_path: Path) -> None:
    killed(tmp_path, "idempotent")
    desk = Desk(idempotent=True)
    async with opened(tmp_path, desk, clock=later(), recover_turns="resume") as runtime:
        await runtime.wait_until_idle()
        (talk,) = await runtime.store.conversations.list("local")
        (turn,) = await runtime.store.turns.list(talk.id)
    assert desk.names == ["find_order"]
    assert turn.state == "paused"


async def test_a_turn_whose_process_still_lives_is_left_alone(tmp_path: Path) -> None:
    async with opened(tmp_path) as runtime:
        talk = await runtime.store.conversations.create("local")
        await runtime.store.turns.start(talk.id, "another process", 60)
        assert await runtime.resume_interrupted() == ()


async def test_interrupted_turns_can_be_marked_and_left(tmp_path: Path) -> None:
    killed(tmp_path, "tool")
    desk = Desk()
    async with opened(tmp_path, desk, clock=later()) as runtime:
        (turn,) = await runtime.resume_interrupted(go_on=False)
        kept = await runtime.store.turns.get(turn.id)
        events = await runtime.store.events.read(turn.conversation)
        assert await runtime.resume_interrupted() == ()
    assert kept.state == "interrupted"
    assert events[-1].data["code"] == "interrupted"


async def test_an_answer_that_was_stored_and_not_taken_up_is_taken_up_later(tmp_path: Path) -> None:
    async with opened(tmp_path) as runtime:
        first = await said(runtime, WEAK)
        await runtime.store.pauses.answer(first.pause, {"region": "东城"}, answer_key="k")
    desk = Desk()
    async with opened(tmp_path, desk) as runtime:
        second = await told(runtime.resume(str(first.events[0].turn)))
    assert desk.names == ["match_scene", "query_cause"]
    assert second.one("pause.opened")["purpose"] == "ask"


async def test_a_finished_turn_is_not_resumed(tmp_path: Path) -> None:
    async with opened(tmp_path, model=FakeModel().say("好")) as runtime:
        turn = await said(runtime, "你好")
        with pytest.raises(Refused):
            await told(runtime.resume(str(turn.events[0].turn)))


async def test_a_turn_left_before_its_message_was_stored_is_taken_up_by_whoever_knows_the_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the sender itself, late for its lease, and by the same request sent again after a crash."""
    async with opened(tmp_path) as runtime, opened(tmp_path, clock=later()) as other:
        start = Turns.start

        async def be_late(turns: Turns, *given: Any, **more: Any) -> Turn:
            lease = await start(turns, *given, **more)
            monkeypatch.setattr(Turns, "start", start)
            assert [one.id for one in await other.resume_interrupted()] == [lease.id]
            await other.wait_until_idle()
            return lease

        monkeypatch.setattr(Turns, "start", be_late)
        late = await said(runtime, "hello")
        place = late.events[0].conversation
        gone = await runtime.store.turns.start(place, "gone", 0.001, request_key="sent")
        again = await said(other, "hello again", place, idempotency_key="sent")
        repeated = await said(other, "hello again", place, idempotency_key="sent")
    assert (late.kinds[0], late.kinds[-1]) == (again.kinds[0], again.kinds[-1]) == ("turn.started", "turn.done")
    assert {one.turn for one in again.events} == {gone.id}
    assert repeated.events == again.events
