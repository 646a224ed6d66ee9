"""Versioned JSON documents, one per row: the storage of profiles and skill data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Connection, Row, Table, Text, literal, select, update
from sqlalchemy import cast as as_type

from metier.errors import Conflict, InvalidRecord
from metier.json_values import JsonObject, JsonValue
from metier.store import _values as values

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql, sqlite

_SEGMENT = re.compile(r'(?!-?\d+\Z)[^\x00-\x1f"\\.]+')


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A change to a document: replacement or merge patch, optionally only if it has the expected version."""

    data: JsonObject
    merge: bool
    now: int
    expect_version: int | None = None

    def __post_init__(self) -> None:
        values.encode_object(self.data, "data")
        if self.expect_version is not None:
            values.check_integer(self.expect_version, "expect_version")


def merge_patch(target: JsonValue, patch: JsonValue) -> JsonValue:
    """Apply a JSON merge patch (RFC 7396): objects merge, `null` removes a key, anything else replaces."""
    if not isinstance(patch, Mapping):
        return patch
    merged: dict[str, JsonValue] = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged


def dialect_insert(connection: Connection, table: Table) -> "postgresql.Insert | sqlite.Insert":
    """An INSERT that supports `on_conflict_…`, in the dialect of this connection; the other one is not loaded."""
    if connection.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    from sqlalchemy.dialects import sqlite

    return sqlite.insert(table)


def apply_change(
    connection: Connection, table: Table, key: dict[str, str], change: DocumentChange
) -> Row[tuple[object, ...]]:
    """Apply a change to one document; concurrent writers of the same document wait for its row lock."""
    empty = {**key, "data": "{}", "version": 0, "updated_at": change.now}
    connection.execute(dialect_insert(connection, table).values(empty).on_conflict_do_nothing())
    mine = [table.c[name] == value for name, value in key.items()]
    row = connection.execute(select(table).where(*mine).with_for_update()).one()
    if change.expect_version is not None and change.expect_version != row.version:
        raise Conflict(
            f"the {table.name} of {' and '.join(map(repr, key.values()))} has version {row.version}",
            hint=f"version {change.expect_version} was expected: read it again and repeat the change",
        )
    data = merge_patch(values.decode_object(row.data), change.data) if change.merge else change.data
    changed = {"data": values.encode_json(data, "data"), "version": row.version + 1, "updated_at": change.now}
    return connection.execute(update(table).where(*mine).values(changed).returning(table)).one()


def read_document(connection: Connection, table: Table, key: dict[str, str]) -> Row[tuple[object, ...]] | None:
    """The row of one document, or `None`."""
    mine = [table.c[name] == value for name, value in key.items()]
    return connection.execute(select(table).where(*mine)).one_or_none()


def read_fields(connection: Connection, table: Table, key: dict[str, str], fields: Sequence[str]) -> JsonObject:
    """Values of these dotted paths of one document, in one query; missing paths are omitted."""
    if not fields:
        return {}
    look = _extract_postgres if connection.dialect.name == "postgresql" else _extract_sqlite
    columns = [look(table, field.split(".")).label(f"field_{at}") for at, field in enumerate(fields)]
    mine = [table.c[name] == value for name, value in key.items()]
    row = connection.execute(select(*columns).where(*mine)).one_or_none()
    found = zip(fields, row or (), strict=False)
    return {field: values.decode_json(stored) for field, stored in found if stored is not None}


def check_fields(fields: Sequence[str]) -> None:
    """Raise `InvalidRecord` unless every path consists of object keys.

    Numbers are refused: one database would take them for an array index, the other for a key.
    """
    for field in fields:
        if not all(_SEGMENT.fullmatch(segment) for segment in values.check_name(field, "field").split(".")):
            raise InvalidRecord(
                f"profile field {field!r} is not a path",
                hint="write keys joined with dots, as in 'birth.year'; numbers, quotes and backslashes cannot be keys",
            )


def _extract_sqlite(table: Table, segments: list[str]) -> ColumnElement[str]:
    path = "$" + "".join(f'."{segment}"' for segment in segments)
    return table.c.data.op("->", return_type=Text())(literal(path, Text))


def _extract_postgres(table: Table, segments: list[str]) -> ColumnElement[str]:
    from sqlalchemy.dialects import postgresql

    path = postgresql.array(segments, type_=Text)
    inside: ColumnElement[str] = as_type(table.c.data, postgresql.JSON).op("#>")(path)
    return as_type(inside, Text)
