"""Repository of branches: a new conversation with all that came before a turn of another."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Row, Table, func, insert, or_, select, update

from metier.errors import RecordNotFound
from metier.json_values import JsonObject
from metier.store import _values as values
from metier.store._claims import EVENT_COUNTER, Claim, require_conversation
from metier.store._facts import replay_facts
from metier.store.database import Session, conversations, events, metadata, pauses, turns

# What is copied with the turns it belongs to. Requests, shares and feedback stay with the first conversation;
# facts may have changed since and are settled again from the events.
_FACT_KINDS: Final = frozenset({"fact.saved", "fact.removed"})
_COPIED: Final = ("messages", "plans", "violations", "exceptions")
_READ_KINDS: Final = frozenset({"skill.activated", "skill.left", "pause.opened", "pause.answered"})
_OWN_ID: Final = frozenset({"violations", "exceptions"})


class Branches:
    """Repository behind `store.branches`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def create(self, conversation: str, turn: str, user: str, *, id: str | None = None) -> str:
        """Create a conversation of `user` with all turns before `turn` and the facts of then; returns its id.

        Turns and questions get ids of their own, also in the events that name them. A question that was open then stays
        with the first conversation.
        """
        names = (values.check_name(conversation, "conversation"), values.check_name(turn, "turn"))
        owner = values.check_name(user, "user")
        target = values.check_name(id, "id") if id else self._session.new_id()
        now = values.to_micros(self._session.now())
        await self._session.write(lambda connection: self._copy(connection, names, (target, owner), now))
        return target

    def _copy(self, connection: Connection, names: tuple[str, str], made: tuple[str, str], now: int) -> None:
        (source, turn), (target, owner) = names, made
        require_conversation(connection, source)
        limit = _find_first_event(connection, source, turn)
        log = _EventLog.read(connection, source, limit)
        kept = _read_kept_turns(connection, source, limit)
        ids = {str(row.id): self._session.new_id() for row in kept}
        asked = _read_rows(connection, pauses, source, ids)
        ids |= {str(row.id): self._session.new_id() for row in asked}
        ids[source] = target
        _copy_conversation(connection, source, {"id": target, "user_id": owner, "skill": log.skill}, now)
        _insert(connection, turns, kept, ids, {"request_key": None, "owner": ""})
        _insert(connection, pauses, [row for row in asked if row.id in log.answered], ids, {"answer_key": None})
        for table in (metadata.tables[name] for name in _COPIED):
            own = {"id": self._session.new_id} if table.name in _OWN_ID else {}
            _insert(connection, table, _read_rows(connection, table, source, ids), ids, own)
        _insert(connection, events, log.rows, ids, {})
        _set_counters(connection, target)
        _cancel(connection, target, {ids.get(pause, pause): ids.get(of, of) for pause, of in log.open.items()}, now)
        replay_facts(connection, target, _read_log(connection, target, _FACT_KINDS), now)


@dataclass(frozen=True, slots=True)
class _EventLog:
    """Events before a branch: the skill in use at its end, and which questions were answered or open by then."""

    rows: Sequence[Row[tuple[object, ...]]]
    skill: str | None
    answered: frozenset[str]
    open: Mapping[str, str]

    @classmethod
    def read(cls, connection: Connection, conversation: str, limit: int) -> "_EventLog":
        which = (events.c.conversation == conversation, events.c.seq < limit)
        rows = connection.execute(select(events).where(*which).order_by(events.c.seq)).all()
        skill, opened, answered = None, dict[str, str](), set[str]()
        for row in rows:
            if row.kind not in _READ_KINDS:
                continue
            data = values.decode_object(row.data)
            if row.kind == "skill.activated":
                skill = str(data["skill"])
            elif row.kind == "skill.left":
                skill = None
            elif row.kind == "pause.opened":
                opened[str(data["pause"])] = row.turn
            else:
                answered.add(str(data["pause"]))
        left = {pause: turn for pause, turn in opened.items() if pause not in answered}
        return cls(rows, skill, frozenset(answered), left)


