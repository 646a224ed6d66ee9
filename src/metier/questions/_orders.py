"""Orders and limits of rows by a column."""

import re
from collections.abc import Sequence
from typing import Final

from metier.patterns import compile_later
from metier.questions._drafts import number_at
from metier.questions._match import TableMatch, is_high_bad
from metier.questions._numbers import Limit
from metier.questions._parse import Order
from metier.questions._results import ResultTable

_SEVEREST: Final = compile_later(r"最严重(?!程度|性)|\bmost severe\b", re.IGNORECASE)
_WORST_FIRST: Final = compile_later(r"最差在前|worst first", re.IGNORECASE)
_SEVERITY: Final = compile_later(r"严重|\bsever", re.IGNORECASE)


def is_ascending(order: Order, title: str) -> bool:
    """Whether an order begins with the lowest value: what is worst depends on the quantity."""
    return order == "low" or (order in ("worst", "best") and (order == "worst") != is_high_bad(title))


def is_worst_first(table: ResultTable) -> bool:
    """Whether the title of a table says that its first row is the worst."""
    return _WORST_FIRST.search(table.title) is not None


def names_column(match: TableMatch, text: str) -> bool:
    """Whether more than the order names a column: 最严重 asks for the worst row, 严重程度最高 for that column."""
    title = "" if match.column is None else match.table.columns[match.column].title
    is_of_order = _SEVERITY.search(title) is not None and _SEVEREST.search(text) is not None and title not in text
    return bool(title) and not is_of_order


def sort_rows(table: ResultTable, at: int, *, is_ascending: bool) -> list[int]:
    """Numbers of the rows that have a value, in its order."""
    known = [(value, number) for number, row in enumerate(table.rows) if (value := number_at(row, at)) is not None]
    return [number for _, number in sorted(known, key=lambda one: one[0] if is_ascending else -one[0])]


def resolve_limit(limit: Limit, title: str) -> Limit:
    """The limit as a side of the number line: what is worse depends on the quantity."""
    side, value = limit
    if side not in ("worse", "better"):
        return limit
    return ("above" if (side == "worse") == is_high_bad(title) else "below"), value


def filter_rows(table: ResultTable, at: int, limits: Sequence[Limit]) -> list[int]:
    """Numbers of the rows within the limits, those farthest from the first limit first."""
    ascending = limits[0][0] in ("below", "at_most", "at_least")
    ordered = sort_rows(table, at, is_ascending=ascending)
    return [number for number in ordered if all(_is_within(number_at(table.rows[number], at), one) for one in limits)]


def _is_within(value: float | None, limit: Limit) -> bool:
    side, bound = limit
    if value is None:
        return False
    return {"below": value < bound, "at_most": value <= bound, "at_least": value >= bound}.get(side, value > bound)
