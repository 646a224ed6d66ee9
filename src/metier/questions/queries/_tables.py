"""Tables as questions see them: what kind each is, differences of old and new values, and tables put together."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from metier.json_values import JsonValue
from metier.language import Language
from metier.patterns import compile_later
from metier.questions._match import entity_column, is_coordinate, is_high_bad, list_findings
from metier.questions._numbers import FIGURE
from metier.questions._results import Results, ResultTable, TableColumn
from metier.questions._words import strip_title
from metier.questions.queries._lexicon import CONCEPTS
from metier.questions.queries._query_sentences import QUERY_SENTENCES

TableKind = Literal["changes", "pairs", "causes", "rows", "joined"]

_OLD: Final = compile_later(
    r"原值|旧值|现值|(?:优化|调整|仿真)?前|was|before|old(?: value)?|now|current", re.IGNORECASE
)
_NEW: Final = compile_later(r"新值|(?:优化|调整|仿真)?后|will be|after|new(?: value)?", re.IGNORECASE)
_PARAMETER: Final = compile_later(r"参数|param(?:eter)?", re.IGNORECASE)
_CIRCULAR: Final = compile_later(r"方位角|方向角|azimuth|bearing", re.IGNORECASE)
_BRACKETS: Final = compile_later(r"[（(][^（()）]*[)）]")
_NETWORK: Final = compile_later("[2-6]G")  # a name, although it reads like a figure with its unit
_MAX_PAIRS: Final = 60
_MIN_FINDINGS: Final = 2


@dataclass(frozen=True, slots=True)
class TablePart:
    """A table that was joined: its title, and the headings that it brought."""

    title: str
    headings: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class QueryTable:
    """A table with what a question may ask of it beside its columns.

    `old`, `new`, `change` (new minus old) and `size` (how far apart they are) are places of columns; −1 without them.
    `parts` are the tables that were joined; `is_made` says that the user saw no such table.
    """

    table: ResultTable
    kind: TableKind
    old: int = -1
    new: int = -1
    change: int = -1
    size: int = -1
    parts: tuple[TablePart, ...] = ()
    is_made: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(row[0]) for row in self.table.rows)


def list_query_tables(results: Results, language: Language) -> tuple[QueryTable, ...]:
    """The tables of the results, the findings as one table, and tables of the same rows side by side."""
    made = [_read_table(one, language) for one in results.tables]
    made += [QueryTable(one, "causes", is_made=True) for one in _list_findings(results.tables, language)]
    made += [QueryTable(one, "joined", parts=parts) for one, parts in _join_tables(results.tables)]
    return tuple(made)


def concepts_of(text: str) -> frozenset[str]:
    """What a heading or a value is about."""
    return frozenset(name for name, pattern in CONCEPTS.items() if pattern.search(text))


def read_figure(value: JsonValue) -> float | None:
    """The number of a cell, also of one that is written with its unit."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, str) or _NETWORK.fullmatch(value.strip()):
        return None
    found = FIGURE.fullmatch(value.strip())
    return None if found is None else float(found[1].replace("−", "-"))


def unit_of(value: JsonValue, column: TableColumn) -> str:
    """Unit of a cell: its own if it is written there, else that of its column."""
    found = FIGURE.fullmatch(value.strip()) if isinstance(value, str) else None
    return (found[2] or "").strip() if found is not None else column.unit


def is_text_column(table: ResultTable, at: int) -> bool:
    """Whether most cells of a column are words."""
    values = [row[at] for row in table.rows[:200] if at < len(row) and row[at] is not None]
    return bool(values) and sum(read_figure(one) is None for one in values) * 2 > len(values)


def plain_title(title: str) -> str:
    """A heading or value without what stands in brackets."""
    return _BRACKETS.sub("", title).strip()


