"""Limits in a question, with the columns that they are of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from metier.json_values import JsonValue
from metier.patterns import compile_later
from metier.questions._match import is_coordinate, is_high_bad
from metier.questions.queries._tables import QueryTable, read_figure, unit_of
from metier.questions.queries._tokens import Token

BoundTerm = tuple[int, int, int | None]  # first token, last token, column

_UNITS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("度", "degree", "degrees"), "°"),
        **dict.fromkeys(("兆", "bps"), "mbps"),
        **dict.fromkeys(("percent", "point", "points", "百分点", "个百分点"), "%"),
    }
)
_DECIBELS: Final = frozenset({"db", "dbm"})
_IN_BRACKETS: Final = compile_later(r"[（(]([^（()）]{1,8})[)）]")
_SIDES: Final = (("低小弱少慢", "below"), ("高大强多快", "above"), ("差糟", "worse"), ("好优", "better"))


@dataclass(frozen=True, slots=True)
class RowCondition:
    """What rows must have: a number on one side of a limit, or one of some values; `is_not` turns it round."""

    column: int
    side: str = "is"
    limit: float = 0.0
    values: tuple[str, ...] = ()
    is_not: bool = False


class LimitReader:
    """Reads the limits of a question bound to one table; `used` are the numbers that are part of one."""

    def __init__(
        self,
        tokens: Sequence[Token],
        table: QueryTable,
        text: str,
        bound: Sequence[BoundTerm],
        texts: frozenset[int],
    ) -> None:
        self._tokens = tokens
        self._table = table
        self._text = text
        self._bound = bound
        self._texts = texts
        self.conditions: list[RowCondition] = []
        self.used: set[int] = set()

    def read(self) -> bool:
        """Read all limits; False if one has no column that it can mean."""
        for at, one in enumerate(self._tokens):
            if one.kind in ("compare", "delta", "than") and not self._read_compared(at):
                return False
            if one.kind == "number" and at not in self.used and not self._read_number(at):
                return False
        return True

    def _read_compared(self, at: int) -> bool:
        """A limit whose word stands before its number."""
        one = self._tokens[at]
        if self._kind_at(at + 1) != "number":
            return self._is_old_after(at)
        side = self._side_after(at + 1) if one.kind == "than" else one.value
        self.used.add(at + 1)
        is_signed = self._kind_at(at + 2) == "compare" and self._is_old_after(at + 2)
        number = self._tokens[at + 1]
        return bool(side) and self._add(at, number, side, is_change=one.kind == "delta", is_signed=is_signed)

    def _read_number(self, at: int) -> bool:
        """A limit whose word stands after its number, or two numbers of a range."""
        one = self._tokens[at]
        if self._kind_at(at + 1) == "after":
            self.used.add(at)
            return self._add(at, one, self._tokens[at + 1].value)
        if not self._is_range(at):
            return True
        last = self._tokens[at + 2]
        self.used |= {at, at + 2}
        low, high = sorted((one.number, last.number))
        unit = last.unit or one.unit
        limits = (("at_least", low), ("at_most", high))
        return all(self._add(at, replace(one, number=limit, unit=unit), side) for side, limit in limits)

    def _is_range(self, at: int) -> bool:
        """Whether two numbers have "to" between them, or "and" with "between" elsewhere."""
        is_between = any(one.kind == "between" for one in self._tokens)
        joint = self._kind_at(at + 1)
        return self._kind_at(at + 2) == "number" and (joint == "to" or (is_between and joint == "and"))

    def _side_after(self, at: int) -> str:
        """比 -100 差: which side the word after the number means."""
        rest = self._text[self._tokens[at].end :].lstrip(" 还更要")
        return next((side for chars, side in _SIDES if rest[:1] and rest[0] in chars), "")

    def _is_old_after(self, at: int) -> bool:
        return any(one.kind == "old" for one in self._tokens[at + 1 : at + 3])

    def _kind_at(self, at: int) -> str:
        return self._tokens[at].kind if 0 <= at < len(self._tokens) else ""

    def _add(self, at: int, number: Token, side: str, *, is_change: bool = False, is_signed: bool = False) -> bool:
        if is_signed or is_change:
            column = self._table.change if is_signed else self._table.size
        else:
            found = self._find_column(at, number)
            column = -1 if found is None else found
        if column < 0 or not self._can_have_unit(number):
            return False
        if side in ("worse", "better"):
            side = "above" if (side == "worse") == is_high_bad(self._table.table.columns[column].title) else "below"
        self.conditions.append(RowCondition(column, side, number.number))
        return True

    def _find_column(self, at: int, number: Token) -> int | None:
        """The column of a limit: what stands before it, directly after it, or has its unit."""
        table = self._table
        if table.kind in ("changes", "pairs") and (named := self._find_old_or_new(at)) is not None:
            return named
        numeric = [one for one in self._bound if one[2] is not None and one[2] > 0 and one[2] not in self._texts]
        end = at + 1 if self._tokens[at].kind != "number" else at
        before = [one[2] for one in numeric if one[1] < at and not self._is_taken(one[1], at)]
        following = [one[2] for one in numeric if one[0] == end + 1]
        for column in (*before[-1:], *following[:1]):
            if column is not None and self._has_unit(column, number):
                return column
        if before or following or table.kind in ("changes", "pairs", "causes"):
            return None
        return self._guess_column(number)

    def _find_old_or_new(self, at: int) -> int | None:
        near = [one.kind for one in self._tokens[max(0, at - 3) : at] if one.kind in ("old", "new", "size")]
        places = {"old": self._table.old, "new": self._table.new, "size": self._table.size}
        return places[near[-1]] if near else None

    def _is_taken(self, first: int, last: int) -> bool:
        """Whether a limit stands between a column and here, so that the column is that limit's."""
        return any(at in self.used for at in range(first + 1, last))

    def _has_unit(self, column: int, number: Token) -> bool:
        own, said = _fold_unit(self._table.table.columns[column].unit), _fold_unit(number.unit)
        if said and not own:
            return self._table.kind in ("changes", "pairs")
        return not said or own == said or {own, said} <= _DECIBELS

    def _can_have_unit(self, number: Token) -> bool:
        """Whether rows of changes or indicators, each of a quantity of its own, can have a limit in this unit."""
        said = _fold_unit(number.unit)
        if not said or self._table.kind not in ("changes", "pairs"):
            return True
        stated = {_fold_unit(one) for row in self._table.table.rows for one in self._list_units(row)} - {""}
        return not stated or said in stated or (said in _DECIBELS and bool(stated & _DECIBELS))

    def _list_units(self, row: Sequence[JsonValue]) -> Iterator[str]:
        """Units that a row states: in brackets behind a name, or behind its values."""
        for at, cell in enumerate(row):
            if isinstance(cell, str):
                yield from _IN_BRACKETS.findall(cell)
            if at in (self._table.old, self._table.new):
                yield unit_of(cell, self._table.table.columns[at])

    def _guess_column(self, number: Token) -> int | None:
        """The only column that a bare limit can mean: by its unit, or a negative one by its sign; else None."""
        said = _fold_unit(number.unit)
        found = []
        for at, column in enumerate(self._table.table.columns):
            if at in self._texts or not at or is_coordinate(column.title):
                continue
            cells = [row[at] if at < len(row) else None for row in self._table.table.rows]
            values = [value for cell in cells if (value := read_figure(cell)) is not None]
            is_unit = column.unit.lower() == said if said else number.number < 0
            if values and is_unit and (max(values) < 0) == (number.number < 0):
                found.append(at)
        return found[0] if len(found) == 1 else None


def _fold_unit(unit: str) -> str:
    low = unit.lower()
    return _UNITS.get(low, low)
