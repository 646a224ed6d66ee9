"""Answers a question from tables and charts: the text, and what to show with it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, join_names
from metier.questions._match import (
    TableMatch,
    entity_column,
    find_limited_column,
    find_named_rows,
    find_numbered_row,
    find_numeric_columns,
    find_table,
    is_coordinate,
    is_high_bad,
    numeric_value,
    score_words,
)
from metier.questions._parse import Question
from metier.questions._results import ResultChart, Results, ResultTable, TableColumn, table_from_chart
from metier.questions._sentences import SENTENCES

_MAX_LISTED: Final = 20
_MAX_SAID: Final = 40
_MAX_TABLES: Final = 6
_MAX_CHARTS: Final = 4
_MAX_DRAWN: Final = 24
_INDICATOR: Final = re.compile(r"(?<![A-Za-z0-9-])[A-Z]{3,6}(?![A-Za-z0-9-])")
_BAR_KINDS: Final = ("grouped_bar", "line", "stacked_bar", "scatter", "table")


@dataclass(frozen=True, slots=True)
class Answer:
    """Text of an answer, and tables and charts to show with it. `found` is false if it only says what can be asked."""

    text: str
    tables: tuple[ResultTable, ...] = ()
    charts: tuple[ResultChart, ...] = ()
    found: bool = True


def describe_next(title: str, offers: Sequence[str], language: Language) -> str:
    """What can come next after a finished piece of work: things to say, one line each."""
    listed = "\n".join(f"- {one}" for one in offers)
    return SENTENCES.render("next" if offers else "next_nothing", language, title=title, offers=listed)


def remind_of_question(text: str, language: Language) -> str:
    """Sentence that a question asked before still waits."""
    return SENTENCES.render("still_open", language, text=text)


def answer_question(question: Question, results: Results, language: Language) -> Answer | None:
    """Answer from the results; None if the message is better read as a new request."""
    if question.kind in ("chart", "data"):
        return _ChartAnswers(question, results, language).write()
    return _TableAnswers(question, results, language).write() if results.tables else None


class _TableAnswers:
    """Answers of one question over the tables."""

    def __init__(self, question: Question, results: Results, language: Language) -> None:
        self._question = question
        self._tables = results.tables
        self._language: Language = language
        writers: Mapping[str, Callable[[TableMatch], Answer | None]] = {
            "row": self._write_row,
            "compare": self._write_comparison,
            "rank": self._write_rank,
            "filter": self._write_filter,
            "count": self._write_count,
            "mean": self._write_mean,
        }
        self._writers = writers

    def write(self) -> Answer | None:
        writer = self._writers.get(self._question.kind)
        needs_number = self._question.kind in ("rank", "filter", "mean")
        match = find_table(self._question.text, self._tables, needs_number=needs_number)
        return None if writer is None or match is None else writer(match)

    def _write_row(self, match: TableMatch) -> Answer | None:
        if match.rows:
            matches = [match]
        else:
            matches = [find_numbered_row(self._question.text, self._tables, one) for one in self._question.rows]
        if not matches:
            return None
        if not all(one.rows for one in matches):
            return self._say_missing_row(matches[0].table)
        if matches[0].column is None and self._asks_for_column():
            return self._say_cannot()
        lines = [self._describe_row(one.table, at, _asked_column(one)) for one in matches for at in one.rows]
        return self._with_source("\n".join(lines), matches[0].table)

    def _write_comparison(self, match: TableMatch) -> Answer | None:
        wanted = tuple(
            dict.fromkeys((*find_named_rows(self._question.text, match.table), *self._numbered_rows(match.table)))
        )
        if len(wanted) < 2:
            return None
        told = [at for at in find_numeric_columns(match.table) if not is_coordinate(match.table.columns[at].title)]
        columns = [match.column] if match.column in told else told
        lines = [self._compare_column(match.table, wanted[:4], at) for at in columns]
        return self._with_source("\n".join(line for line in lines if line), match.table)

    def _write_rank(self, match: TableMatch) -> Answer | None:
        at = match.column
        if at is None and self._question.order in ("worst", "best") and (match.is_named or self._question.count > 1):
            at = next((one for one in find_numeric_columns(match.table)), None)
        if at is None:
            return None
        column, order = match.table.columns[at], self._question.order
        is_ascending = order == "low" or (
            order in ("worst", "best") and (order == "worst") != is_high_bad(column.title)
        )
        known = [
            (value, number) for number, row in enumerate(match.table.rows) if (value := _number_at(row, at)) is not None
        ]
        ranked = sorted(known, key=lambda one: one[0] if is_ascending else -one[0])[: self._question.count]
        told = self._say("ascending" if is_ascending else "descending")
        head = self._say("rank", column=column.title, order=told, count=len(ranked))
        return self._with_source(self._list_rows(head, match.table, [number for _, number in ranked], at), match.table)

    def _write_filter(self, match: TableMatch) -> Answer | None:
        if match.column is None and self._question.limit is not None and match.is_named:
            at = find_limited_column(self._question.text, match.table, self._question.limit[1])
            match = replace(match, column=at)
        found = self._filter_rows(match)
        if found is None or match.column is None or self._question.limit is None:
            return None
        column, (side, value) = match.table.columns[match.column], self._question.limit
        limit = _with_unit(value, column.unit)
        told = {"rows": len(match.table.rows), "count": len(found), "column": column.title, "limit": limit}
        head = self._say("filter", side=self._say(side), **told)
        return self._with_source(self._list_rows(head, match.table, found, match.column), match.table)

    def _write_count(self, match: TableMatch) -> Answer | None:
        if self._question.limit is None:
            said = self._say("count", rows=match.table.total)
            return self._with_source(said, match.table) if match.is_named else None
        numeric = find_table(self._question.text, self._tables, needs_number=True)
        return None if numeric is None else self._write_filter(numeric)

    def _write_mean(self, match: TableMatch) -> Answer | None:
        at = match.column
        if at is None:
            return None
        values = [value for row in match.table.rows if (value := _number_at(row, at)) is not None]
        if not values:
            return None
        column = match.table.columns[at]
        told = {"value": sum(values) / len(values), "low": min(values), "high": max(values)}
        shown = {name: _with_unit(round(value, 2), column.unit) for name, value in told.items()}
        return self._with_source(self._say("mean", column=column.title, rows=len(values), **shown), match.table)

    def _filter_rows(self, match: TableMatch) -> list[int] | None:
        if match.column is None or self._question.limit is None:
            return None
        side, limit = self._question.limit
        values = [(number, _number_at(row, match.column)) for number, row in enumerate(match.table.rows)]
        known = [(number, value) for number, value in values if value is not None]
        kept = [one for one in known if (one[1] < limit if side == "below" else one[1] > limit)]
        return [number for number, _ in sorted(kept, key=lambda one: one[1] if side == "below" else -one[1])]

    def _numbered_rows(self, table: ResultTable) -> tuple[int, ...]:
        last = len(table.rows)
        numbers = (last if number < 0 else number for number in self._question.rows)
        return tuple(number - 1 for number in numbers if 1 <= number <= last)

    def _asks_for_column(self) -> bool:
        """Whether the question names an indicator, which no heading has."""
        return _INDICATOR.search(self._question.text) is not None

    def _say_missing_row(self, table: ResultTable) -> Answer:
        text = self._say("no_row", total=len(table.rows), row=self._question.rows[0])
        return replace(self._with_source(text, table), found=False)

    def _say_cannot(self) -> Answer:
        lines = [
            self._say("table_line", title=one.title, columns=join_names([c.title for c in one.columns], self._language))
            for one in self._tables[:_MAX_TABLES]
        ]
        return Answer("\n".join([self._say("cannot"), "", *lines]), found=False)

    def _describe_row(self, table: ResultTable, at: int, column: int | None) -> str:
        row, name = table.rows[at], str(table.rows[at][0])
        if column is not None and column > 0:
            value = _with_unit(row[column] if column < len(row) else None, table.columns[column].unit)
            return self._say("value", row=at + 1, name=name, column=table.columns[column].title, value=value)
        pairs = zip(table.columns[1:], row[1:], strict=False)
        values = [f"{head.title} {_with_unit(value, head.unit)}" for head, value in pairs]
        return self._say("whole_row", row=at + 1, name=name, values=join_names(values, self._language))

    def _compare_column(self, table: ResultTable, rows: Sequence[int], at: int) -> str:
        head = table.columns[at]
        found = [(str(table.rows[one][0]), _number_at(table.rows[one], at)) for one in rows]
        numbers = [value for _, value in found if value is not None]
        if len(numbers) < 2:
            return ""
        values = join_names([f"{name} {_with_unit(value, head.unit)}" for name, value in found], self._language)
        unit = self._say("points") if head.unit == "%" else "dB" if head.unit == "dBm" else head.unit
        gap = _with_unit(round(abs(numbers[0] - numbers[1]), 2), unit)
        return self._say("compare", column=head.title, values=values, gap=gap)

    def _list_rows(self, head: str, table: ResultTable, rows: Sequence[int], at: int) -> str:
        if not rows:
            return head
        columns = [entity_column(table)] + ([table.columns[at]] if at else [])
        lines = [f"| {' | '.join(_heading(one) for one in columns)} |", f"|{' --- |' * len(columns)}"]
        for number in rows[:_MAX_LISTED]:
            cells = [table.rows[number][0], *([table.rows[number][at]] if at else [])]
            lines.append(f"| {' | '.join(_escape(one) for one in cells)} |")
        left = len(rows) - _MAX_LISTED
        rest = ["", self._say("more_rows", left=left)] if left > 0 else []
        return "\n".join([head, "", *lines, *rest])

    def _with_source(self, text: str, table: ResultTable) -> Answer:
        said = table.said if len(table.said) <= _MAX_SAID else table.said[: _MAX_SAID - 1] + "…"
        source = self._say("source", title=table.title, total=table.total, said=said)
        part = "" if table.total <= len(table.rows) else self._say("part_kept", total=table.total, kept=len(table.rows))
        return Answer(f"{text}\n\n{source}{part}")

    def _say(self, code: str, **values: object) -> str:
        return SENTENCES.render(code, self._language, **values)


class _ChartAnswers:
    """Answers of one question about the charts of the newest turn that has some."""

    def __init__(self, question: Question, results: Results, language: Language) -> None:
        self._question = question
        self._language: Language = language
        newest = results.charts[0].said if results.charts else ""
        self._charts = [one for one in results.charts if one.said == newest]
        self._tables = results.tables

    def write(self) -> Answer | None:
        if not self._charts and not self._tables:
            return None
        return self._show_data() if self._question.kind == "data" else self._redraw()

    def _redraw(self) -> Answer:
        kind = self._question.chart or "grouped_bar"
        told = SENTENCES.render(kind, self._language)
        usable = self._choose([one for one in self._charts if (one.kind in _BAR_KINDS) == (kind in _BAR_KINDS)])
        if not usable and kind in _BAR_KINDS:
            usable = self._draw_table()
        if not usable:
            return Answer(SENTENCES.render("no_chart", self._language, kind=told), found=False)
        drawn = tuple(replace(one, spec={**one.spec, "kind": kind}) for one in usable[:_MAX_CHARTS])
        lines = [SENTENCES.render("chart", self._language, title=one.title, kind=told) for one in drawn]
        return Answer("\n".join([*lines, self._source(drawn[0])]), charts=drawn)

    def _draw_table(self) -> list[ResultChart]:
        """A chart of the table that the question means: its first numbers, of as many rows as can be told apart."""
        match = find_table(self._question.text, self._tables, needs_number=True)
        if match is None:
            return []
        table = match.table
        numeric = [at for at in find_numeric_columns(table) if not is_coordinate(table.columns[at].title)]
        at = match.column if match.column in numeric else next(iter(numeric), None)
        if at is None or at == 0:
            return []
        kept = (entity_column(table), table.columns[at])
        columns: list[JsonValue] = [
            {"key": one.key, "title": one.title, "type": kind, "unit": one.unit}
            for one, kind in zip(kept, ("text", "number"), strict=True)
        ]
        rows: list[JsonValue] = [[row[0], row[at]] for row in table.rows[:_MAX_DRAWN] if at < len(row)]
        shown = f" {len(rows)}/{table.total}" if len(rows) < table.total else ""
        title = f"{table.title} · {kept[1].title}{shown}"
        about = {"x": kept[0].key, "y": [kept[1].key], "group": ""}
        spec: JsonObject = {"kind": "grouped_bar", "title": title, "columns": columns, "rows": rows, **about}
        return [ResultChart(spec, table.said, table.call)]

    def _show_data(self) -> Answer:
        charts = self._choose([one for one in self._charts if one.kind in _BAR_KINDS] or self._charts)
        if not charts:
            return Answer(SENTENCES.render("no_data", self._language), found=False)
        shown = tuple(map(table_from_chart, charts[:_MAX_CHARTS]))
        lines = [SENTENCES.render("data", self._language, title=one.title) for one in shown]
        return Answer("\n".join([*lines, self._source(charts[0])]), tables=shown)

    def _choose(self, charts: Sequence[ResultChart]) -> list[ResultChart]:
        """The charts whose title the question names best, otherwise all."""
        scored = [(score_words(self._question.text, one.title), one) for one in charts]
        best = max((score for score, _ in scored), default=0.0)
        return [one for score, one in scored if score == best]

    def _source(self, chart: ResultChart) -> str:
        return SENTENCES.render("source_chart", self._language, title=chart.title, said=chart.said[:_MAX_SAID])


def _asked_column(match: TableMatch) -> int | None:
    """The column that is asked for; None if its heading only names the table."""
    is_title = match.column is not None and match.table.columns[match.column].title in match.table.title
    return None if is_title else match.column


def _number_at(row: Sequence[JsonValue], at: int) -> float | None:
    return numeric_value(row[at]) if at < len(row) else None


def _with_unit(value: JsonValue, unit: str) -> str:
    if value is None:
        return "–"
    text = f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f"{text} {unit}".strip()


def _heading(column: TableColumn) -> str:
    return _escape(f"{column.title} ({column.unit})" if column.unit else column.title)


def _escape(value: JsonValue) -> str:
    return str("–" if value is None else value).replace("|", "\\|").replace("\n", " ")
