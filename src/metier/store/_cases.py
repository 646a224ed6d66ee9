"""Repository of cases: worked examples of a skill, looked up by tag."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from sqlalchemy import Connection, Row, delete, insert, select

from metier.errors import RecordNotFound
from metier.store import _values as values
from metier.store._documents import dialect_insert
from metier.store.database import Session, case_tags, cases


@dataclass(frozen=True, slots=True)
class StoredCase:
    """One worked example: Markdown content, its tags and the ids of the skill's rules that it illustrates."""

    id: str
    skill: str
    name: str
    content: str
    tags: tuple[str, ...]
    rule_ids: tuple[str, ...]
    created_at: datetime
    updated_at: datetime


class Cases:
    """Repository behind `store.cases`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def upsert(
        self,
        case: str,
        *,
        skill: str,
        name: str,
        content: str,
        tags: Sequence[str] = (),
        rule_ids: Sequence[str] = (),
    ) -> StoredCase:
        """Store the case, replacing an earlier one with the same id."""
        now = values.to_micros(self._session.now())
        labels = list(dict.fromkeys(values.check_name(tag, "tag") for tag in tags))
        row: dict[str, str | int] = {
            "id": values.check_name(case, "case"),
            "skill": values.check_name(skill, "skill"),
            "name": values.check_text(name, "name"),
            "content": values.check_text(content, "content"),
            "tags": values.encode_json(labels, "tags"),
            "rule_ids": values.encode_json([values.check_name(rule, "rule_id") for rule in rule_ids], "rule_ids"),
            "created_at": now,
            "updated_at": now,
        }
        return await self._session.write(lambda connection: _upsert(connection, row, labels))

    async def get(self, case: str) -> StoredCase:
        """The case with this id, or `RecordNotFound`."""
        found = select(cases).where(cases.c.id == values.check_name(case, "case"))
        row = await self._session.read(lambda connection: connection.execute(found).one_or_none())
        if row is None:
            raise RecordNotFound(f"there is no case {case!r}")
        return _from_row(row)

    async def find_by_tags(
        self, tags: Sequence[str], *, skill: str | None = None, limit: int = 100
    ) -> tuple[StoredCase, ...]:
        """Cases that have any of these tags, ordered by id."""
        labels = [values.check_name(tag, "tag") for tag in tags]
        tagged = select(case_tags.c.case_id).where(case_tags.c.tag.in_(labels))
        found = (
            select(cases)
            .where(cases.c.id.in_(tagged))
            .order_by(cases.c.id)
            .limit(values.check_integer(limit, "limit", least=1))
        )
        if skill is not None:
            found = found.where(cases.c.skill == values.check_name(skill, "skill"))
        return await self._session.read(lambda connection: tuple(map(_from_row, connection.execute(found))))


def _upsert(connection: Connection, row: dict[str, str | int], labels: list[str]) -> StoredCase:
    kept = {name: value for name, value in row.items() if name not in {"id", "created_at"}}
    statement = dialect_insert(connection, cases).values(row).on_conflict_do_update(index_elements=["id"], set_=kept)
    stored = connection.execute(statement.returning(cases)).one()
    connection.execute(delete(case_tags).where(case_tags.c.case_id == row["id"]))
    if labels:
        connection.execute(insert(case_tags), [{"case_id": row["id"], "tag": label} for label in labels])
    return _from_row(stored)


def _from_row(row: Row[tuple[object, ...]]) -> StoredCase:
    return StoredCase(
        id=row.id,
        skill=row.skill,
        name=row.name,
        content=row.content,
        tags=tuple(cast("list[str]", values.decode_json(row.tags))),
        rule_ids=tuple(cast("list[str]", values.decode_json(row.rule_ids))),
        created_at=values.from_micros(row.created_at),
        updated_at=values.from_micros(row.updated_at),
    )
