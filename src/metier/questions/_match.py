"""Finds the table, the column and the rows that a question means, by the words of their headings."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from metier.json_values import JsonValue
from metier.questions._results import ResultTable, TableColumn

# Words for one thing, in both languages and in everyday speech.
_CONCEPTS: Final[tuple[tuple[str, ...], ...]] = (
    ("信号", "电平", "signal", "rsrp"),
    ("负荷", "负载", "忙", "load", "loaded", "busiest", "prb", "利用率", "utilisation", "utilization"),
    ("覆盖率", "coverage"),
    ("用户", "users", "user"),
    ("流量", "traffic"),
    ("成功率", "success"),
    ("速率", "网速", "rate", "throughput", "speed"),
    ("重叠", "overlap", "overlapping"),
    ("经度", "longitude"),
    ("纬度", "latitude"),
    ("小区", "cell", "cells"),
    ("栅格", "grid", "grids"),
    ("参数", "parameter", "parameters"),
    ("增益", "gain", "gains"),
    ("新值", "new value"),
    ("原值", "old value"),
    ("上行", "uplink", "ul"),
    ("下行", "downlink", "dl"),
    ("仿真", "simulated"),
)
# What a finding can be about.
_SUBJECTS: Final[tuple[tuple[str, ...], ...]] = (
    ("弱覆盖", "weak coverage"),
    ("高负荷", "overload", "overloaded", "high load"),
    ("下倾角", "tilt", "downtilt"),
    ("功率", "power"),
    ("邻区", "neighbour", "neighbor", "neighbours", "neighbors"),
    ("干扰", "interference"),
    ("切换", "handover", "handovers"),
    ("接入", "access"),
)
_BRACKETS: Final = re.compile(r"[（(][^（()）]*[)）]")
_HIGH_IS_BAD: Final = re.compile(
    r"PRB|利用率|utili[sz]|占比|share|重叠|overlap|负荷|load|时延|delay|latency|丢|drop|error|失败|fail", re.I
)
_ASCII_WORD: Final = re.compile(r"[a-z][a-z0-9]+", re.IGNORECASE)
_CJK_RUN: Final = re.compile(r"[\u4e00-\u9fff]+")
_PLAIN_WORDS: Final = frozenset(
    {
        *("the", "of", "and", "id", "by", "per", "too", "mean", "average", "value", "level", "cause", "symptom"),
        *("cell", "cells", "grid", "grids", "total", "number", "points"),
    }
)
_CAUSE: Final = re.compile(r"(?:根因|原因|causes?)\s*[：:]", re.IGNORECASE)
_LEVELS: Final = (("小区", "cell"), ("栅格", "grid"), ("参数", "parameter"), ("仿真", "simulat"))
_MIN_CODE_CHARS: Final = 4
_MIN_TITLE_CHARS: Final = 3


@dataclass(frozen=True, slots=True)
class TableMatch:
    """A table that fits a question: the column it asks for, and rows that it names."""

    table: ResultTable
    column: int | None
    rows: tuple[int, ...]
    score: float

    @property
    def is_named(self) -> bool:
        """Whether words of the question stand in the table's title or headings."""
        return self.score >= 1.0


def find_table(text: str, tables: Sequence[ResultTable], *, needs_number: bool) -> TableMatch | None:
    """The table that fits best: by the column, by rows that are named, by its title; the newest of equals.

    Where a number is needed, a table with the column that is named comes before all others.
    """
    matches = [_match_table(text, table, at, needs_number=needs_number) for at, table in enumerate(tables)]
    return max(matches, key=lambda one: (needs_number and one.column is not None, one.score), default=None)


def find_numbered_row(text: str, tables: Sequence[ResultTable], number: int) -> TableMatch:
    """The row with this number of the table that the words mean, whatever its columns; −1 is the last.

    If another table has the column that is asked for, its only row of the same name; without rows there is no such row.
    """
    place, table = max(enumerate(tables), key=lambda one: _score_title(text, one[1].title) - 0.05 * min(one[0], 20))
    at = len(table.rows) + number if number < 0 else number - 1
    here = _match_table(text, table, place, needs_number=False)
    if not 0 <= at < len(table.rows) or here.column is not None:
        return replace(here, rows=(at,) if 0 <= at < len(table.rows) else ())
    name = str(table.rows[at][0])
    for other in tables:
        match = _match_table(text, other, 0, needs_number=False)
        rows = tuple(number for number, row in enumerate(other.rows) if str(row[0]) == name)
        if match.column is not None and len(rows) == 1:
            return replace(match, rows=rows)
    return replace(here, rows=(at,))


def _match_table(text: str, table: ResultTable, place: int, *, needs_number: bool) -> TableMatch:
    scored = [
        (score_words(text, column.title), -at)
        for at, column in enumerate(table.columns)
        if not needs_number or _is_numeric(table, at)
    ]
    best, at = max(scored, default=(0.0, 0))
    rows = find_named_rows(text, table)
    is_unique = len({str(table.rows[at][0]) for at in rows}) == len(rows)  # a grid names its cell in many rows
    named = 4.0 * is_unique + 1.0 if rows else 0.0
    score = best + named + _score_title(text, table.title) - 0.05 * min(place, 20)
    return TableMatch(table, -at if best > 0 else None, rows, score)


