"""Repository of facts: the current values that were settled in a conversation."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, delete, select

from metier.errors import RecordNotFound
from metier.facts import MAX_FACTS, Fact, fact_from_json, make_fact
from metier.json_values import JsonObject
from metier.store import _values as values
from metier.store._claims import Claim, require_conversation
from metier.store._documents import dialect_insert
from metier.store._principals import Principal
from metier.store.database import Session, facts


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact of a conversation: settled in a turn, or changed by a person (`set_by`, with the id of their key)."""

    conversation: str
    fact: Fact
    turn: str | None
    set_by: str | None
    set_key: str | None
    set_at: datetime


class Facts:
    """Repository behind `store.facts`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def list(self, conversation: str, *, is_known: bool = False) -> tuple[StoredFact, ...]:
        """Facts of a conversation, the one settled first first; with `is_known` the conversation is not looked up."""
        values.check_name(conversation, "conversation")
        return await self._session.read(lambda connection: _list(connection, conversation, is_known=is_known))

    async def get(self, conversation: str, name: str) -> StoredFact:
        """One fact; `RecordNotFound` lists the others."""
        found = await self.list(conversation)
        for one in found:
            if one.fact.name == name:
                return one
        known = ", ".join(one.fact.name for one in found) or "none"
        raise RecordNotFound(f"the conversation has no fact {name[:80]!r}", hint=f"its facts: {known}")

    async def save(
        self,
        conversation: str,
        fact: Fact,
        *,
        turn: str | None = None,
        fence: int | None = None,
        by: Principal | None = None,
    ) -> StoredFact:
        """Store the fact in place of the one of the same name; texts in it are cleaned first.

        A conversation keeps `MAX_FACTS`; the oldest goes for one more.
        """
        row = _build_row(fact, turn, by, values.to_micros(self._session.now()))
        claim = Claim(conversation, turn, fence)
        return await self._session.write(lambda connection: _save(connection, claim, row))

    async def remove(self, conversation: str, name: str) -> None:
        """Remove a fact; nothing happens if there is none of this name."""
        await self._session.write(lambda connection: _remove(connection, conversation, name))


def replay_facts(
    connection: Connection, conversation: str, log: Iterable[tuple[str, str, JsonObject]], now: int
) -> None:
    """Settle the facts of a new conversation as these events (kind, turn, data) left them, in their order."""
    for at, (kind, turn, data) in enumerate(log, now):
        if kind == "fact.saved":
            _save(connection, Claim(conversation), _build_row(fact_from_json(data), turn, _find_author(data), at))
        elif kind == "fact.removed":
            _remove(connection, conversation, str(data.get("name")))


def _find_author(data: JsonObject) -> Principal | None:
    """Who changed the fact outside a turn; also in the new conversation they may not approve what follows from it."""
    by = data.get("by")
    return Principal(str(by.get("user")), str(by.get("key"))) if isinstance(by, Mapping) else None


def _build_row(fact: Fact, turn: str | None, by: Principal | None, at: int) -> dict[str, str | int | None]:
    made = make_fact(fact)
    return {
        "name": made.name,
        "value": values.encode_json(made.value, "value"),
        "title": made.title,
        "label": made.label,
        "source": made.source,
        "options": values.encode_json([one.to_json() for one in made.options], "options"),
        "skill": made.skill,
        "step": made.step,
        "turn": turn,
        "set_by": by.user if by else None,
        "set_key": by.key if by else None,
        "set_at": at,
    }


def _list(connection: Connection, conversation: str, *, is_known: bool) -> tuple[StoredFact, ...]:
    which = select(facts).where(facts.c.conversation == conversation).order_by(facts.c.set_at, facts.c.name)
    rows = connection.execute(which).all()
    if not rows and not is_known:
        require_conversation(connection, conversation)
    return tuple(map(_from_row, rows))


def _save(connection: Connection, claim: Claim, row: dict[str, str | int | None]) -> StoredFact:
    claim.lock_conversation(connection)
    others = select(facts.c.name).where(facts.c.conversation == claim.conversation, facts.c.name != row["name"])
    spare = connection.execute(others.order_by(facts.c.set_at.desc()).offset(MAX_FACTS - 1)).scalars().all()
    if spare:
        connection.execute(delete(facts).where(facts.c.conversation == claim.conversation, facts.c.name.in_(spare)))
    changed = {name: value for name, value in row.items() if name != "name"}
    put = dialect_insert(connection, facts).values({**row, "conversation": claim.conversation})
    stored = put.on_conflict_do_update(index_elements=["conversation", "name"], set_=changed).returning(facts)
    return _from_row(connection.execute(stored).one())


def _remove(connection: Connection, conversation: str, name: str) -> None:
    Claim(conversation).lock_conversation(connection)
    connection.execute(delete(facts).where(facts.c.conversation == conversation, facts.c.name == name))


def _from_row(row: Row[tuple[object, ...]]) -> StoredFact:
    told = {
        "name": row.name,
        "value": values.decode_json(row.value),
        "title": row.title,
        "label": row.label,
        "source": row.source,
        "options": values.decode_json(row.options),
        "skill": row.skill,
        "step": row.step,
    }
    return StoredFact(
        conversation=row.conversation,
        fact=fact_from_json(told),
        turn=row.turn,
        set_by=row.set_by,
        set_key=row.set_key,
        set_at=values.from_micros(row.set_at),
    )
