"""Days of work: NETWORKDAYS, WORKDAY and their kin with other weekends."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._values import (
    BAD_NUMBER,
    BAD_VALUE,
    CellError,
    CellValue,
    ErrorResult,
    Grid,
    Operand,
    as_number,
    one_value,
)
from metier.packs.office.sheets.formulas.functions._dates import as_day, check_day

__all__ = ["WORKDAY_FUNCTIONS"]

# Days off by the number that is given; Monday is 0.
_WEEKENDS: Final[Mapping[int, frozenset[int]]] = MappingProxyType(
    {one: frozenset({(one + 4) % 7, (one + 5) % 7}) for one in range(1, 8)}
    | {one: frozenset({(one + 2) % 7}) for one in range(11, 18)}
)
_MAX_DAYS: Final = 2_958_466


def _weekend(arguments: Sequence[Operand], at: int) -> frozenset[int]:
    if at >= len(arguments) or arguments[at] is None:
        return _WEEKENDS[1]
    value = one_value(arguments[at])
    if isinstance(value, str):
        if len(value) != 7 or set(value) - {"0", "1"}:
            raise ErrorResult(BAD_VALUE)
        return frozenset(day for day, mark in enumerate(value) if mark == "1")
    kind = int(as_number(value))
    if kind not in _WEEKENDS:
        raise ErrorResult(BAD_NUMBER)
    return _WEEKENDS[kind]


def _holidays(arguments: Sequence[Operand], at: int) -> set[int]:
    """Days in a range or array; blank cells are none."""
    if at >= len(arguments) or arguments[at] is None:
        return set()
    given = arguments[at]
    values: list[CellValue] = list(given.flat()) if isinstance(given, Grid) else [given]
    for value in values:
        if isinstance(value, CellError):
            raise ErrorResult(value)
    return {as_day(value) for value in values if value is not None and value != ""}


def _is_work(day: int, weekend: frozenset[int], holidays: set[int]) -> bool:
    # Serial number 2 is a Monday in the calendar of spreadsheets.
    return (day - 2) % 7 not in weekend and day not in holidays


def _count_days(has_weekend: bool) -> Callable[[Sequence[Operand]], CellValue]:
    def _apply(arguments: Sequence[Operand]) -> CellValue:
        start, end = as_day(one_value(arguments[0])), as_day(one_value(arguments[1]))
        weekend = _weekend(arguments, 2) if has_weekend else _WEEKENDS[1]
        holidays = _holidays(arguments, 3 if has_weekend else 2)
        first, last = min(start, end), max(start, end)
        weeks, rest = divmod(last - first + 1, 7)
        total = weeks * (7 - len(weekend)) + sum(_is_work(last - at, weekend, set()) for at in range(rest))
        total -= sum(1 for day in holidays if first <= day <= last and _is_work(day, weekend, set()))
        return float(total if start <= end else -total)

    return _apply


def _move_days(has_weekend: bool) -> Callable[[Sequence[Operand]], CellValue]:
    def _apply(arguments: Sequence[Operand]) -> CellValue:
        day, left = as_day(one_value(arguments[0])), int(as_number(one_value(arguments[1])))
        weekend = _weekend(arguments, 2) if has_weekend else _WEEKENDS[1]
        holidays = _holidays(arguments, 3 if has_weekend else 2)
        if len(weekend) == 7:
            return BAD_VALUE
        if abs(left) > _MAX_DAYS:
            return BAD_NUMBER
        step = 1 if left > 0 else -1
        left = abs(left)
        if not holidays:
            weeks, left = divmod(left, 7 - len(weekend))
            # A whole week ahead is as many days of work only from a day of work; else the last week is walked.
            weeks, left = (weeks - 1, left + 7 - len(weekend)) if weeks and not left else (weeks, left)
            day += step * 7 * weeks
        while left:
            day += step
            check_day(day)
            left -= _is_work(day, weekend, holidays)
        return check_day(day)

    return _apply


WORKDAY_FUNCTIONS: Final[Mapping[str, Callable[[Sequence[Operand]], CellValue]]] = MappingProxyType(
    {
        "NETWORKDAYS": _count_days(has_weekend=False),
        "NETWORKDAYS.INTL": _count_days(has_weekend=True),
        "WORKDAY": _move_days(has_weekend=False),
        "WORKDAY.INTL": _move_days(has_weekend=True),
    }
)
