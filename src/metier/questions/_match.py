"""Finds the table, the column and the rows that a question means, by the words of their headings."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.json_values import JsonValue
from metier.patterns import compile_later
from metier.questions._results import ResultTable, TableColumn
from metier.questions._words import find_words, is_word_of, list_subjects, score_words, strip_title
from metier.textsearch import fold

_HIGH_IS_BAD: Final = compile_later(
    r"PRB|利用率|utili[sz]|占比|share|重叠|overlap|负荷|load|时延|delay|latency|丢|drop|error|失败|fail|weak samples"
    r"|严重|sever|风险|risk|故障|fault|异常|anomal|损伤|劣化|degrad|缺陷|defect|逾期|overdue|投诉|complaint",
    re.I,
)
_HIGH_IS_GOOD: Final = compile_later(
    r"RSRP|RSRQ|SINR|覆盖率|coverage|成功率|success|速率|throughput|\brate\b|电平|level|增益|gain", re.I
)
_CAUSE: Final = compile_later(r"(?:根因|原因|causes?)\s*[：:]", re.IGNORECASE)
_FINDING: Final = compile_later(r"(?:根因|原因|现象|causes?|symptoms?)\s*[：:]", re.IGNORECASE)
_LEVELS: Final = (("小区", "cell", 2.0), ("栅格", "grid", 2.5), ("参数", "parameter", 2.0), ("仿真", "simulat", 2.0))
_MIN_CODE_CHARS: Final = 4
_MAX_NAMED_ROWS: Final = 10


@dataclass(frozen=True, slots=True)
class TableMatch:
    """A table that fits a question: the column it asks for, rows that it names, words that name its subject."""

    table: ResultTable
    column: int | None
    rows: tuple[int, ...]
    score: float
    subjects: tuple[str, ...] = ()

    @property
    def is_named(self) -> bool:
        """Whether words of the question stand in the table's title or headings."""
        return self.score >= 1.0


class QuestionReader:
    """Words of one question, matched with tables."""

    def __init__(self, text: str, tables: Sequence[ResultTable]) -> None:
        self.text = text
        self.tables = tuple(tables)
        self.words = find_words(text, tables)

    def find_table(self, *, needs_number: bool) -> TableMatch | None:
        """The table that fits best: by the column, by rows that are named, by its title; the newest of equals.

        Where a number is needed, a table with the column that is named comes before all others.
        """
        matches = [self.match(table, at, needs_number=needs_number) for at, table in enumerate(self.tables)]
        return max(matches, key=lambda one: (needs_number and one.column is not None, one.score), default=None)

    def find_titled(self) -> TableMatch | None:
        """The newest table whose subject the question names, with the most words; None if it names none."""
        return max(self.list_titled(), key=lambda one: one.score, default=None)

    def list_titled(self) -> tuple[TableMatch, ...]:
        """Tables whose subjects the question names."""
        matches = [self.match(table, at, needs_number=False) for at, table in enumerate(self.tables)]
        return tuple(one for one in matches if one.subjects)

    def find_numbered_row(self, number: int) -> TableMatch:
        """The row with this number of the table that the words mean, whatever its columns; −1 is the last.

        If another table has the column that is asked for, its only row of the same name; without rows there is no such
        row.
        """
        scored = [(self._score_title(one) - _lateness(at), -at) for at, one in enumerate(self.tables)]
        place = -max(scored)[1]
        table = self.tables[place]
        at = len(table.rows) + number if number < 0 else number - 1
        here = self.match(table, place, needs_number=False)
        if not 0 <= at < len(table.rows) or here.column is not None:
            return replace(here, rows=(at,) if 0 <= at < len(table.rows) else ())
        name = str(table.rows[at][0])
        for other in self.tables:
            match = self.match(other, 0, needs_number=False)
            rows = tuple(number for number, row in enumerate(other.rows) if str(row[0]) == name)
            if match.column is not None and len(rows) == 1:
                return replace(match, rows=rows)
        return replace(here, rows=(at,))

    def match(self, table: ResultTable, place: int, *, needs_number: bool) -> TableMatch:
        """How well one table fits, and which column and rows of it are meant."""
        subjects = list_subjects(self.words, self.text, table.title)
        # "weak coverage" names cells, not their MR coverage.
        words = [one for one in self.words if len(subjects) < 2 or one not in subjects]
        scored = [
            (score_words(words, column.title) * (0.1 if needs_number and is_coordinate(column.title) else 1.0), -at)
            for at, column in enumerate(table.columns)
            if at and (not needs_number or _is_numeric(table, at))
        ]
        best, at = max(scored, default=(0.0, 0))
        rows = self.find_named_rows(table)
        is_unique = len({str(table.rows[at][0]) for at in rows}) == len(rows)  # a grid names its cell in many rows
        named = 4.0 * is_unique + 1.0 if rows else 0.0
        score = best + named + self._score_title(table) - _lateness(place)
        return TableMatch(table, -at if best > 0 else None, rows, score, subjects)

    def find_named_rows(self, table: ResultTable) -> tuple[int, ...]:
        """Indexes of the rows whose first cell, or the end of its code, is named in the text.

        A short name counts if it is no heading as well: 地区 is a row of a table of columns, and names the other table.
        """
        said = self.text.lower()
        words = re.findall(r"[\w-]*\d[\w-]*", self.text, re.ASCII)
        codes = [word for word in words if len(word) >= _MIN_CODE_CHARS]
        headings = {title.lower() for one in self.tables for title in list_headings(one)}
        found: dict[int, None] = {}
        for at, row in enumerate(table.rows):
            name = str(row[0]).lower() if row else ""
            is_code = len(name) >= _MIN_CODE_CHARS and any(name.endswith(code) for code in codes)
            if is_code or (len(name) > 1 and _is_said(name, said) and not any(name in one for one in headings)):
                found[at] = None
        return tuple(found)[:_MAX_NAMED_ROWS]

    def list_unread(self, headings: Iterable[str]) -> tuple[str, ...]:
        """Words of the question that none of these headings has."""
        known = (*headings, *self._list_named())
        return tuple(word for word in self.words if not any(is_word_of(word, one) for one in known))

    def _list_named(self) -> list[str]:
        return [str(table.rows[at][0]) for table in self.tables for at in self.find_named_rows(table)]

    def list_unknown(self) -> tuple[str, ...]:
        """Words of the question that no heading on screen has."""
        return self.list_unread(text for one in self.tables for text in list_headings(one))

    def find_column(self, word: str, said: str, names: Iterable[str]) -> tuple[ResultTable, int] | None:
        """The column that a word means, in a table of the same turn in which each of the names has one row."""
        wanted, found = set(names), []
        for table in self.tables:
            held = [str(row[0]) for row in table.rows if str(row[0]) in wanted]
            if table.said == said and held and len(held) == len(set(held)):
                found += [(score_words([word], one.title), -at, table) for at, one in enumerate(table.columns) if at]
        best = max(found, key=lambda one: one[:2], default=None)
        return None if best is None or best[0] <= 0 else (best[2], -best[1])

    def find_own_column(self, word: str, table: ResultTable) -> int | None:
        """The column of a table that a word means; None if it means none of them."""
        scored = [(score_words([word], one.title), -at) for at, one in enumerate(table.columns) if at]
        best, at = max(scored, default=(0.0, 0))
        return -at if best > 0 else None

    def find_limited(self, match: TableMatch, limit: float) -> TableMatch:
        """The match with the column that a bare limit can mean, in its own table or in the first that has one."""
        for table in (match.table, *self.tables):
            if (at := _find_limited_column(self.text, table, limit)) is not None:
                return replace(match, table=table, column=at)
        return match

    def find_base(self, table: ResultTable) -> ResultTable:
        """The table of the same turn with the most rows that are named as those of this one: all that there is."""
        title = fold(entity_column(table).title)
        same = [one for one in self.tables if one.said == table.said and fold(entity_column(one).title) == title]
        unique = [one for one in same if len({str(row[0]) for row in one.rows}) == len(one.rows)]
        return max(unique, key=lambda one: len(one.rows), default=table)

    def _score_title(self, table: ResultTable) -> float:
        said, title = self.text.lower(), table.title
        heading, name = strip_title(title).lower(), entity_column(table).title.lower()
        is_of_rows = len(name) > 1 and name.removesuffix("s") in said
        levels = [
            worth
            for zh, en, worth in _LEVELS
            if any(one in said for one in (zh, en)) and any(one in heading for one in (zh, en))
        ]
        return sum(levels) + 1.5 * is_of_rows + 3.0 * bool(list_subjects(self.words, self.text, title))


