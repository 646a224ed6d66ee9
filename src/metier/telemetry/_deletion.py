"""Export and deletion of the telemetry events of a conversation or a user."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from metier.json_values import JsonObject
from metier.telemetry._file import COLUMNS
from metier.telemetry._queries import open_existing, row_to_event


@dataclass(frozen=True, slots=True)
class EventOwner:
    """Whose events: those of conversations and their turns, and those that the clients of `user` sent.

    Without conversations, every event of the clients of `user` is meant; with them, only those that name one of
    `client_ids`, the ids by which clients know them.
    """

    user: str
    conversations: Sequence[str] = ()
    turns: Sequence[str] = ()
    client_ids: Sequence[str] = ()

    def to_conditions(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """SQL conditions with their values; an event belongs to the owner if one of them holds."""
        yield from (("session_id = ?", (one,)) for one in self.conversations)
        yield from (("turn_id = ?", (one,)) for one in self.turns)
        yield from (("session_id = ? AND user = ?", (one, self.user)) for one in self.client_ids)
        if not self.conversations:
            yield "user = ?", (self.user,)


def read_owned_events(path: Path, owner: EventOwner) -> Iterator[JsonObject]:
    """Yield the stored events of the owner, each once, in order."""
    with open_existing(path) as connection:
        if connection is None:
            return
        found: dict[int, JsonObject] = {}
        for condition, values in owner.to_conditions():
            sql = f"SELECT id, {COLUMNS} FROM events WHERE {condition}"  # noqa: S608 - values are bound
            found |= {int(row[0]): row_to_event(row).to_json() for row in connection.execute(sql, values)}
    yield from (found[number] for number in sorted(found))


def delete_events(path: Path, owner: EventOwner) -> int:
    """Delete the stored events of the owner, also from the log of the file; return how many there were."""
    with open_existing(path, write=True) as connection:
        if connection is None:
            return 0
        connection.execute("BEGIN IMMEDIATE")
        count = sum(
            connection.execute(f"DELETE FROM events WHERE {condition}", values).rowcount  # noqa: S608 - values are bound
            for condition, values in owner.to_conditions()
        )
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return count
