import asyncio

import pytest

from metier.errors import AlreadyDecided, InvalidRecord
from metier.store import Conversation, ExceptionRequest, Store
from tests.store.support import FakeClock, OpenStore


async def test_the_latest_plan_is_the_one_saved_last(store: Store, talk: Conversation, clock: FakeClock) -> None:
    assert await store.plans.get_latest(talk.id) is None
    await store.plans.save(talk.id, {"goal": "look", "steps": []}, "draft")
    clock.advance(1)
    saved = await store.plans.save(talk.id, {"goal": "look", "steps": [{"id": "s1"}]}, "running")
    assert await store.plans.get_latest(talk.id) == saved
    assert (saved.version, saved.state, saved.saved_at) == (2, "running", clock.now)


async def test_plans_saved_at_once_all_get_a_version(store: Store, open_store: OpenStore, talk: Conversation) -> None:
    other = await open_store()
    saved = await asyncio.gather(*((store, other)[i % 2].plans.save(talk.id, {"i": i}, "draft") for i in range(10)))
    assert sorted(plan.version for plan in saved) == list(range(1, 11))


async def test_an_unknown_plan_state_is_refused(store: Store, talk: Conversation) -> None:
    with pytest.raises(InvalidRecord, match="plan state"):
        await store.plans.save(talk.id, {}, "finished")  # type: ignore[arg-type]


async def refuse(store: Store, conversation: str, tool: str) -> str:
    violation = await store.violations.record(
        conversation,
        tool=tool,
        args_digest="sha256:1",
        layer="skill",
        code="tool_not_allowed",
        reason="the skill does not list it",
        skill="tarot",
    )
    return violation.id


async def test_violations_are_listed_newest_first_and_filtered(
    store: Store, talk: Conversation, clock: FakeClock
) -> None:
    other = await store.conversations.create("bob")
    first = await refuse(store, talk.id, "shell")
    clock.advance(1)
    later = clock.now
    second = await refuse(store, talk.id, "fetch")
    clock.advance(1)
    third = await refuse(store, other.id, "shell")

    async def ids(**filters: object) -> list[str]:
        return [one.id for one in await store.violations.list(**filters)]  # type: ignore[arg-type]

    assert await ids() == [third, second, first]
    assert await ids(conversation=talk.id) == [second, first]
    assert await ids(tool="shell") == [third, first]
    assert await ids(since=later) == [third, second]
    assert await ids(conversation=talk.id, tool="shell") == [first]
    assert await ids(limit=1) == [third]
    newest = (await store.violations.list(limit=1))[0]
    assert (newest.layer, newest.code, newest.skill, newest.at) == ("skill", "tool_not_allowed", "tarot", clock.now)


async def test_an_exception_is_requested_and_decided(store: Store, talk: Conversation, clock: FakeClock) -> None:
    turn = await store.turns.start(talk.id, "w", 30)
    asked = await store.exceptions.request(talk.id, tool="shell", reason="to list files", turn=turn.id)
    assert (asked.state, asked.decided_by, asked.decided_at) == ("requested", None, None)
    clock.advance(1)
    granted = await store.exceptions.decide(asked.id, "granted", by="ann", note="once")
    assert (granted.state, granted.decided_by, granted.note) == ("granted", "ann", "once")
    assert granted.decided_at == clock.now
    assert await store.exceptions.list(turn=turn.id, state="granted") == (granted,)
    assert await store.exceptions.list(conversation=talk.id, state="requested") == ()


async def test_the_first_ruling_stands(store: Store, open_store: OpenStore, talk: Conversation) -> None:
    other = await open_store()
    asked = await store.exceptions.request(talk.id, tool="shell", reason="please")
    tries = [
        (store, other)[i % 2].exceptions.decide(asked.id, "granted" if i % 2 else "denied", by=f"person-{i}")
        for i in range(6)
    ]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    (winner,) = [outcome for outcome in outcomes if isinstance(outcome, ExceptionRequest)]
    assert sum(isinstance(outcome, AlreadyDecided) for outcome in outcomes) == 5
    assert winner.state != "requested"
    assert winner.decided_by is not None
    assert await store.exceptions.decide(asked.id, winner.state, by=winner.decided_by) == winner
