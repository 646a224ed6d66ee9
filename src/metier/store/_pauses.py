"""Repository of pauses: questions to a person with a JSON Schema for the answer; answered once, may expire."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import BigInteger, Connection, Integer, Row, Text, bindparam, insert, or_, select, update

from metier.errors import AlreadyDecided, RecordNotFound, Refused
from metier.json_values import JsonObject, JsonValue
from metier.store import _values as values
from metier.store._claims import Claim
from metier.store._principals import Principal
from metier.store.database import Session, belongs_to_user, pauses

PauseKind = Literal["approval", "arguments", "parameters", "question", "exception"]

_KINDS: frozenset[str] = frozenset(get_args(PauseKind))
_NOW = bindparam("now", type_=BigInteger)
_SELECT_OPEN = (
    select(pauses)
    .where(pauses.c.answered_at.is_(None), or_(pauses.c.expires_at.is_(None), pauses.c.expires_at > _NOW))
    .order_by(pauses.c.opened_at, pauses.c.id)
    .limit(bindparam("limit", type_=Integer))
)
_SELECT_OPEN_IN = _SELECT_OPEN.where(pauses.c.conversation == bindparam("which", type_=Text))


@dataclass(frozen=True, slots=True)
class Pause:
    """A question to a person. `answered_at` distinguishes the answer `null` from no answer yet.

    If `replayed`, the same answer was stored before.
    """

    id: str
    conversation: str
    turn: str | None
    key: str
    kind: PauseKind
    schema: JsonObject
    payload: JsonObject
    opened_at: datetime
    expires_at: datetime | None
    answer: JsonValue
    answer_key: str | None
    answered_at: datetime | None
    answered_by: str | None = None
    answered_key: str | None = None
    replayed: bool = field(default=False, compare=False)

    @property
    def answerer(self) -> Principal | None:
        """Who answered, with which key; None if that was a trusted caller or nobody."""
        return Principal(self.answered_by, self.answered_key or "") if self.answered_by else None


class Pauses:
    """Repository behind `store.pauses`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def open(
        self,
        conversation: str,
        kind: PauseKind,
        *,
        key: str,
        schema: JsonObject,
        payload: JsonObject,
        turn: str | None = None,
        expires_at: datetime | None = None,
        fence: int | None = None,
    ) -> Pause:
        """Open a pause. If the conversation already has one with this `key`, it is returned unchanged."""
        claim = Claim(conversation, turn, fence)
        row: dict[str, str | int | None] = {
            "id": self._session.new_id(),
            "conversation": conversation,
            "turn": turn,
            "key": values.check_name(key, "key"),
            "kind": values.check_choice(kind, _KINDS, "pause kind"),
            "schema": values.encode_object(schema, "schema"),
            "payload": values.encode_object(payload, "payload"),
            "opened_at": values.to_micros(self._session.now()),
            "expires_at": None if expires_at is None else values.to_micros(expires_at, "expires_at"),
        }
        return await self._session.write(lambda connection: _open(connection, claim, row))

    async def answer(
        self, pause: str, answer: JsonValue, *, answer_key: str | None = None, by: Principal | None = None
    ) -> Pause:
        """Store the answer; the first one is final (`AlreadyDecided`), and an expired pause is `Refused`.

        Repeating the same answer under the same `answer_key` succeeds, so that a client can retry.
        """
        values.check_name(pause, "pause")
        given = {
            "answer": values.encode_json(answer, "answer"),
            "answer_key": values.check_optional_name(answer_key, "answer_key"),
            "answered_at": values.to_micros(self._session.now()),
            "answered_by": values.check_optional_name(by.user if by else None, "user"),
            "answered_key": by.key if by else None,
        }
        return await self._session.write(lambda connection: _answer(connection, pause, given))

    async def amend(self, pause: str, changes: JsonObject) -> Pause:
        """Set these keys in the payload of an open pause; an answered one is `AlreadyDecided`."""
        values.check_name(pause, "pause")
        return await self._session.write(lambda connection: _amend(connection, pause, changes))

    async def forget(self, pause: str, keys: Sequence[str]) -> Pause:
        """Remove these keys from the payload of an answered pause; an open one is `Refused`, as it needs them."""
        values.check_name(pause, "pause")
        return await self._session.write(lambda connection: _forget(connection, pause, frozenset(keys)))

    async def get(self, pause: str) -> Pause:
        """The pause with this id, or `RecordNotFound`."""
        values.check_name(pause, "pause")
        return await self._session.read(lambda connection: _from_row(_find(connection, pause)))

    async def find_by_answer_key(self, conversation: str, answer_key: str) -> Pause | None:
        """The pause that was answered with this key; None if there is none."""
        same = select(pauses).where(
            pauses.c.conversation == values.check_name(conversation, "conversation"),
            pauses.c.answer_key == values.check_name(answer_key, "answer_key"),
        )
        row = await self._session.read(lambda connection: connection.execute(same.limit(1)).one_or_none())
        return None if row is None else _from_row(row)

    async def list_open(
        self,
        conversation: str | None = None,
        *,
        user: str | None = None,
        kinds: Sequence[PauseKind] = (),
        limit: int = 100,
    ) -> tuple[Pause, ...]:
        """Unanswered pauses that have not expired, oldest first; of one conversation, one user, some kinds, or all."""
        given: dict[str, str | int] = {
            "now": values.to_micros(self._session.now()),
            "limit": values.check_integer(limit, "limit", least=1),
        }
        waiting = _SELECT_OPEN
        if conversation is not None:
            waiting = _SELECT_OPEN_IN
            given["which"] = values.check_name(conversation, "conversation")
        if (is_own := belongs_to_user(pauses.c.conversation, user)) is not None:
            waiting = waiting.where(is_own)
        if kinds:
            waiting = waiting.where(pauses.c.kind.in_(kinds))
        return await self._session.read(lambda connection: tuple(map(_from_row, connection.execute(waiting, given))))

    async def list_answered(self, conversation: str, kind: PauseKind, *, limit: int = 1_000) -> tuple[Pause, ...]:
        """Answered pauses of one kind in a conversation, newest first."""
        done = (
            select(pauses)
            .where(
                pauses.c.conversation == values.check_name(conversation, "conversation"),
                pauses.c.kind == values.check_choice(kind, _KINDS, "pause kind"),
                pauses.c.answered_at.is_not(None),
            )
            .order_by(pauses.c.answered_at.desc(), pauses.c.id)
            .limit(values.check_integer(limit, "limit", least=1))
        )
        return await self._session.read(lambda connection: tuple(map(_from_row, connection.execute(done))))


