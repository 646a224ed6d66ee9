"""Answers about tables: values of rows, orders, limits, comparisons and sums."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Final

from metier.json_values import JsonValue
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
    is_titled,
    list_causes,
    numeric_value,
)
from metier.questions._numbers import Limit
from metier.questions._parse import Order, Question
from metier.questions._results import Answer, Results, ResultTable, TableColumn
from metier.questions._sentences import SENTENCES

_MAX_LISTED: Final = 20
_MAX_SAID: Final = 40
_MAX_TABLES: Final = 6
_INDICATOR: Final = re.compile(r"(?<![A-Za-z0-9-])[A-Z]{3,6}(?![A-Za-z0-9-])")
_COUNTS: Final = re.compile(r"多少[个行条]|几个|有多少|数量|个数|\bhow many\b|\bnumber of\b", re.IGNORECASE)
_ASKS: Final = re.compile(
    r"哪|有没有|多少|几个|数量|\b(?:which|any|how many|are there|number of|list|show)\b", re.IGNORECASE
)
_LEVELS: Final = ("%", "dB", "dBm", "°")  # units of values that cannot be added


class TableAnswers:
    """Answers of one question over the tables."""

    def __init__(self, question: Question, results: Results, language: Language) -> None:
        self._question = question
        self._tables = results.tables
        self._language: Language = language
        writers: Mapping[str, Callable[[TableMatch], Answer | None]] = {
            "row": self._write_row,
            "slice": self._write_slice,
            "compare": self._write_comparison,
            "rank": self._write_rank,
            "sort": self._write_sorted,
            "filter": self._write_filter,
            "count": self._write_count,
            "mean": self._write_figure,
            "median": self._write_figure,
            "sum": self._write_figure,
            "range": self._write_figure,
            "list": self._write_titled,
            "all": self._write_titled,
            "causes": self._write_causes,
        }
        self._writers = writers

    def write(self) -> Answer | None:
        kind = self._question.kind
        needs_number = kind in ("rank", "sort", "filter", "mean", "median", "sum", "range")
        match = find_table(self._question.text, self._tables, needs_number=needs_number)
        return None if match is None else self._writers[kind](match)

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
        if _asked_column(matches[0]) is None and len(lines) == 1:
            lines += self._list_elsewhere(matches[0])
        return self._with_source("\n".join(lines), matches[0].table)

    def _list_elsewhere(self, match: TableMatch) -> list[str]:
        """What other tables of the same turn say about the row, one line each."""
        name, lines = str(match.table.rows[match.rows[0]][0]), []
        for table in self._tables:
            rows = [at for at, row in enumerate(table.rows) if str(row[0]) == name]
            if table is match.table or table.said != match.table.said or len(rows) != 1:
                continue
            values = self._list_values(table, rows[0], with_place=False)
            lines += [self._say("elsewhere", title=table.title, values=values)] if values else []
        return lines

    def _write_slice(self, match: TableMatch) -> Answer | None:
        """Rows from the start or the end; with a column that is named, those with the highest values."""
        numeric = find_table(self._question.text, self._tables, needs_number=True)
        count, is_of_rows = self._question.count, re.search(r"行|\brows?\b|\blines?\b", self._question.text, re.I)
        is_ranked = re.search(r"名|排|\btop\b", self._question.text, re.I)
        if numeric is not None and numeric.column is not None and is_ranked and not is_of_rows:
            return self._rank(numeric, "high" if count > 0 else "low", abs(count))
        if not (match.is_named or is_of_rows):
            return None
        table = match.table
        kept = table.rows[:count] if count > 0 else table.rows[count:]
        shown = replace(table, rows=kept, total=len(kept))
        head = self._say("first_rows" if count > 0 else "last_rows", count=len(kept), title=table.title)
        return replace(self._with_source(head, table), tables=(shown,))

    def _write_comparison(self, match: TableMatch) -> Answer | None:
        text, table = self._question.text, match.table
        wanted = tuple(dict.fromkeys((*find_named_rows(text, table), *self._numbered_rows(table))))
        if len(wanted) < 2:
            numeric = find_table(text, self._tables, needs_number=True)
            return None if self._question.order is None or numeric is None else self._write_figure(numeric)
        told = [at for at in find_numeric_columns(table) if not is_coordinate(table.columns[at].title)]
        columns = [match.column] if match.column in told else told
        lines = [self._compare_column(table, wanted[:4], at) for at in columns]
        return self._with_source("\n".join(line for line in lines if line), table)

    def _write_rank(self, match: TableMatch) -> Answer | None:
        if match.column is None and (match.is_named or self._question.count > 1):
            match = replace(match, column=next(iter(find_numeric_columns(match.table)), None))
        return self._rank(match, self._question.order or "high", self._question.count)

    def _write_sorted(self, match: TableMatch) -> Answer | None:
        if match.column is None:
            return None
        table, at = match.table, match.column
        is_ascending = _is_ascending(self._question.order or "high", table.columns[at].title)
        rows = [table.rows[number] for number in _sort_rows(table, at, is_ascending=is_ascending)]
        told = self._say("ascending" if is_ascending else "descending")
        head = self._say("sorted", column=table.columns[at].title, order=told, count=len(rows))
        return replace(self._with_source(head, table), tables=(replace(table, rows=tuple(rows)),))

    def _rank(self, match: TableMatch, order: Order, count: int) -> Answer | None:
        at = match.column
        if at is None:
            return None
        column = match.table.columns[at]
        is_ascending = _is_ascending(order, column.title)
        ranked = _sort_rows(match.table, at, is_ascending=is_ascending)[:count]
        told = self._say("ascending" if is_ascending else "descending")
        head = self._say("rank", column=column.title, order=told, count=len(ranked))
        return self._with_source(self._list_rows(head, match.table, ranked, at), match.table)

    def _write_filter(self, match: TableMatch) -> Answer | None:
        limits = self._question.limits
        if match.column is None and (match.is_named or _ASKS.search(self._question.text)):
            match = self._find_limited(match, limits[0][1])
        if match.column is None:
            return None
        column = match.table.columns[match.column]
        limits = tuple(_resolve(one, column.title) for one in limits)
        found = _filter_rows(match.table, match.column, limits)
        sides = [self._say(side, limit=_with_unit(value, column.unit)) for side, value in limits]
        head = self._say(
            "filter",
            rows=len(match.table.rows),
            count=len(found),
            column=column.title,
            limits=join_names(sides, self._language),
        )
        return self._with_source(self._list_rows(head, match.table, found, match.column), match.table)

    def _find_limited(self, match: TableMatch, limit: float) -> TableMatch:
        """The match with the column that a bare limit can mean, in its own table or in the first that has one."""
        text = self._question.text
        for table in (match.table, *self._tables):
            if (at := find_limited_column(text, table, limit)) is not None:
                return replace(match, table=table, column=at)
        return match

    def _write_count(self, match: TableMatch) -> Answer | None:
        table = match.table
        names = {str(row[0]) for row in table.rows}
        code = "count" if table.total == len(names) else "count_names"
        said = self._say(code, rows=table.total, names=len(names), column=entity_column(table).title)
        return self._with_source(said, table) if match.is_named else None

    def _write_figure(self, match: TableMatch) -> Answer | None:
        """Mean, median, sum or range of a column; a sum of levels has no meaning, so its mean is given."""
        at, kind, text = match.column, self._question.kind, self._question.text
        if at is None and kind in ("range", "compare") and match.is_named:
            at = next(iter(find_numeric_columns(match.table)), None)
        if at is None:
            return self._write_count(match) if kind == "sum" and _COUNTS.search(text) else None
        column, table = match.table.columns[at], match.table
        order = _sort_rows(table, at, is_ascending=True)
        values = [value for number in order if (value := _number_at(table.rows[number], at)) is not None]
        if not values:
            return None
        names = {"lowest": str(table.rows[order[0]][0]), "highest": str(table.rows[order[-1]][0])}
        told = {"mean": sum(values) / len(values), "median": median(values), "sum": sum(values)}
        told |= {"low": values[0], "high": values[-1]}
        shown = {name: _with_unit(round(value, 2), column.unit) for name, value in told.items()}
        gap = _with_unit(round(values[-1] - values[0], 2), self._unit_of_differences(column))
        code = "no_sum" if kind == "sum" and column.unit in _LEVELS else "range" if kind == "compare" else kind
        said = self._say(code, column=column.title, rows=len(values), gap=gap, **names, **shown)
        return self._with_source(said, table)

    def _write_titled(self, match: TableMatch) -> Answer | None:
        """The table that the question names, whole: by its title, or as all of its rows."""
        table = match.table
        if self._question.kind == "list" and not is_titled(self._question.text, table.title):
            return None
        head = self._say("listed", title=table.title, count=table.total)
        return replace(self._with_source(head, table), tables=(table,))

    def _write_causes(self, match: TableMatch) -> Answer | None:
        causes = list_causes(self._tables)
        if not causes:
            return None
        lines = [f"{number}. {table.title}" for number, table in enumerate(causes, 1)]
        head = self._say("causes", count=len(causes))
        return self._with_source("\n".join([head, "", *lines]), causes[0], code="source_causes")

    def _numbered_rows(self, table: ResultTable) -> tuple[int, ...]:
        last = len(table.rows)
        numbers = (last + 1 + number if number < 0 else number for number in self._question.rows)
        return tuple(number - 1 for number in numbers if 1 <= number <= last)

    def _asks_for_column(self) -> bool:
        """Whether the question names an indicator, which no heading has."""
        return _INDICATOR.search(self._question.text) is not None

    def _say_missing_row(self, table: ResultTable) -> Answer:
        text = self._say("no_row", total=len(table.rows), row=abs(self._question.rows[0]))
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
        return self._say("whole_row", row=at + 1, name=name, values=self._list_values(table, at, with_place=True))

    def _list_values(self, table: ResultTable, at: int, *, with_place: bool) -> str:
        pairs = zip(table.columns[1:], table.rows[at][1:], strict=False)
        values = [
            f"{head.title} {_with_unit(value, head.unit)}"
            for head, value in pairs
            if with_place or not is_coordinate(head.title)
        ]
        return join_names(values, self._language)

    def _compare_column(self, table: ResultTable, rows: Sequence[int], at: int) -> str:
        head = table.columns[at]
        found = [(str(table.rows[one][0]), _number_at(table.rows[one], at)) for one in rows]
        numbers = [value for _, value in found if value is not None]
        if len(numbers) < 2:
            return ""
        values = join_names([f"{name} {_with_unit(value, head.unit)}" for name, value in found], self._language)
        gap = _with_unit(round(abs(numbers[0] - numbers[1]), 2), self._unit_of_differences(head))
        return self._say("compare", column=head.title, values=values, gap=gap)

    def _unit_of_differences(self, column: TableColumn) -> str:
        return self._say("points") if column.unit == "%" else "dB" if column.unit == "dBm" else column.unit

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

    def _with_source(self, text: str, table: ResultTable, *, code: str = "source") -> Answer:
        said = table.said if len(table.said) <= _MAX_SAID else table.said[: _MAX_SAID - 1] + "…"
        source = self._say(code, title=table.title, total=table.total, said=said)
        part = "" if table.total <= len(table.rows) else self._say("part_kept", total=table.total, kept=len(table.rows))
        return Answer(f"{text}\n\n{source}{part}")

    def _say(self, code: str, **values: object) -> str:
        return SENTENCES.render(code, self._language, **values)


def _asked_column(match: TableMatch) -> int | None:
    """The column that is asked for; None if its heading only names the table."""
    is_title = match.column is not None and match.table.columns[match.column].title in match.table.title
    return None if is_title else match.column


def _is_ascending(order: Order, title: str) -> bool:
    return order == "low" or (order in ("worst", "best") and (order == "worst") != is_high_bad(title))


def _sort_rows(table: ResultTable, at: int, *, is_ascending: bool) -> list[int]:
    """Numbers of the rows that have a value, in its order."""
    known = [(value, number) for number, row in enumerate(table.rows) if (value := _number_at(row, at)) is not None]
    return [number for _, number in sorted(known, key=lambda one: one[0] if is_ascending else -one[0])]


def _resolve(limit: Limit, title: str) -> Limit:
    """The limit as a side of the number line: what is worse depends on the quantity."""
    side, value = limit
    if side not in ("worse", "better"):
        return limit
    return ("above" if (side == "worse") == is_high_bad(title) else "below"), value


def _filter_rows(table: ResultTable, at: int, limits: Sequence[Limit]) -> list[int]:
    """Numbers of the rows within the limits, those farthest from the first limit first."""
    ascending = limits[0][0] in ("below", "at_most", "at_least")
    ordered = _sort_rows(table, at, is_ascending=ascending)
    return [number for number in ordered if all(_is_within(_number_at(table.rows[number], at), one) for one in limits)]


def _is_within(value: float | None, limit: Limit) -> bool:
    side, bound = limit
    if value is None:
        return False
    return {"below": value < bound, "at_most": value <= bound, "at_least": value >= bound}.get(side, value > bound)


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
