"""Repositories of user profiles and of the data that each skill stores per user."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import select

from metier.json_values import JsonObject, JsonValue
from metier.store import _values as values
from metier.store._documents import DocumentChange, apply_change, check_fields, read_document, read_fields
from metier.store.database import Session, profiles, skill_data

if TYPE_CHECKING:
    from metier.store._store import Transaction


@dataclass(frozen=True, slots=True)
class Profile:
    """Profile of a user as stored by a change."""

    user: str
    data: JsonObject
    version: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class SkillData:
    """Data of one skill for one user; version 0 if nothing is stored yet."""

    user: str
    skill: str
    data: JsonObject
    version: int


class Profiles:
    """Repository behind `store.profiles`. A user without a profile has an empty one."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(self, user: str, fields: Sequence[str] | None = None) -> JsonObject:
        """Whole profile, or a flat `{path: value}` of those `fields` (dotted paths: `birth.year`) that are set."""
        key = {"user_id": values.check_name(user, "user")}
        if fields is not None:
            check_fields(fields)
            return await self._session.read(lambda connection: read_fields(connection, profiles, key, fields))
        row = await self._session.read(lambda connection: read_document(connection, profiles, key))
        return {} if row is None else values.decode_object(row.data)

    async def list_users(self) -> tuple[str, ...]:
        """Everybody who has a profile, in order: also who has no account, such as a user of the terminal."""
        found = select(profiles.c.user_id).order_by(profiles.c.user_id)
        return await self._session.read(lambda connection: tuple(row.user_id for row in connection.execute(found)))

    async def set(self, user: str, data: JsonObject) -> Profile:
        """Replace the whole profile."""
        return await self._change(user, data, merge=False)

    async def merge(self, user: str, patch: JsonObject) -> Profile:
        """Merge deeply (RFC 7396): objects merge, `null` removes a key, anything else replaces."""
        return await self._change(user, patch, merge=True)

    async def _change(self, user: str, data: JsonObject, *, merge: bool) -> Profile:
        key = {"user_id": values.check_name(user, "user")}
        change = DocumentChange(data, merge, values.to_micros(self._session.now()))
        row = await self._session.write(lambda connection: apply_change(connection, profiles, key, change))
        return Profile(user, values.decode_object(row.data), row.version, values.from_micros(row.updated_at))


class SkillDataAccess:
    """Repository behind `store.skill_data`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def get(self, user: str, skill: str) -> SkillData:
        """Data of this skill for this user; empty with version 0 if there is none."""
        key = _key(user, skill)
        row = await self._session.read(lambda connection: read_document(connection, skill_data, key))
        if row is None:
            return SkillData(user, skill, {}, 0)
        return SkillData(user, skill, values.decode_object(row.data), row.version)

    async def get_fields(self, user: str, skill: str, fields: Sequence[str]) -> JsonObject:
        """A flat `{path: value}` of those dotted paths of the data that are set."""
        key = _key(user, skill)
        check_fields(fields)
        return await self._session.read(lambda connection: read_fields(connection, skill_data, key, fields))

    async def list(self, user: str) -> tuple[SkillData, ...]:
        """Data of all skills for this user, by skill."""
        which = skill_data.c.user_id == values.check_name(user, "user")
        found = select(skill_data.c.skill, skill_data.c.data, skill_data.c.version).where(which)
        ordered = found.order_by(skill_data.c.skill)
        rows = await self._session.read(lambda connection: connection.execute(ordered).all())
        return tuple(SkillData(user, row.skill, values.decode_object(row.data), row.version) for row in rows)

    async def merge(self, user: str, skill: str, patch: JsonObject, *, expect_version: int | None = None) -> SkillData:
        """Merge a patch as `profiles.merge` does; `Conflict` if the version is not `expect_version`."""
        key = _key(user, skill)
        change = DocumentChange(patch, True, values.to_micros(self._session.now()), expect_version)
        row = await self._session.write(lambda connection: apply_change(connection, skill_data, key, change))
        return SkillData(user, skill, values.decode_object(row.data), row.version)


def _key(user: str, skill: str) -> dict[str, str]:
    return {"user_id": values.check_name(user, "user"), "skill": values.check_name(skill, "skill")}


async def write_user_data(user: str, changes: Mapping[str, JsonValue], tx: "Transaction") -> Mapping[str, JsonObject]:
    """Replace the values at these paths of the profile and of skill data (`skill_data.coach.plan`); None removes one.

    A stored object is removed first, so that none of its keys stay. Returns each changed document as stored, by the
    name of its skill; the profile has the name `""`.
    """
    stored: dict[str, JsonObject] = {}
    for path, value in changes.items():
        head, _, rest = path.partition(".")
        owner, _, inside = rest.partition(".")
        is_skill_data = head == "skill_data" and bool(inside)
        patches = [None, value] if isinstance(value, Mapping) else [value]
        for one in patches:
            if is_skill_data:
                stored[owner] = (await tx.skill_data.merge(user, owner, _nest(inside, one))).data
            else:
                stored[""] = (await tx.profiles.merge(user, _nest(path, one))).data
    return stored


def _nest(path: str, value: JsonValue) -> JsonObject:
    """`birth.year`, 1990 as `{"birth": {"year": 1990}}`."""
    for key in reversed(path.split(".")):
        value = {key: value}
    return value if isinstance(value, Mapping) else {}
