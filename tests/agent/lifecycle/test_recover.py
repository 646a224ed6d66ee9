"""A turn that takes its process down is resumed twice, and then ended with a sentence."""

from pathlib import Path

import pytest

from metier.agent import Runtime
from metier.errors import StoreBusy
from metier.language import Language
from metier.store import Event, MessageDraft
from metier.store._turns import Turns
from metier.testing import FakeModel
from tests.e2e.support import WEAK, opened

SAID: dict[Language, str] = {"zh": "诊断这个轴承的振动记录", "en": "diagnose the record of this bearing"}
NO_TIME_S = 0.000_001


async def die(runtime: Runtime, message: str, times: int, *, in_order: bool = False) -> str:
    """A turn whose process was lost this often, the last time unseen so far."""
    store = runtime.store
    talk = await store.conversations.create("local")
    turn = await store.turns.start(talk.id, "gone", NO_TIME_S)
    await store.events.append(talk.id, "turn.started", {"message": message, "skill": None}, turn=turn.id)
    await store.messages.append(talk.id, MessageDraft("user", message), turn=turn.id)
    for _ in range(times - 1):
        if in_order:
            told = {"code": "interrupted", "turn": turn.id, "message": "the process that ran this turn ended"}
            await store.events.append(talk.id, "error", told, turn=turn.id)
        await runtime.resume_interrupted(go_on=False)
        await store.turns.resume(turn.id, "gone", NO_TIME_S)
    return turn.id


async def recover(runtime: Runtime, turn: str) -> tuple[str, Event]:
    await runtime.resume_interrupted()
    await runtime.wait_until_idle()
    found = await runtime.store.turns.get(turn)
    return found.state, (await runtime.store.events.read(found.conversation))[-1]


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "the process that ran this turn died 3 times; it is not run again"), ("zh", "执行本轮的进程多次中途崩溃")],
)
async def test_a_turn_that_killed_its_process_three_times_is_ended_and_not_run(
    tmp_path: Path, language: Language, told: str
) -> None:
    model = FakeModel().say("never said")
    async with opened(tmp_path, model=model) as runtime:
        state, last = await recover(runtime, await die(runtime, SAID[language], 3))
        assert (state, last.kind, last.data["code"]) == ("failed", "turn.failed", "turn_crashed")
        assert told in str(last.data["message"])
        assert last.data["hint"]
        assert await runtime.resume_interrupted() == ()
    assert model.prompts == ()


async def test_two_crashes_and_any_number_of_restarts_in_order_are_recovered(tmp_path: Path) -> None:
    async with opened(tmp_path, model=FakeModel().say("one").say("two")) as runtime:
        twice = await recover(runtime, await die(runtime, SAID["en"], 2))
        restarted = await recover(runtime, await die(runtime, SAID["en"], 6, in_order=True))
    assert [(state, last.kind) for state, last in (twice, restarted)] == [("done", "turn.done")] * 2


async def test_a_server_starts_although_a_locked_database_hides_the_turns_to_recover(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stay_locked(*_given: object, **_options: object) -> bool:
        raise StoreBusy("the database stayed locked by another process")

    monkeypatch.setattr(Turns, "has_expired", stay_locked)
    async with opened(tmp_path, model=FakeModel().say("one")) as runtime:
        monkeypatch.undo()
        assert (await recover(runtime, await die(runtime, SAID["en"], 1)))[0] == "done"


async def test_a_choice_that_was_told_and_not_followed_is_made_again(tmp_path: Path) -> None:
    """A server that has only just started tells the skill, and then loads the tools: it may die meanwhile."""
    async with opened(tmp_path) as runtime:
        turn = await die(runtime, WEAK, 1)
        talk = (await runtime.store.turns.get(turn)).conversation
        await runtime.store.events.append(talk, "skill.routed", {"verdict": "auto"}, turn=turn)
        await recover(runtime, turn)
        kinds = [event.kind for event in await runtime.store.events.read(talk)]
    assert kinds.count("skill.routed") == 2
    assert "skill.activated" in kinds
