"""What all writers of answers share: conditions in words, rows as Markdown, the source."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, join_names
from metier.questions._drafts import with_unit
from metier.questions._match import is_coordinate
from metier.questions._results import Answer, ResultTable
from metier.questions._words import strip_title
from metier.questions.queries._query_sentences import QUERY_SENTENCES
from metier.questions.queries._read import QueryReading
from metier.questions.queries._run import list_conditions, number_at, value_at
from metier.questions.queries._tables import concepts_of, is_text_column
from metier.visible_text import write_markdown_table

_MAX_LISTED: Final = 20
_MAX_SAID: Final = 40


class QueryWriter:
    """Writes parts of an answer about one reading."""

    def __init__(self, reading: QueryReading, language: Language) -> None:
        self._reading = reading
        self._language: Language = language

    def _say(self, code: str, **values: object) -> str:
        return QUERY_SENTENCES.render(code, self._language, **values)

    def _names_title(self) -> bool:
        """Whether the question names what the table is about, so that its rows are meant and not all."""
        about = concepts_of(strip_title(self._reading.table.table.title).split("：")[-1].split(":")[-1])
        return bool(about) and any(one.concepts and one.concepts <= about for one in self._reading.tokens)

    def _is_numeric(self, at: int) -> bool:
        return not is_text_column(self._reading.table.table, at)

    def _condition(self) -> str:
        """The conditions in words; empty without any."""
        table = self._reading.table.table
        told = []
        for one in list_conditions(self._reading):
            column = table.columns[one.column]
            if one.side == "is":
                value = join_names([self._say("quoted", word=word) for word in one.values], self._language)
                told.append(self._say("is_not" if one.is_not else "is", column=column.title, value=value))
            else:
                told.append(self._say(one.side, column=column.title, value=with_unit(one.limit, column.unit)))
        if self._reading.rows and self._reading.table.kind == "changes":
            names = join_names(
                dict.fromkeys(self._reading.table.names[at] for at in self._reading.rows), self._language
            )
            code = "is_not" if self._reading.has("not") else "is"
            told.append(self._say(code, column=table.columns[0].title, value=names))
        return self._say("with", conditions=join_names(told, self._language)) if told else ""

    def _list_limits(self) -> list[int]:
        """Columns of the conditions, in their order."""
        return list(dict.fromkeys(one.column for one in list_conditions(self._reading)))

    def _say_listed(self, rows: Sequence[int]) -> str:
        """How many rows there are, and the first of them."""
        table = self._reading.table.table
        told = {"count": len(rows), "rows": len(table.rows), "condition": self._condition()}
        if not told["condition"] and self._reading.table.kind != "changes":
            return self._say("count", rows=len(rows))
        head = self._say("listed_changes" if self._reading.table.kind == "changes" else "listed", **told)
        if not rows:
            return head
        names = {self._reading.table.names[row] for row in rows}
        if len(names) < len(rows) or self._reading.table.kind == "changes":
            head = f"{head} {self._say('entities', names=len(names), column=table.columns[0].title)}"
        return f"{head}\n\n{self._list_rows(rows, self._choose_columns())}"

    def _choose_columns(self) -> list[int]:
        """Columns to show: those of conditions and those that are named; of changes all."""
        table = self._reading.table
        if table.kind == "changes":
            return [at for at in range(1, len(table.table.columns)) if at != table.size]
        return list(dict.fromkeys((*self._list_limits(), *self._reading.columns)))

    def _list_rows(self, rows: Sequence[int], columns: Sequence[int]) -> str:
        """Rows as a Markdown table."""
        table = self._reading.table.table
        wanted = list(dict.fromkeys((0, *columns)))
        values = [[_shorten(value_at(self._reading, row, at)) for at in wanted] for row in rows[:_MAX_LISTED]]
        listed = write_markdown_table((table.columns[at].heading for at in wanted), values)
        left = len(rows) - _MAX_LISTED
        return "\n".join([listed, *(["", self._say("more_rows", left=left)] if left > 0 else [])])

    def _cut(self, rows: Sequence[int], at: int) -> ResultTable:
        return self._cut_all(rows, [at])

    def _cut_all(self, rows: Sequence[int], columns: Sequence[int] | None) -> ResultTable:
        """Some rows of the table, with some of its columns or all that were shown."""
        table = self._reading.table.table
        width = self._reading.table.change if self._reading.table.change > 0 else len(table.columns)
        wanted = list(dict.fromkeys((0, *columns))) if columns is not None else list(range(width))
        kept = tuple(tuple(value_at(self._reading, row, at) for at in wanted) for row in rows)
        return replace(table, columns=tuple(table.columns[at] for at in wanted), rows=kept, total=len(kept))

    def _list_parts(self) -> list[str]:
        """Titles of the joined tables that have the columns of the answer; the one with all rows comes first."""
        titles = {self._reading.table.table.columns[at].title for at in (*self._list_limits(), *self._reading.columns)}
        base, *others = self._reading.table.parts
        return [base.title, *(one.title for one in others if one.headings & titles)]

    def _finish(
        self, text: str, *, found: bool = True, shown: ResultTable | None = None, column: int | None = None
    ) -> Answer:
        """The text with its source, and how many rows have no value of the column that it is about."""
        table, parts = self._reading.table.table, self._reading.table.parts
        said = table.said if len(table.said) <= _MAX_SAID else table.said[: _MAX_SAID - 1] + "…"
        if parts:
            titles = join_names([self._say("quoted", word=one) for one in self._list_parts()], self._language)
            source = self._say("source_joined", titles=titles, total=table.total, said=said)
        else:
            source = self._say("source", title=table.title, total=table.total, said=said)
        if (
            found
            and column is not None
            and column > 0
            and self._is_numeric(column)
            and not is_coordinate(table.columns[column].title)
        ):
            missing = sum(number_at(self._reading, row, column) is None for row in range(len(table.rows)))
            if missing and self._reading.table.kind in ("rows", "joined"):
                told = self._say("missing", count=missing, rows=len(table.rows), column=table.columns[column].title)
                source = f"{told} {source}"
        if found and self._reading.base is not None and not self._reading.rows and not self._names_title():
            told = self._say("only_some", count=len(table.rows), total=len(self._reading.base.rows), title=table.title)
            source = f"{told}\n\n{source}"
        for at, others in self._reading.others.items() if found else ():
            names = join_names([table.columns[one].title for one in others], self._language)
            source = f"{self._say('other_columns', others=names, column=table.columns[at].title)}\n\n{source}"
        part = "" if table.total <= len(table.rows) else self._say("part_kept", total=table.total, kept=len(table.rows))
        return Answer(f"{text}\n\n{source}{part}", found=found, shown=shown)


def _shorten(value: JsonValue) -> JsonValue:
    return f"{value:.4f}".rstrip("0").rstrip(".") if isinstance(value, float) else value
