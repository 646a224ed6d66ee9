"""The audit log: append-only, chained, the same on both databases."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from metier.store import AuditEntry, ChainCheck, Principal, Store, entry_from_json
from metier.store._audit import compute_hash
from tests.store.support import FakeClock, OpenStore

ANN = Principal("ann", "k1")


async def write_three(store: Store) -> tuple[AuditEntry, ...]:
    await store.audit.append(ANN, "approval.approved", "p1", {"digest": "sha256:1", "calls": [{"工具": "下发参数"}]})
    await store.audit.append(Principal("bob"), "key.created", "k2")
    await store.audit.append(ANN, "approval.rejected", "p2")
    return await store.audit.list()


async def test_lines_are_numbered_and_each_has_the_hash_of_the_one_before(store: Store) -> None:
    lines = await write_three(store)
    assert [one.number for one in lines] == [1, 2, 3]
    assert [one.previous for one in lines] == ["0" * 64, lines[0].hash, lines[1].hash]
    assert await store.audit.verify() == (3, ())


@pytest.mark.parametrize("statement", ["UPDATE audit SET user_id = 'x'", "DELETE FROM audit WHERE number = 2"])
async def test_a_line_cannot_be_changed_or_removed(store: Store, statement: str) -> None:
    await write_three(store)
    with pytest.raises(DBAPIError, match="append-only"):
        await store._session.write(lambda connection: connection.execute(text(statement)))
    assert await store.audit.verify() == (3, ())


@pytest.mark.parametrize(
    ("remove", "problem"),
    [
        (lambda lines: [lines[0], lines[2]], "line 3 follows line 1: lines between them are missing"),
        (lambda lines: [lines[1], lines[0], lines[2]], "line 1 follows line 2: lines between them are missing"),
    ],
)
async def test_a_missing_line_shows(store: Store, remove, problem: str) -> None:  # type: ignore[no-untyped-def]
    check = ChainCheck()
    check.add(remove(list(await write_three(store))))
    assert problem in check.problems


@pytest.mark.parametrize(
    ("field", "value"),
    [("user", "bob"), ("at", "2020-01-01T00:00:00+00:00"), ("action", "x"), ("target", "x"), ("data", {}), ("key", "")],
)
async def test_a_changed_field_shows_in_an_export(store: Store, field: str, value: object) -> None:
    exported = [json.loads(json.dumps(one.to_json())) for one in await write_three(store)]
    check = ChainCheck()
    check.add(map(entry_from_json, exported))
    assert check.problems == []
    exported[0][field] = value
    check = ChainCheck()
    check.add(map(entry_from_json, exported))
    assert check.problems == ["line 1 was changed after it was written"]


async def test_a_replaced_line_with_a_right_hash_breaks_the_chain(store: Store) -> None:
    lines = await write_three(store)
    forged = entry_from_json(json.loads(json.dumps(lines[1].to_json())))
    forged = replace(forged, user="eve")
    forged = replace(forged, hash=compute_hash(forged))
    check = ChainCheck()
    check.add([lines[0], forged, lines[2]])
    assert check.problems == ["line 3 does not follow line 2: one of them was replaced"]


async def test_many_writers_make_one_chain(store: Store, open_store: OpenStore) -> None:
    other = await open_store()
    await asyncio.gather(*(one.audit.append(ANN, "x", str(n)) for n in range(10) for one in (store, other)))
    assert await store.audit.verify() == (20, ())


async def test_lines_are_found_by_time_user_and_action(store: Store, clock: FakeClock) -> None:
    before = clock()
    await store.audit.append(ANN, "approval.approved", "p1")
    clock.advance(60)
    await store.audit.append(Principal("bob"), "approval_x", "p2")
    assert [one.target for one in await store.audit.list(since=before + timedelta(seconds=1))] == ["p2"]
    assert [one.target for one in await store.audit.list(until=before + timedelta(seconds=1))] == ["p1"]
    assert [one.target for one in await store.audit.list(user="bob")] == ["p2"]
    assert [one.target for one in await store.audit.list(action="approval.*")] == ["p1"]
    assert [one.target for one in await store.audit.list(action="approval.approved", limit=1)] == ["p1"]
    assert await store.audit.list(after=2) == ()


async def test_a_line_stays_when_its_conversation_is_deleted(store: Store) -> None:
    talk = await store.conversations.create("ann")
    await store.audit.append(ANN, "conversation.read", talk.id)
    await store.conversations.delete(talk.id)
    assert await store.audit.verify() == (1, ())
