"""Repository of checkpoints: states of a run's graph and the writes that are pending on each, as opaque texts."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, select

from metier.store import _values as values
from metier.store._claims import Claim
from metier.store._documents import dialect_insert
from metier.store.database import Session, checkpoints

STATE_PLACE: Final = -1_000_000  # a write's place is its number, or a small negative one for a special channel
_KEY: Final = ("conversation", "thread", "namespace", "checkpoint", "task", "place")


@dataclass(frozen=True, slots=True)
class StoredCheckpoint:
    """One record: the state of a checkpoint (`place` is `STATE_PLACE`, `task` is empty) or one pending write."""

    thread: str
    namespace: str
    checkpoint: str
    task: str = ""
    place: int = STATE_PLACE
    parent: str | None = None
    channel: str = ""
    format: str = ""
    content: str = ""
    details: str = ""

    @property
    def is_state(self) -> bool:
        """Whether this is the state itself and not a write."""
        return self.place == STATE_PLACE


class Checkpoints:
    """Repository behind `store.checkpoints`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def put(
        self,
        conversation: str,
        records: Sequence[StoredCheckpoint],
        *,
        turn: str | None = None,
        fence: int | None = None,
        replace: bool = True,
    ) -> None:
        """Store records; with `replace` in place of those with the same key, otherwise those stay."""
        claim = Claim(conversation, turn, fence)
        rows = [{"conversation": conversation, **asdict(one)} for one in records]

        def write(connection: Connection) -> None:
            claim.lock_conversation(connection)
            for row in rows:
                put = dialect_insert(connection, checkpoints).values(row)
                changed = {name: value for name, value in row.items() if name not in _KEY}
                if replace:
                    connection.execute(put.on_conflict_do_update(index_elements=list(_KEY), set_=changed))
                else:
                    connection.execute(put.on_conflict_do_nothing())

        if rows:
            await self._session.write(write)

    async def list(
        self, conversation: str, thread: str | None = None, namespace: str | None = None, checkpoint: str | None = None
    ) -> tuple[StoredCheckpoint, ...]:
        """Records of a conversation, newest checkpoint first; only those of a thread, namespace or checkpoint."""
        values.check_name(conversation, "conversation")
        asked = {"thread": thread, "namespace": namespace, "checkpoint": checkpoint}
        which = [checkpoints.c.conversation == conversation]
        which += [checkpoints.c[name] == value for name, value in asked.items() if value is not None]
        order = (checkpoints.c.checkpoint.desc(), checkpoints.c.task, checkpoints.c.place)
        found = select(*(column for column in checkpoints.c if column.name != "conversation")).where(*which)

        def read(connection: Connection) -> tuple[StoredCheckpoint, ...]:
            return tuple(StoredCheckpoint(**row._asdict()) for row in connection.execute(found.order_by(*order)))

        return await self._session.read(read)

    async def get_latest(self, conversation: str, thread: str, namespace: str) -> str | None:
        """Id of the newest checkpoint; None if there is none."""
        which = (
            checkpoints.c.conversation == conversation,
            checkpoints.c.thread == thread,
            checkpoints.c.namespace == namespace,
            checkpoints.c.place == STATE_PLACE,
        )
        newest = select(checkpoints.c.checkpoint).where(*which).order_by(checkpoints.c.checkpoint.desc()).limit(1)
        return await self._session.read(lambda connection: connection.execute(newest).scalar_one_or_none())

    async def delete(self, conversation: str, thread: str) -> None:
        """Remove all checkpoints of a thread."""
        which = (checkpoints.c.conversation == conversation, checkpoints.c.thread == thread)
        await self._session.write(lambda connection: _delete(connection, which))


def _delete(connection: Connection, which: Sequence[ColumnElement[bool]]) -> None:
    connection.execute(delete(checkpoints).where(*which))
