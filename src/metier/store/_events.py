"""Event log: append-only, with gap-free sequence numbers per conversation."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, cast, get_args

from sqlalchemy import BigInteger, Connection, Text, bindparam, insert, select

from metier.errors import InvalidRecord, RecordNotFound
from metier.json_values import JsonObject
from metier.store import _values as values
from metier.store._claims import EVENT_COUNTER, Claim, require_conversation
from metier.store.database import Session, conversations, events

EventKind = Literal[
    "turn.started",
    "turn.done",
    "turn.failed",
    "skill.routed",
    "skill.activated",
    "skill.left",
    "context.built",
    "plan.created",
    "step.started",
    "step.done",
    "milestone.passed",
    "milestone.failed",
    "fact.saved",
    "fact.removed",
    "attachment.added",
    "attachment.removed",
    "tool.called",
    "tool.progress",
    "tool.result",
    "tool.violation",
    "exception.requested",
    "exception.decided",
    "table",
    "chart",
    "map",
    "image",
    "file",
    "tasks",
    "todos",
    "pause.opened",
    "pause.changed",
    "pause.answered",
    "reasoning.delta",
    "reasoning.done",
    "text.delta",
    "text.done",
    "suggestions",
    "usage",
    "flow.planned",
    "flow.node",
    "reflect",
    "report",
    "error",
]
EVENT_KINDS: frozenset[str] = frozenset(get_args(EventKind))

_INSERT = insert(events)
_READ = (
    select(events.c.turn, events.c.seq, events.c.at, events.c.kind, events.c.data)
    .where(
        events.c.conversation == bindparam("which", type_=Text),
        events.c.seq > bindparam("after", type_=BigInteger),
    )
    .order_by(events.c.seq)
    .limit(bindparam("limit", type_=BigInteger))
)
_READ_TURN = _READ.where(events.c.turn == bindparam("turn", type_=Text))
# PostgreSQL and SQLite both accept at most 32,767 parameters per statement.
_MAX_IDS_PER_QUERY = 10_000
_LAST_SEQ = select(conversations.c.last_seq).where(conversations.c.id == bindparam("which", type_=Text))


@dataclass(frozen=True, slots=True)
class EventDraft:
    """An event that is not stored yet and has no sequence number."""

    kind: EventKind
    data: JsonObject


@dataclass(frozen=True, slots=True)
class Event:
    """A stored event, as it is sent to clients."""

    conversation: str
    turn: str | None
    seq: int
    at: datetime
    kind: EventKind
    data: JsonObject

    def to_json(self) -> JsonObject:
        """Convert to the JSON of the API and the command line, described by `metier.events`."""
        return {
            "conversation": self.conversation,
            "turn": self.turn,
            "seq": self.seq,
            "at": self.at.isoformat(),
            "kind": self.kind,
            "data": self.data,
        }


class Events:
    """Repository behind `store.events`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def append(
        self, conversation: str, kind: EventKind, data: JsonObject, *, turn: str | None = None, fence: int | None = None
    ) -> Event:
        """Store one event. It survives a crash of the process once this returns."""
        (event,) = await self.append_many(conversation, (EventDraft(kind, data),), turn=turn, fence=fence)
        return event

    async def append_many(
        self, conversation: str, drafts: Sequence[EventDraft], *, turn: str | None = None, fence: int | None = None
    ) -> tuple[Event, ...]:
        """Store the events with consecutive sequence numbers, all or none."""
        claim = Claim(conversation, turn, fence)
        at = self._session.now()
        rows = [
            {
                "conversation": conversation,
                "turn": turn,
                "at": values.to_micros(at),
                "kind": values.check_choice(draft.kind, EVENT_KINDS, "event kind"),
                "data": values.encode_object(draft.data, "data"),
            }
            for draft in drafts
        ]
        if not rows:
            raise InvalidRecord("append_many needs at least one event", hint="do not call it without events")
        first = await self._session.write(lambda connection: _append(connection, claim, rows))
        stored_at = values.from_micros(values.to_micros(at))
        return tuple(
            Event(conversation, turn, seq, stored_at, draft.kind, draft.data) for seq, draft in enumerate(drafts, first)
        )

    async def read(
        self, conversation: str, *, after: int = 0, limit: int = 1000, turn: str | None = None
    ) -> tuple[Event, ...]:
        """Events with a sequence number above `after`, in order, at most `limit`; only those of `turn` if given."""
        given: dict[str, str | int] = {
            "which": values.check_name(conversation, "conversation"),
            "after": values.check_integer(after, "after"),
            "limit": values.check_integer(limit, "limit", least=1),
        }
        if turn is not None:
            given["turn"] = values.check_name(turn, "turn")
        return await self._session.read(lambda connection: _read(connection, conversation, given))

    async def get_last_seq(self, conversation: str) -> int:
        """Sequence number of the newest event; 0 if there is none."""
        given = {"which": values.check_name(conversation, "conversation")}
        found = await self._session.read(lambda connection: connection.execute(_LAST_SEQ, given).scalar())
        if found is None:
            raise RecordNotFound(f"there is no conversation {conversation!r}")
        return int(found)

    async def get_last_seqs(self, conversations: Collection[str]) -> Mapping[str, int]:
        """Sequence number of the newest event per conversation; unknown conversations are omitted."""
        names = [values.check_name(one, "conversation") for one in conversations]
        return await self._session.read(lambda connection: _read_last_seqs(connection, names))


def _append(connection: Connection, claim: Claim, rows: list[dict[str, str | int | None]]) -> int:
    first = claim.advance_counter(connection, EVENT_COUNTER, len(rows))
    numbered = [{**row, "seq": seq} for seq, row in enumerate(rows, first)]
    connection.execute(_INSERT, numbered[0] if len(numbered) == 1 else numbered)
    return first


def _read_last_seqs(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for start in range(0, len(names), _MAX_IDS_PER_QUERY):
        some = names[start : start + _MAX_IDS_PER_QUERY]
        asked = select(conversations.c.id, conversations.c.last_seq).where(conversations.c.id.in_(some))
        found |= {row.id: row.last_seq for row in connection.execute(asked)}
    return found


def _read(connection: Connection, conversation: str, given: dict[str, str | int]) -> tuple[Event, ...]:
    rows = connection.execute(_READ_TURN if "turn" in given else _READ, given).all()
    if not rows:
        require_conversation(connection, conversation)
    return tuple(
        Event(
            conversation,
            row.turn,
            row.seq,
            values.from_micros(row.at),
            cast("EventKind", row.kind),
            values.decode_object(row.data),
        )
        for row in rows
    )
