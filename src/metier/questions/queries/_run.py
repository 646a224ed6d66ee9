"""Rows that a reading selects, and values of their columns."""

from collections.abc import Sequence
from statistics import mean, median, pstdev

from metier.json_values import JsonValue
from metier.questions._match import is_high_bad
from metier.questions.queries._limits import RowCondition
from metier.questions.queries._read import QueryReading
from metier.questions.queries._tables import gain_of, read_figure


def value_at(reading: QueryReading, row: int, at: int) -> JsonValue:
    """The cell of a row; None beyond its end."""
    cells = reading.table.table.rows[row]
    return cells[at] if at < len(cells) else None


def number_at(reading: QueryReading, row: int, at: int) -> float | None:
    """The number of a cell; None if it has none."""
    return read_figure(value_at(reading, row, at))


def select_rows(reading: QueryReading) -> list[int] | None:
    """Rows that the conditions and names leave, in the order of the table; None if an exception excepts nothing."""
    every = range(len(reading.table.table.rows))
    conditions = [*reading.conditions, *_find_signs(reading)]
    kept = [at for at in every if all(_holds(reading, at, one) for one in conditions)]
    if reading.has("not") and not any(one.is_not for one in conditions):
        return [at for at in kept if at not in reading.rows] if reading.rows else None
    return [at for at in kept if at in reading.rows] if reading.rows else kept


def list_conditions(reading: QueryReading) -> list[RowCondition]:
    """All conditions, with those that words such as "lowered" mean."""
    return [*reading.conditions, *_find_signs(reading)]


def _find_signs(reading: QueryReading) -> list[RowCondition]:
    at = reading.table.change
    if reading.table.kind != "changes":
        return []
    made = [RowCondition(at, "below", 0.0)] if reading.has("lowered") else []
    return [*made, RowCondition(at, "above", 0.0)] if reading.has("raised") else made


def _holds(reading: QueryReading, row: int, condition: RowCondition) -> bool:
    if condition.side == "is":
        return (str(value_at(reading, row, condition.column)) in condition.values) != condition.is_not
    value = number_at(reading, row, condition.column)
    if value is None:
        return False
    return {
        "below": value < condition.limit,
        "above": value > condition.limit,
        "at_most": value <= condition.limit,
        "at_least": value >= condition.limit,
    }.get(condition.side, value == condition.limit)


def sort_rows(reading: QueryReading, rows: Sequence[int], at: int, *, ascends: bool) -> list[int]:
    """Rows that have a number in the column, in its order."""
    known = [(value, row) for row in rows if (value := number_at(reading, row, at)) is not None]
    return [row for _, row in sorted(known, key=lambda one: one[0] if ascends else -one[0])]


def ascends(order: str, title: str) -> bool:
    """Whether an order begins with the lowest value: what is worst depends on the quantity."""
    word = order.partition(":")[0].removesuffix("_first")
    return word == "low" or (word in ("worst", "best") and (word == "worst") != is_high_bad(title))


def compute_figure(name: str, values: Sequence[float]) -> float:
    """A figure of some values."""
    if name == "sum":
        return sum(values)
    return {"median": median, "spread": pstdev}.get(name, mean)(values)


def relative_gain(reading: QueryReading, row: int) -> float:
    """How much better an indicator became, as a share of its old value."""
    return gain_of(reading.table.names[row], relative_change(reading, row))


def relative_change(reading: QueryReading, row: int) -> float:
    """How much an indicator rose, or fell, as a share of its old value."""
    before = number_at(reading, row, reading.table.old)
    change = number_at(reading, row, reading.table.change) or 0.0
    return change / abs(before) if before else change
