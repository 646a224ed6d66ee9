"""Answers about tables: values of rows, orders, limits, comparisons and sums.

An answer is given only if every word of the question stands in what it is about; otherwise it names those that do not.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import median
from typing import Final

from metier.language import Language, join_names
from metier.patterns import compile_later
from metier.questions._cause_words import list_cause_words
from metier.questions._drafts import AnswerDraft, ExtraColumn, cut_table, list_rows, list_values, number_at, with_unit
from metier.questions._match import (
    QuestionReader,
    TableMatch,
    find_numeric_columns,
    is_coordinate,
    list_causes,
    list_headings,
)
from metier.questions._orders import filter_rows, is_ascending, is_worst_first, names_column, resolve_limit, sort_rows
from metier.questions._parse import Order, Question
from metier.questions._results import Answer, Results, ResultTable
from metier.questions._sentences import SENTENCES
from metier.questions._set_answers import SetAnswers
from metier.questions._words import list_whole_words

_MAX_SAID: Final = 40
_MAX_TABLES: Final = 6
_MAX_TIES: Final = 20
_COUNTS: Final = compile_later(r"多少[个行条]|几个|有多少|数量|个数|\bhow many\b|\bnumber of\b", re.IGNORECASE)
_ASKS: Final = compile_later(
    r"哪|有没有|多少|几个|数量|\b(?:which|any|how many|are there|number of|list|show|cells|rows)\b", re.I
)
_OF_ROWS: Final = compile_later(r"行|\brows?\b|\blines?\b", re.IGNORECASE)
_FIGURE_HEADING: Final = compile_later("平均|均值|中位数|mean|average|median", re.IGNORECASE)
_PART: Final = compile_later(r"共\s*\d{3,}|\bof \d{3,}")
_LEVELS: Final = ("%", "dB", "dBm", "°")  # units of values that cannot be added
_LOOSE_KINDS: Final = ("list", "all", "causes", "summary", "changes", "gain", "slice", "sort", "value")


class TableAnswers:
    """Answers of one question over the tables."""

    def __init__(self, question: Question, results: Results, language: Language) -> None:
        self._question = question
        self._tables = results.tables
        self._language: Language = language
        self._reader = QuestionReader(question.text, results.tables)
        self._sets = SetAnswers(question, self._reader, language)
        writers: Mapping[str, Callable[[TableMatch], AnswerDraft | None]] = {
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
            "summary": lambda match: self._write_figure(match, "summary") if match.column is not None else None,
            "list": self._write_titled,
            "all": self._write_titled,
            "causes": self._write_causes,
            "changes": lambda _: self._sets.write_changes(),
            "gain": lambda _: self._sets.write_gain(),
            "value": self._write_value,
        }
        self._writers = writers

    def write(self) -> Answer | None:
        """The answer; None if the message is better read as a new request."""
        draft = self.draft()
        return self._give_up() if draft is None else self._finish(draft)

    def draft(self) -> AnswerDraft | None:
        """The answer before it is checked for words that it leaves out."""
        kind = self._question.kind
        if self._question.has_exception and kind != "rank":
            return None
        needs_number = kind in ("rank", "sort", "filter", "mean", "median", "sum", "range", "summary")
        match = self._reader.find_table(needs_number=needs_number)
        known = self._sets.write_against() if kind in ("mean", "median", "compare") else None
        if known is None and kind in ("list", "count", "compare"):
            known = self._sets.write_both() or (None if self._reader.find_titled() else self._sets.write_valued())
        if known is not None:
            return known
        return None if match is None else self._writers[kind](match)

    def _finish(self, draft: AnswerDraft) -> Answer:
        """The draft with its source, unless the question has words that it says nothing about."""
        about = (*list_headings(replace(draft.table, columns=draft.table.columns[:1])), *draft.headings)
        extras = self._find_extras(draft, self._reader.list_unread(about))
        about = (*about, *(one.column.title for one in extras))
        if draft.found and (unread := self._reader.list_unread(about)):
            return self._say_cannot(unread)
        text = list_rows(draft, extras, self._language) if draft.rows else draft.text
        if extras and not draft.rows:
            lines = [self._say_extra(name, one) for one in extras for name in draft.names if name in one.values]
            text = "\n".join([text, *lines])
        answer = self._with_source(f"{text}{self._sets.say_part(draft)}", draft.table, code=draft.source)
        shown = draft.shown or (cut_table(draft.table, draft.rows, draft.column) if draft.rows else None)
        return replace(answer, tables=draft.tables, found=draft.found, shown=shown)

    def _find_extras(self, draft: AnswerDraft, words: Sequence[str]) -> list[ExtraColumn]:
        """Columns for the words that are left, of the rows that the answer lists."""
        names = draft.names or tuple(str(draft.table.rows[at][0]) for at in draft.rows)
        found: dict[str, ExtraColumn] = {}
        for word in words if names else ():
            hit = self._reader.find_column(word, draft.table.said, names)
            own = self._reader.find_own_column(word, draft.table) if draft.rows else None
            table, at = (draft.table, own) if own is not None else hit if hit is not None else (draft.table, 0)
            if at and table.columns[at].title not in found:
                values = {str(row[0]): row[at] for row in table.rows if str(row[0]) in names}
                found[table.columns[at].title] = ExtraColumn(table.columns[at], values, own)
        return list(found.values())

    def _say_extra(self, name: str, extra: ExtraColumn) -> str:
        value = with_unit(extra.values[name], extra.column.unit)
        return self._say("extra", name=name, column=extra.column.title, value=value)

    def _give_up(self) -> Answer | None:
        """Say what cannot be answered, if the question is about the rows on screen; None if it may be a request."""
        if self._question.kind in _LOOSE_KINDS:
            return None
        said = self._question.text.lower()
        heads = " ".join(one.columns[0].title for one in self._tables).lower()
        names = set(re.findall(r"[a-z]+|[\u4e00-\u9fff]+", heads))
        is_about = any(len(word) > 1 and word in said for word in names if word != "id")
        is_about = is_about or len(self._reader.list_unknown()) < len(self._reader.words)
        return self._say_cannot(self._reader.list_unknown()) if is_about else None

    def _write_row(self, match: TableMatch) -> AnswerDraft | None:
        if match.rows and self._question.asks_whether and (told := self._sets.write_whether(match)):
            return told
        if match.rows and (listed := self._list_repeated(match)):
            return listed
        if self._question.asks_why:
            match = replace(match, column=None)
        matches = [match] if match.rows else [self._reader.find_numbered_row(one) for one in self._question.rows]
        if not matches:
            return None
        if not all(one.rows for one in matches):
            text = self._say("no_row", total=len(matches[0].table.rows), row=abs(self._question.rows[0]))
            return AnswerDraft(text, matches[0].table, found=False)
        lines = [self._describe_row(one.table, at, _asked_column(one)) for one in matches for at in one.rows]
        about = [one for match in matches for one in self._list_about(match)]
        if _asked_column(matches[0]) is None and len(lines) == 1:
            others = self._list_elsewhere(matches[0])
            lines += [line for line, _ in others]
            about += [title for _, titles in others for title in titles]
        names = tuple(str(one.table.rows[at][0]) for one in matches for at in one.rows)
        return AnswerDraft("\n".join(lines), matches[0].table, headings=tuple(about), names=names)

    def _write_value(self, match: TableMatch) -> AnswerDraft | None:
        """The value of a row that is named in words, or figures of the column if no row is."""
        if match.rows:
            return self._write_row(match)
        numeric = self._reader.find_table(needs_number=True)
        return self._writers["summary"](numeric) if numeric is not None else None

    def _list_repeated(self, match: TableMatch) -> AnswerDraft | None:
        """All rows of the named ones in the table whose subject is named, if one of them has several."""
        names, titled = tuple(str(match.table.rows[at][0]) for at in match.rows), self._reader.find_titled()
        rows = [row for row in titled.table.rows if str(row[0]) in names] if titled is not None else []
        if titled is None or not rows or (titled.column is not None and len(rows) <= len(set(names))):
            return None
        return self._sets.write_listed(titled, names)

    def _list_about(self, match: TableMatch) -> list[str]:
        at = _asked_column(match)
        return [one.title for one in match.table.columns] if at is None else [match.table.columns[at].title]

    def _list_elsewhere(self, match: TableMatch) -> list[tuple[str, list[str]]]:
        """What other tables of the same turn say about the row, one line each, with the headings of each."""
        name, lines = str(match.table.rows[match.rows[0]][0]), []
        for table in self._tables:
            rows = [at for at, row in enumerate(table.rows) if str(row[0]) == name]
            if table is match.table or table.said != match.table.said or len(rows) != 1:
                continue
            if values := list_values(table, rows[0], self._language, with_place=False):
                lines.append((self._say("elsewhere", title=table.title, values=values), list(list_headings(table))))
        return lines

    def _write_slice(self, match: TableMatch) -> AnswerDraft | None:
        """Rows from the start or the end; with a column that is named, those with the highest values."""
        numeric = self._reader.find_table(needs_number=True)
        count, is_of_rows = self._question.count, _OF_ROWS.search(self._question.text)
        is_ranked = re.search(r"名|排|\btop\b", self._question.text, re.I)
        titled = self._reader.find_titled()
        if titled is not None and titled.column is None and is_ranked and count > 0:
            return self._list_first(titled, 0, count)
        if numeric is not None and numeric.column is not None and is_ranked and not is_of_rows:
            return self._rank(numeric, "high" if count > 0 else "low", abs(count))
        if not (match.is_named or is_of_rows):
            return None
        table = match.table
        kept = table.rows[:count] if count > 0 else table.rows[count:]
        shown = replace(table, rows=kept, total=len(kept))
        head = self._say("first_rows" if count > 0 else "last_rows", count=len(kept), title=table.title)
        headings = tuple(one.title for one in table.columns)
        return AnswerDraft(head, table, headings=headings, tables=(shown,), shown=shown)

    def _write_comparison(self, match: TableMatch) -> AnswerDraft | None:
        table = match.table
        if match.column is None or not self._reader.find_named_rows(table):
            first = self._reader.find_numbered_row(1)
            table, match = (first.table, first) if match.column is None and self._question.rows else (table, match)
        wanted = tuple(dict.fromkeys((*self._reader.find_named_rows(table), *self._numbered_rows(table))))
        if len(wanted) < 2:
            numeric = self._reader.find_table(needs_number=True)
            return None if self._question.order is None or numeric is None else self._write_figure(numeric)
        told = [at for at in find_numeric_columns(table) if not is_coordinate(table.columns[at].title)]
        columns = [match.column] if match.column in told else told
        lines = [line for at in columns if (line := self._sets.compare_column(table, wanted[:4], at))]
        headings = tuple(table.columns[at].title for at in columns)
        return AnswerDraft("\n".join(lines), table, headings=headings) if lines else None

    def _write_rank(self, match: TableMatch) -> AnswerDraft | None:
        question, titled = self._question, self._reader.find_titled()
        if match.column is not None and is_coordinate(match.table.columns[match.column].title):
            match = replace(match, column=None)  # where the worst is, not which is farthest west
        if titled is not None and (match.column is None or (match.table is titled.table and titled.column is None)):
            return self._rank_titled(titled)
        if question.order == "worst" and is_worst_first(self._tables[0]) and not names_column(match, question.text):
            first = self._reader.match(self._tables[0], 0, needs_number=False)
            return self._list_first(first, max(0, question.place - 1), question.count)
        if match.column is None and (match.is_named or question.count > 1 or question.place):
            match = replace(match, column=next(iter(find_numeric_columns(match.table)), None))
        return self._rank(match, question.order or "high", question.count, place=question.place)

    def _rank_titled(self, titled: TableMatch) -> AnswerDraft | None:
        """Rows of a table of findings, which has the most important first; or the names that it has most often."""
        if self._question.order == "high":
            return self._sets.rank_names(titled.table, self._question.count)
        if self._question.order != "worst":
            return None
        return self._list_first(titled, max(0, self._question.place - 1), self._question.count)

    def _list_first(self, titled: TableMatch, first: int, count: int) -> AnswerDraft:
        table = titled.table
        kept = table.rows[first : first + count]
        shown = replace(table, rows=kept, total=len(kept))
        text = self._say("in_order", title=table.title, count=len(kept))
        headings = tuple(one.title for one in table.columns)
        return AnswerDraft(text, table, headings=headings, tables=(shown,), shown=shown)

    def _write_sorted(self, match: TableMatch) -> AnswerDraft | None:
        if match.column is None:
            return None
        table, at = match.table, match.column
        ascends = is_ascending(self._question.order or "high", table.columns[at].title)
        rows = [table.rows[number] for number in sort_rows(table, at, is_ascending=ascends)]
        told = self._say("ascending" if ascends else "descending")
        head = self._say("sorted", column=table.columns[at].title, order=told, count=len(rows))
        shown = replace(table, rows=tuple(rows))
        headings = tuple(one.title for one in table.columns)
        return AnswerDraft(head, table, headings=headings, tables=(shown,), shown=shown)

    def _rank(self, match: TableMatch, order: Order, count: int, *, place: int = 0) -> AnswerDraft | None:
        at = match.column
        if at is None:
            return None
        column = match.table.columns[at]
        ascends = is_ascending(order, column.title)
        left_out = self._reader.find_named_rows(match.table) if self._question.has_exception else ()
        ranked = [one for one in sort_rows(match.table, at, is_ascending=ascends) if one not in left_out]
        kept = ranked[place - 1 : place] if place else ranked[:count]
        if not kept:
            return None
        last = number_at(match.table.rows[kept[-1]], at)
        ties = [one for one in ranked if one not in kept and number_at(match.table.rows[one], at) == last]
        told = self._say("ascending" if ascends else "descending")
        code = "rank_place" if place else "rank"
        head = self._say(code, column=column.title, order=told, count=len(kept), place=place)
        if ties and count == 1 and not place:
            kept, ties = [*kept, *ties[: _MAX_TIES - 1]], ties[_MAX_TIES - 1 :]
            head = self._say("rank", column=column.title, order=told, count=len(kept))
        if ties:
            head = f"{head} {self._say('ties', count=len(ties))}"
        return AnswerDraft(head, match.table, headings=(column.title,), rows=tuple(kept), column=at)

    def _write_filter(self, match: TableMatch) -> AnswerDraft | None:
        if self._question.has_more_limits:
            return AnswerDraft(self._say("one_limit"), match.table, found=False)
        limits = self._question.limits
        if match.column is None and (match.is_named or _ASKS.search(self._question.text)):
            match = self._reader.find_limited(match, limits[0][1])
        if match.column is None:
            return None
        column = match.table.columns[match.column]
        limits = tuple(resolve_limit(one, column.title) for one in limits)
        found = filter_rows(match.table, match.column, limits)
        sides = [self._say(side, limit=with_unit(value, column.unit)) for side, value in limits]
        told = {"rows": len(match.table.rows), "count": len(found), "column": column.title}
        head = self._say("filter", **told, limits=join_names(sides, self._language))
        if self._question.asks_share and match.table.rows:
            head = f"{head} {self._say('share_of_rows', share=f'{100 * len(found) / len(match.table.rows):.1f}')}"
        if _PART.search(match.table.title):
            head = f"{head} {self._say('part_shown')}"
        return AnswerDraft(head, match.table, headings=(column.title,), rows=tuple(found), column=match.column)

    def _write_count(self, match: TableMatch) -> AnswerDraft | None:
        numeric, titled = self._reader.find_table(needs_number=True), self._reader.find_titled()
        words = () if titled is None else titled.subjects
        if numeric is not None and numeric.column is not None and not self._question.asks_share:
            column = numeric.table.columns[numeric.column]
            is_other = not set(self._reader.list_unread([column.title])) >= set(self._reader.words) - set(words)
            if not column.unit and is_other and not is_coordinate(column.title):
                return self._write_figure(numeric, kind="sum")
        return self._sets.write_count(match)

    def _write_figure(self, match: TableMatch, kind: str | None = None) -> AnswerDraft | None:
        """Mean, median, sum or range of a column; a sum of levels has no meaning, so its mean is given."""
        at, kind = match.column, kind or self._question.kind
        if at is None and kind in ("range", "compare") and match.is_named:
            at = next(iter(find_numeric_columns(match.table)), None)
        if at is None:
            is_count = kind == "sum" and _COUNTS.search(self._question.text)
            return self._sets.write_count(match) if is_count else None
        column, table = match.table.columns[at], match.table
        if kind in ("mean", "median") and any(_FIGURE_HEADING.fullmatch(one.title) for one in table.columns):
            return self._list_table(table)  # it has the figure of each row
        order = sort_rows(table, at, is_ascending=True)
        values = [value for number in order if (value := number_at(table.rows[number], at)) is not None]
        if not values:
            return None
        names = {"lowest": str(table.rows[order[0]][0]), "highest": str(table.rows[order[-1]][0])}
        told = {"mean": sum(values) / len(values), "median": median(values), "sum": sum(values)}
        told |= {"low": values[0], "high": values[-1]}
        shown = {name: with_unit(round(value, 2), column.unit) for name, value in told.items()}
        gap = self._sets.write_gap(values[-1] - values[0], column)
        code = "no_sum" if kind == "sum" and column.unit in _LEVELS else "range" if kind == "compare" else kind
        said = self._say(code, column=column.title, rows=len(values), gap=gap, **names, **shown)
        return AnswerDraft(said, table, headings=(column.title,))

    def _write_titled(self, match: TableMatch) -> AnswerDraft | None:
        """The table that the question names, whole: by its title, or as all of its rows."""
        titled = self._reader.find_titled()
        if titled is not None and self._question.is_negated:
            return self._sets.write_others(titled)
        if self._question.kind == "list" and titled is None:
            return None
        return self._list_table(titled.table if titled is not None and self._question.kind == "list" else match.table)

    def _list_table(self, table: ResultTable) -> AnswerDraft:
        head = self._say("listed", title=table.title, count=table.total)
        headings = tuple(one.title for one in table.columns)
        return AnswerDraft(head, table, headings=headings, tables=(table,), shown=table)

    def _write_causes(self, match: TableMatch) -> AnswerDraft | None:
        if not (causes := list_causes(self._tables)):
            return None
        lines = (f"{number}. {table.title}" for number, table in enumerate(causes, 1))
        text = "\n".join((self._say("causes", count=len(causes)), "", *lines))
        return AnswerDraft(text, causes[0], headings=list_cause_words(self._reader), source="source_causes")

    def _numbered_rows(self, table: ResultTable) -> tuple[int, ...]:
        last = len(table.rows)
        numbers = (last + 1 + number if number < 0 else number for number in self._question.rows)
        return tuple(number - 1 for number in numbers if 1 <= number <= last)

    def _say_cannot(self, words: Sequence[str]) -> Answer:
        lines = [
            self._say("table_line", title=one.title, columns=join_names([c.title for c in one.columns], self._language))
            for one in self._tables[:_MAX_TABLES]
        ]
        whole = list_whole_words(words, self._question.said or self._question.text)
        code = "unread" if set(whole) & set(self._reader.list_unknown()) else "combined" if whole else "cannot"
        head = self._say(code, words=join_names([self._say("quoted", word=word) for word in whole], self._language))
        return Answer("\n".join([head, "", *lines]), found=False)

    def _describe_row(self, table: ResultTable, at: int, column: int | None) -> str:
        row, name = table.rows[at], str(table.rows[at][0])
        if column is not None and column > 0:
            value = with_unit(row[column] if column < len(row) else None, table.columns[column].unit)
            return self._say("value", row=at + 1, name=name, column=table.columns[column].title, value=value)
        values = list_values(table, at, self._language, with_place=True)
        return self._say("whole_row", row=at + 1, name=name, values=values)

    def _with_source(self, text: str, table: ResultTable, *, code: str = "source") -> Answer:
        said = table.said if len(table.said) <= _MAX_SAID else table.said[: _MAX_SAID - 1] + "…"
        source = self._say(code, title=table.title, total=table.total, said=said)
        part = "" if table.total <= len(table.rows) else self._say("part_kept", total=table.total, kept=len(table.rows))
        return Answer(f"{text}\n\n{source}{part}")

    def _say(self, code: str, **values: object) -> str:
        return SENTENCES.render(code, self._language, **values)


def _asked_column(match: TableMatch) -> int | None:
    """The column that is asked for; None if its heading only names the table."""
    at = match.column
    return None if at is not None and match.table.columns[at].title in match.table.title else at
