"""Which records belong to a conversation or a user: the rule of every table, used for export and deletion."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, and_, delete, func, or_, select, update

from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.store import _values as values
from metier.store._requests import keep_used_keys
from metier.store.database import Session, api_keys, conversations, metadata, users

OwnerRule = Literal["conversation", "user", "account", "kept"]

# A table without a rule fails a test. `conversation`: deleted with its conversation. `user`: deleted with its user.
# `account`: who may ask; deleted with the user, but a key leaves its id. `kept`: facts without content.
OWNER_RULES: Final[Mapping[str, OwnerRule]] = MappingProxyType(
    {
        "conversations": "conversation",
        "turns": "conversation",
        "messages": "conversation",
        "events": "conversation",
        "requests": "conversation",
        "used_keys": "kept",
        "pauses": "conversation",
        "plans": "conversation",
        "facts": "conversation",
        "checkpoints": "conversation",
        "violations": "conversation",
        "exceptions": "conversation",
        "shares": "conversation",
        "feedback": "conversation",
        "profiles": "user",
        "skill_data": "user",
        "users": "account",
        "api_keys": "account",
        "audit": "kept",
    }
)
# How the server works on a record, and what keys are compared with: of no use outside.
_INTERNAL_COLUMNS: Final = frozenset({"digest", "owner", "lease_until", "lease_ttl", "fence", "last_fence"})
_JSON_COLUMNS: Final = frozenset({"answer", "data", "options", "payload", "plan", "schema", "tool_calls", "value"})
_NOBODY: Final = ""  # no user can have this name
_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class OwnedRow:
    """One record as it is stored, with the name of its table."""

    table: str
    row: JsonObject


class OwnedRecords:
    """Repository behind `store.owned`: all records of a conversation or a user, whatever their kind."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def list_conversations(self, user: str) -> tuple[str, ...]:
        """Ids of all conversations of a user, oldest first."""
        which = conversations.c.user_id == values.check_name(user, "user")
        found = select(conversations.c.id).where(which).order_by(conversations.c.created_at, conversations.c.id)
        return await self._session.read(lambda connection: tuple(connection.execute(found).scalars()))

    async def list_turns(self, conversation: str) -> tuple[str, ...]:
        """Ids of all turns of a conversation."""
        turns = metadata.tables["turns"]
        found = select(turns.c.id).where(turns.c.conversation == values.check_name(conversation, "conversation"))
        return await self._session.read(lambda connection: tuple(connection.execute(found).scalars()))

    async def get_client_id(self, conversation: str) -> str | None:
        """Id that the client chose for a conversation; None if it chose none."""
        which = conversations.c.id == values.check_name(conversation, "conversation")
        found = select(conversations.c.client_id).where(which)
        return await self._session.read(lambda connection: connection.execute(found).scalar_one_or_none())

    async def read_conversation(self, conversation: str) -> AsyncIterator[OwnedRow]:
        """Every record of a conversation, table by table."""
        values.check_name(conversation, "conversation")
        for table in _tables_with("conversation"):
            column = table.c.id if table is conversations else table.c.conversation
            async for row in self._read_rows(table, column == conversation):
                yield row

    async def read_user(self, user: str) -> AsyncIterator[OwnedRow]:
        """Every record of a user that belongs to no conversation."""
        values.check_name(user, "user")
        for table in (*_tables_with("user"), *_tables_with("account")):
            column = table.c.name if table is users else table.c.user_id
            async for row in self._read_rows(table, column == user):
                yield row

    async def has_records(self, user: str) -> bool:
        """Whether anything of a user of this name is stored, besides the name and keys."""
        values.check_name(user, "user")
        owned = [table.c.user_id for table in (conversations, *_tables_with("user"))]

        def find(connection: Connection) -> bool:
            asked = (select(column).where(column == user).limit(1) for column in owned)
            return any(connection.execute(one).first() is not None for one in asked)

        return await self._session.read(find)

    async def delete_profile(self, user: str) -> None:
        """Delete the profile of a user, the data of all skills and the facts of their conversations.

        Copies that nobody sees in a conversation go too: answers to forms, and plans that are over with their data.
        """
        values.check_name(user, "user")
        facts, pauses, plans = (metadata.tables[name] for name in ("facts", "pauses", "plans"))
        mine = select(conversations.c.id).where(conversations.c.user_id == user)
        other = plans.alias()
        newest = select(func.max(other.c.version)).where(other.c.conversation == plans.c.conversation).scalar_subquery()

        def remove(connection: Connection) -> None:
            for table in _tables_with("user"):
                which = table.c.user_id == user
                if "skill" in table.c:  # what the server counts is no content, and stays until the user is deleted
                    which = and_(which, ~table.c.skill.startswith("_", autoescape=True))
                connection.execute(delete(table).where(which))
            connection.execute(delete(facts).where(facts.c.conversation.in_(mine)))
            answered = and_(pauses.c.conversation.in_(mine), pauses.c.answered_at.is_not(None))
            connection.execute(update(pauses).where(answered).values(answer="null"))
            is_over = or_(plans.c.state != "running", plans.c.version < newest)
            connection.execute(delete(plans).where(plans.c.conversation.in_(mine), is_over))

        await self._session.write(remove)

    async def delete_user(self, user: str) -> int:
        """Delete all records of a user and return how many keys were revoked.

        The id of a key stays, without name and label: the audit log names it, and a server that had keys needs them.
        """
        values.check_name(user, "user")
        now = values.to_micros(self._session.now())
        return await self._session.write(lambda connection: _delete_user(connection, user, now))

    async def _read_rows(self, table: Table, which: ColumnElement[bool]) -> AsyncIterator[OwnedRow]:
        page, start = select(table).where(which).order_by(*table.primary_key).limit(_PAGE), 0
        while rows := await self._read_page(page.offset(start)):
            for row in rows:
                yield OwnedRow(table.name, _to_json(row._asdict()))
            start += _PAGE

    async def _read_page(self, statement: Select[tuple[object, ...]]) -> Sequence[Row[tuple[object, ...]]]:
        return await self._session.read(lambda connection: connection.execute(statement).all())


def _tables_with(rule: OwnerRule) -> tuple[Table, ...]:
    return tuple(metadata.tables[name] for name, found in OWNER_RULES.items() if found == rule)


def _delete_user(connection: Connection, user: str, now: int) -> int:
    which = conversations.c.user_id == user
    keep_used_keys(connection, which, now)
    for (conversation,) in connection.execute(select(conversations.c.id).where(which)).all():  # a statement has a limit
        connection.execute(delete(conversations).where(conversations.c.id == conversation))
    for table in _tables_with("user"):
        connection.execute(delete(table).where(table.c.user_id == user))
    is_own = api_keys.c.user_id == user
    revoked = connection.execute(update(api_keys).where(is_own, api_keys.c.revoked_at.is_(None)).values(revoked_at=now))
    connection.execute(update(api_keys).where(is_own).values(user_id=_NOBODY, label="", digest=""))
    connection.execute(delete(users).where(users.c.name == user))
    return int(revoked.rowcount)


def _to_json(row: Mapping[str, object]) -> JsonObject:
    return {name: _value_to_json(name, value) for name, value in row.items() if name not in _INTERNAL_COLUMNS}


def _value_to_json(column: str, value: object) -> JsonValue:
    if isinstance(value, int):
        is_time = column == "at" or column.endswith("_at")
        return values.from_micros(value).isoformat() if is_time else value
    if value is None or column not in _JSON_COLUMNS:
        return None if value is None else str(value)
    try:
        return load_json(str(value))
    except JsonInvalid:
        return str(value)
