"""One fault of a table by the rule that found it, before it becomes a finding with its sentence."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from metier.packs.office.analysis._model import SheetCell

__all__ = ["SheetFault", "is_plain_number", "short_address", "show_number"]


@dataclass(frozen=True, slots=True)
class SheetFault:
    """The rule, the cell, the line it was read from, and what the sentence says."""

    rule: str
    cell: str
    line: str
    values: Mapping[str, str] = field(default_factory=dict)


def short_address(cell: SheetCell) -> str:
    """The address without its sheet."""
    return cell.address.rpartition("!")[2]


def is_plain_number(cell: SheetCell | None) -> bool:
    """Whether the cell holds a number that somebody typed."""
    return (
        cell is not None
        and not cell.formula
        and isinstance(cell.value, int | float)
        and not isinstance(cell.value, bool)
    )


def show_number(value: float) -> str:
    """The number to its sixth decimal, and never rounded to fewer digits than tell it from another."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if 1e-4 <= abs(value) < 1e15 else f"{value:g}"
