"""Functions of loans and savings: PMT, PV, FV, NPER, NPV."""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from metier.packs.office.sheets.formulas._values import BAD_NUMBER, CellValue, as_number

__all__ = ["MONEY_FUNCTIONS"]


def _growth(rate: float, count: float) -> float:
    """What one unit becomes, and a rate at which nothing is left is no rate."""
    return float((1 + rate) ** count) if rate != -1 or count >= 0 else math.nan


def _due(kind: CellValue, rate: float) -> float:
    """Payments at the beginning of a period bear one period more of interest."""
    return 1 + rate if as_number(kind) else 1.0


def _payment(
    rate: CellValue, periods: CellValue, present: CellValue, future: CellValue = 0.0, kind: CellValue = 0.0
) -> CellValue:
    each, count, now, then = as_number(rate), as_number(periods), as_number(present), as_number(future)
    if count == 0:
        return BAD_NUMBER
    if each == 0:
        return -(now + then) / count
    factor = _growth(each, count)
    below = _due(kind, each) * (factor - 1)
    return -(now * factor + then) * each / below if below else BAD_NUMBER


def _present_value(
    rate: CellValue, periods: CellValue, payment: CellValue, future: CellValue = 0.0, kind: CellValue = 0.0
) -> CellValue:
    each, count, paid, then = as_number(rate), as_number(periods), as_number(payment), as_number(future)
    if each == 0:
        return -(then + paid * count)
    factor = _growth(each, count)
    return -(then + paid * _due(kind, each) * (factor - 1) / each) / factor if factor else BAD_NUMBER


def _future_value(
    rate: CellValue, periods: CellValue, payment: CellValue, present: CellValue = 0.0, kind: CellValue = 0.0
) -> CellValue:
    each, count, paid, now = as_number(rate), as_number(periods), as_number(payment), as_number(present)
    if each == 0:
        return -(now + paid * count)
    factor = _growth(each, count)
    return -(now * factor + paid * _due(kind, each) * (factor - 1) / each)


def _periods(
    rate: CellValue, payment: CellValue, present: CellValue, future: CellValue = 0.0, kind: CellValue = 0.0
) -> CellValue:
    each, paid, now, then = as_number(rate), as_number(payment), as_number(present), as_number(future)
    if each == 0:
        return -(now + then) / paid if paid else BAD_NUMBER
    level = paid * _due(kind, each)
    below = now * each + level
    share = (level - then * each) / below if below else 0.0
    return math.log(share) / math.log(1 + each) if share > 0 and each > -1 else BAD_NUMBER


MONEY_FUNCTIONS: Final[Mapping[str, Callable[..., CellValue]]] = MappingProxyType(
    {"PMT": _payment, "PV": _present_value, "FV": _future_value, "NPER": _periods}
)
