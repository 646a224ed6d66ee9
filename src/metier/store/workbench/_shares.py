"""Repository of share links: read-only access to one conversation by a token, of which only the digest is kept."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, insert, select, update

from metier.errors import RecordNotFound
from metier.json_values import JsonObject
from metier.store import _values as values
from metier.store._claims import require_conversation
from metier.store.database import Session, conversations, shares


@dataclass(frozen=True, slots=True)
class Share:
    """A share link without its token. It shows the title and the events up to `last_seq` of when it was made."""

    id: str
    conversation: str
    last_seq: int
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    title: str | None = None

    def to_json(self) -> JsonObject:
        """Convert to the JSON of the API."""
        return {
            "id": self.id,
            "conversation": self.conversation,
            "created_at": self.created_at.isoformat(),
            "expires_at": self.expires_at.isoformat() if self.expires_at else None,
            "revoked_at": self.revoked_at.isoformat() if self.revoked_at else None,
        }


@dataclass(frozen=True, slots=True)
class NewShare:
    """A share link that was just made. `token` is told once."""

    share: Share
    token: str


class Shares:
    """Repository behind `store.shares`. Every token is looked up in the database, so revoking holds at once."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def create(self, conversation: str, *, expires_at: datetime | None = None) -> NewShare:
        """Make a link to what the conversation holds now."""
        token = secrets.token_urlsafe(32)
        row: dict[str, str | int | None] = {
            "id": self._session.new_id(),
            "conversation": values.check_name(conversation, "conversation"),
            "digest": _digest_token(token),
            "created_at": values.to_micros(self._session.now()),
            "expires_at": None if expires_at is None else values.to_micros(expires_at, "expires_at"),
        }
        return NewShare(await self._session.write(lambda connection: _create(connection, row)), token)

    async def get(self, share: str) -> Share:
        """The link with this id, or `RecordNotFound`."""
        found = select(shares).where(shares.c.id == values.check_name(share, "share"))
        row = await self._session.read(lambda connection: connection.execute(found).one_or_none())
        return _from_row_or_raise(row, share)

    async def find_by_token(self, token: str) -> Share | None:
        """The link with this token; None if it is unknown, revoked or expired.

        A token has 256 random bits, so SHA-256 without salt is enough.
        """
        found = select(shares).where(shares.c.digest == _digest_token(token), shares.c.revoked_at.is_(None))
        row = await self._session.read(lambda connection: connection.execute(found).one_or_none())
        if row is None or (row.expires_at is not None and row.expires_at <= values.to_micros(self._session.now())):
            return None
        return _from_row(row)

    async def list(self, conversation: str) -> tuple[Share, ...]:
        """All links to a conversation, newest first, revoked and expired ones included."""
        which = shares.c.conversation == values.check_name(conversation, "conversation")
        found = select(shares).where(which).order_by(shares.c.created_at.desc(), shares.c.id)
        return await self._session.read(lambda connection: tuple(map(_from_row, connection.execute(found))))

    async def revoke(self, share: str) -> Share:
        """Close the link; a link that is closed already stays as it is."""
        values.check_name(share, "share")
        now = values.to_micros(self._session.now())
        return await self._session.write(lambda connection: _revoke(connection, share, now))


def _create(connection: Connection, row: dict[str, str | int | None]) -> Share:
    conversation = str(row["conversation"])
    require_conversation(connection, conversation)
    now = {
        name: select(conversations.c[name]).where(conversations.c.id == conversation).scalar_subquery()
        for name in ("last_seq", "title")
    }
    return _from_row(connection.execute(insert(shares).values(**row, **now).returning(shares)).one())


def _revoke(connection: Connection, share: str, now: int) -> Share:
    connection.execute(update(shares).where(shares.c.id == share, shares.c.revoked_at.is_(None)).values(revoked_at=now))
    return _from_row_or_raise(connection.execute(select(shares).where(shares.c.id == share)).one_or_none(), share)


def _digest_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _from_row_or_raise(row: Row[tuple[object, ...]] | None, share: str) -> Share:
    if row is None:
        raise RecordNotFound(f"there is no share link {share!r}")
    return _from_row(row)


def _from_row(row: Row[tuple[object, ...]]) -> Share:
    return Share(
        id=row.id,
        conversation=row.conversation,
        last_seq=row.last_seq,
        created_at=values.from_micros(row.created_at),
        expires_at=values.from_optional_micros(row.expires_at),
        revoked_at=values.from_optional_micros(row.revoked_at),
        title=row.title,
    )
