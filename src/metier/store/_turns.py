"""Repository of turns: at most one running per conversation, under a lease with an expiry and a fencing token."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Integer,
    Row,
    Text,
    bindparam,
    insert,
    literal,
    select,
    update,
)

from metier.errors import ConversationBusy, LeaseLost, RecordNotFound, Refused
from metier.store import _values as values
from metier.store._claims import Claim, require_conversation
from metier.store._events import EVENT_KINDS, EventKind
from metier.store.database import Session, conversations, events, turns

TurnStatus = Literal["running", "paused", "done", "failed", "interrupted"]
TurnEndStatus = Literal["paused", "done", "failed", "interrupted"]

_END_STATUSES: frozenset[str] = frozenset(get_args(TurnEndStatus))
_RESUMABLE = frozenset({"paused", "interrupted"})

# Statements of every turn, built once so that SQLAlchemy caches them.
_TURN = bindparam("turn", type_=Text)
_CONVERSATION = bindparam("which", type_=Text)
_SELECT = select(turns).where(turns.c.id == _TURN)
_SELECT_LOCKED = _SELECT.with_for_update()
_SELECT_NEWEST = (
    select(turns)
    .where(turns.c.conversation == _CONVERSATION)
    .order_by(turns.c.fence.desc())
    .limit(bindparam("limit", type_=Integer))
)
_NEWEST = _SELECT_NEWEST.subquery()
_HAS_EVENT = select(events.c.turn).where(events.c.turn == _NEWEST.c.id, events.c.kind == bindparam("kind", type_=Text))
_SELECT_NEWEST_WITH = select(_NEWEST).where(_HAS_EVENT.exists()).order_by(_NEWEST.c.fence.desc())
_SELECT_EXPIRED = select(turns).where(
    turns.c.state == "running", turns.c.lease_until <= bindparam("now", type_=BigInteger)
)
# With their conversations, but for those that another transaction holds: a process that froze in one holds up no other.
_LOCK_EXPIRED = _SELECT_EXPIRED.join(conversations, conversations.c.id == turns.c.conversation).with_for_update(
    skip_locked=True
)
_INSERT = insert(turns).returning(turns)
_ISSUE_FENCE = (
    update(conversations)
    .where(conversations.c.id == _CONVERSATION)
    .values(last_fence=conversations.c.last_fence + 1, running_turn=_TURN)
    .returning(conversations.c.last_fence)
)
_ISSUE_FENCE_IF_FREE = _ISSUE_FENCE.where(conversations.c.running_turn.is_(None))
_CONVERSATION_OF_TURN = select(turns.c.conversation).where(turns.c.id == _TURN)
# Where none runs and the turn is in one of these states; the statement on the turn checks again.
_ISSUE_FENCE_OF_TURN = (
    update(conversations)
    .where(
        conversations.c.id
        == _CONVERSATION_OF_TURN.where(turns.c.state.in_(bindparam("states", expanding=True))).scalar_subquery(),
        conversations.c.running_turn.is_(None),
    )
    .values(last_fence=conversations.c.last_fence + 1, running_turn=_TURN)
    .returning(conversations.c.last_fence)
)
_FREE_HELD_CONVERSATION = (
    update(conversations)
    .where(
        conversations.c.id == _CONVERSATION_OF_TURN.scalar_subquery(),
        conversations.c.running_turn == _TURN,
        conversations.c.last_fence == bindparam("held", type_=BigInteger),
    )
    .values(running_turn=None)
    .returning(conversations.c.id)
)
_FREE_CONVERSATION = (
    update(conversations)
    .where(conversations.c.id == _CONVERSATION, conversations.c.running_turn == _TURN)
    .values(running_turn=None)
)
_END_TURN = (
    update(turns)
    .where(turns.c.id == _TURN)
    .values(state=bindparam("end", type_=Text), ended_at=bindparam("now", type_=BigInteger))
    .returning(turns)
)
_END_HELD_TURN = _END_TURN.where(turns.c.fence == bindparam("held", type_=BigInteger), turns.c.state == "running")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn and its lease. If `replayed`, an earlier `start` with its request key created it: do not rerun it."""

    id: str
    conversation: str
    state: TurnStatus
    owner: str
    lease_until: datetime
    fence: int
    request_key: str | None
    started_at: datetime
    ended_at: datetime | None
    replayed: bool = False