def list_headings(table: ResultTable) -> tuple[str, ...]:
    """Title and headings of a table."""
    return (strip_title(table.title), *(one.title for one in table.columns))


def entity_column(table: ResultTable) -> TableColumn:
    """The column that names the rows."""
    return table.columns[0]


def is_high_bad(title: str) -> bool:
    """Whether a high value of this heading is the worse one."""
    return _HIGH_IS_BAD.search(title) is not None


def is_high_good(title: str) -> bool:
    """Whether a high value of this heading is the better one."""
    return not is_high_bad(title) and _HIGH_IS_GOOD.search(title) is not None


def numeric_value(value: JsonValue) -> float | None:
    """The value as a number; None if it is none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def find_numeric_columns(table: ResultTable) -> tuple[int, ...]:
    """Columns with numbers, coordinates last."""
    found = [at for at in range(len(table.columns)) if _is_numeric(table, at)]
    return tuple(sorted(found, key=lambda at: is_coordinate(table.columns[at].title)))


def _find_limited_column(text: str, table: ResultTable, limit: float) -> int | None:
    """The column that a bare limit can mean: by the unit that is said, else the first whose values have its sign."""
    for at in find_numeric_columns(table):
        values = [
            value for row in table.rows if (value := numeric_value(row[at] if at < len(row) else None)) is not None
        ]
        unit = table.columns[at].unit
        if is_coordinate(table.columns[at].title) or not values:
            continue
        if unit and unit.lower() in text.lower().replace("％", "%"):
            return at
        if not any(sign in text for sign in ("%", "％")) and (min(values) < 0) == (limit < 0):
            return at
    return None


def is_coordinate(title: str) -> bool:
    return re.search(r"经度|纬度|longitude|latitude", title, re.I) is not None


def list_causes(tables: Sequence[ResultTable]) -> tuple[ResultTable, ...]:
    """Tables of the newest turn whose title begins with a word for cause."""
    newest = tables[0].said if tables else ""
    return tuple(one for one in tables if one.said == newest and _CAUSE.match(one.title))


def list_findings(tables: Sequence[ResultTable]) -> tuple[ResultTable, ...]:
    """Tables of causes and symptoms of the newest turn that has some."""
    found = [one for one in tables if _FINDING.match(one.title)]
    return tuple(one for one in found if one.said == found[0].said)


def _is_said(name: str, said: str) -> bool:
    """Whether a name stands in a text; one of letters as a whole, and no bare number."""
    if not name.isascii():
        return name in said
    return not name.isdecimal() and re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", said) is not None


def _lateness(place: int) -> float:
    return 0.05 * min(place, 20)


def _is_numeric(table: ResultTable, at: int) -> bool:
    values = [row[at] for row in table.rows[:50] if at < len(row) and row[at] is not None]
    return bool(values) and all(numeric_value(one) is not None for one in values)
