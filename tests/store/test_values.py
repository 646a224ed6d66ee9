from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metier.errors import InvalidRecord
from metier.store import Conversation, JsonValue, MessageDraft, Store, StoredToolCall
from metier.store._values import from_micros, to_micros


def nested(levels: int) -> JsonValue:
    value: JsonValue = "leaf"
    for _ in range(levels):
        value = [value]
    return value


BAD_JSON: dict[str, tuple[object, str]] = {
    "lone surrogate": ("\ud800", "data.x has a lone surrogate"),
    "lone surrogate deep inside": (
        {"rows": ["ok", {"name": "a\udfff"}]},
        r"data.x.rows\[1\].name has a lone surrogate",
    ),
    "NUL": ("a\x00b", "data.x has a NUL"),
    "NUL in a key": ({"a\x00": 1}, "data.x has a key that has a NUL"),
    "surrogate in a key": ({"\ud800": 1}, "data.x has a key"),
    "NaN": (float("nan"), "data.x is nan"),
    "infinity": ([1, float("inf")], r"data.x\[1\] is inf"),
    "minus infinity": (float("-inf"), "data.x is -inf"),
    "integer above 64 bits": (2**63, "data.x is an integer beyond 64 bits"),
    "integer below 64 bits": (-(2**63) - 1, "data.x is an integer beyond 64 bits"),
    "a key that is a number": ({1: "a"}, "key 1"),
    "bytes": (b"x", "is a bytes"),
    "a set": ({"a"}, "is a set"),
    "a date": (datetime(2026, 1, 1, tzinfo=UTC), "is a datetime"),
    "too deep": (nested(101), "deeper than 100"),
}


@pytest.mark.parametrize(("value", "says"), BAD_JSON.values(), ids=BAD_JSON)
async def test_a_value_that_cannot_be_stored_is_refused_with_its_place(
    store: Store, talk: Conversation, value: JsonValue, says: str
) -> None:
    await store.events.append(talk.id, "usage", {"before": 1})
    with pytest.raises(InvalidRecord, match=says):
        await store.events.append(talk.id, "usage", {"x": value})
    assert (await store.events.append(talk.id, "usage", {"after": 1})).seq == 2