@dataclass(frozen=True, slots=True)
class _Lease:
    owner: str
    now_micros: int
    ttl_micros: int

    def to_columns(self, fence: int) -> dict[str, str | int | None]:
        return {
            "state": "running",
            "owner": self.owner,
            "lease_until": self.now_micros + self.ttl_micros,
            "lease_ttl": self.ttl_micros,
            "fence": fence,
            "ended_at": None,
        }


class Turns:
    """Repository behind `store.turns`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def start(self, conversation: str, owner: str, ttl_s: float, *, request_key: str | None = None) -> Turn:
        """Start a turn under a new lease, or raise `ConversationBusy`; an expired lease is taken over.

        The same `request_key` returns the same turn again with `replayed` set, whatever its state.
        """
        claim = Claim(conversation)
        lease = self._build_lease(owner, ttl_s)
        key = values.check_optional_name(request_key, "request_key")
        turn = self._session.new_id()
        return await self._session.write(lambda connection: _start(connection, claim, turn, lease, key))

    async def resume(self, turn: str, owner: str, ttl_s: float) -> Turn:
        """Resume a paused or interrupted turn under a new fence."""
        values.check_name(turn, "turn")
        lease = self._build_lease(owner, ttl_s)
        return await self._session.write(lambda connection: _resume(connection, turn, lease))

    async def resume_paused(self, turn: str, owner: str, ttl_s: float) -> Turn | None:
        """Resume a turn that waits for an answer; None if it does not."""
        values.check_name(turn, "turn")
        lease = self._build_lease(owner, ttl_s)
        return await self._session.write(lambda connection: _resume_paused(connection, turn, lease))

    async def renew(self, turn: str, fence: int) -> Turn:
        """Extend the lease by its full length from now; `LeaseLost` if it was taken over or released."""
        values.check_name(turn, "turn")
        values.check_integer(fence, "fence")
        now = values.to_micros(self._session.now())
        until = turns.c.lease_ttl + now
        return await self._session.write(lambda connection: _set_lease(connection, turn, fence, until))

    async def renew_many(self, fences: Mapping[str, int]) -> int:
        """Extend the leases of several turns in one statement, given by id and fence; returns how many it extended.

        A turn that was taken over or has ended is left alone.
        """
        for turn, fence in fences.items():
            values.check_name(turn, "turn")
            values.check_integer(fence, "fence")
        now = values.to_micros(self._session.now())
        return await self._session.write(lambda connection: _renew_many(connection, fences, now))

    async def has_expired(self, now: datetime | None = None, *, but: Collection[str] = frozenset()) -> bool:
        """Whether `interrupt_expired` would find a turn; a read, cheap enough to be asked all the time."""
        moment = values.to_micros(now or self._session.now(), "now")
        rows = await self._session.read(lambda connection: connection.execute(_SELECT_EXPIRED, {"now": moment}).all())
        return any(row.id not in but for row in rows)

    async def release(self, turn: str, fence: int) -> Turn:
        """End the lease now and leave the turn running: whoever recovers turns takes it over at once.

        The fence is raised too: a renewal that was under way meanwhile extends nothing.
        """
        values.check_name(turn, "turn")
        values.check_integer(fence, "fence")
        now = values.to_micros(self._session.now())
        return await self._session.write(lambda connection: _set_lease(connection, turn, fence, literal(now), raised=1))

    async def finish(self, turn: str, fence: int, state: TurnEndStatus) -> Turn:
        """Release the lease and set the turn's final state; repeating the same call is allowed."""
        values.check_name(turn, "turn")
        values.check_integer(fence, "fence")
        values.check_choice(state, _END_STATUSES, "turn state")
        now = values.to_micros(self._session.now())
        return await self._session.write(lambda connection: _finish(connection, turn, fence, state, now))

    async def interrupt_expired(
        self, now: datetime | None = None, *, but: Collection[str] = frozenset()
    ) -> tuple[Turn, ...]:
        """Set every running turn whose lease has expired to `interrupted`, and return those turns.

        Turns in `but` are left alone: the caller runs them, however late it is with their leases.
        """
        moment = values.to_micros(now or self._session.now(), "now")
        return await self._session.write(lambda connection: _interrupt_expired(connection, moment, but))

    async def get(self, turn: str) -> Turn:
        """The turn with this id, or `RecordNotFound`."""
        values.check_name(turn, "turn")
        return await self._session.read(lambda connection: _from_row(_find(connection, turn)))

    async def find_by_request_key(self, conversation: str, request_key: str) -> Turn | None:
        """The turn that `start` created for this request key, or `None`."""
        same = select(turns).where(
            turns.c.conversation == values.check_name(conversation, "conversation"),
            turns.c.request_key == values.check_name(request_key, "request_key"),
        )
        row = await self._session.read(lambda connection: connection.execute(same).one_or_none())
        return None if row is None else replace(_from_row(row), replayed=True)

    async def list(self, conversation: str, *, limit: int = 100, having: EventKind | None = None) -> tuple[Turn, ...]:
        """The newest `limit` turns of a conversation, newest first; of these, those having an event of the kind."""
        which, most = values.check_name(conversation, "conversation"), values.check_integer(limit, "limit", least=1)
        given: dict[str, str | int] = {"which": which, "limit": most}
        if having is not None:
            given["kind"] = values.check_choice(having, EVENT_KINDS, "event kind")
        return await self._session.read(lambda connection: _read_turns(connection, conversation, given))

    def _build_lease(self, owner: str, ttl_s: float) -> _Lease:
        now = values.to_micros(self._session.now())
        return _Lease(values.check_name(owner, "owner"), now, values.seconds_to_micros(ttl_s, "ttl_s"))