def find_named_rows(text: str, table: ResultTable) -> tuple[int, ...]:
    """Indexes of the rows whose first cell, or the end of its code, is named in the text."""
    words = re.findall(r"[\w-]*\d[\w-]*", text, re.ASCII)
    codes = [word for word in words if len(word) >= _MIN_CODE_CHARS]
    found: dict[int, None] = {}
    for at, row in enumerate(table.rows):
        name = str(row[0]) if row else ""
        if len(name) >= _MIN_CODE_CHARS and (name in text or any(name.endswith(code) for code in codes)):
            found[at] = None
    return tuple(found)[:10]


def entity_column(table: ResultTable) -> TableColumn:
    """The column that names the rows."""
    return table.columns[0]


def is_high_bad(title: str) -> bool:
    """Whether a high value of this heading is the worse one."""
    return _HIGH_IS_BAD.search(title) is not None


def numeric_value(value: JsonValue) -> float | None:
    """The value as a number; None if it is none."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def find_numeric_columns(table: ResultTable) -> tuple[int, ...]:
    """Columns with numbers, coordinates last."""
    found = [at for at in range(len(table.columns)) if _is_numeric(table, at)]
    return tuple(sorted(found, key=lambda at: is_coordinate(table.columns[at].title)))


def find_limited_column(text: str, table: ResultTable, limit: float) -> int | None:
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


def _is_numeric(table: ResultTable, at: int) -> bool:
    values = [row[at] for row in table.rows[:50] if at < len(row) and row[at] is not None]
    return bool(values) and all(numeric_value(one) is not None for one in values)


def score_words(text: str, title: str) -> float:
    """How much of a heading the text names; 0 if nothing."""
    said, heading = text.lower(), title.lower()
    said_words = {word for word in _ASCII_WORD.findall(said) if word not in _PLAIN_WORDS}
    said_words |= {word.removesuffix("s") for word in said_words if len(word) > _MIN_CODE_CHARS}
    heading_words = {word for word in _ASCII_WORD.findall(heading) if word not in _PLAIN_WORDS}
    score = 3.0 * len(said_words & heading_words)
    for run in _CJK_RUN.findall(title):
        score += _score_run(text, run)
    for words in (*_CONCEPTS, *_SUBJECTS):
        named = [one for one in words if _has_word(one, said, said_words)]
        if named and any(_has_word(one, heading, heading_words) for one in words if one not in named):
            score += 1.5
    length = len(heading_words) + sum(len(run) / 2 for run in _CJK_RUN.findall(title))
    return score - 0.1 * length if score > 0 else 0.0


def _has_word(word: str, text: str, words: set[str]) -> bool:
    """Whether a word stands in a text: one of letters as a word of its own, any other as a part."""
    return word in words if word.isascii() and " " not in word else word in text


def _score_run(text: str, run: str) -> float:
    """Points for the longest part of a Chinese heading, of at least two characters, that the text has."""
    for size in range(min(len(run), 8), 1, -1):
        if any(run[at : at + size] in text for at in range(len(run) - size + 1)):
            part = next(run[at : at + size] for at in range(len(run) - size + 1) if run[at : at + size] in text)
            return 0.0 if part in ("小区", "均值", "平均") else size / 2 + (1.0 if size == len(run) else 0.0)
    return 0.0


def _score_title(text: str, title: str) -> float:
    said, heading = text.lower(), _BRACKETS.sub("", title).lower()
    score = sum(2.0 for names in _LEVELS if any(one in said for one in names) and any(one in heading for one in names))
    return score + 3.0 * is_titled(text, title)


def is_titled(text: str, title: str) -> bool:
    """Whether the text names what the title says: a part of it in Chinese, all words of it in English."""
    heading = _BRACKETS.sub("", title)
    subject = re.split("[：:]", heading)[-1].strip().lower()
    if any(run in text for run in _CJK_RUN.findall(heading) if len(run) >= _MIN_TITLE_CHARS):
        return True
    said = set(_ASCII_WORD.findall(text.lower()))
    words = {word for word in _ASCII_WORD.findall(subject) if word not in _PLAIN_WORDS}
    if words and words <= said:
        return True
    if ":" not in heading and "：" not in heading:
        return False
    return any(
        any(_has_word(one, text.lower(), said) for one in concept)
        and any(_has_word(one, subject, set(_ASCII_WORD.findall(subject))) for one in concept)
        for concept in _SUBJECTS
    )


def list_causes(tables: Sequence[ResultTable]) -> tuple[ResultTable, ...]:
    """Tables of the newest turn whose title begins with a word for cause."""
    newest = tables[0].said if tables else ""
    return tuple(one for one in tables if one.said == newest and _CAUSE.match(one.title))
