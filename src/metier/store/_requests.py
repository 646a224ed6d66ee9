"""Repository of requests by idempotency key: the same key is the same request, whoever asks where and when again."""

from dataclasses import dataclass
from types import MappingProxyType

from sqlalchemy import Text, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

from metier.errors import Conflict, KeyReused
from metier.store import _values as values
from metier.store.database import Session, requests

_SELECT = select(requests).where(
    requests.c.user_id == bindparam("owner", type_=Text), requests.c.key == bindparam("name", type_=Text)
)
_INSERT_ONCE = MappingProxyType(
    {
        "postgresql": postgresql.insert(requests).on_conflict_do_nothing(),
        "sqlite": sqlite.insert(requests).on_conflict_do_nothing(),
    }
)


@dataclass(frozen=True, slots=True)
class KnownRequest:
    """Request that was made before. `digest` is that of all that it asked for."""

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
        """The user's request with this key; None if there is none."""
        given = {"owner": values.check_name(user, "user"), "name": values.check_name(key, "key")}
        row = await self._session.read(lambda connection: connection.execute(_SELECT, given).one_or_none())
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
            lambda connection: connection.execute(_INSERT_ONCE[connection.dialect.name], row).rowcount
        )
        if not added:
            raise Conflict(f"there is a request with the key {request.key[:80]!r} already", hint="read it")