def _open(connection: Connection, claim: Claim, row: dict[str, str | int | None]) -> Pause:
    same = select(pauses).where(pauses.c.conversation == claim.conversation, pauses.c.key == row["key"])
    opened = claim.insert_row(connection, pauses, row, ~same.exists())
    if opened is not None:
        return _from_row(opened)
    claim.lock_conversation(connection)
    earlier = connection.execute(same).one_or_none()
    return _from_row(earlier or connection.execute(insert(pauses).values(row).returning(pauses)).one())


def _answer(connection: Connection, pause: str, given: dict[str, str | int | None]) -> Pause:
    now = given["answered_at"]
    first = (
        update(pauses)
        .where(
            pauses.c.id == pause,
            pauses.c.answered_at.is_(None),
            or_(pauses.c.expires_at.is_(None), pauses.c.expires_at > now),
        )
        .values(given)
        .returning(pauses)
    )
    row = connection.execute(first).one_or_none()
    return _from_row(row) if row is not None else _check_repeated_answer(_find(connection, pause), given)


def _amend(connection: Connection, pause: str, changes: JsonObject) -> Pause:
    payload = values.encode_object({**values.decode_object(_find(connection, pause).payload), **changes}, "payload")
    is_open = pauses.c.answered_at.is_(None)
    changed = update(pauses).where(pauses.c.id == pause, is_open).values(payload=payload).returning(pauses)
    row = connection.execute(changed).one_or_none()
    if row is None:
        raise AlreadyDecided(f"pause {pause!r} was answered", hint="the first answer stands; read it with pauses.get")
    return _from_row(row)


def _forget(connection: Connection, pause: str, keys: frozenset[str]) -> Pause:
    row = _find(connection, pause)
    if row.answered_at is None:
        raise Refused(f"pause {pause!r} is not answered yet", hint="its payload is needed to go on after the answer")
    payload = values.decode_object(row.payload)
    if keys.isdisjoint(payload):
        return _from_row(row)
    kept = values.encode_object({key: value for key, value in payload.items() if key not in keys}, "payload")
    shortened = update(pauses).where(pauses.c.id == pause).values(payload=kept).returning(pauses)
    return _from_row(connection.execute(shortened).one())


def _check_repeated_answer(row: Row[tuple[object, ...]], given: dict[str, str | int | None]) -> Pause:
    if row.answered_at is None:
        raise Refused(
            f"pause {row.id!r} expired at {values.from_micros(row.expires_at).isoformat(timespec='seconds')}",
            hint="ask again: the turn can be started anew",
        )
    same_answer = values.decode_json(row.answer) == values.decode_json(str(given["answer"]))
    if row.answer_key is not None and row.answer_key == given["answer_key"] and same_answer:
        return replace(_from_row(row), replayed=True)
    raise AlreadyDecided(
        f"pause {row.id!r} was answered at {values.from_micros(row.answered_at).isoformat(timespec='seconds')}",
        hint="the first answer stands; read it with pauses.get",
    )


def _find(connection: Connection, pause: str) -> Row[tuple[object, ...]]:
    row = connection.execute(select(pauses).where(pauses.c.id == pause)).one_or_none()
    if row is None:
        raise RecordNotFound(f"there is no pause {pause!r}")
    return row


def _from_row(row: Row[tuple[object, ...]]) -> Pause:
    return Pause(
        id=row.id,
        conversation=row.conversation,
        turn=row.turn,
        key=row.key,
        kind=row.kind,
        schema=values.decode_object(row.schema),
        payload=values.decode_object(row.payload),
        opened_at=values.from_micros(row.opened_at),
        expires_at=values.from_optional_micros(row.expires_at),
        answer=None if row.answer is None else values.decode_json(row.answer),
        answer_key=row.answer_key,
        answered_at=values.from_optional_micros(row.answered_at),
        answered_by=row.answered_by,
        answered_key=row.answered_key,
    )