def _start(connection: Connection, claim: Claim, turn: str, lease: _Lease, key: str | None) -> Turn:
    row = {"id": turn, "conversation": claim.conversation, "request_key": key, "started_at": lease.now_micros}
    if key is None:
        free = connection.execute(_ISSUE_FENCE_IF_FREE, {"which": claim.conversation, "turn": turn}).scalar()
        if free is not None:
            return _from_row(connection.execute(_INSERT, row | lease.to_columns(int(free))).one())
    held = claim.lock_conversation(connection)
    if key is not None:
        same = select(turns).where(turns.c.conversation == claim.conversation, turns.c.request_key == key)
        earlier = connection.execute(same).one_or_none()
        if earlier is not None:
            return replace(_from_row(earlier), replayed=True)
    _end_expired_turn(connection, held, lease.now_micros)
    fence = _issue_fence(connection, claim.conversation, turn)
    return _from_row(connection.execute(_INSERT, row | lease.to_columns(fence)).one())


def _resume_paused(connection: Connection, turn: str, lease: _Lease) -> Turn | None:
    if (resumed := _resume_if_free(connection, turn, lease, {"paused"})) is not None:
        return resumed
    return _resume(connection, turn, lease) if _find(connection, turn).state == "paused" else None


def _resume_if_free(connection: Connection, turn: str, lease: _Lease, states: Collection[str]) -> Turn | None:
    """Resume a turn in one of these states without reading first; None if one runs or it is in another state."""
    if (fence := connection.execute(_ISSUE_FENCE_OF_TURN, {"turn": turn, "states": sorted(states)}).scalar()) is None:
        return None
    taken = update(turns).where(turns.c.id == turn, turns.c.state.in_(states)).values(lease.to_columns(int(fence)))
    row = connection.execute(taken.returning(turns)).one_or_none()
    if row is None:  # pragma: no cover - raised, so that the fence is not kept
        raise ConversationBusy(f"turn {turn!r} has just changed", hint="send it again")
    return _from_row(row)


def _resume(connection: Connection, turn: str, lease: _Lease) -> Turn:
    if (resumed := _resume_if_free(connection, turn, lease, _RESUMABLE)) is not None:
        return resumed
    conversation = _find(connection, turn).conversation
    held = Claim(conversation).lock_conversation(connection)
    row = _find(connection, turn, lock=True)
    if row.state == "running":
        _raise_if_busy(row, lease.now_micros)
        _end_turn(connection, row, "interrupted", lease.now_micros)
    elif row.state not in _RESUMABLE:
        raise Refused(f"turn {turn!r} is {row.state} and cannot be resumed", hint="start a new turn")
    else:
        _end_expired_turn(connection, held, lease.now_micros)
    fence = _issue_fence(connection, conversation, turn)
    taken = update(turns).where(turns.c.id == turn).values(lease.to_columns(fence))
    return _from_row(connection.execute(taken.returning(turns)).one())


def _end_expired_turn(connection: Connection, held: Row[tuple[object, ...]], now: int) -> None:
    """End the running turn if its lease has expired, else raise `ConversationBusy`; the caller has locked the row."""
    if held.running_turn is None:
        return
    running = _find(connection, held.running_turn, lock=True)
    _raise_if_busy(running, now)
    _end_turn(connection, running, "interrupted", now)


