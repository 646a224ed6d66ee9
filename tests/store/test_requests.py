"""Requests by their idempotency keys."""

import pytest

from metier.errors import Conflict, KeyReused, RecordNotFound
from metier.store import Conversation, KnownRequest, Store
from tests.store.support import OpenStore


async def test_a_request_is_known_again_after_a_restart(
    store: Store, talk: Conversation, open_store: OpenStore
) -> None:
    request = KnownRequest("ann", "k1", "digest", talk.id)
    await store.requests.add(request)
    await store.close()
    again = await open_store()
    assert await again.requests.find("ann", "k1") == request
    assert await again.requests.find("bob", "k1") is None


async def test_a_key_is_added_once(store: Store, talk: Conversation) -> None:
    await store.requests.add(KnownRequest("ann", "k1", "one", talk.id))
    with pytest.raises(Conflict):
        await store.requests.add(KnownRequest("ann", "k1", "two", talk.id))
    assert (await store.requests.find("ann", "k1")) == KnownRequest("ann", "k1", "one", talk.id)


async def test_the_key_of_a_deleted_conversation_is_known_as_used_and_of_nobody_else(
    store: Store, talk: Conversation
) -> None:
    await store.requests.add(KnownRequest("ann", "k1", "digest", talk.id))
    await store.conversations.delete(talk.id)
    other = await store.conversations.create("bob")
    await store.requests.add(KnownRequest("bob", "k2", "digest", other.id))
    await store.owned.delete_user("bob")
    for user, key in (("ann", "k1"), ("bob", "k2")):
        with pytest.raises(RecordNotFound, match="a conversation that is deleted"):
            await store.requests.find(user, key)
    assert (await store.requests.find("ann", "k2"), await store.requests.find("bob", "k1")) == (None, None)


async def test_a_request_belongs_to_a_conversation(store: Store) -> None:
    with pytest.raises(RecordNotFound):
        await store.requests.add(KnownRequest("ann", "k1", "digest", "nobody"))


def test_another_digest_is_refused() -> None:
    known = KnownRequest("ann", "k1", "one", "c")
    known.require_digest("one")
    with pytest.raises(KeyReused, match="another request"):
        known.require_digest("two")
