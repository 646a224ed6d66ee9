"""Answers of questions that were read word by word: the table that fits all words, and what it says."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from metier.language import Language, join_names
from metier.patterns import compile_later
from metier.questions._drafts import with_unit
from metier.questions._match import is_coordinate
from metier.questions._numbers import count_unsaid
from metier.questions._results import Answer, Results, ResultTable
from metier.questions.queries._before_after import PairWriter
from metier.questions.queries._charts import ChartWriter
from metier.questions.queries._figures import FigureWriter
from metier.questions.queries._lexicon import ASKING, looks_like_query
from metier.questions.queries._read import QueryReading, TableReader
from metier.questions.queries._run import ascends, number_at, select_rows, sort_rows, value_at
from metier.questions.queries._tables import QueryTable, concepts_of, list_query_tables
from metier.questions.queries._tokens import Token, cut_tokens, make_vocabulary
from metier.questions.queries._writer import QueryWriter

_PLAIN: Final = frozenset(
    {*("and", "or", "which", "only", "any", "names", "name", "code", "value", "compare", "after", "between", "to"),
     *("than", "not", "good", "bad", "delta", "group", "side", "versus")}
)  # fmt: skip
_OF_CHANGES: Final = frozenset({"changed", "lowered", "raised", "old", "new", "size", "both"})
_CHANGE_WORDS: Final = frozenset({*_OF_CHANGES, "delta"})
_MAX_CHARS: Final = 160
_OF_ROWS: Final = compile_later(r"行|\brows?\b|\blines?\b", re.IGNORECASE)


def answer_query(text: str, results: Results, language: Language, *, prefers_changes: bool = False) -> Answer | None:
    """The answer if every word of the question has its place in one table; None otherwise.

    With `prefers_changes` the rows that wait for approval come first.
    """
    if len(text) > _MAX_CHARS or not results.tables:
        return None
    tables = list_query_tables(results, language)
    tokens = cut_tokens(text, make_vocabulary(tables))
    if any(one.kind == "unknown" for one in tokens) or all(one.kind == "fill" for one in tokens):
        return None
    for reading in _list_readings(tokens, tables, text, prefers_changes=prefers_changes):
        answer = _AnswerWriter(reading, tables, language, text=text).write()
        if answer is not None:
            return answer
    return None


def _list_readings(
    tokens: Sequence[Token], tables: Sequence[QueryTable], text: str, *, prefers_changes: bool
) -> list[QueryReading]:
    said = _rebuild(tokens)
    found = []
    for at, table in enumerate(tables):
        reading = TableReader(tokens, table, said).read()
        if reading is None:
            continue
        reading.score += 3.0 if prefers_changes and table.kind == "changes" else 0.0
        reading.base = _find_base(reading, tables)
        found.append((reading, at))
    order = sorted(found, key=lambda one: (-one[0].score + _partiality(one[0], tables), one[1]))
    return [one for one, _ in order]


def _rebuild(tokens: Sequence[Token]) -> str:
    """The text as it was cut, so that places in it fit the tokens."""
    made = [" "] * (tokens[-1].end if tokens else 0)
    for one in tokens:
        made[one.start : one.end] = list(one.text[: one.end - one.start].ljust(one.end - one.start))
    return "".join(made)


def _partiality(reading: QueryReading, tables: Sequence[QueryTable]) -> float:
    """How much less than all a table has: findings are a part of the rows, and a grid names a row many times."""
    asks_grid = any("grid" in one.concepts for one in reading.tokens)
    names = reading.table.names
    is_repeated = reading.table.kind == "rows" and len(set(names)) < len(names) and not asks_grid
    return 0.9 * (reading.base is not None) + 1.2 * is_repeated


def _find_base(reading: QueryReading, tables: Sequence[QueryTable]) -> ResultTable | None:
    """The table of the same turn with all rows of the same kind, if this one has only some of them."""
    if reading.table.kind != "rows":
        return None
    own, names = reading.table.table, set(reading.table.names)
    same = [one for one in tables if one.kind == "rows" and one.table.said == own.said]
    same = [one for one in same if one.table.columns[0].title == own.columns[0].title]
    largest = max(same, key=lambda one: len(set(one.names)))
    is_part = len(names) < len(set(largest.names)) and len(set(largest.names)) == len(largest.names)
    return largest.table if is_part and len(names) == len(reading.table.names) else None


class _AnswerWriter(QueryWriter):
    """Writes the answer of one reading."""

    def __init__(self, reading: QueryReading, tables: Sequence[QueryTable], language: Language, *, text: str) -> None:
        super().__init__(reading, language)
        self._tables = tables
        self._text = text

    def write(self) -> Answer | None:
        reading, kind = self._reading, self._reading.table.kind
        if reading.missing and not reading.rows:
            return self._say_missing()
        is_asked = (
            reading.kinds & ASKING
            or looks_like_query(self._text)
            or (reading.rows and (reading.columns or kind == "changes"))
        )
        if not is_asked:
            return None
        if kind == "causes" and not self._names("cause", "symptom") and (reading.table.is_made or not reading.rows):
            return None
        if reading.numbered and (kind not in ("rows", "joined") or reading.base is not None):
            return None
        if kind == "changes" and not (reading.kinds & _CHANGE_WORDS or self._is_of_changes()):
            return None
        writers: tuple[Callable[[], Answer | None], ...] = (
            lambda: ChartWriter(reading, self._language).write(),
            self._write_match,
            lambda: PairWriter(reading, self._language).write() if kind == "pairs" else None,
            lambda: FigureWriter(reading, self._language).write(),
            self._write_two_orders,
            self._write_rank,
            self._write_sorted,
            self._write_values,
            self._write_list,
        )
        if reading.has("chart"):
            return writers[0]()
        if kind == "pairs":
            return writers[2]()
        for writer in writers[1:]:
            answer = writer()
            if answer is not None:
                return answer
        return None

    def _is_of_changes(self) -> bool:
        """Whether the words are of a list of changes though none says so."""
        return self._names("parameter", "gain") or bool(self._reading.conditions)

    def _names(self, *concepts: str) -> bool:
        return any(one.concepts & set(concepts) for one in self._reading.tokens)

    def _allows(self, *kinds: str) -> bool:
        """Whether the question has only words of these kinds beside the plain ones."""
        own = _OF_CHANGES if self._reading.table.kind == "changes" else frozenset[str]()
        return self._reading.kinds <= _PLAIN | own | set(kinds)

    def _say_missing(self) -> Answer | None:
        base = max((one for one in self._tables if one.kind != "joined"), key=lambda one: len(set(one.names)))
        table = self._reading.table.table if self._reading.table.kind == "changes" else base.table
        is_of_changes = self._reading.table.kind == "changes"
        if not is_of_changes and any(
            name.lower() in one.lower() for name in self._reading.missing for one in base.names
        ):
            return None
        names = join_names(self._reading.missing, self._language)
        code = "no_change" if is_of_changes else "no_name"
        text = self._say(code, title=table.title, rows=len(table.rows), name=names)
        return Answer(text, found=False)

    def _write_match(self) -> Answer | None:
        """Whether numbers add up to the rows of the large table."""
        reading = self._reading
        if not reading.has("match") or reading.table.kind != "causes":
            return None
        at = self._find_numeric()
        base = max(
            (one for one in self._tables if one.kind == "rows"), key=lambda one: len(set(one.names)), default=None
        )
        if at is None or base is None:
            return None
        values = [
            value for row in range(len(reading.table.names)) if (value := number_at(reading, row, at)) is not None
        ]
        total = sum(values)
        column, count = reading.table.table.columns[at], len(set(base.names))
        lines = [self._say("total_of", column=column.title, sum=with_unit(total, ""), rows=len(values))]
        same = total == count
        why = self._say("several")
        lines.append(self._say("agrees" if same else "against", title=base.table.title, rows=count, why=why))
        return self._finish("\n".join(lines))

    def _find_numeric(self) -> int | None:
        """The first column that is named and has numbers; of findings the one with the counts."""
        reading = self._reading
        table = reading.table.table
        named = [at for at in reading.columns if self._is_numeric(at)]
        if named:
            return named[0]
        if reading.table.kind == "causes":
            return next((at for at in range(1, len(table.columns)) if self._is_numeric(at)), None)
        return None

    def _find_ordered(self, token: Token) -> int | None:
        """The column that an order means: its own, the one named nearest, or the size of a change."""
        reading, table = self._reading, self._reading.table
        if reading.table.kind == "changes":
            if reading.has("size", "changed", "lowered", "raised", "delta") and not reading.has("old", "new"):
                named = [at for at in reading.columns if self._is_numeric(at)]
                return named[0] if named else table.size
            wanted = table.new if reading.has("new") else table.old if reading.has("old") else None
            return wanted if wanted is not None else self._find_numeric()
        _, _, concept = token.value.partition(":")
        if concept:
            found = [
                at
                for at, one in enumerate(table.table.columns)
                if concept in concepts_of(f"{one.title} {one.unit}") and self._is_numeric(at)
            ]
            return found[0] if found else None
        here = next((at for at, one in enumerate(reading.tokens) if one.start == token.start), 0)
        places = [(abs(here - at), column) for at, column in reading.places.items()]
        near = [column for _, column in sorted(places) if self._is_numeric(column)]
        return near[0] if near else self._find_numeric()

    def _write_two_orders(self) -> Answer | None:
        """Which is first by one column, and whether it is first by another."""
        orders = [one for one in self._reading.tokens if one.kind == "most"]
        rows = select_rows(self._reading)
        if len(orders) != 2 or rows is None or not self._allows("most", "figure"):
            return None
        columns = [self._find_ordered(one) for one in orders]
        if None in columns or columns[0] == columns[1]:
            return None
        lines, firsts = [], []
        for token, at in zip(orders, columns, strict=True):
            if at is None:
                return None
            title = self._reading.table.table.columns[at].title
            ranked = sort_rows(self._reading, rows, at, ascends=ascends(token.value, title))
            if not ranked:
                return None
            firsts.append(ranked[0])
            lines.append(self._head_of_rank(at, token.value, 1, len(rows)))
            lines.append(self._list_rows(ranked[:1], [one for one in columns if one is not None]))
        lines.append(self._say("same_row" if firsts[0] == firsts[1] else "other_row"))
        return self._finish("\n\n".join(lines))

    def _write_rank(self) -> Answer | None:
        reading, rows = self._reading, select_rows(self._reading)
        orders = [one for one in reading.tokens if one.kind == "most"]
        if not orders and reading.numbers and not _OF_ROWS.search(self._text):
            orders = [
                replace(one, value="high") for one in reading.tokens if one.kind == "first" and self._is_ranked(one)
            ]
        counts = [int(one.number) for one in reading.numbers]
        if (
            len(orders) != 1
            or rows is None
            or len(counts) > 1
            or not self._allows("most", "first", "last", "order", "sort")
        ):
            return None
        if any(number.unit for number in reading.numbers):
            return None
        at = self._find_ordered(orders[0])
        if at is None or reading.groups or (reading.rows and reading.table.kind == "rows"):
            return None
        title = reading.table.table.columns[at].title
        ranked = sort_rows(reading, rows, at, ascends=ascends(orders[0].value, title))
        count = max(1, counts[0]) if counts else count_unsaid(self._text)
        kept = ranked[:count]
        if not kept:
            return None
        last = number_at(reading, kept[-1], at)
        ties = [row for row in ranked[count:] if number_at(reading, row, at) == last]
        if ties and not counts:
            kept, ties = [*kept, *ties], []
        lines = [self._head_of_rank(at, orders[0].value, len(kept), len(ranked))]
        columns = (
            self._choose_columns() if reading.table.kind == "changes" else [at, *reading.columns, *self._find_where()]
        )
        lines += [self._list_rows(kept, columns)]
        lines += [self._say("ties", count=len(ties))] if ties else []
        return self._finish("\n\n".join(lines), shown=self._cut(kept, at), column=at)

    def _is_ranked(self, first: Token) -> bool:
        """Whether "first" follows the quantity, 覆盖率前五, or is of causes; before it, it means rows of the table."""
        at = self._reading.tokens.index(first)
        places = self._reading.places
        is_behind = bool(places) and max(places) < at and not first.text.isascii()
        return self._reading.table.kind == "causes" or is_behind

    def _find_where(self) -> list[int]:
        """Columns that say where a row is, if that is asked."""
        asked = any(
            one.kind == "which" and ("where" in one.text.lower() or "在哪" in one.text) for one in self._reading.tokens
        )
        columns = self._reading.table.table.columns
        found = [
            at
            for at, one in enumerate(columns)
            if at and ("district" in concepts_of(one.title) or is_coordinate(one.title))
        ]
        return found if asked else []

    def _head_of_rank(self, at: int, order: str, count: int, rows: int) -> str:
        title = self._reading.table.table.columns[at].title
        told = self._say("ascending" if ascends(order, title) else "descending")
        return self._say("rank", column=title, order=told, count=count, rows=rows, condition=self._condition())

    def _write_sorted(self) -> Answer | None:
        reading, rows = self._reading, select_rows(self._reading)
        orders = reading.values_of("order")
        if not reading.has("sort", "order") or rows is None or not self._allows("sort", "order") or reading.numbers:
            return None
        at = self._find_numeric()
        if at is None or len(orders) > 1:
            return None
        column = reading.table.table.columns[at]
        is_rising = ascends(orders[0] if orders else "high", column.title)
        ranked = sort_rows(reading, rows, at, ascends=is_rising)
        told = self._say("ascending" if is_rising else "descending")
        head = self._say("sorted", rows=len(ranked), column=column.title, order=told, condition=self._condition())
        columns = [at, *reading.columns] if reading.has("names", "only") else None
        shown = self._cut_all(ranked, columns)
        return replace(self._finish(head, shown=shown, column=at), tables=(shown,))

    def _write_values(self) -> Answer | None:
        """Values of the rows that are named or numbered."""
        reading, table = self._reading, self._reading.table.table
        if reading.numbers or not self._allows("row") or reading.has("not", "any"):
            return None
        for number in reading.numbered:
            if not 1 <= number <= len(table.rows):
                return self._finish(self._say("no_row", rows=len(table.rows), number=number), found=False)
        rows = list(dict.fromkeys((*reading.rows, *(number - 1 for number in reading.numbered))))
        if not rows or reading.table.kind == "changes" or reading.conditions or reading.has("versus"):
            return None
        if not (reading.columns or reading.numbered or reading.has("side") or reading.table.kind == "causes"):
            return None  # all that other tables say of it as well
        wanted = reading.columns or [
            at for at in range(1, len(table.columns)) if not is_coordinate(table.columns[at].title)
        ]
        return self._finish("\n".join(self._describe_row(row, wanted) for row in rows), column=wanted[0])

    def _describe_row(self, row: int, wanted: Sequence[int]) -> str:
        table = self._reading.table.table
        told = [
            self._say(
                "value",
                column=table.columns[at].title,
                value=with_unit(value_at(self._reading, row, at), table.columns[at].unit),
            )
            for at in wanted
        ]
        name = self._reading.table.names[row]
        return self._say("row", number=row + 1, name=name, values=join_names(told, self._language))

    def _write_list(self) -> Answer | None:
        """The rows that fulfil the conditions."""
        reading, rows = self._reading, select_rows(self._reading)
        is_of_changes = reading.table.kind == "changes"
        if rows is None or reading.numbers or not self._allows("row"):
            return None
        if not (reading.conditions or is_of_changes) or (reading.table.kind == "causes"):
            return None
        together = self._intersect(rows) if is_of_changes else None
        if together is not None:
            rows = together
        text = self._say_listed(rows)
        return self._finish(text, shown=self._cut_all(rows, None), column=next(iter(self._list_limits()), None))

    def _intersect(self, rows: Sequence[int]) -> list[int] | None:
        """Rows of those names that have each of several values: cells with a change of power and of tilt."""
        reading = self._reading
        several = next((one for one in reading.conditions if len(one.values) > 1 and not one.is_not), None)
        terms = [one for one in reading.tokens if one.kind in ("term", "value") and one.concepts]
        groups = (
            [{str(value) for value in several.values if one.concepts <= concepts_of(value)} for one in terms]
            if several
            else []
        )
        groups = [one for one in groups if one]
        said = [one.text for one in reading.tokens if one.kind == "and"]
        if several is None or len(groups) < 2 or not {"都", "both", "同时"} & set(said):
            return None
        held = [
            {reading.table.names[row] for row in rows if str(value_at(reading, row, several.column)) in one}
            for one in groups
        ]
        names = set.intersection(*held)
        return [row for row in rows if reading.table.names[row] in names]
