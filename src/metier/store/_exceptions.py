"""Repository of gate exceptions: requested with a reason, decided once by a person or a policy."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Connection, Row, insert, select, update

from metier.errors import AlreadyDecided, RecordNotFound
from metier.store import _values as values
from metier.store._claims import Claim
from metier.store.database import Session, belongs_to_user, exceptions, is_equal, select_newest

ExceptionState = Literal["requested", "granted", "denied"]
Ruling = Literal["granted", "denied"]

_STATES: frozenset[str] = frozenset(get_args(ExceptionState))
_RULINGS: frozenset[str] = frozenset(get_args(Ruling))


@dataclass(frozen=True, slots=True)
class ExceptionRequest:
    """A request to use a tool that the gate refuses, with its decision once there is one."""

    id: str
    conversation: str
    turn: str | None
    tool: str
    reason: str
    skill: str | None
    state: ExceptionState
    requested_at: datetime
    decided_by: str | None
    note: str | None
    decided_at: datetime | None


class Exceptions:
    """Repository behind `store.exceptions`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def request(
        self, conversation: str, *, tool: str, reason: str, skill: str | None = None, turn: str | None = None
    ) -> ExceptionRequest:
        """Store a request in the state `requested`."""
        claim = Claim(conversation, turn)
        row: dict[str, str | int | None] = {
            "id": self._session.new_id(),
            "conversation": conversation,
            "turn": turn,
            "tool": values.check_name(tool, "tool"),
            "reason": values.check_text(reason, "reason"),
            "skill": values.check_optional_name(skill, "skill"),
            "state": "requested",
            "requested_at": values.to_micros(self._session.now()),
        }
        return await self._session.write(lambda connection: _insert(connection, claim, row))

    async def decide(self, request: str, ruling: Ruling, *, by: str, note: str | None = None) -> ExceptionRequest:
        """Grant or deny a request. The first ruling is final (`AlreadyDecided`); repeating it unchanged is allowed."""
        values.check_name(request, "exception request")
        ruled: dict[str, str | int | None] = {
            "state": values.check_choice(ruling, _RULINGS, "ruling"),
            "decided_by": values.check_name(by, "by"),
            "note": None if note is None else values.check_text(note, "note"),
            "decided_at": values.to_micros(self._session.now()),
        }
        return await self._session.write(lambda connection: _decide(connection, request, ruled))

    async def list(
        self,
        *,
        conversation: str | None = None,
        user: str | None = None,
        turn: str | None = None,
        state: ExceptionState | None = None,
        limit: int = 100,
    ) -> tuple[ExceptionRequest, ...]:
        """Requests, newest first. Filter by `turn=…, state="granted"` for the exceptions in force in a turn."""
        found = select_newest(
            exceptions,
            exceptions.c.requested_at,
            limit,
            is_equal(exceptions.c.conversation, conversation, "conversation"),
            belongs_to_user(exceptions.c.conversation, user),
            is_equal(exceptions.c.turn, turn, "turn"),
            None if state is None else exceptions.c.state == values.check_choice(state, _STATES, "state"),
        )
        return await self._session.read(lambda connection: tuple(map(_from_row, connection.execute(found))))


def _insert(connection: Connection, claim: Claim, row: dict[str, str | int | None]) -> ExceptionRequest:
    claim.lock_conversation(connection)
    return _from_row(connection.execute(insert(exceptions).values(row).returning(exceptions)).one())


def _decide(connection: Connection, request: str, ruled: dict[str, str | int | None]) -> ExceptionRequest:
    undecided = exceptions.c.id == request, exceptions.c.state == "requested"
    first = update(exceptions).where(*undecided).values(ruled).returning(exceptions)
    row = connection.execute(first).one_or_none()
    if row is not None:
        return _from_row(row)
    row = connection.execute(select(exceptions).where(exceptions.c.id == request)).one_or_none()
    if row is None:
        raise RecordNotFound(f"there is no exception request {request!r}")
    if (row.state, row.decided_by) == (ruled["state"], ruled["decided_by"]):
        return _from_row(row)
    raise AlreadyDecided(
        f"exception request {request!r} was {row.state} by {row.decided_by!r}", hint="that ruling stands"
    )


def _from_row(row: Row[tuple[object, ...]]) -> ExceptionRequest:
    return ExceptionRequest(
        id=row.id,
        conversation=row.conversation,
        turn=row.turn,
        tool=row.tool,
        reason=row.reason,
        skill=row.skill,
        state=row.state,
        requested_at=values.from_micros(row.requested_at),
        decided_by=row.decided_by,
        note=row.note,
        decided_at=values.from_optional_micros(row.decided_at),
    )