def _read_table(table: ResultTable, language: Language) -> QueryTable:
    titles = [plain_title(one.title) for one in table.columns]
    old = next((at for at, one in enumerate(titles) if at and _OLD.fullmatch(one)), -1)
    new = next((at for at, one in enumerate(titles) if at and _NEW.fullmatch(one)), -1)
    if old < 0 or new < 0:
        is_causes = bool({"cause", "symptom"} & concepts_of(titles[0])) and len(table.columns) > 1
        return QueryTable(table, "causes" if is_causes else "rows")
    parameter = next((at for at, one in enumerate(titles) if _PARAMETER.search(one)), -1)
    if parameter < 0 and (len(table.rows) > _MAX_PAIRS or {"cell", "grid"} & concepts_of(titles[0])):
        return QueryTable(table, "rows", old, new)
    changes = [_measure_change(row, old, new, parameter) for row in table.rows]
    heads = (
        TableColumn("change_of_value", QUERY_SENTENCES.render("change", language)),
        TableColumn("size_of_change", QUERY_SENTENCES.render("size", language)),
    )
    rows = tuple(
        (*row, change, None if change is None else abs(change)) for row, change in zip(table.rows, changes, strict=True)
    )
    width = len(table.columns)
    wide = replace(table, columns=(*table.columns, *heads), rows=rows)
    return QueryTable(wide, "changes" if parameter > 0 else "pairs", old, new, width, width + 1)


def _measure_change(row: Sequence[JsonValue], old: int, new: int, parameter: int) -> float | None:
    before = read_figure(row[old]) if old < len(row) else None
    after = read_figure(row[new]) if new < len(row) else None
    if before is None or after is None:
        return None
    change = round(after - before, 6)
    if parameter > 0 and _CIRCULAR.search(str(row[parameter])):
        change = round((change + 180) % 360 - 180, 6)  # the shorter way round
    return change


def gain_of(name: str, change: float) -> float:
    """How much better a change makes an indicator; negative if worse."""
    return -change if is_high_bad(name) or CONCEPTS["drop"].search(name) else change


def _list_findings(tables: Sequence[ResultTable], language: Language) -> Iterable[ResultTable]:
    """Causes, and symptoms, of the newest analysis with how many rows each has; one is no list."""
    if any({"cause", "symptom"} & concepts_of(one.columns[0].title) for one in tables):
        return
    found = list_findings(tables)
    for kind in ("cause", "symptom"):
        same = [one for one in found if kind in concepts_of(re.split("[：:]", one.title)[0])]
        if len(same) < _MIN_FINDINGS:
            continue
        entity = plain_title(entity_column(same[0]).title).removesuffix("id")
        title = QUERY_SENTENCES.render(kind, language)
        heads = (
            TableColumn(kind, title),
            TableColumn("count", QUERY_SENTENCES.render("count_of", language, what=entity)),
        )
        rows = tuple(
            (re.split("[：:]", strip_title(one.title))[-1].strip(), len({str(row[0]) for row in one.rows}))
            for one in same
        )
        yield ResultTable(title, heads, rows, len(rows), same[0].said)


def _join_tables(tables: Sequence[ResultTable]) -> Iterable[tuple[ResultTable, tuple[TablePart, ...]]]:
    """For each message, the largest table of named rows with the columns that other tables have of the same rows."""
    for said in dict.fromkeys(one.said for one in tables):
        same = [one for one in tables if one.said == said and len(set(map(_name, one.rows))) == len(one.rows)]
        base = max(same, key=lambda one: len(one.rows), default=None)
        if base is None or not any(char.isdigit() for row in base.rows[:1] for char in _name(row)):
            continue
        columns, rows, parts = list(base.columns), [list(row) for row in base.rows], [TablePart(base.title)]
        for other in same:
            if other is base or entity_column(other).title != entity_column(base).title:
                continue
            known = {_name(row): row for row in other.rows}
            titles = {one.title for one in columns}
            added = [
                at
                for at, one in enumerate(other.columns)
                if at and one.title not in titles and not is_coordinate(one.title) and not is_text_column(other, at)
            ]
            for row in rows:
                found = known.get(_name(row), ())
                row += [found[at] if at < len(found) else None for at in added]
            columns += [other.columns[at] for at in added]
            parts += [TablePart(other.title, frozenset(other.columns[at].title for at in added))] if added else []
        if len(parts) > 1:
            made = replace(base, columns=tuple(columns), rows=tuple(tuple(row) for row in rows))
            yield made, tuple(parts)


def _name(row: Sequence[JsonValue]) -> str:
    return str(row[0]) if row else ""
