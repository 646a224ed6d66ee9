import asyncio
from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import func, select

from metier.errors import InvalidRecord, RecordNotFound
from metier.facts import Fact
from metier.store import Conversation, EventDraft, KnownRequest, MessageDraft, Store, StoredCheckpoint, StoredToolCall
from metier.store.database import metadata
from tests.store.support import FakeClock, OpenStore


async def test_a_conversation_is_what_was_created(store: Store, clock: FakeClock) -> None:
    made = await store.conversations.create("ann", skill="tarot", voice_mode="wise", title="明天")
    assert made == Conversation("id-0001", "ann", "明天", "tarot", None, "wise", clock.now, clock.now, 0)
    assert await store.conversations.get(made.id) == made


async def test_a_conversation_survives_a_restart(store: Store, open_store: OpenStore) -> None:
    made = await store.conversations.create("ann")
    await store.close()
    again = await open_store()
    assert await again.conversations.get(made.id) == made


async def test_each_setter_changes_one_thing_and_the_time(store: Store, talk: Conversation, clock: FakeClock) -> None:
    clock.advance(5)
    assert (await store.conversations.set_skill(talk.id, "tarot")).skill == "tarot"
    assert (await store.conversations.set_voice_mode(talk.id, "warm")).voice_mode == "warm"
    assert (await store.conversations.rename(talk.id, "cards")).title == "cards"
    assert (await store.conversations.set_model(talk.id, "strong")).model == "strong"
    changed = await store.conversations.get(talk.id)
    assert (changed.skill, changed.voice_mode, changed.title) == ("tarot", "warm", "cards")
    assert changed.updated_at == clock.now > changed.created_at


async def test_setting_no_skill_leaves_the_skill(store: Store) -> None:
    made = await store.conversations.create("ann", skill="tarot")
    assert (await store.conversations.set_skill(made.id, None)).skill is None


async def test_an_unknown_voice_is_refused_with_the_nearest(store: Store) -> None:
    with pytest.raises(InvalidRecord) as caught:
        await store.conversations.create("ann", voice_mode="wize")  # type: ignore[arg-type]
    assert caught.value.hint == "did you mean 'wise'?"


async def test_the_list_is_last_used_first_and_goes_on_where_it_stopped(store: Store, clock: FakeClock) -> None:
    made = [await store.conversations.create("ann") for _ in range(3)]
    await store.conversations.create("bob")
    clock.advance(1)
    await store.messages.append(made[0].id, MessageDraft("user", "hello"))
    page = await store.conversations.list("ann", limit=2)
    rest = await store.conversations.list("ann", limit=2, before=page[-1].cursor)
    assert [one.id for one in page + rest] == [made[0].id, made[2].id, made[1].id]


