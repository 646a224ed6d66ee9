"""Conversations: who talks, in which voice, with which skill."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, get_args

from sqlalchemy import ColumnElement, Connection, Row, delete, exists, insert, or_, select, tuple_, update

from metier.errors import Conflict, RecordNotFound
from metier.store import _values as values
from metier.store._schema import conversations, messages
from metier.store._session import Session

VoiceMode = Literal["warm", "sarcastic", "wise"]
ConversationCursor: TypeAlias = tuple[datetime, str]

_VOICE_MODES: frozenset[str] = frozenset(get_args(VoiceMode))


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation as it is now."""

    id: str
    user: str
    title: str | None
    skill: str | None
    voice_mode: VoiceMode | None
    created_at: datetime
    updated_at: datetime
    last_seq: int

    @property
    def cursor(self) -> ConversationCursor:
        """Its place in a user's list: pass it as `before` to go on from here."""
        return self.updated_at, self.id


class Conversations:
    """`store.conversations`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def create(
        self,
        user: str,
        *,
        skill: str | None = None,
        voice_mode: VoiceMode | None = None,
        title: str | None = None,
        id: str | None = None,
    ) -> Conversation:
        """Start a conversation of this user. An `id` of the caller's own must be free, or it is a `Conflict`."""
        now = values.micros(self._session.now())
        row = {
            "id": self._session.new_id() if id is None else values.name(id, "id"),
            "user_id": values.name(user, "user"),
            "created_at": now,
            "updated_at": now,
            **_skill(skill),
            **_voice_mode(voice_mode),
            **_title(title),
        }
        return await self._session.write(lambda connection: _create(connection, row))

    async def get(self, conversation: str) -> Conversation:
        found = select(conversations).where(conversations.c.id == values.name(conversation, "conversation"))
        return await self._session.read(lambda connection: _one(connection.execute(found).one_or_none(), conversation))

    async def list(
        self, user: str, *, limit: int = 50, before: ConversationCursor | None = None, words: str | None = None
    ) -> tuple[Conversation, ...]:
        """A user's conversations, last used first. `before` is the `cursor` of the last one seen.

        `words` keeps those that have them in the title or in what was said, in any case.
        """
        place = tuple_(conversations.c.updated_at, conversations.c.id)
        found = (
            select(conversations)
            .where(conversations.c.user_id == values.name(user, "user"))
            .order_by(conversations.c.updated_at.desc(), conversations.c.id.desc())
            .limit(values.whole(limit, "limit", least=1))
        )
        if before is not None:
            found = found.where(place < tuple_(values.micros(before[0], "before"), values.name(before[1], "before")))
        if words is not None:
            found = found.where(_says(values.name(words, "words")))
        return await self._session.read(lambda connection: tuple(map(_record, connection.execute(found))))

    async def set_skill(self, conversation: str, skill: str | None) -> Conversation:
        """Enter a skill; `None` leaves the one it is in."""
        return await self._change(conversation, _skill(skill))

    async def set_voice_mode(self, conversation: str, voice_mode: VoiceMode | None) -> Conversation:
        return await self._change(conversation, _voice_mode(voice_mode))

    async def rename(self, conversation: str, title: str | None) -> Conversation:
        return await self._change(conversation, _title(title))

    async def delete(self, conversation: str) -> None:
        """Remove the conversation and everything that hangs on it."""
        gone = (
            delete(conversations)
            .where(conversations.c.id == values.name(conversation, "conversation"))
            .returning(conversations)
        )
        await self._session.write(lambda connection: _one(connection.execute(gone).one_or_none(), conversation))

    async def _change(self, conversation: str, changed: dict[str, str | None]) -> Conversation:
        statement = (
            update(conversations)
            .where(conversations.c.id == values.name(conversation, "conversation"))
            .values(updated_at=values.micros(self._session.now()), **changed)
            .returning(conversations)
        )

        def change(connection: Connection) -> Conversation:
            return _one(connection.execute(statement).one_or_none(), conversation)

        return await self._session.write(change)


def _create(connection: Connection, row: dict[str, str | int | None]) -> Conversation:
    taken = select(conversations.c.id).where(conversations.c.id == row["id"])
    if connection.execute(taken).one_or_none() is not None:
        raise Conflict(f"there is a conversation {row['id']!r} already", hint="choose another id")
    return _record(connection.execute(insert(conversations).values(row).returning(conversations)).one())


def _says(words: str) -> ColumnElement[bool]:
    said = exists().where(
        messages.c.conversation == conversations.c.id,
        messages.c.role.in_(("user", "assistant")),
        messages.c.content.icontains(words, autoescape=True),
    )
    return or_(conversations.c.title.icontains(words, autoescape=True), said)


def _skill(skill: str | None) -> dict[str, str | None]:
    return {"skill": values.optional(skill, "skill")}


def _voice_mode(voice_mode: str | None) -> dict[str, str | None]:
    return {"voice_mode": None if voice_mode is None else values.one_of(voice_mode, _VOICE_MODES, "voice_mode")}


def _title(title: str | None) -> dict[str, str | None]:
    return {"title": None if title is None else values.text(title, "title")}


def _one(row: Row[tuple[object, ...]] | None, conversation: str) -> Conversation:
    if row is None:
        raise RecordNotFound(f"there is no conversation {conversation!r}")
    return _record(row)


def _record(row: Row[tuple[object, ...]]) -> Conversation:
    return Conversation(
        id=row.id,
        user=row.user_id,
        title=row.title,
        skill=row.skill,
        voice_mode=row.voice_mode,
        created_at=values.moment(row.created_at),
        updated_at=values.moment(row.updated_at),
        last_seq=row.last_seq,
    )
