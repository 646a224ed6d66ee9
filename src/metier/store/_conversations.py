"""Repository of conversations: user, title, active skill, voice mode and chosen model."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias, get_args

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Text,
    bindparam,
    case,
    delete,
    exists,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from metier.errors import RecordNotFound
from metier.store import _values as values
from metier.store._documents import dialect_insert
from metier.store._requests import keep_used_keys
from metier.store.database import Session, conversations, messages

VoiceMode = Literal["warm", "sarcastic", "wise"]
ChosenBy = Literal["user", "caller", "router", "model"]
ConversationCursor: TypeAlias = tuple[datetime, str]

_VOICE_MODES: frozenset[str] = frozenset(get_args(VoiceMode))
_CHOOSERS: frozenset[str] = frozenset(get_args(ChosenBy))
_SELECT = select(conversations).where(conversations.c.id == bindparam("which", type_=Text))
_CLIENT_ID = bindparam("client", type_=Text)
_SELECT_FOR_CLIENT = (
    select(conversations)
    .where(
        conversations.c.user_id == bindparam("owner", type_=Text),
        or_(conversations.c.id == _CLIENT_ID, conversations.c.client_id == _CLIENT_ID),
    )
    .order_by(case((conversations.c.id == _CLIENT_ID, 0), else_=1))
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Conversation:
    """Current state of one conversation."""

    id: str
    user: str
    title: str | None
    skill: str | None
    skill_chosen_by: ChosenBy | None
    voice_mode: VoiceMode | None
    created_at: datetime
    updated_at: datetime
    last_seq: int
    model: str | None = None
    pinned_at: datetime | None = None
    branch_of: str | None = None
    last_fence: int = field(default=0, compare=False)

    @property
    def cursor(self) -> ConversationCursor:
        """Pagination cursor: pass it as `before` to `Conversations.list` to get the next page."""
        return self.updated_at, self.id


class Conversations:
    """Repository behind `store.conversations`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def create(
        self,
        user: str,
        *,
        skill: str | None = None,
        voice_mode: VoiceMode | None = None,
        model: str | None = None,
        title: str | None = None,
    ) -> Conversation:
        """Create a conversation for this user."""
        row = {
            **self._new_row(user),
            **_skill_columns(skill, None),
            **_voice_mode_column(voice_mode),
            **_model_column(model),
            **_title_column(title),
        }
        made = insert(conversations).values(row).returning(conversations)
        return await self._session.write(lambda connection: _from_row(connection.execute(made).one()))

    async def find_for_client(self, user: str, client_id: str) -> Conversation | None:
        """The user's conversation with this id, or the one that was opened under it by `open_for_client`."""
        given = {"owner": values.check_name(user, "user"), "client": values.check_name(client_id, "client_id")}
        row = await self._session.read(lambda connection: connection.execute(_SELECT_FOR_CLIENT, given).first())
        return None if row is None else _from_row(row)

    async def open_for_client(self, user: str, client_id: str) -> Conversation:
        """As `find_for_client`; if there is none, one is created, with an id of its own.

        A client may choose any text as its id: it is only compared, with the ids of the same user.
        """
        given = {"owner": values.check_name(user, "user"), "client": values.check_name(client_id, "client_id")}
        row = self._new_row(user) | {"client_id": client_id}
        return await self._session.write(lambda connection: _open_for_client(connection, given, row))

    def _new_row(self, user: str) -> dict[str, str | int | None]:
        now = values.to_micros(self._session.now())
        owner = values.check_name(user, "user")
        return {"id": self._session.new_id(), "user_id": owner, "created_at": now, "updated_at": now}

    async def get(self, conversation: str) -> Conversation:
        """The conversation with this id, or `RecordNotFound`."""
        given = {"which": values.check_name(conversation, "conversation")}
        return await self._session.read(
            lambda connection: _from_row_or_raise(connection.execute(_SELECT, given).one_or_none(), conversation)
        )

    async def list(
        self, user: str, *, limit: int = 50, before: ConversationCursor | None = None, words: str | None = None
    ) -> tuple[Conversation, ...]:
        """Conversations of a user, most recently updated first. `before` is the `cursor` of the last one seen.

        `words` keeps conversations that contain this text, ignoring case, in the title or in a message.
        """
        place = tuple_(conversations.c.updated_at, conversations.c.id)
        found = (
            select(conversations)
            .where(conversations.c.user_id == values.check_name(user, "user"))
            .order_by(conversations.c.updated_at.desc(), conversations.c.id.desc())
            .limit(values.check_integer(limit, "limit", least=1))
        )
        if before is not None:
            found = found.where(
                place < tuple_(values.to_micros(before[0], "before"), values.check_name(before[1], "before"))
            )
        if words is not None:
            found = found.where(_contains_words(values.check_name(words, "words")))
        return await self._session.read(lambda connection: tuple(map(_from_row, connection.execute(found))))

    async def set_skill(self, conversation: str, skill: str | None, *, by: ChosenBy | None = None) -> Conversation:
        """Set the active skill and who chose it; `None` leaves the current one."""
        return await self._change(conversation, _skill_columns(skill, by))

    async def set_voice_mode(self, conversation: str, voice_mode: VoiceMode | None) -> Conversation:
        """Set the voice mode; `None` clears it."""
        return await self._change(conversation, _voice_mode_column(voice_mode))

    async def set_model(self, conversation: str, model: str | None) -> Conversation:
        """Set the model that the user chose for this conversation; `None` leaves the choice to the settings."""
        return await self._change(conversation, _model_column(model))

    async def rename(self, conversation: str, title: str | None) -> Conversation:
        """Set the title; `None` clears it."""
        return await self._change(conversation, _title_column(title))

    async def set_pinned(self, conversation: str, *, pinned: bool) -> Conversation:
        """Pin the conversation to the top of the list, or unpin it; that is no use of it."""
        now = values.to_micros(self._session.now()) if pinned else None
        statement = (
            update(conversations)
            .where(conversations.c.id == values.check_name(conversation, "conversation"))
            .values(pinned_at=now)
            .returning(conversations)
        )
        return await self._session.write(
            lambda connection: _from_row_or_raise(connection.execute(statement).one_or_none(), conversation)
        )

    async def list_pinned(self, user: str, *, limit: int = 50) -> tuple[Conversation, ...]:
        """Pinned conversations of a user, the last pinned first."""
        found = (
            select(conversations)
            .where(conversations.c.user_id == values.check_name(user, "user"), conversations.c.pinned_at.is_not(None))
            .order_by(conversations.c.pinned_at.desc(), conversations.c.id)
            .limit(values.check_integer(limit, "limit", least=1))
        )
        return await self._session.read(lambda connection: tuple(map(_from_row, connection.execute(found))))

    async def delete(self, conversation: str) -> None:
        """Delete the conversation with its messages, events, turns and all other dependent records."""
        which = conversations.c.id == values.check_name(conversation, "conversation")
        gone = delete(conversations).where(which).returning(conversations)
        now = values.to_micros(self._session.now())

        def remove(connection: Connection) -> Conversation:
            keep_used_keys(connection, which, now)
            return _from_row_or_raise(connection.execute(gone).one_or_none(), conversation)

        await self._session.write(remove)

    async def _change(self, conversation: str, changed: dict[str, str | None]) -> Conversation:
        statement = (
            update(conversations)
            .where(conversations.c.id == values.check_name(conversation, "conversation"))
            .values(updated_at=values.to_micros(self._session.now()), **changed)
            .returning(conversations)
        )

        def change(connection: Connection) -> Conversation:
            return _from_row_or_raise(connection.execute(statement).one_or_none(), conversation)

        return await self._session.write(change)


