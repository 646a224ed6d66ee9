"""Conditions of queries whose filters may be left out, and the newest rows that meet them."""

from datetime import datetime

from sqlalchemy import Column, ColumnElement, Select, Table, select

from metier.store import _values as values
from metier.store.database._schema import conversations

__all__ = ["belongs_to_user", "is_equal", "is_since", "select_newest"]


def select_newest(
    table: Table, at: Column[int], limit: int, *conditions: ColumnElement[bool] | None
) -> Select[tuple[object, ...]]:
    """Query of the rows that meet the conditions, the newest first; None is no condition."""
    given = [one for one in conditions if one is not None]
    most = values.check_integer(limit, "limit", least=1)
    return select(table).where(*given).order_by(at.desc(), table.c.id).limit(most)


def is_equal(column: Column[str], value: str | None, field: str) -> ColumnElement[bool] | None:
    """The column has this value, a name; `field` is what an error calls it."""
    return None if value is None else column == values.check_name(value, field)


def is_since(column: Column[int], since: datetime | None) -> ColumnElement[bool] | None:
    """The time in the column is this or later."""
    return None if since is None else column >= values.to_micros(since, "since")


def belongs_to_user(column: Column[str], user: str | None) -> ColumnElement[bool] | None:
    """The conversation in the column belongs to the user."""
    if user is None:
        return None
    own = select(conversations.c.id).where(conversations.c.user_id == values.check_name(user, "user"))
    return column.in_(own)
