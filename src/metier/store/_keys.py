"""Repository of users and their API keys: only the digest of a key is kept."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Row, Text, bindparam, delete, func, insert, select, update

from metier.errors import AlreadyDecided, Conflict, InvalidRecord, RecordNotFound
from metier.json_values import JsonObject
from metier.names import suggest
from metier.store import _values as values
from metier.store._principals import KeyRole, Principal, fold_user_name, parse_roles
from metier.store.database import Session, api_keys, users

_PREFIX: Final = "mtr"
_MAX_NAME_CHARS: Final = 64
_ID = bindparam("which", type_=Text)
_SELECT_KEY = select(api_keys).where(api_keys.c.id == _ID)
_COUNT_ACTIVE = select(func.count()).select_from(api_keys).where(api_keys.c.revoked_at.is_(None))
_SELECT_ANY = select(api_keys.c.id).limit(1)


@dataclass(frozen=True, slots=True)
class User:
    """A person or program that has, or had, keys."""

    name: str
    created_at: datetime

    def to_json(self) -> JsonObject:
        return {"name": self.name, "created_at": self.created_at.isoformat()}


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key without its secret. A revoked key opens nothing and stays in the list."""

    id: str
    user: str
    roles: frozenset[KeyRole]
    label: str
    created_at: datetime
    revoked_at: datetime | None

    def to_json(self) -> JsonObject:
        return {
            "id": self.id,
            "user": self.user,
            "roles": sorted(self.roles),
            "label": self.label,
            "created_at": self.created_at.isoformat(),
            "revoked_at": self.revoked_at.isoformat() if self.revoked_at else None,
        }


@dataclass(frozen=True, slots=True)
class NewApiKey:
    """A key that was just made. `secret` is shown once: the store has only its digest."""

    key: ApiKey
    secret: str


class Users:
    """Repository behind `store.users`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def add(self, name: str) -> User:
        """Add a user; `Conflict` if there is one of this name."""
        row: dict[str, str | int] = {
            "name": _check_user_name(name),
            "created_at": values.to_micros(self._session.now()),
        }
        return await self._session.write(lambda connection: _add_user(connection, row))

    async def list(self) -> tuple[User, ...]:
        """All users by name."""
        found = select(users).order_by(users.c.name)
        return await self._session.read(lambda connection: tuple(map(_user_from_row, connection.execute(found))))

    async def remove(self, name: str) -> int:
        """Remove a user and revoke the keys; returns how many were revoked. Conversations stay."""
        values.check_name(name, "user")
        now = values.to_micros(self._session.now())
        return await self._session.write(lambda connection: _remove_user(connection, name, now))


class ApiKeys:
    """Repository behind `store.keys`. Every reading is of the database, so a revoked key is closed at once."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def create(self, user: str, roles: Iterable[KeyRole] = (), *, label: str = "") -> NewApiKey:
        """Make a key for a user; `RecordNotFound` if there is no such user."""
        key_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        row: dict[str, str | int | None] = {
            "id": key_id,
            "user_id": values.check_name(user, "user"),
            "roles": ",".join(sorted(parse_roles(roles))),
            "digest": _digest_secret(secret),
            "label": values.check_text(label, "label"),
            "created_at": values.to_micros(self._session.now()),
        }
        made = await self._session.write(lambda connection: _create_key(connection, row))
        return NewApiKey(made, f"{_PREFIX}_{key_id}_{secret}")

    async def find_owner(self, given: str) -> Principal | None:
        """Owner of a key; None if it is wrong or revoked.

        A key has 256 random bits, so SHA-256 without salt is enough: nothing can be guessed or looked up.
        """
        prefix, _, rest = given.partition("_")
        key_id, _, secret = rest.partition("_")
        if prefix != _PREFIX or not key_id.isascii() or not key_id.isalnum() or not secret:
            return None
        row = await self._session.read(
            lambda connection: connection.execute(_SELECT_KEY, {"which": key_id}).one_or_none()
        )
        expected = row.digest if row is not None else _digest_secret("")
        is_right = hmac.compare_digest(expected, _digest_secret(secret))
        if row is None or row.revoked_at is not None or not is_right:
            return None
        return Principal(row.user_id, row.id, parse_roles(row.roles))

    async def is_active(self, key_id: str) -> bool:
        """Whether there is a key with this id that was not revoked."""
        given = {"which": values.check_name(key_id, "key")}
        row = await self._session.read(lambda connection: connection.execute(_SELECT_KEY, given).one_or_none())
        return row is not None and row.revoked_at is None

    async def is_any_made(self) -> bool:
        """Whether a key was ever made, revoked ones included: revoking the last one must not open the server."""
        return await self._session.read(lambda connection: connection.execute(_SELECT_ANY).one_or_none()) is not None

    async def count_active(self) -> int:
        """How many keys are not revoked."""
        return await self._session.read(lambda connection: int(connection.execute(_COUNT_ACTIVE).scalar_one()))

    async def list(self, user: str | None = None) -> tuple[ApiKey, ...]:
        """All keys, of one user or of all, newest first."""
        found = select(api_keys).order_by(api_keys.c.created_at.desc(), api_keys.c.id)
        if user is not None:
            found = found.where(api_keys.c.user_id == values.check_name(user, "user"))
        return await self._session.read(lambda connection: tuple(map(_key_from_row, connection.execute(found))))

    async def revoke(self, key_id: str) -> ApiKey:
        """Revoke a key; `RecordNotFound` or, if it was revoked before, `AlreadyDecided`."""
        values.check_name(key_id, "key")
        now = values.to_micros(self._session.now())
        return await self._session.write(lambda connection: _revoke_key(connection, key_id, now))