def _raise_if_busy(running: Row[tuple[object, ...]], now: int) -> None:
    if running.lease_until <= now:
        return
    until = values.from_micros(running.lease_until).isoformat(timespec="seconds")
    raise ConversationBusy(
        f"conversation {running.conversation!r} is busy: {running.owner!r} runs turn {running.id!r} until {until}",
        hint="wait for that turn to end, or for its lease to run out",
    )


def _issue_fence(connection: Connection, conversation: str, turn: str) -> int:
    """Increment the conversation's fence and make this turn the running one; returns the new fence."""
    return int(connection.execute(_ISSUE_FENCE, {"which": conversation, "turn": turn}).scalar_one())


def _set_lease(connection: Connection, turn: str, fence: int, until: ColumnElement[int], *, raised: int = 0) -> Turn:
    changed = (
        update(turns)
        .where(turns.c.id == turn, turns.c.fence == fence, turns.c.state == "running")
        .values(lease_until=until, fence=fence + raised)
        .returning(turns)
    )
    row = connection.execute(changed).one_or_none()
    if row is None:
        raise _lease_lost_error(_find(connection, turn), fence)
    return _from_row(row)


def _renew_many(connection: Connection, fences: Mapping[str, int], now: int) -> int:
    """A row that another transaction holds is being ended or taken over: it is skipped, so nothing deadlocks."""
    chosen = turns.c.id.in_(bindparam("turns", expanding=True))
    held = select(turns.c.id, turns.c.fence).where(chosen, turns.c.state == "running")
    rows = connection.execute(held.with_for_update(skip_locked=True), {"turns": list(fences)}).all()
    mine = [row.id for row in rows if row.fence == fences[row.id]]
    if mine:
        extended = update(turns).where(chosen).values(lease_until=turns.c.lease_ttl + now)
        connection.execute(extended, {"turns": mine})
    return len(mine)


def _finish(connection: Connection, turn: str, fence: int, state: TurnEndStatus, now: int) -> Turn:
    held = {"turn": turn, "held": fence}
    if connection.execute(_FREE_HELD_CONVERSATION, held).one_or_none() is not None:
        ended = connection.execute(_END_HELD_TURN, held | {"end": state, "now": now}).one_or_none()
        if ended is None:
            raise _lease_lost_error(_find(connection, turn), fence)
        return _from_row(ended)
    Claim(_find(connection, turn).conversation).lock_conversation(connection)
    row = _find(connection, turn, lock=True)
    if row.fence == fence and row.state == state:
        return _from_row(row)
    if row.fence != fence or row.state != "running":
        raise _lease_lost_error(row, fence)
    return _end_turn(connection, row, state, now)


def _interrupt_expired(connection: Connection, now: int, but: Collection[str]) -> tuple[Turn, ...]:
    rows = connection.execute(_LOCK_EXPIRED, {"now": now}).all()
    return tuple(_end_turn(connection, row, "interrupted", now) for row in rows if row.id not in but)


def _end_turn(connection: Connection, row: Row[tuple[object, ...]], state: TurnEndStatus, now: int) -> Turn:
    connection.execute(_FREE_CONVERSATION, {"which": row.conversation, "turn": row.id})
    return _from_row(connection.execute(_END_TURN, {"turn": row.id, "end": state, "now": now}).one())


def _find(connection: Connection, turn: str, *, lock: bool = False) -> Row[tuple[object, ...]]:
    row = connection.execute(_SELECT_LOCKED if lock else _SELECT, {"turn": turn}).one_or_none()
    if row is None:
        raise RecordNotFound(f"there is no turn {turn!r}")
    return row


def _read_turns(connection: Connection, conversation: str, given: Mapping[str, str | int]) -> tuple[Turn, ...]:
    rows = connection.execute(_SELECT_NEWEST_WITH if "kind" in given else _SELECT_NEWEST, given).all()
    if not rows:
        require_conversation(connection, conversation)
    return tuple(map(_from_row, rows))


def _lease_lost_error(row: Row[tuple[object, ...]], fence: int) -> LeaseLost:
    return LeaseLost(
        f"turn {row.id!r} is {row.state} under fence {row.fence}; fence {fence} does not hold it",
        hint="stop this turn and read the conversation again",
    )


def _from_row(row: Row[tuple[object, ...]]) -> Turn:
    return Turn(
        id=row.id,
        conversation=row.conversation,
        state=row.state,
        owner=row.owner,
        lease_until=values.from_micros(row.lease_until),
        fence=row.fence,
        request_key=row.request_key,
        started_at=values.from_micros(row.started_at),
        ended_at=values.from_optional_micros(row.ended_at),
    )