def _open_for_client(connection: Connection, given: dict[str, str], row: dict[str, str | int | None]) -> Conversation:
    found = connection.execute(_SELECT_FOR_CLIENT, given).first()
    if found is None:  # two requests may be here at once
        connection.execute(dialect_insert(connection, conversations).on_conflict_do_nothing(), row)
        found = connection.execute(_SELECT_FOR_CLIENT, given).one()
    return _from_row(found)


def _contains_words(words: str) -> ColumnElement[bool]:
    said = exists().where(
        messages.c.conversation == conversations.c.id,
        messages.c.role.in_(("user", "assistant")),
        messages.c.content.icontains(words, autoescape=True),
    )
    return or_(conversations.c.title.icontains(words, autoescape=True), said)


def _skill_columns(skill: str | None, by: str | None) -> dict[str, str | None]:
    chosen_by = None if by is None or skill is None else values.check_choice(by, _CHOOSERS, "by")
    return {"skill": values.check_optional_name(skill, "skill"), "skill_chosen_by": chosen_by}


def _voice_mode_column(voice_mode: str | None) -> dict[str, str | None]:
    return {"voice_mode": None if voice_mode is None else values.check_choice(voice_mode, _VOICE_MODES, "voice_mode")}


def _model_column(model: str | None) -> dict[str, str | None]:
    return {"model": values.check_optional_name(model, "model")}


def _title_column(title: str | None) -> dict[str, str | None]:
    return {"title": None if title is None else values.check_text(title, "title")}


def _from_row_or_raise(row: Row[tuple[object, ...]] | None, conversation: str) -> Conversation:
    if row is None:
        raise RecordNotFound(f"there is no conversation {conversation!r}")
    return _from_row(row)


def _from_row(row: Row[tuple[object, ...]]) -> Conversation:
    return Conversation(
        id=row.id,
        user=row.user_id,
        title=row.title,
        skill=row.skill,
        skill_chosen_by=row.skill_chosen_by,
        voice_mode=row.voice_mode,
        model=row.model,
        created_at=values.from_micros(row.created_at),
        updated_at=values.from_micros(row.updated_at),
        last_seq=row.last_seq,
        pinned_at=values.from_optional_micros(row.pinned_at),
        branch_of=row.branch_of,
        last_fence=row.last_fence,
    )
