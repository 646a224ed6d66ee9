"""Repository of turns: at most one running per conversation, under a lease with an expiry and a fencing token."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Connection, Row, insert, select, update

from metier.errors import ConversationBusy, LeaseLost, RecordNotFound, Refused
from metier.store import _values as values
from metier.store._claims import Claim, require_conversation
from metier.store._schema import conversations, turns
from metier.store._session import Session

TurnState = Literal["running", "paused", "done", "failed", "interrupted"]
EndState = Literal["paused", "done", "failed", "interrupted"]

_END_STATES: frozenset[str] = frozenset(get_args(EndState))
_RESUMABLE = frozenset({"paused", "interrupted"})


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn and its lease. If `replayed`, an earlier `start` with its request key created it: do not rerun it."""

    id: str
    conversation: str
    state: TurnState
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
    now: int
    ttl: int

    def columns(self, fence: int) -> dict[str, str | int | None]:
        return {
            "state": "running",
            "owner": self.owner,
            "lease_until": self.now + self.ttl,
            "lease_ttl": self.ttl,
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
        lease = self._lease(owner, ttl_s)
        key = values.optional(request_key, "request_key")
        turn = self._session.new_id()
        return await self._session.write(lambda connection: _start(connection, claim, turn, lease, key))

    async def resume(self, turn: str, owner: str, ttl_s: float) -> Turn:
        """Resume a paused or interrupted turn under a new fence."""
        values.name(turn, "turn")
        lease = self._lease(owner, ttl_s)
        return await self._session.write(lambda connection: _resume(connection, turn, lease))

    async def renew(self, turn: str, fence: int) -> Turn:
        """Extend the lease by its full length from now; `LeaseLost` if it was taken over or released."""
        values.name(turn, "turn")
        values.whole(fence, "fence")
        now = values.micros(self._session.now())
        return await self._session.write(lambda connection: _renew(connection, turn, fence, now))

    async def finish(self, turn: str, fence: int, state: EndState) -> Turn:
        """Release the lease and set the turn's final state; repeating the same call is allowed."""
        values.name(turn, "turn")
        values.whole(fence, "fence")
        values.one_of(state, _END_STATES, "turn state")
        now = values.micros(self._session.now())
        return await self._session.write(lambda connection: _finish(connection, turn, fence, state, now))

    async def interrupt_expired(self, now: datetime | None = None) -> tuple[Turn, ...]:
        """Set every running turn whose lease has expired to `interrupted`, and return those turns."""
        moment = values.micros(now or self._session.now(), "now")
        return await self._session.write(lambda connection: _interrupt_expired(connection, moment))

    async def get(self, turn: str) -> Turn:
        """The turn with this id, or `RecordNotFound`."""
        values.name(turn, "turn")
        return await self._session.read(lambda connection: _record(_find(connection, turn)))

    async def of_request(self, conversation: str, request_key: str) -> Turn | None:
        """The turn that `start` created for this request key, or `None`."""
        same = select(turns).where(
            turns.c.conversation == values.name(conversation, "conversation"),
            turns.c.request_key == values.name(request_key, "request_key"),
        )
        row = await self._session.read(lambda connection: connection.execute(same).one_or_none())
        return None if row is None else replace(_record(row), replayed=True)

    async def list(self, conversation: str, *, limit: int = 100) -> tuple[Turn, ...]:
        """Turns of a conversation, newest first."""
        values.name(conversation, "conversation")
        values.whole(limit, "limit", least=1)
        return await self._session.read(lambda connection: _list(connection, conversation, limit))

    def _lease(self, owner: str, ttl_s: float) -> _Lease:
        now = values.micros(self._session.now())
        return _Lease(values.name(owner, "owner"), now, values.span_micros(ttl_s, "ttl_s"))


def _start(connection: Connection, claim: Claim, turn: str, lease: _Lease, key: str | None) -> Turn:
    held = claim.hold(connection)
    if key is not None:
        same = select(turns).where(turns.c.conversation == claim.conversation, turns.c.request_key == key)
        earlier = connection.execute(same).one_or_none()
        if earlier is not None:
            return replace(_record(earlier), replayed=True)
    _take_over(connection, held, lease.now)
    fence = _hand_out(connection, claim.conversation, turn)
    row = {"id": turn, "conversation": claim.conversation, "request_key": key, "started_at": lease.now}
    made = insert(turns).values(row | lease.columns(fence)).returning(turns)
    return _record(connection.execute(made).one())


def _resume(connection: Connection, turn: str, lease: _Lease) -> Turn:
    conversation = _find(connection, turn).conversation
    held = Claim(conversation).hold(connection)
    row = _find(connection, turn, lock=True)
    if row.state == "running":
        _refuse_busy(row, lease.now)
        _end(connection, row, "interrupted", lease.now)
    elif row.state not in _RESUMABLE:
        raise Refused(f"turn {turn!r} is {row.state} and cannot be resumed", hint="start a new turn")
    else:
        _take_over(connection, held, lease.now)
    fence = _hand_out(connection, conversation, turn)
    taken = update(turns).where(turns.c.id == turn).values(lease.columns(fence)).returning(turns)
    return _record(connection.execute(taken).one())


def _take_over(connection: Connection, held: Row[tuple[object, ...]], now: int) -> None:
    """End the running turn if its lease has expired, else raise `ConversationBusy`; the caller has locked the row."""
    if held.running_turn is None:
        return
    running = _find(connection, held.running_turn, lock=True)
    _refuse_busy(running, now)
    _end(connection, running, "interrupted", now)


def _refuse_busy(running: Row[tuple[object, ...]], now: int) -> None:
    if running.lease_until <= now:
        return
    until = values.moment(running.lease_until).isoformat(timespec="seconds")
    raise ConversationBusy(
        f"conversation {running.conversation!r} is busy: {running.owner!r} runs turn {running.id!r} until {until}",
        hint="wait for that turn to end, or for its lease to run out",
    )


def _hand_out(connection: Connection, conversation: str, turn: str) -> int:
    """Increment the conversation's fence and make this turn the running one; returns the new fence."""
    next_fence = (
        update(conversations)
        .where(conversations.c.id == conversation)
        .values(last_fence=conversations.c.last_fence + 1, running_turn=turn)
        .returning(conversations.c.last_fence)
    )
    return int(connection.execute(next_fence).scalar_one())


def _renew(connection: Connection, turn: str, fence: int, now: int) -> Turn:
    longer = (
        update(turns)
        .where(turns.c.id == turn, turns.c.fence == fence, turns.c.state == "running")
        .values(lease_until=turns.c.lease_ttl + now)
        .returning(turns)
    )
    row = connection.execute(longer).one_or_none()
    if row is None:
        raise _lost(_find(connection, turn), fence)
    return _record(row)


def _finish(connection: Connection, turn: str, fence: int, state: EndState, now: int) -> Turn:
    Claim(_find(connection, turn).conversation).hold(connection)
    row = _find(connection, turn, lock=True)
    if row.fence == fence and row.state == state:
        return _record(row)
    if row.fence != fence or row.state != "running":
        raise _lost(row, fence)
    return _end(connection, row, state, now)


def _interrupt_expired(connection: Connection, now: int) -> tuple[Turn, ...]:
    expired = select(turns.c.id, turns.c.conversation).where(turns.c.state == "running", turns.c.lease_until <= now)
    ended = []
    # Ordered by conversation, so that two processes lock the rows in the same order and cannot deadlock.
    for candidate in connection.execute(expired.order_by(turns.c.conversation)).all():
        Claim(candidate.conversation).hold(connection)
        row = _find(connection, candidate.id, lock=True)
        if row.state == "running" and row.lease_until <= now:
            ended.append(_end(connection, row, "interrupted", now))
    return tuple(ended)


def _end(connection: Connection, row: Row[tuple[object, ...]], state: EndState, now: int) -> Turn:
    free = update(conversations).where(conversations.c.id == row.conversation, conversations.c.running_turn == row.id)
    connection.execute(free.values(running_turn=None))
    ended = update(turns).where(turns.c.id == row.id).values(state=state, ended_at=now).returning(turns)
    return _record(connection.execute(ended).one())


def _find(connection: Connection, turn: str, *, lock: bool = False) -> Row[tuple[object, ...]]:
    found = select(turns).where(turns.c.id == turn)
    row = connection.execute(found.with_for_update() if lock else found).one_or_none()
    if row is None:
        raise RecordNotFound(f"there is no turn {turn!r}")
    return row


def _list(connection: Connection, conversation: str, limit: int) -> tuple[Turn, ...]:
    newest = select(turns).where(turns.c.conversation == conversation).order_by(turns.c.fence.desc()).limit(limit)
    rows = connection.execute(newest).all()
    if not rows:
        require_conversation(connection, conversation)
    return tuple(map(_record, rows))


def _lost(row: Row[tuple[object, ...]], fence: int) -> LeaseLost:
    return LeaseLost(
        f"turn {row.id!r} is {row.state} under fence {row.fence}; fence {fence} does not hold it",
        hint="stop this turn and read the conversation again",
    )


def _record(row: Row[tuple[object, ...]]) -> Turn:
    return Turn(
        id=row.id,
        conversation=row.conversation,
        state=row.state,
        owner=row.owner,
        lease_until=values.moment(row.lease_until),
        fence=row.fence,
        request_key=row.request_key,
        started_at=values.moment(row.started_at),
        ended_at=values.maybe_moment(row.ended_at),
    )
