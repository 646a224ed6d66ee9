"""Rows of a list of changes that words choose: "except the azimuths", "only the first 10", 除了方位角."""

import re
from dataclasses import dataclass
from typing import Final

from metier.language import Language
from metier.patterns import compile_later
from metier.questions._results import Results, ResultTable
from metier.questions.queries._read import QueryReading, TableReader
from metier.questions.queries._run import list_conditions, number_at, select_rows
from metier.questions.queries._tables import list_query_tables
from metier.questions.queries._tokens import cut_tokens, make_vocabulary
from metier.questions.queries._writer import QueryWriter

_MAX_CHARS: Final = 1000  # 50 rows by their names
_ALLOWED: Final = frozenset(
    {*("and", "or", "only", "name", "code", "value", "compare", "after", "between", "to", "than", "not"),
     *("delta", "first", "last", "most", "changed", "lowered", "raised", "old", "new", "size", "assent", "row")}
)  # fmt: skip
# Words that turn a choice round or ask something: "all but the first 3", 除了方位角还要下倾角, "don't leave out …".
_DOUBLE_EDGED: Final = compile_later(
    r"还[要有]|也[要行可]|以外|之外|别[漏忘]|不要[漏忘跳]|什么|怎么|为何|哪|几[个条处]|[吗呢?？]"
    r"|\b(?:but(?! not)|also|as well|besides|what|which|why|how|is|are|do|does)\b"
    r"|\b(?:don'?t|do not|never) (?:leave|skip|forget|drop)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class RowChoice:
    """Places of the rows that were chosen, and the choice in words."""

    rows: tuple[int, ...]
    total: int
    words: str = ""


def choose_rows(text: str, table: ResultTable, language: Language) -> RowChoice | None:
    """The rows of a table that a message chooses; None unless all its words are read, or if it chooses all or none."""
    if len(text) > _MAX_CHARS or _DOUBLE_EDGED.search(text):
        return None
    tables = [one for one in list_query_tables(Results((table,)), language) if one.kind != "joined"]
    tokens = cut_tokens(text, make_vocabulary(tables))
    if not tables or any(one.kind == "unknown" for one in tokens):
        return None
    said = "".join(one.text.ljust(one.end - one.start)[: one.end - one.start] for one in tokens)
    reading = TableReader(tokens, tables[0], said).read()
    if reading is None or reading.missing or not reading.kinds <= _ALLOWED:
        return None
    refusals = [one for one in reading.tokens if one.kind == "not"]
    if len(refusals) > 1 or not reading.has("only", "not", "first", "last", "assent"):
        return None  # 除了方位角都不要 is the opposite of 除了方位角
    if len({one.is_not for one in reading.conditions if one.side == "is"}) > 1:
        return None  # one value is wanted and another is not: which is which may be misread
    named = sum(len(one.values) for one in reading.conditions if one.side == "is")
    if reading.has("only") and refusals and named > 1:
        return None  # 只要下倾角不要方位角, the same
    rows = select_rows(reading)
    if rows is None:
        return None
    placed = _keep_places(reading, rows)
    if placed is None or not (reading.numbers or list_conditions(reading) or reading.rows):
        return None
    words = _ConditionWriter(reading, language).describe()
    total = len(table.rows)
    return RowChoice(tuple(sorted(placed)), total, words) if 0 < len(placed) < total else None


def _keep_places(reading: QueryReading, rows: list[int]) -> list[int] | None:
    """The first or last rows, or those with the largest values, if a number is said; None if it is not clear."""
    numbers = [int(one.number) for one in reading.numbers if not one.unit]
    if len(numbers) != len(reading.numbers) or len(numbers) > 1:
        return None
    if not numbers:
        return None if reading.has("first", "last", "most", "row") else rows
    if reading.has("most"):
        at = reading.columns[0] if reading.columns else reading.table.size
        rows = sorted(rows, key=lambda row: -(number_at(reading, row, at) or 0.0))
    elif not reading.has("first", "last") or list_conditions(reading):
        return None
    return rows[-numbers[0] :] if reading.has("last") else rows[: numbers[0]]


class _ConditionWriter(QueryWriter):
    def describe(self) -> str:
        """The conditions in words."""
        return self._condition().strip()
