"""Repository of the audit log: who decided what and when, append-only, each line with the hash of the one before."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import Connection, Row, insert, select, text

from metier.json_values import JsonObject
from metier.store import _values as values
from metier.store._principals import Principal
from metier.store.database import Session, audit

FIRST_HASH: Final = "0" * 64
_PAGE: Final = 1000
_SELECT_LAST = select(audit).order_by(audit.c.number.desc()).limit(1)
# Two writers would take the same number; SQLite has one writer anyway.
_LOCK_POSTGRESQL = text("LOCK TABLE audit IN SHARE ROW EXCLUSIVE MODE")


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One line of the audit log.

    `key` is the id of the key, empty if there was none. `data` holds digests and names, never what people wrote.
    `hash` covers the line and `previous`, the hash of the line before.
    """

    number: int
    at: datetime
    user: str
    key: str
    action: str
    target: str
    data: JsonObject
    previous: str
    hash: str

    def to_json(self) -> JsonObject:
        return {
            "number": self.number,
            "at": self.at.isoformat(),
            "user": self.user,
            "key": self.key,
            "action": self.action,
            "target": self.target,
            "data": self.data,
            "previous": self.previous,
            "hash": self.hash,
        }


class AuditLog:
    """Repository behind `store.audit`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def append(self, by: Principal, action: str, target: str, data: JsonObject | None = None) -> AuditEntry:
        """Append a line: who did what (`approval.approved`, `key.created`, …) to which thing."""
        row: dict[str, str | int] = {
            "at": values.to_micros(self._session.now()),
            "user_id": values.check_name(by.user, "user"),
            "key": values.check_text(by.key, "key"),
            "action": values.check_name(action, "action"),
            "target": values.check_text(target, "target"),
            "data": values.encode_object(data or {}, "data"),
        }
        return await self._session.write(lambda connection: _append(connection, row))

    async def list(
        self,
        *,
        after: int = 0,
        since: datetime | None = None,
        until: datetime | None = None,
        user: str | None = None,
        action: str | None = None,
        limit: int = _PAGE,
    ) -> tuple[AuditEntry, ...]:
        """Lines with numbers above `after`, oldest first. An `action` that ends in `*` matches its beginning."""
        found = select(audit).where(audit.c.number > values.check_integer(after, "after")).order_by(audit.c.number)
        if since is not None:
            found = found.where(audit.c.at >= values.to_micros(since, "since"))
        if until is not None:
            found = found.where(audit.c.at < values.to_micros(until, "until"))
        if user is not None:
            found = found.where(audit.c.user_id == values.check_name(user, "user"))
        if action is not None:
            is_prefix, name = action.endswith("*"), values.check_name(action, "action").rstrip("*")
            column = audit.c.action
            found = found.where(column.startswith(name, autoescape=True) if is_prefix else column == name)
        found = found.limit(values.check_integer(limit, "limit", least=1))
        return await self._session.read(lambda connection: tuple(map(_from_row, connection.execute(found))))

    async def verify(self) -> tuple[int, tuple[str, ...]]:
        """Check the whole chain: how many lines there are, and a sentence for each that is missing or changed."""
        check, count, after = ChainCheck(), 0, 0
        while page := await self.list(after=after):
            check.add(page)
            count, after = count + len(page), page[-1].number
        return count, tuple(check.problems)


class ChainCheck:
    """Checks lines of the audit log in order, from the table or from an export."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self._last: tuple[int, str] | None = None

    def add(self, entries: Iterable[AuditEntry]) -> None:
        """Check the next lines. The first may have any number: an export may begin anywhere."""
        for entry in entries:
            self.problems += self._check(entry)
            self._last = entry.number, entry.hash

    def _check(self, entry: AuditEntry) -> Iterator[str]:
        number, expected = self._last or (entry.number - 1, entry.previous if entry.number > 1 else FIRST_HASH)
        if entry.number != number + 1:
            yield f"line {entry.number} follows line {number}: lines between them are missing"
        elif entry.previous != expected:
            yield f"line {entry.number} does not follow line {number}: one of them was replaced"
        if compute_hash(entry) != entry.hash:
            yield f"line {entry.number} was changed after it was written"


def compute_hash(entry: AuditEntry) -> str:
    """SHA-256 of a line without its hash, in canonical JSON; anybody can compute it from an export."""
    told = {name: value for name, value in entry.to_json().items() if name != "hash"}
    line = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=dict)
    return hashlib.sha256(line.encode()).hexdigest()


def entry_from_json(value: JsonObject) -> AuditEntry:
    """Read what `AuditEntry.to_json` wrote; raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    data = value["data"]
    if not isinstance(data, dict):
        raise TypeError("'data' must be an object")
    number, at = value["number"], datetime.fromisoformat(str(value["at"]))
    if not isinstance(number, int):
        raise TypeError("'number' must be a number")
    names = ("user", "key", "action", "target")
    user, key, action, target = (str(value[name]) for name in names)
    return AuditEntry(number, at, user, key, action, target, data, str(value["previous"]), str(value["hash"]))


def _append(connection: Connection, row: dict[str, str | int]) -> AuditEntry:
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK_POSTGRESQL)
    last = connection.execute(_SELECT_LAST).one_or_none()
    number, previous = (last.number + 1, last.hash) if last is not None else (1, FIRST_HASH)
    entry = AuditEntry(
        number,
        values.from_micros(int(row["at"])),
        str(row["user_id"]),
        str(row["key"]),
        str(row["action"]),
        str(row["target"]),
        values.decode_object(str(row["data"])),
        previous,
        "",
    )
    chained = {**row, "number": number, "previous": previous, "hash": compute_hash(entry)}
    return _from_row(connection.execute(insert(audit).values(chained).returning(audit)).one())


def _from_row(row: Row[tuple[object, ...]]) -> AuditEntry:
    return AuditEntry(
        number=row.number,
        at=values.from_micros(row.at),
        user=row.user_id,
        key=row.key,
        action=row.action,
        target=row.target,
        data=values.decode_object(row.data),
        previous=row.previous,
        hash=row.hash,
    )
