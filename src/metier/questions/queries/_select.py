"""Rows of a list of changes that words choose: "except the azimuths", "only the first 10", 除了方位角."""

from dataclasses import dataclass
from typing import Final

from metier.language import Language
from metier.questions._results import Results, ResultTable
from metier.questions.queries._read import TableReader
from metier.questions.queries._run import list_conditions, number_at, select_rows
from metier.questions.queries._tables import list_query_tables
from metier.questions.queries._tokens import cut_tokens, make_vocabulary
from metier.questions.queries._writer import QueryWriter

_ALLOWED: Final = frozenset(
    {*("and", "or", "which", "only", "name", "code", "value", "compare", "after", "between", "to", "than", "not"),
     *("delta", "first", "last", "most", "changed", "lowered", "raised", "old", "new", "size", "assent", "row")}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowChoice:
    """Places of the rows that were chosen, and the choice in words."""

    rows: tuple[int, ...]
    total: int
    words: str = ""


def choose_rows(text: str, table: ResultTable, language: Language) -> RowChoice | None:
    """The rows of a table that a message chooses; None unless all its words are read, or if it chooses all or none."""
    tables = [one for one in list_query_tables(Results((table,)), language) if one.kind != "joined"]
    tokens = cut_tokens(text, make_vocabulary(tables))
    if not tables or any(one.kind == "unknown" for one in tokens):
        return None
    said = "".join(one.text.ljust(one.end - one.start)[: one.end - one.start] for one in tokens)
    reading = TableReader(tokens, tables[0], said).read()
    if reading is None or reading.missing or not reading.kinds <= _ALLOWED:
        return None
    rows = select_rows(reading)
    if rows is None:
        return None
    numbers = [int(one.number) for one in reading.numbers if not one.unit]
    if len(numbers) != len(reading.numbers) or len(numbers) > 1:
        return None
    if numbers:
        count = numbers[0]
        if reading.has("most"):
            at = reading.columns[0] if reading.columns else reading.table.size
            rows = sorted(rows, key=lambda row: -(number_at(reading, row, at) or 0.0))
        elif not reading.has("first", "last") or list_conditions(reading):
            return None
        rows = rows[-count:] if reading.has("last") else rows[:count]
    elif reading.has("first", "last", "most", "row"):
        return None
    if not (numbers or list_conditions(reading) or reading.rows):
        return None
    words = _ConditionWriter(reading, language).describe()
    total = len(table.rows)
    return RowChoice(tuple(sorted(rows)), total, words) if 0 < len(rows) < total else None


class _ConditionWriter(QueryWriter):
    def describe(self) -> str:
        """The conditions in words."""
        return self._condition().strip()
