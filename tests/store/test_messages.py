import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metier.errors import InvalidRecord
from metier.store import Conversation, Message, MessageDraft, Store, StoredToolCall
from tests.store.support import FakeClock


def calls(*ids: str) -> MessageDraft:
    return MessageDraft("assistant", "let me look", tuple(StoredToolCall(one, "search", {"q": one}) for one in ids))


def results(*ids: str) -> list[MessageDraft]:
    return [MessageDraft("tool", f"result of {one}", tool_call_id=one, name="search") for one in ids]


async def test_a_message_is_read_as_it_was_appended(store: Store, talk: Conversation, clock: FakeClock) -> None:
    stored = await store.messages.append(talk.id, MessageDraft("user", "为什么慢? 😀"))
    assert stored == Message(talk.id, 1, None, clock.now, "user", "为什么慢? 😀")
    assert await store.messages.get_history(talk.id) == (stored,)


async def test_an_exchange_is_stored_whole_with_results_in_the_order_of_the_calls(
    store: Store, talk: Conversation
) -> None:
    stored = await store.messages.append_exchange(talk.id, calls("a", "b"), results("b", "a"))
    assert [(one.position, one.role, one.tool_call_id, one.exchange) for one in stored] == [
        (1, "assistant", None, 1),
        (2, "tool", "a", 1),
        (3, "tool", "b", 1),
    ]
    assert stored[0].tool_calls == (
        StoredToolCall("a", "search", {"q": "a"}),
        StoredToolCall("b", "search", {"q": "b"}),
    )
    assert await store.messages.get_history(talk.id) == stored


UNPAIRED = {
    "no result": (calls("a"), []),
    "one result missing": (calls("a", "b"), results("a")),
    "one result too many": (calls("a"), results("a", "b")),
    "the same result twice": (calls("a"), results("a", "a")),
    "the same call twice": (calls("a", "a"), results("a", "a")),
    "a result of another call": (calls("a"), results("b")),
    "no calls": (MessageDraft("assistant", "done"), []),
    "calls of a user": (MessageDraft("user", "", calls("a").tool_calls), results("a")),
    "a result that is no tool's": (calls("a"), [MessageDraft("user", "x", tool_call_id="a")]),
    "a result without an id": (calls("a"), [MessageDraft("tool", "x")]),
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("assistant", "answers"), UNPAIRED.values(), ids=UNPAIRED)
async def test_calls_and_results_that_are_not_pairs_are_refused(
    store: Store, talk: Conversation, assistant: MessageDraft, answers: list[MessageDraft]
) -> None:
    with pytest.raises(InvalidRecord):
        await store.messages.append_exchange(talk.id, assistant, answers)
    assert await store.messages.get_history(talk.id) == ()


ALONE = {"a call": calls("a"), "a result": results("a")[0], "a tool without an id": MessageDraft("tool", "x")}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("draft", ALONE.values(), ids=ALONE)
async def test_a_call_or_a_result_alone_is_refused(store: Store, talk: Conversation, draft: MessageDraft) -> None:
    with pytest.raises(InvalidRecord, match="alone"):
        await store.messages.append(talk.id, draft)
    assert await store.messages.get_history(talk.id) == ()


WINDOWS = {1: [5, 6, 7], 2: [5, 6, 7], 3: [5, 6, 7], 4: [4, 5, 6, 7], 5: [2, 3, 4, 5, 6, 7], 7: [1, 2, 3, 4, 5, 6, 7]}


@pytest.mark.parametrize(("limit", "positions"), WINDOWS.items(), ids=[f"last {limit}" for limit in WINDOWS])
async def test_history_is_widened_to_the_start_of_an_exchange(
    store: Store, talk: Conversation, limit: int, positions: list[int]
) -> None:
    await store.messages.append(talk.id, MessageDraft("user", "1"))
    await store.messages.append_exchange(talk.id, calls("a"), results("a"))
    await store.messages.append(talk.id, MessageDraft("user", "4"))
    await store.messages.append_exchange(talk.id, calls("a", "b"), results("a", "b"))
    assert [one.position for one in await store.messages.get_history(talk.id, limit=limit)] == positions


@settings(max_examples=15, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sizes=st.lists(st.integers(0, 3), max_size=8), limit=st.integers(1, 12))
async def test_no_window_ever_shows_a_call_without_its_result(store: Store, sizes: list[int], limit: int) -> None:
    talk = await store.conversations.create("ann")
    for size in sizes:
        ids = [f"c{n}" for n in range(size)]
        if ids:
            await store.messages.append_exchange(talk.id, calls(*ids), results(*ids))
        else:
            await store.messages.append(talk.id, MessageDraft("user", "hm"))
    window = await store.messages.get_history(talk.id, limit=limit)
    asked = [(one.position, call.id) for one in window for call in one.tool_calls]
    answered = [(one.exchange, one.tool_call_id) for one in window if one.role == "tool"]
    assert asked == answered
    assert len(window) >= min(limit, sum(1 + size for size in sizes))
