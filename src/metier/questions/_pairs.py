"""The same quantity before and after a change: two columns of tables with the same rows."""

import re
from dataclasses import dataclass
from typing import Final

from metier.patterns import compile_later
from metier.questions._match import QuestionReader, entity_column, find_numeric_columns, is_high_bad, numeric_value
from metier.questions._results import ResultTable, TableColumn
from metier.questions._words import score_words
from metier.textsearch import fold

_AFTER: Final = compile_later(r"^(?:仿真|优化后|simulated |after )", re.IGNORECASE)
_CHANGED: Final = compile_later(r"^(?:原值|新值|was|will be|before|after)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ValuePair:
    """A column and the values it has after the change, by name of the row."""

    table: ResultTable
    column: TableColumn
    after_title: str
    values: tuple[tuple[str, float, float], ...]

    @property
    def gains(self) -> tuple[tuple[str, float], ...]:
        """By how much each value became better; negative if it became worse."""
        sign = -1.0 if is_high_bad(self.column.title) else 1.0
        return tuple((name, sign * (after - before)) for name, before, after in self.values)


def find_pair(reader: QuestionReader) -> ValuePair | None:
    """The pair of columns that the question names best; the first pair if it names none, None without one."""
    pairs = [
        (score_words(reader.words, table.columns[at].title), pair)
        for later in reader.tables
        for number in find_numeric_columns(later)
        for table in reader.tables
        if table is not later and table.said == later.said
        for at in find_numeric_columns(table)
        if (pair := _read_pair(table, at, later, number)) is not None
    ]
    return max(pairs, key=lambda one: (one[0], len(one[1].values)))[1] if pairs else None


def find_changes(reader: QuestionReader) -> ResultTable | None:
    """The newest table of settings with their old and new value; None without one."""
    return next(
        (one for one in reader.tables if sum(bool(_CHANGED.match(c.title)) for c in one.columns) >= 2),
        None,
    )


def _read_pair(table: ResultTable, at: int, later: ResultTable, number: int) -> ValuePair | None:
    before, after = table.columns[at], later.columns[number]
    core, count = _AFTER.subn("", after.title)
    is_same = count and fold(before.title).endswith(fold(core)) and not _AFTER.match(before.title)
    names = {fold(entity_column(one).title) for one in (table, later)}
    if not is_same or before.unit != after.unit or len(names) > 1:
        return None
    known = {str(row[0]): numeric_value(row[number]) for row in later.rows}
    first = {str(row[0]): numeric_value(row[at]) for row in table.rows}
    if len(first) < len(table.rows):
        return None  # names of several rows
    values = tuple(
        (name, value, then)
        for name, value in first.items()
        if value is not None and (then := known.get(name)) is not None
    )
    return ValuePair(table, before, after.title, values) if values else None