def _add_user(connection: Connection, row: dict[str, str | int]) -> User:
    look = fold_user_name(str(row["name"]))
    for name in connection.execute(select(users.c.name)).scalars():
        if fold_user_name(name) == look:
            raise Conflict(f"there is a user {name!r} already", hint="metier users list shows all")
    return _user_from_row(connection.execute(insert(users).values(row).returning(users)).one())


def _remove_user(connection: Connection, name: str, now: int) -> int:
    _require_user(connection, name)
    closed = update(api_keys).where(api_keys.c.user_id == name, api_keys.c.revoked_at.is_(None))
    revoked = connection.execute(closed.values(revoked_at=now)).rowcount
    connection.execute(delete(users).where(users.c.name == name))
    return int(revoked)


def _create_key(connection: Connection, row: dict[str, str | int | None]) -> ApiKey:
    _require_user(connection, str(row["user_id"]))
    return _key_from_row(connection.execute(insert(api_keys).values(row).returning(api_keys)).one())


def _revoke_key(connection: Connection, key_id: str, now: int) -> ApiKey:
    is_open = api_keys.c.id == key_id, api_keys.c.revoked_at.is_(None)
    row = connection.execute(update(api_keys).where(*is_open).values(revoked_at=now).returning(api_keys)).one_or_none()
    if row is not None:
        return _key_from_row(row)
    row = connection.execute(_SELECT_KEY, {"which": key_id}).one_or_none()
    if row is None:
        raise RecordNotFound(f"there is no key {key_id[:80]!r}", hint="metier keys list shows all")
    at = values.from_micros(row.revoked_at).isoformat(timespec="seconds")
    raise AlreadyDecided(f"key {key_id!r} was revoked at {at}", hint="it opens nothing")


def _require_user(connection: Connection, name: str) -> None:
    known = [row.name for row in connection.execute(select(users.c.name))]
    if name not in known:
        raise RecordNotFound(f"there is no user {name[:80]!r}", hint=suggest(name, known, f"metier users add {name}"))


def _check_user_name(name: str) -> str:
    if not values.check_name(name, "user").isprintable() or len(name) > _MAX_NAME_CHARS or name != name.strip():
        raise InvalidRecord(
            f"a user cannot be called {name[:80]!r}",
            hint=f"at most {_MAX_NAME_CHARS} printable characters, no space at the ends",
        )
    return name


def _digest_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _user_from_row(row: Row[tuple[object, ...]]) -> User:
    return User(row.name, values.from_micros(row.created_at))


def _key_from_row(row: Row[tuple[object, ...]]) -> ApiKey:
    return ApiKey(
        id=row.id,
        user=row.user_id,
        roles=parse_roles(row.roles),
        label=row.label,
        created_at=values.from_micros(row.created_at),
        revoked_at=values.from_optional_micros(row.revoked_at),
    )