BAD_TEXT = "a\x00b", "\ud800"
Call = Callable[[Store, str, str], Awaitable[object]]
TEXTS: dict[str, Call] = {
    "user": lambda store, _, bad: store.conversations.create(bad),
    "title": lambda store, _, bad: store.conversations.create("ann", title=bad),
    "skill": lambda store, talk, bad: store.conversations.set_skill(talk, bad),
    "conversation": lambda store, _, bad: store.conversations.get(bad),
    "list of a user": lambda store, _, bad: store.conversations.list(bad),
    "message": lambda store, talk, bad: store.messages.append(talk, MessageDraft("user", bad)),
    "tool name": lambda store, talk, bad: store.messages.append_exchange(
        talk,
        MessageDraft("assistant", "", (StoredToolCall("c", bad, {}),)),
        [MessageDraft("tool", "", tool_call_id="c")],
    ),
    "tool arguments": lambda store, talk, bad: store.messages.append_exchange(
        talk,
        MessageDraft("assistant", "", (StoredToolCall("c", "t", {"q": bad}),)),
        [MessageDraft("tool", "", tool_call_id="c")],
    ),
    "tool result": lambda store, talk, bad: store.messages.append_exchange(
        talk,
        MessageDraft("assistant", "", (StoredToolCall("c", "t", {}),)),
        [MessageDraft("tool", bad, tool_call_id="c")],
    ),
    "owner": lambda store, talk, bad: store.turns.start(talk, bad, 10),
    "request key": lambda store, talk, bad: store.turns.start(talk, "w", 10, request_key=bad),
    "turn": lambda store, talk, bad: store.events.append(talk, "error", {}, turn=bad),
    "pause key": lambda store, talk, bad: store.pauses.open(talk, "question", key=bad, schema={}, payload={}),
    "pause schema": lambda store, talk, bad: store.pauses.open(
        talk, "question", key="k", schema={"title": bad}, payload={}
    ),
    "violation": lambda store, talk, bad: store.violations.record(
        talk, tool="t", args_digest="", layer="skill", code="c", reason=bad
    ),
    "exception": lambda store, talk, bad: store.exceptions.request(talk, tool="t", reason=bad),
    "plan": lambda store, talk, bad: store.plans.save(talk, {"goal": bad}, "draft"),
    "profile": lambda store, _, bad: store.profiles.merge("ann", {"name": bad}),
    "skill data": lambda store, _, bad: store.skill_data.merge("ann", bad, {}),
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("call", TEXTS.values(), ids=TEXTS)
async def test_text_that_cannot_be_stored_is_refused_everywhere(store: Store, talk: Conversation, call: Call) -> None:
    for bad in BAD_TEXT:
        with pytest.raises(InvalidRecord):
            await call(store, talk.id, bad)
    assert await store.messages.get_history(talk.id) == ()
    assert await store.turns.list(talk.id) == ()


NUMBERS: dict[str, Callable[[Store, str], Awaitable[object]]] = {
    "no limit": lambda store, talk: store.events.read(talk, limit=0),
    "huge limit": lambda store, talk: store.events.read(talk, limit=2**63),
    "negative after": lambda store, talk: store.events.read(talk, after=-1),
    "true is no number": lambda store, talk: store.messages.get_history(talk, limit=True),
    "huge fence": lambda store, talk: store.events.append(talk, "error", {}, turn="t", fence=2**64),
    "huge version": lambda store, _: store.skill_data.merge("ann", "s", {}, expect_version=2**63),
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("call", NUMBERS.values(), ids=NUMBERS)
async def test_a_number_out_of_range_is_refused(
    store: Store, talk: Conversation, call: Callable[[Store, str], Awaitable[object]]
) -> None:
    with pytest.raises(InvalidRecord, match="whole number"):
        await call(store, talk.id)


async def test_data_that_is_no_object_is_refused(store: Store, talk: Conversation) -> None:
    with pytest.raises(InvalidRecord, match="JSON object"):
        await store.events.append(talk.id, "error", [1])  # type: ignore[arg-type]


GOOD: dict[str, JsonValue] = {
    "smallest integer": -(2**63),
    "a whole float": 1e20,
    "minus zero": -0.0,
    "tiny": 5e-324,
    "an escaped NUL written out": "\\u0000",
    "a hundred levels": nested(99),
    "a read-only mapping": MappingProxyType({"a": 1}),
    "line separators": "\u2028\u2029\x7f\ufeff\uffff",
    "outside the BMP": "𝄞😀",
}


@pytest.mark.parametrize("value", GOOD.values(), ids=GOOD)
async def test_what_is_stored_is_read_back_the_same(store: Store, talk: Conversation, value: JsonValue) -> None:
    await store.events.append(talk.id, "usage", {"x": value})
    (event,) = await store.events.read(talk.id)
    assert repr(event.data["x"]) == repr(value if not isinstance(value, MappingProxyType) else dict(value))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"])), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@settings(max_examples=30, deadline=None, database=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=JSON)
async def test_any_json_comes_back_as_it_went_in(store: Store, value: JsonValue) -> None:
    await store.profiles.set("ann", {"x": value})
    assert repr(await store.profiles.get("ann")) == repr({"x": value})


@given(st.datetimes(min_value=datetime(1900, 1, 1), max_value=datetime(2200, 1, 1), timezones=st.just(UTC)))
@settings(database=None)
def test_a_time_keeps_every_microsecond(when: datetime) -> None:
    assert from_micros(to_micros(when)) == when


def test_a_time_in_another_zone_is_the_same_moment() -> None:
    there = datetime(2026, 3, 1, 20, tzinfo=timezone(timedelta(hours=8)))
    assert from_micros(to_micros(there)) == there == datetime(2026, 3, 1, 12, tzinfo=UTC)
