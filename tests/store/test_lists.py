"""Lists for one reader: of a user, with words in them, and many conversations at a glance."""

import pytest

from metier.errors import InvalidRecord, RecordNotFound
from metier.store import Conversation, EventDraft, MessageDraft, Store
from tests.store.support import FakeClock


async def test_the_newest_numbers_of_many_conversations_come_at_once(store: Store, talk: Conversation) -> None:
    other = await store.conversations.create("bob")
    await store.events.append_many(talk.id, [EventDraft("error", {})] * 3)
    assert await store.events.get_last_seqs([talk.id, other.id, "nobody"]) == {talk.id: 3, other.id: 0}
    assert await store.events.get_last_seqs([]) == {}
    assert len(await store.events.get_last_seqs([talk.id, *(f"x{n}" for n in range(25_000))])) == 1


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("周报", ["title"]),
        ("WEEKLY", ["user"]),
        ("shipped", ["assistant"]),
        ("100%", ["percent"]),
        ("%", ["percent"]),
        ("_", []),
        ("\\", []),
        ("nothing", []),
        ("tool words", []),
    ],
)
async def test_words_are_looked_for_in_titles_and_in_what_was_said(
    store: Store, clock: FakeClock, words: str, found: list[str]
) -> None:
    names: dict[str, str] = {}
    for name, title, draft in (
        ("title", "四月周报", MessageDraft("user", "x")),
        ("user", None, MessageDraft("user", "my weekly numbers")),
        ("assistant", "plain", MessageDraft("assistant", "We shipped it.")),
        ("percent", "完成100%", MessageDraft("system", "tool words")),
    ):
        clock.advance(1)
        made = await store.conversations.create("ann", title=title)
        await store.messages.append(made.id, draft)
        names[made.id] = name
    listed = await store.conversations.list("ann", words=words)
    assert [names[one.id] for one in listed] == found
    assert await store.conversations.list("bob", words=words) == ()


async def test_a_search_goes_on_where_it_stopped(store: Store, clock: FakeClock) -> None:
    for number in range(5):
        clock.advance(1)
        await store.conversations.create("ann", title=f"周报 {number}")
        await store.conversations.create("ann", title="别的")
    first = await store.conversations.list("ann", words="周报", limit=3)
    rest = await store.conversations.list("ann", words="周报", limit=3, before=first[-1].cursor)
    assert [one.title for one in (*first, *rest)] == [f"周报 {number}" for number in (4, 3, 2, 1, 0)]


async def test_looking_for_nothing_is_refused(store: Store) -> None:
    with pytest.raises(InvalidRecord, match="words"):
        await store.conversations.list("ann", words=" ")


async def test_pauses_violations_and_exceptions_of_one_user(store: Store, talk: Conversation) -> None:
    other = await store.conversations.create("bob")
    for one in (talk, other):
        await store.pauses.open(one.id, "question", key="k", schema={}, payload={})
        await store.violations.record(one.id, tool="shell", args_digest="", layer="skill", code="no", reason="no")
        await store.exceptions.request(one.id, tool="shell", reason="needed")
    for user, conversation in (("ann", talk.id), ("bob", other.id)):
        assert [one.conversation for one in await store.pauses.list_open(user=user)] == [conversation]
        assert [one.conversation for one in await store.violations.list(user=user)] == [conversation]
        assert [one.conversation for one in await store.exceptions.list(user=user)] == [conversation]
    assert await store.pauses.list_open(talk.id, user="bob") == ()
    assert await store.violations.list(conversation=talk.id, user="bob") == ()
    assert await store.exceptions.list(conversation=talk.id, user="bob") == ()
    assert await store.pauses.list_open(user="nobody") == ()


async def test_every_version_of_a_plan_is_listed_the_newest_first(store: Store, talk: Conversation) -> None:
    assert await store.plans.list(talk.id) == ()
    saved = [await store.plans.save(talk.id, {"step": number}, "running") for number in range(3)]
    assert await store.plans.list(talk.id) == tuple(reversed(saved))
    assert await store.plans.list(talk.id, limit=1) == (saved[-1],)
    with pytest.raises(RecordNotFound):
        await store.plans.list("nobody")