def _read_log(
    connection: Connection, conversation: str, kinds: AbstractSet[str]
) -> Sequence[tuple[str, str, JsonObject]]:
    which = (events.c.conversation == conversation, events.c.kind.in_(kinds))
    rows = connection.execute(select(events).where(*which).order_by(events.c.seq)).all()
    return [(str(row.kind), row.turn, values.decode_object(row.data)) for row in rows]


def _find_first_event(connection: Connection, conversation: str, turn: str) -> int:
    which = (events.c.conversation == conversation, events.c.turn == turn)
    first = connection.execute(select(func.min(events.c.seq)).where(*which)).scalar()
    if first is None:
        raise RecordNotFound(f"there is no turn {turn!r}")
    return int(first)


def _read_kept_turns(connection: Connection, conversation: str, limit: int) -> Sequence[Row[tuple[object, ...]]]:
    before = select(events.c.turn).where(events.c.conversation == conversation, events.c.seq < limit).distinct()
    found = select(turns).where(
        turns.c.conversation == conversation, turns.c.id.in_(before), turns.c.state != "running"
    )
    return connection.execute(found.order_by(turns.c.started_at)).all()


def _read_rows(
    connection: Connection, table: Table, conversation: str, ids: Mapping[str, str]
) -> Sequence[Row[tuple[object, ...]]]:
    kept = or_(table.c.turn.is_(None), table.c.turn.in_(list(ids)))
    return connection.execute(select(table).where(table.c.conversation == conversation, kept)).all()


def _copy_conversation(connection: Connection, source: str, changed: Mapping[str, str | None], now: int) -> None:
    row = connection.execute(select(conversations).where(conversations.c.id == source)).one()._asdict()
    cleared = {"running_turn": None, "client_id": None, "pinned_at": None, "skill_chosen_by": None}
    fresh = {"created_at": now, "updated_at": now, "branch_of": source}
    connection.execute(insert(conversations).values({**row, **cleared, **fresh, **changed}))


def _insert(
    connection: Connection,
    table: Table,
    rows: Sequence[Row[tuple[object, ...]]],
    ids: Mapping[str, str],
    own: Mapping[str, object],
) -> None:
    # Not one alternative per id: 1,000 ids in 1 MB of events took 1.5 s, and nobody else can write meanwhile.
    words = re.compile(rf"[\w-]{{{min(map(len, ids))},}}")
    made = [_renew(row._asdict(), words, ids, own) for row in rows]
    if made:
        connection.execute(insert(table), made)


def _renew(
    row: Mapping[str, object], words: re.Pattern[str], ids: Mapping[str, str], own: Mapping[str, object]
) -> dict[str, object]:
    """Replace the ids of a row, and those that its JSON names: an id is random text that stands for nothing else."""
    renewed = {
        name: words.sub(lambda found: ids.get(found[0], found[0]), value) if isinstance(value, str) else value
        for name, value in row.items()
    }
    return {**renewed, **{name: value() if callable(value) else value for name, value in own.items()}}


def _set_counters(connection: Connection, target: str) -> None:
    messages = metadata.tables["messages"]
    last_seq = select(func.coalesce(func.max(events.c.seq), 0)).where(events.c.conversation == target)
    last_position = select(func.coalesce(func.max(messages.c.position), 0)).where(messages.c.conversation == target)
    connection.execute(
        update(conversations)
        .where(conversations.c.id == target)
        .values(last_seq=last_seq.scalar_subquery(), last_position=last_position.scalar_subquery())
    )


def _cancel(connection: Connection, target: str, pauses_by_turn: Mapping[str, str], now: int) -> None:
    """Tell that questions which were open at the branch are of no interest any more: nobody can answer them here."""
    if not pauses_by_turn:
        return
    first = Claim(target).advance_counter(connection, EVENT_COUNTER, len(pauses_by_turn))
    rows = [
        {
            "conversation": target,
            "seq": seq,
            "turn": turn,
            "at": now,
            "kind": "pause.answered",
            "data": values.encode_object({"pause": pause, "cancelled": True}, "data"),
        }
        for seq, (pause, turn) in enumerate(pauses_by_turn.items(), first)
    ]
    connection.execute(insert(events), rows)
