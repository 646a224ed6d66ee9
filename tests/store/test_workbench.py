"""Records of the workbench: share links, feedback, branches, figures and pins, on both databases."""

from datetime import timedelta

import pytest

from metier.errors import InvalidRecord, RecordNotFound
from metier.json_values import JsonObject
from metier.store import Conversation, EventKind, MessageDraft, Store
from tests.store.support import FakeClock


async def _turn(store: Store, conversation: str, said: str, *happened: tuple[EventKind, JsonObject]) -> str:
    """A whole turn with a message, its events and an answer."""
    turn = await store.turns.start(conversation, "me", 60)
    await store.messages.append(conversation, MessageDraft("user", said), turn=turn.id)
    for kind, data in (("turn.started", {"message": said, "skill": None}), *happened):
        await store.events.append(conversation, kind, data, turn=turn.id, fence=turn.fence)
    await store.turns.finish(turn.id, turn.fence, "done")
    return turn.id


async def test_a_share_link_opens_until_it_is_revoked_or_expires(
    store: Store, clock: FakeClock, talk: Conversation
) -> None:
    await store.events.append(talk.id, "text.done", {"text": "hello"})
    made = await store.shares.create(talk.id, expires_at=clock() + timedelta(days=1))
    forever = await store.shares.create(talk.id)
    assert len(made.token) >= 43
    assert made.token not in str(made.share)
    found = await store.shares.find_by_token(made.token)
    assert found == made.share
    assert found.last_seq == 1
    assert await store.shares.find_by_token(made.token + "x") is None
    clock.advance(86_400)
    assert await store.shares.find_by_token(made.token) is None
    assert await store.shares.find_by_token(forever.token) == forever.share
    revoked = await store.shares.revoke(forever.share.id)
    assert revoked.revoked_at is not None
    assert await store.shares.revoke(forever.share.id) == revoked
    assert await store.shares.find_by_token(forever.token) is None
    assert {one.id for one in await store.shares.list(talk.id)} == {made.share.id, forever.share.id}
    await store.conversations.delete(talk.id)
    with pytest.raises(RecordNotFound):
        await store.shares.get(made.share.id)


async def test_feedback_is_one_per_turn_and_user_and_goes_with_the_conversation(
    store: Store, talk: Conversation
) -> None:
    turn = await _turn(store, talk.id, "hi")
    await store.feedback.put(talk.id, turn, "ann", "up")
    kept = await store.feedback.put(talk.id, turn, "ann", "down", reason="wrong_skill", note="tea", skill="weather")
    assert await store.feedback.list() == (kept,)
    assert await store.feedback.list(verdict="up") == () == await store.feedback.list(skill="other")
    with pytest.raises(InvalidRecord):
        await store.feedback.put(talk.id, turn, "ann", "down", reason="ugly")  # type: ignore[arg-type]
    with pytest.raises(RecordNotFound):
        await store.feedback.put(talk.id, "no such turn", "ann", "up")
    assert [await store.feedback.remove(turn, "ann"), await store.feedback.remove(turn, "ann")] == [True, False]
    await store.feedback.put(talk.id, turn, "ann", "up")
    await store.conversations.delete(talk.id)
    assert await store.feedback.list() == ()


async def test_a_branch_holds_what_came_before_the_turn_under_its_own_ids(store: Store, talk: Conversation) -> None:
    skill: JsonObject = {"skill": "tea", "title": "Tea", "why": "", "digest": ""}
    first = await _turn(store, talk.id, "one", ("skill.activated", skill), ("text.done", {"text": "1"}))
    asked: JsonObject = {"pause": "p1", "kind": "question"}
    second = await _turn(store, talk.id, "two", ("pause.opened", asked), ("text.done", {"text": first}))
    third = await _turn(store, talk.id, "three", ("skill.left", skill))
    await store.conversations.set_pinned(talk.id, pinned=True)
    branch = await store.conversations.get(await store.branches.create(talk.id, third, "ann"))
    assert (branch.branch_of, branch.skill, branch.pinned_at, branch.user) == (talk.id, "tea", None, "ann")
    assert [one.content for one in await store.messages.get_history(branch.id)] == ["one", "two"]
    events = await store.events.read(branch.id)
    assert [one.seq for one in events] == list(range(1, len(events) + 1))
    assert branch.last_seq == len(events)
    turns = {one.id for one in await store.turns.list(branch.id)}
    assert turns == {one.turn for one in events}
    assert not turns & {first, second, third}
    assert events[-1].data == {"pause": "p1", "cancelled": True}
    assert next(one for one in events if one.data.get("text") not in (None, "1")).data["text"] in turns
    assert await _turn(store, branch.id, "another way")
    assert [one.content for one in await store.messages.get_history(talk.id)] == ["one", "two", "three"]
    empty = await store.branches.create(talk.id, first, "ann")
    assert await store.messages.get_history(empty) == ()
    with pytest.raises(RecordNotFound):
        await store.branches.create(talk.id, "no such turn", "ann")


async def test_figures_leave_out_the_time_a_turn_waited_for_a_person(
    store: Store, clock: FakeClock, talk: Conversation
) -> None:
    begin = clock()
    steps: tuple[tuple[float, EventKind, JsonObject], ...] = (
        (0, "turn.started", {"message": "hi", "skill": None}),
        (2, "pause.opened", {"pause": "p"}),
        (60, "pause.answered", {"pause": "p"}),
        (1, "turn.done", {"skill": "tea", "model_calls": 2, "input_tokens": 10, "output_tokens": 5, "cost": 0.5}),
    )
    turn = await store.turns.start(talk.id, "me", 600)
    for seconds, kind, data in steps:
        clock.advance(seconds)
        await store.events.append(talk.id, kind, data, turn=turn.id, fence=turn.fence)
    await store.events.append(talk.id, "turn.failed", {"code": "model_failed", "message": "no"})
    one, failed = await store.figures.list_turns(begin, clock() + timedelta(seconds=1))
    assert (one.elapsed_ms, one.skill, one.input_tokens, one.output_tokens, one.cost) == (3000, "tea", 10, 5, 0.5)
    assert (failed.failed, failed.code, failed.elapsed_ms) == (True, "model_failed", None)
    assert await store.figures.list_turns(begin - timedelta(days=1), begin) == ()


async def test_a_pin_is_no_use_of_a_conversation(store: Store, clock: FakeClock, talk: Conversation) -> None:
    clock.advance(5)
    pinned = await store.conversations.set_pinned(talk.id, pinned=True)
    assert pinned.pinned_at is not None
    assert pinned.updated_at == talk.updated_at
    assert await store.conversations.list_pinned(talk.user) == (pinned,)
    await store.conversations.set_pinned(talk.id, pinned=False)
    assert await store.conversations.list_pinned(talk.user) == ()
