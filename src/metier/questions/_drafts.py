"""Drafts of answers about tables: their text, what they are about, and the rows they list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, join_names
from metier.questions._match import entity_column, is_coordinate, numeric_value
from metier.questions._results import ResultTable, TableColumn
from metier.questions._sentences import SENTENCES
from metier.visible_text import write_markdown_table

_MAX_LISTED: Final = 20


@dataclass(frozen=True, slots=True)
class ExtraColumn:
    """A further column of an answer, by the names of the rows; `at` is its place if it is of the same table."""

    column: TableColumn
    values: Mapping[str, JsonValue]
    at: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """An answer from one table. `headings` are what else it is about, `names` the rows it lists, at their `column`.

    `shown` is what a chart of the answer would show; `tables` are shown with it.
    """

    text: str
    table: ResultTable
    headings: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    rows: tuple[int, ...] = ()
    column: int | None = None
    tables: tuple[ResultTable, ...] = ()
    shown: ResultTable | None = None
    source: str = "source"
    found: bool = True


def cut_table(table: ResultTable, rows: Sequence[int], at: int | None) -> ResultTable:
    """Some rows of a table, with the column that they were listed for."""
    columns = [0] if not at else [0, at]
    kept = tuple(tuple(_value_at(table.rows[number], column) for column in columns) for number in rows)
    heads = tuple(table.columns[column] for column in columns)
    return ResultTable(table.title, heads, kept, len(kept), table.said, table.call)


def list_rows(draft: AnswerDraft, extras: Sequence[ExtraColumn], language: Language) -> str:
    """The rows of a draft as a Markdown table under its text, with values of other tables beside them."""
    table, at = draft.table, draft.column
    columns = [entity_column(table), *([table.columns[at]] if at else []), *(one.column for one in extras)]
    listed = [table.rows[number] for number in draft.rows[:_MAX_LISTED]]
    rows = [
        [row[0], *([_value_at(row, at)] if at else []), *(_get_extra(one, row) for one in extras)] for row in listed
    ]
    left = len(draft.rows) - _MAX_LISTED
    rest = ["", SENTENCES.render("more_rows", language, left=left)] if left > 0 else []
    return "\n".join([draft.text, "", write_markdown_table((one.heading for one in columns), rows), *rest])


def list_values(table: ResultTable, at: int, language: Language, *, with_place: bool) -> str:
    """All values of a row with their headings."""
    pairs = zip(table.columns[1:], table.rows[at][1:], strict=False)
    told = [
        f"{head.title} {with_unit(value, head.unit)}"
        for head, value in pairs
        if with_place or not is_coordinate(head.title)
    ]
    return join_names(told, language)


def with_unit(value: JsonValue, unit: str) -> str:
    """A value as people write it."""
    if value is None:
        return "–"
    text = f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f"{text} {unit}".strip()


def unit_of_differences(column: TableColumn, language: Language) -> str:
    """Unit of the difference of two values: points for percentages, dB for levels in dBm."""
    if column.unit == "%":
        return SENTENCES.render("points", language)
    return "dB" if column.unit == "dBm" else column.unit


def _get_extra(extra: ExtraColumn, row: Sequence[JsonValue]) -> JsonValue:
    return extra.values.get(str(row[0])) if extra.at is None else _value_at(row, extra.at)


def number_at(row: Sequence[JsonValue], at: int) -> float | None:
    """The number in a cell; None if there is none."""
    return numeric_value(_value_at(row, at))


def _value_at(row: Sequence[JsonValue], at: int) -> JsonValue:
    return row[at] if at < len(row) else None
