"""Repository of requests by idempotency key: the same key is the same request, whoever asks where and when again.

The key of a deleted conversation stays as a digest: its request is answered as gone and never run again.
"""

import hashlib
import json
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Row, Text, bindparam, select

from metier.errors import Conflict, KeyReused, RecordNotFound
from metier.store import _values as values
from metier.store._documents import dialect_insert
from metier.store.database import Session, conversations, requests, used_keys

_SELECT = select(requests).where(
    requests.c.user_id == bindparam("owner", type_=Text), requests.c.key == bindparam("name", type_=Text)
)
_SELECT_USED = select(used_keys.c.digest).where(used_keys.c.digest == bindparam("digest", type_=Text))


@dataclass(frozen=True, slots=True)
class KnownRequest:
    """Earlier request of a user. `digest` covers its whole content."""

    user: str
    key: str
    digest: str
    conversation: str

    def require_digest(self, digest: str) -> None:
        """Raise `KeyReused` unless the same is asked for again."""
        if digest != self.digest:
            raise KeyReused(
                f"the idempotency key {self.key[:80]!r} belongs to another request",
                hint="choose a new key for a new request; send the same body with the same key",
            )


class Requests:
    """Repository behind `store.requests`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def find(self, user: str, key: str) -> KnownRequest | None:
        """The user's request with this key; None if there is none, `RecordNotFound` if its conversation is deleted."""
        given = {"owner": values.check_name(user, "user"), "name": values.check_name(key, "key")}
        row = await self._session.read(lambda connection: _find(connection, given))
        return None if row is None else KnownRequest(row.user_id, row.key, row.digest, row.conversation)

    async def add(self, request: KnownRequest) -> None:
        """Remember a request; `Conflict` if another process has just done so."""
        row = {
            "user_id": values.check_name(request.user, "user"),
            "key": values.check_name(request.key, "key"),
            "digest": values.check_name(request.digest, "digest"),
            "conversation": values.check_name(request.conversation, "conversation"),
            "at": values.to_micros(self._session.now()),
        }
        added = await self._session.write(
            lambda connection: (
                connection.execute(dialect_insert(connection, requests).on_conflict_do_nothing(), row).rowcount
            )
        )
        if not added:
            raise Conflict(f"there is a request with the key {request.key[:80]!r} already", hint="read it")


def keep_used_keys(connection: Connection, which: ColumnElement[bool], now: int) -> None:
    """Keep the digests of the keys of conversations that are about to be deleted."""
    found = select(requests.c.user_id, requests.c.key).join(
        conversations, conversations.c.id == requests.c.conversation
    )
    rows = [{"digest": _digest_key(row.user_id, row.key), "at": now} for row in connection.execute(found.where(which))]
    if rows:
        connection.execute(dialect_insert(connection, used_keys).on_conflict_do_nothing(), rows)


def _find(connection: Connection, given: dict[str, str]) -> Row[tuple[object, ...]] | None:
    row = connection.execute(_SELECT, given).one_or_none()
    digest = {"digest": _digest_key(given["owner"], given["name"])}
    if row is None and connection.execute(_SELECT_USED, digest).one_or_none() is not None:
        raise RecordNotFound(
            f"the request with the key {given['name'][:80]!r} was answered in a conversation that is deleted",
            hint="it does not run again; choose a new key for a new request",
        )
    return row


def _digest_key(user: str, key: str) -> str:
    return hashlib.sha256(json.dumps([user, key]).encode()).hexdigest()