Call = Callable[[Store], Awaitable[object]]
UNKNOWN: dict[str, Call] = {
    "get": lambda store: store.conversations.get("nobody"),
    "set_skill": lambda store: store.conversations.set_skill("nobody", "tarot"),
    "delete": lambda store: store.conversations.delete("nobody"),
    "append event": lambda store: store.events.append("nobody", "error", {}),
    "read events": lambda store: store.events.read("nobody"),
    "last seq": lambda store: store.events.get_last_seq("nobody"),
    "append message": lambda store: store.messages.append("nobody", MessageDraft("user", "hello")),
    "history": lambda store: store.messages.get_history("nobody"),
    "start turn": lambda store: store.turns.start("nobody", "me", 10),
    "list turns": lambda store: store.turns.list("nobody"),
    "get turn": lambda store: store.turns.get("nobody"),
    "renew turn": lambda store: store.turns.renew("nobody", 1),
    "finish turn": lambda store: store.turns.finish("nobody", 1, "done"),
    "resume turn": lambda store: store.turns.resume("nobody", "me", 10),
    "open pause": lambda store: store.pauses.open("nobody", "question", key="k", schema={}, payload={}),
    "get pause": lambda store: store.pauses.get("nobody"),
    "answer pause": lambda store: store.pauses.answer("nobody", True),
    "amend pause": lambda store: store.pauses.amend("nobody", {}),
    "forget pause": lambda store: store.pauses.forget("nobody", ["x"]),
    "save plan": lambda store: store.plans.save("nobody", {}, "draft"),
    "latest plan": lambda store: store.plans.get_latest("nobody"),
    "record violation": lambda store: store.violations.record(
        "nobody", tool="shell", args_digest="", layer="skill", code="no", reason="no"
    ),
    "request exception": lambda store: store.exceptions.request("nobody", tool="shell", reason="please"),
    "decide exception": lambda store: store.exceptions.decide("nobody", "granted", by="ann"),
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("call", UNKNOWN.values(), ids=UNKNOWN)
async def test_an_unknown_id_is_not_found(store: Store, call: Call) -> None:
    with pytest.raises(RecordNotFound, match="'nobody'"):
        await call(store)


async def test_a_turn_of_another_conversation_is_not_found(store: Store, talk: Conversation) -> None:
    other = await store.conversations.create("bob")
    turn = await store.turns.start(other.id, "me", 10)
    with pytest.raises(RecordNotFound, match=turn.id):
        await store.events.append(talk.id, "error", {}, turn=turn.id)
    assert await store.events.get_last_seq(talk.id) == 0


async def _fill(store: Store, conversation: str) -> None:
    turn = await store.turns.start(conversation, "me", 10)
    await store.events.append_many(conversation, [EventDraft("text.delta", {})] * 3, turn=turn.id)
    await store.messages.append_exchange(
        conversation,
        MessageDraft("assistant", "", (StoredToolCall("c", "search", {}),)),
        [MessageDraft("tool", "found", tool_call_id="c")],
    )
    await store.requests.add(KnownRequest("ann", f"key of {conversation}", "digest", conversation))
    await store.pauses.open(conversation, "question", key="k", schema={}, payload={})
    await store.plans.save(conversation, {}, "draft")
    await store.violations.record(conversation, tool="t", args_digest="", layer="skill", code="c", reason="r")
    await store.exceptions.request(conversation, tool="t", reason="r")
    await store.facts.save(conversation, Fact("pet", "cat", "Pet"))
    await store.checkpoints.put(conversation, [StoredCheckpoint("t", "", "1")])
    await store.shares.create(conversation)
    await store.feedback.put(conversation, turn.id, "ann", "up")


async def _counts(store: Store) -> dict[str, int]:
    tables = [table for name, table in metadata.tables.items() if "conversation" in table.c or name == "conversations"]
    return await store._session.read(
        lambda connection: {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables
        }
    )


async def test_deleting_a_conversation_removes_all_that_hangs_on_it_and_nothing_else(
    store: Store, talk: Conversation
) -> None:
    await _fill(store, talk.id)
    alone = await _counts(store)
    assert all(alone.values())
    other = await store.conversations.create("bob")
    await _fill(store, other.id)
    await store.conversations.delete(other.id)
    assert await _counts(store) == alone


async def test_a_client_finds_the_conversation_again_under_its_own_id(store: Store) -> None:
    made = await store.conversations.open_for_client("ann", "../t1")
    assert made.id == "id-0001"
    assert await store.conversations.open_for_client("ann", "../t1") == made
    assert await store.conversations.find_for_client("ann", "../t1") == made


async def test_the_same_client_id_of_two_users_is_two_conversations(store: Store) -> None:
    one, other = [await store.conversations.open_for_client(user, "t1") for user in ("ann", "bob")]
    assert (one.user, other.user, one.id != other.id) == ("ann", "bob", True)
    assert await store.conversations.find_for_client("cleo", "t1") is None


async def test_a_client_may_go_on_with_a_conversation_by_the_id_that_we_gave_it(store: Store) -> None:
    made = await store.conversations.create("ann")
    assert await store.conversations.open_for_client("ann", made.id) == made
    assert (await store.conversations.open_for_client("bob", made.id)).id != made.id


async def test_many_requests_at_once_open_one_conversation(store: Store) -> None:
    made = await asyncio.gather(*(store.conversations.open_for_client("ann", "t1") for _ in range(8)))
    assert len({one.id for one in made}) == 1
