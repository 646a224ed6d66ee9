"""Users and their API keys: shown once, kept as digests, closed at once."""

import pytest
from sqlalchemy import text

from metier.errors import AlreadyDecided, Conflict, InvalidInput, InvalidRecord, RecordNotFound
from metier.store import Principal, Store
from tests.store.support import OpenStore


async def test_a_key_opens_for_its_user_with_its_roles_in_every_process(store: Store, open_store: OpenStore) -> None:
    await store.users.add("ann")
    made = await store.keys.create("ann", ["approver"], label="browser")
    other = await open_store()
    found = await other.keys.find_owner(made.secret)
    assert found == Principal("ann", made.key.id, frozenset({"user", "approver"}))


async def test_a_revoked_key_opens_nothing_from_then_on(store: Store, open_store: OpenStore) -> None:
    await store.users.add("ann")
    made = await store.keys.create("ann")
    other = await open_store()
    await other.keys.revoke(made.key.id)
    assert await store.keys.find_owner(made.secret) is None
    with pytest.raises(AlreadyDecided):
        await store.keys.revoke(made.key.id)


async def test_the_secret_is_nowhere_in_the_database(store: Store) -> None:
    await store.users.add("ann")
    made = await store.keys.create("ann")
    rows = await store._session.read(lambda connection: connection.execute(text("SELECT * FROM api_keys")).all())
    secret = made.secret.rsplit("_", 1)[-1] if made.secret.count("_") == 2 else made.secret.split("_", 2)[2]
    assert len(secret) >= 43
    assert secret not in repr(rows)
    assert secret not in repr(made.key)


@pytest.mark.parametrize(
    "change",
    [
        lambda secret: secret[:-1],
        lambda secret: secret + "x",
        lambda secret: secret.upper(),
        lambda secret: secret.split("_", 2)[2],
        lambda secret: f"mtr_{'0' * 12}_{secret.split('_', 2)[2]}",
        lambda _: "",
        lambda _: "mtr__",
        lambda _: "mtr_\udce4_x",
        lambda _: "mtr_a' OR 1=1_x",
    ],
)
async def test_anything_but_the_whole_key_opens_nothing(store: Store, change) -> None:  # type: ignore[no-untyped-def]
    await store.users.add("ann")
    made = await store.keys.create("ann")
    assert await store.keys.find_owner(change(made.secret)) is None


async def test_two_keys_are_never_alike(store: Store) -> None:
    await store.users.add("ann")
    made = [await store.keys.create("ann") for _ in range(20)]
    assert len({one.secret for one in made}) == len({one.key.id for one in made}) == 20


async def test_removing_a_user_revokes_the_keys_and_keeps_them_in_the_list(store: Store) -> None:
    await store.users.add("ann")
    made = [await store.keys.create("ann") for _ in range(2)]
    await store.keys.revoke(made[0].key.id)
    assert await store.users.remove("ann") == 1
    assert await store.keys.find_owner(made[1].secret) is None
    assert await store.users.list() == ()
    assert len(await store.keys.list("ann")) == 2
    assert await store.keys.count_active() == 0
    assert await store.keys.is_any_made()


async def test_nothing_is_made_for_an_unknown_user(store: Store) -> None:
    await store.users.add("anna")
    with pytest.raises(RecordNotFound) as caught:
        await store.keys.create("ann")
    assert "anna" in caught.value.hint
    assert not await store.keys.is_any_made()


async def test_a_user_is_added_once(store: Store) -> None:
    await store.users.add("安娜")
    with pytest.raises(Conflict):
        await store.users.add("安娜")
    assert [one.name for one in await store.users.list()] == ["安娜"]


@pytest.mark.shares_fixtures
@pytest.mark.parametrize("name", ["", " ", " ann", "ann\n", "a" * 65, "a\x00b", "a\x1b[31m"])
async def test_a_name_that_cannot_be_shown_is_refused(store: Store, name: str) -> None:
    with pytest.raises(InvalidRecord):
        await store.users.add(name)


async def test_a_role_that_does_not_exist_is_refused_with_the_nearest(store: Store) -> None:
    await store.users.add("ann")
    with pytest.raises(InvalidInput) as caught:
        await store.keys.create("ann", ["aprover"])  # type: ignore[list-item]
    assert "approver" in caught.value.hint
