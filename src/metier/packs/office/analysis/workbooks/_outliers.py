"""Numbers of a column that are far from all others, or smaller by a unit: 28700 among 300, 4.1 MWh among 4000 kWh."""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import Final

from metier.packs.office.analysis._model import SheetCell
from metier.packs.office.analysis.workbooks._faults import SheetFault, is_plain_number, short_address, show_number

__all__ = ["find_outliers"]

_MIN_VALUES: Final = 5
_MAX_SCORE: Final = 8.0
_MIN_RATIO: Final = 5.0
# Amounts of one kind lie close in logarithms: what stands apart is this many times the next one.
_MIN_GAP: Final = 3.0
_MAX_SHARE: Final = 20  # one value in so many, at most
_MIN_COLUMN: Final = 10
_UNIT_STEP: Final = 100.0
_MAX_UNIT_SHARE: Final = 0.1


def find_outliers(cells: Sequence[SheetCell]) -> Iterator[SheetFault]:
    """Faults of the typed numbers of one column."""
    values = [(cell, float(cell.value or 0)) for cell in cells if is_plain_number(cell)]
    if len(values) < _MIN_VALUES:
        return
    middle = median(value for _, value in values)
    spread = median(abs(value - middle) for _, value in values) or abs(middle) * 0.05
    least = _find_gap([abs(value) for _, value in values])
    for cell, value in values:
        is_far = spread and abs(value - middle) / spread > _MAX_SCORE and abs(value) > _MIN_RATIO * abs(middle)
        if is_far and abs(value) >= least:
            yield _build("outlier", cell, value, middle)
    yield from _find_other_units(values, middle)


def _find_gap(sizes: Sequence[float]) -> float:
    """The least of the few values that stand apart from all below them; above every value if none does."""
    ordered = sorted(sizes, reverse=True)
    few = max(1, len(ordered) // _MAX_SHARE)
    apart = [at for at in range(few) if ordered[at] >= _MIN_GAP * ordered[at + 1]]
    return ordered[apart[-1]] if apart else ordered[0] + 1


def _find_other_units(values: Sequence[tuple[SheetCell, float]], middle: float) -> Iterator[SheetFault]:
    """Few values of at most a hundredth of all the others: they were typed in another unit."""
    known = [(cell, value) for cell, value in values if value > 0]
    if len(known) < _MIN_COLUMN or any(value < 0 for _, value in values):
        return
    ordered = sorted(value for _, value in known)
    for count in range(1, int(len(ordered) * _MAX_UNIT_SHARE) + 1):
        if ordered[count] >= _UNIT_STEP * ordered[count - 1] and ordered[-1] < _UNIT_STEP * ordered[count]:
            yield from (
                _build("unit_slip", cell, value, middle) for cell, value in known if value <= ordered[count - 1]
            )
            return


def _build(rule: str, cell: SheetCell, value: float, middle: float) -> SheetFault:
    values = {"value": show_number(value), "middle": show_number(middle)}
    return SheetFault(rule, short_address(cell), str(cell.value), values)
