import asyncio

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from metier.errors import Conflict, InvalidRecord
from metier.store import JsonObject, JsonValue, Store
from metier.store._documents import merge_patch
from tests.store.support import FakeClock, OpenStore

PROFILE: JsonObject = {
    "name": "安娜",
    "birth": {"year": 1990, "place": {"city": "杭州", "lat": 30.0}},
    "tags": ["a", "b"],
    "vip": False,
    "e-mail": "a@b",
    "ключ": 1,
}


async def test_a_user_without_a_profile_has_an_empty_one(store: Store) -> None:
    assert await store.profiles.get("nobody") == {}
    assert await store.profiles.get("nobody", ["name"]) == {}


async def test_a_profile_is_read_as_it_was_set(store: Store, clock: FakeClock) -> None:
    made = await store.profiles.set("ann", PROFILE)
    assert (made.version, made.updated_at) == (1, clock.now)
    assert await store.profiles.get("ann") == PROFILE
    await store.profiles.set("ann", {"name": "Ann"})
    assert await store.profiles.get("ann") == {"name": "Ann"}


FIELDS: dict[str, dict[str, JsonValue]] = {
    "a top-level field": {"name": "安娜"},
    "a nested number": {"birth.year": 1990},
    "a float stays a float": {"birth.place.lat": 30.0},
    "an object": {"birth.place": {"city": "杭州", "lat": 30.0}},
    "a list": {"tags": ["a", "b"]},
    "false is not absent": {"vip": False},
    "keys that need quoting": {"e-mail": "a@b", "ключ": 1},
    "several": {"name": "安娜", "birth.year": 1990, "vip": False},
}


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("expected", FIELDS.values(), ids=FIELDS)
async def test_only_the_asked_fields_are_loaded(store: Store, expected: dict[str, JsonValue]) -> None:
    await store.profiles.set("ann", PROFILE)
    found = await store.profiles.get("ann", [*expected, "nothing", "name.first", "tags.first", "birth.nothing"])
    assert found == expected
    assert [type(value) for value in found.values()] == [type(value) for value in expected.values()]


async def test_a_stored_null_is_there(store: Store) -> None:
    await store.profiles.set("ann", {"spouse": None})
    assert await store.profiles.get("ann", ["spouse", "children"]) == {"spouse": None}


async def test_fields_are_loaded_with_one_query(store: Store) -> None:
    await store.profiles.set("ann", PROFILE)
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        await store.profiles.get("ann", ["name", "birth.year", "vip"])
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert len(statements) == 1


BAD_FIELDS = ["", "a..b", ".a", "a.", "tags.0", "tags.-1", 'a"b', "a\\b", "a\nb", "\x00"]


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("field", BAD_FIELDS, ids=ascii)
async def test_a_field_that_is_not_a_path_is_refused(store: Store, field: str) -> None:
    with pytest.raises(InvalidRecord):
        await store.profiles.get("ann", [field])


MERGES: dict[str, tuple[JsonValue, JsonValue, JsonValue]] = {
    "adds": ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
    "replaces": ({"a": 1}, {"a": 2}, {"a": 2}),
    "goes deep": ({"a": {"x": 1, "y": 1}}, {"a": {"y": 2}}, {"a": {"x": 1, "y": 2}}),
    "null removes": ({"a": 1, "b": {"c": 1, "d": 1}}, {"a": None, "b": {"c": None}}, {"b": {"d": 1}}),
    "lists replace": ({"a": [1, 2]}, {"a": [3]}, {"a": [3]}),
    "an object replaces a value": ({"a": 1}, {"a": {"b": {"c": None, "d": 1}}}, {"a": {"b": {"d": 1}}}),
    "a value replaces an object": ({"a": {"b": 1}}, {"a": 1}, {"a": 1}),
    "nothing changes nothing": ({"a": 1}, {}, {"a": 1}),
}


@pytest.mark.parametrize(("target", "patch", "merged"), MERGES.values(), ids=MERGES)
def test_merging(target: JsonValue, patch: JsonValue, merged: JsonValue) -> None:
    assert merge_patch(target, patch) == merged


async def test_merges_at_once_lose_nothing(store: Store, open_store: OpenStore) -> None:
    other = await open_store()
    await asyncio.gather(*((store, other)[i % 2].profiles.merge("ann", {"seen": {f"d{i}": i}}) for i in range(12)))
    assert await store.profiles.get("ann") == {"seen": {f"d{i}": i for i in range(12)}}
    assert (await store.profiles.merge("ann", {})).version == 13


async def test_each_skill_keeps_its_own_data_for_each_user(store: Store) -> None:
    await store.skill_data.merge("ann", "tarot", {"cards": 3})
    await store.skill_data.merge("ann", "bazi", {"chart": {}})
    await store.skill_data.merge("bob", "tarot", {"cards": 5})
    mine = await store.skill_data.merge("ann", "tarot", {"last": "fool"})
    assert (mine.data, mine.version) == ({"cards": 3, "last": "fool"}, 2)
    assert await store.skill_data.get("ann", "tarot") == mine
    assert (await store.skill_data.get("ann", "none")).version == 0


async def test_skill_data_that_changed_meanwhile_is_a_conflict(store: Store) -> None:
    seen = await store.skill_data.merge("ann", "tarot", {"cards": 3}, expect_version=0)
    await store.skill_data.merge("ann", "tarot", {"cards": 4}, expect_version=seen.version)
    with pytest.raises(Conflict, match="has version 2"):
        await store.skill_data.merge("ann", "tarot", {"cards": 5}, expect_version=seen.version)
    assert (await store.skill_data.get("ann", "tarot")).data == {"cards": 4}
