"""Limits of a question in the unit of what they limit: 10 % of a column of fractions is 0.1."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from metier.packs.workspace.data._summary import Typed
    from metier.packs.workspace.data.questions._query import DataQuery
    from metier.packs.workspace.data.questions._tokens import DataToken

_WHOLE: Final = 100.0


def scale_bound(bound: "DataToken", query: "DataQuery", table: "Typed") -> float | None:
    """The limit as the values of the measure are written; None if its unit does not fit them, or may be either."""
    column = query.measure
    is_percent = query.derived == "margin" or (not query.derived and column is not None and column.unit == "%")
    if is_percent:
        is_clear = bound.unit == "%" or (not bound.unit and bound.number > 1)
        return bound.number if is_clear else None
    is_rate = not query.derived and column is not None and column.aggregate == "mean"
    if is_rate and column is not None and _is_fraction(column.name, table):
        if bound.unit == "%":
            return bound.number / _WHOLE
        return bound.number if not bound.unit and bound.number <= 1 else None
    if bound.unit == "%" or (bound.unit and (query.counts or query.sums_pieces)):
        return None
    return bound.number


def _is_fraction(name: str, table: "Typed") -> bool:
    """Whether all values lie between -1 and 1."""
    values = table.frame[name].dropna()
    return bool(len(values)) and float(values.abs().max()) <= 1
