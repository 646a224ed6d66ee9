"""Checks before a write to a conversation: it exists, the turn belongs to it, and the lease is valid."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Row,
    Table,
    Text,
    bindparam,
    insert,
    literal,
    select,
    update,
)

from metier.errors import LeaseLost, RecordNotFound, UsageError
from metier.store import _values as values
from metier.store.database import conversations, turns

_CONVERSATION_ID = bindparam("which", type_=Text)
_TURN_ID = bindparam("speaker", type_=Text)
_FENCE = bindparam("fence", type_=BigInteger)
_COUNT = bindparam("count", type_=BigInteger)
_UPDATED_AT = bindparam("touch", type_=BigInteger)

_SELECT_TURN = select(turns.c.id).where(turns.c.id == _TURN_ID, turns.c.conversation == _CONVERSATION_ID)
_LOCK_CONVERSATION = select(conversations).where(conversations.c.id == _CONVERSATION_ID).with_for_update()


class ConversationCounter:
    """A counter column of `conversations`, with its update statements built once so that SQLAlchemy caches them."""

    def __init__(self, column: Column[int], *, touch: bool) -> None:
        touched = {"updated_at": _UPDATED_AT} if touch else {}
        self.update_statement = (
            update(conversations)
            .where(conversations.c.id == _CONVERSATION_ID)
            .values({column.name: column + _COUNT, **touched})
            .returning(column)
        )
        self.fenced_update_statement = self.update_statement.where(
            conversations.c.last_fence == _FENCE, conversations.c.running_turn == _TURN_ID
        )


EVENT_COUNTER = ConversationCounter(conversations.c.last_seq, touch=False)
MESSAGE_COUNTER = ConversationCounter(conversations.c.last_position, touch=True)


@dataclass(frozen=True, slots=True)
class Claim:
    """Identity of a writer: conversation, turn, and the fencing token of the turn's lease."""

    conversation: str
    turn: str | None = None
    fence: int | None = None

    def __post_init__(self) -> None:
        values.check_name(self.conversation, "conversation")
        values.check_optional_name(self.turn, "turn")
        if self.fence is None:
            return
        values.check_integer(self.fence, "fence")
        if self.turn is None:
            raise UsageError("a fence is the token of a turn", hint="pass turn= together with fence=")

    def advance_counter(
        self, connection: Connection, counter: ConversationCounter, count: int, *, touch: int | None = None
    ) -> int:
        """Advance the counter by `count` and check the lease in one statement; returns the first new number.

        The conditions are on the updated row itself, because PostgreSQL re-evaluates only those after a lock wait.
        """
        given: dict[str, object] = {"which": self.conversation, "count": count}
        if touch is not None:
            given["touch"] = touch
        if self.fence is None:
            last = connection.execute(counter.update_statement, given).scalar()
        else:
            given |= {"fence": self.fence, "speaker": self.turn}
            last = connection.execute(counter.fenced_update_statement, given).scalar()
        if last is None:
            self.lock_conversation(connection)
            hint = "stop writing: another process took the turn over"
            raise LeaseLost(f"the lease of turn {self.turn!r} is over", hint=hint)  # pragma: no cover - by the lock
        if self.fence is None:
            self._check_turn(connection)
        return int(last) - count + 1

    def insert_row(
        self, connection: Connection, table: Table, row: Mapping[str, object], *conditions: ColumnElement[bool]
    ) -> Row[tuple[object, ...]] | None:
        """Insert a row and check the lease in one statement; None if there is no valid lease or a condition fails.

        The conversation's row is locked until the transaction ends, as by `lock_conversation`.
        """
        if self.fence is None:
            return None
        given = [
            (one if isinstance(one, ColumnElement) else literal(one, table.c[name].type)).label(name)
            for name, one in row.items()
        ]
        held = (
            select(*given)
            .select_from(conversations)
            .where(
                conversations.c.id == self.conversation,
                conversations.c.last_fence == self.fence,
                conversations.c.running_turn == self.turn,
                *conditions,
            )
            .with_for_update(of=conversations)
        )
        return connection.execute(insert(table).from_select(list(row), held).returning(table)).one_or_none()

    def lock_conversation(self, connection: Connection) -> Row[tuple[object, ...]]:
        """Lock the conversation's row until the transaction ends, and raise `LeaseLost` if the lease is over."""
        row = connection.execute(_LOCK_CONVERSATION, {"which": self.conversation}).one_or_none()
        if row is None:
            raise RecordNotFound(f"there is no conversation {self.conversation!r}")
        if self.fence is None:
            self._check_turn(connection)
        elif (row.last_fence, row.running_turn) != (self.fence, self.turn):
            raise LeaseLost(
                f"turn {self.turn!r} no longer holds conversation {self.conversation!r} under fence {self.fence}",
                hint="nothing was written; stop this turn and read the conversation again",
            )
        return row

    def _check_turn(self, connection: Connection) -> None:
        if self.turn is None:
            return
        given = {"which": self.conversation, "speaker": self.turn}
        if connection.execute(_SELECT_TURN, given).one_or_none() is None:
            raise RecordNotFound(f"conversation {self.conversation!r} has no turn {self.turn!r}")


def require_conversation(connection: Connection, conversation: str) -> None:
    """Raise `RecordNotFound` if the conversation does not exist, so that an empty result never hides a wrong id."""
    found = select(conversations.c.id).where(conversations.c.id == conversation)
    if connection.execute(found).one_or_none() is None:
        raise RecordNotFound(f"there is no conversation {conversation!r}")
