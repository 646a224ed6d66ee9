"""Answers about sets of rows: how many, which are not, whether one is, what shall be changed, what became better."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean, median
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, join_names
from metier.patterns import compile_later
from metier.questions._drafts import AnswerDraft, list_values, number_at, unit_of_differences, with_unit
from metier.questions._match import (
    QuestionReader,
    TableMatch,
    entity_column,
    is_high_bad,
    is_high_good,
    list_headings,
    numeric_value,
)
from metier.questions._pairs import ValuePair, find_changes, find_pair
from metier.questions._parse import Question
from metier.questions._results import ResultTable, TableColumn
from metier.questions._sentences import SENTENCES
from metier.questions._words import is_word_of

_COLUMN_KINDS: Final = ("rank", "filter", "mean", "median", "sum", "range", "summary", "sort", "count")
_MAX_LINES: Final = 10
_MAX_VALUE_CHARS: Final = 200  # a longer cell is a text, such as the minutes that would be written, and no value
_MORE: Final = compile_later(r"哪[个种一].{0,6}[多少]$|谁多|\bmore\b.*\bor\b", re.IGNORECASE)
_WORSE: Final = compile_later(
    r"变差|变坏|恶化|下降|\b(?:got|become|became) worse\b|\bworsened\b|\bdegraded\b", re.IGNORECASE
)
# A row held against a figure of all: 比中位数低了多少, "how far below the mean".
_AGAINST: Final = compile_later(
    r"比|差|[高低多少]了?多少|\b(?:than|below|above|from|against|under|over)\b", re.IGNORECASE
)
_FIGURES: Final[tuple[tuple[str, re.Pattern[str], Callable[[list[float]], float]], ...]] = (
    ("figure_median", compile_later("中位|中值|median", re.IGNORECASE), median),
    ("figure_mean", compile_later(r"平均|均值|\b(?:mean|average)\b", re.IGNORECASE), fmean),
)
_GAP_HEADING: Final = compile_later(r"之差|差值|偏差|difference|deviation|\bvs\b|against|from", re.IGNORECASE)


class SetAnswers:
    """Answers of one question that take a table, or two, as sets of named rows."""

    def __init__(self, question: Question, reader: QuestionReader, language: Language) -> None:
        self._question = question
        self._reader = reader
        self._language: Language = language

    def write_count(self, match: TableMatch) -> AnswerDraft | None:
        """How many rows a table has; with a share asked for, of how many there are."""
        titled = self._reader.find_titled() or match
        table = titled.table
        if not (titled.subjects or match.is_named):
            return None
        names = {str(row[0]) for row in table.rows}
        base = self._reader.find_base(table)
        if self._question.is_negated:
            return self.write_others(titled)
        if self._question.asks_share:
            return self._write_share(table, len(names), base)
        code = "count" if table.total == len(names) else "count_names"
        text = self._say(code, rows=table.total, names=len(names), column=entity_column(table).title)
        return AnswerDraft(text, table)

    def _write_share(self, table: ResultTable, count: int, base: ResultTable) -> AnswerDraft | None:
        if base is table:
            return None
        share = f"{100 * count / len(base.rows):.1f}"
        text = self._say("share", count=count, total=len(base.rows), share=share, title=base.title)
        return AnswerDraft(text, table, headings=(base.title,))

    def write_others(self, titled: TableMatch) -> AnswerDraft | None:
        """The rows that are not in the table that the question names."""
        base = self._reader.find_base(titled.table)
        if not titled.subjects or base is titled.table:
            return None
        names = {str(row[0]) for row in titled.table.rows}
        rows = tuple(row for row in base.rows if str(row[0]) not in names)
        shown = replace(base, rows=rows, total=len(rows))
        text = self._say("others", count=len(rows), total=len(base.rows), title=titled.table.title)
        return AnswerDraft(text, base, headings=(titled.table.title,), tables=(shown,), shown=shown)

    def say_part(self, draft: AnswerDraft) -> str:
        """Note that only some of all rows have the column that the answer is about; empty if all have it."""
        base = self._reader.find_base(draft.table)
        names = {str(row[0]) for row in draft.table.rows}
        titled = self._reader.find_titled()
        is_meant = draft.names or (titled is not None and titled.table is draft.table)
        is_whole = len(base.rows) <= len(names) or len(names) < len(draft.table.rows)
        if is_meant or is_whole or self._question.kind not in _COLUMN_KINDS:
            return ""
        return f"\n\n{self._say('only_some', count=len(names), total=len(base.rows), title=draft.table.title)}"

    def write_valued(self) -> AnswerDraft | None:
        """Rows with a text that the question names: 有几台有故障; None if it names none, or more than that."""
        for table in self._reader.tables:
            texts = {at for at in range(1, len(table.columns)) if not _is_numeric_column(table, at)}
            named = [
                word
                for word in self._reader.words
                if not any(is_word_of(word, one) for one in list_headings(table))
                and any(_has_value(row, texts, word) for row in table.rows)
            ]
            if not named or self._question.is_negated:
                continue
            rows = tuple(row for row in table.rows if all(_has_value(row, texts, word) for word in named))
            if not rows:
                continue  # no row has both: two values of one column are not one condition
            shown = replace(table, rows=rows, total=len(rows))
            quoted = join_names([self._say("quoted", word=word) for word in named], self._language)
            text = self._say("valued", count=len(rows), total=len(table.rows), words=quoted)
            headings = (*named, *(one.title for one in table.columns))
            return AnswerDraft(text, table, headings=headings, tables=(shown,) if rows else (), shown=shown)
        return None

    def write_both(self) -> AnswerDraft | None:
        """The rows that are in two tables of findings that the question names; None if it does not name two."""
        titled = [one for one in self._reader.list_titled() if "：" in one.table.title or ":" in one.table.title]
        if len(titled) != 2 or set(titled[0].subjects) & set(titled[1].subjects) or self._question.is_negated:
            return None
        first, second = (one.table for one in titled)
        if _MORE.search(self._question.text):
            counts = [
                self._say("rows_each", name=one.title, count=len({str(row[0]) for row in one.rows}))
                for one in (first, second)
            ]
            return AnswerDraft("\n".join(counts), first, headings=(second.title,))
        names = {str(row[0]) for row in second.rows}
        rows = tuple(row for row in first.rows if str(row[0]) in names)
        shown = replace(first, rows=rows, total=len(rows))
        text = self._say("both", count=len({str(row[0]) for row in rows}), first=first.title, second=second.title)
        headings = (second.title, *(one.title for one in first.columns))
        return AnswerDraft(text, first, headings=headings, tables=(shown,) if rows else (), shown=shown)

    def write_gap(self, gap: float, column: TableColumn) -> str:
        """A difference of two values of a column with its unit."""
        return with_unit(round(gap, 2), unit_of_differences(column, self._language))

    def write_against(self) -> AnswerDraft | None:
        """How far a row that is named is from the mean or median: as a column tells it, else worked out."""
        text = self._question.text
        found = next(((code, words, work) for code, words, work in _FIGURES if words.search(text)), None)
        if found is None or not _AGAINST.search(text):
            return None
        code, words, work = found
        for table in self._reader.tables:
            rows = self._reader.find_named_rows(table)
            at = next((at for at, one in enumerate(table.columns) if _is_gap(one.title, words)), None)
            if len(rows) == 1 and at is not None and at < len(table.rows[rows[0]]):
                name, value = str(table.rows[rows[0]][0]), with_unit(table.rows[rows[0]][at], table.columns[at].unit)
                told = self._say("extra", name=name, column=table.columns[at].title, value=value)
                return AnswerDraft(told, table, headings=list_headings(table), names=(name,))
        match = self._reader.find_table(needs_number=True)
        if match is None or match.column is None:
            return None
        rows = self._reader.find_named_rows(match.table)
        if len(rows) != 1:
            return None
        table, column = match.table, match.table.columns[match.column]
        values = [one for row in table.rows if (one := number_at(row, match.column)) is not None]
        own = number_at(table.rows[rows[0]], match.column)
        if own is None:
            return None
        level, name = work(values), str(table.rows[rows[0]][0])
        shown = {"value": with_unit(own, column.unit), "level": with_unit(round(level, 2), column.unit)}
        gap, figure = self.write_gap(own - level, column), SENTENCES.render(code, self._language)
        told = self._say("against", name=name, column=column.title, figure=figure, rows=len(values), gap=gap, **shown)
        return AnswerDraft(told, table, headings=(column.title,), names=(name,))

    def compare_column(self, table: ResultTable, rows: Sequence[int], at: int) -> str:
        """Values of rows in one column, their difference, and which is better; empty without two values."""
        head = table.columns[at]
        found = [(str(table.rows[one][0]), number_at(table.rows[one], at)) for one in rows]
        known = [(name, value) for name, value in found if value is not None]
        if len(known) < 2:
            return ""
        values = join_names([f"{name} {with_unit(value, head.unit)}" for name, value in found], self._language)
        gap = self.write_gap(abs(known[0][1] - known[1][1]), head)
        return f"{self._say('compare', column=head.title, values=values, gap=gap)}{self._say_better(head.title, known)}"

    def _say_better(self, title: str, known: Sequence[tuple[str, float]]) -> str:
        ordered = sorted(known, key=lambda one: one[1], reverse=not is_high_bad(title))
        is_judged = is_high_bad(title) or is_high_good(title)
        code = "equal" if ordered[0][1] == ordered[1][1] else "better" if is_judged else "higher"
        return f" {self._say(code, name=ordered[0][0])}"

    def write_whether(self, match: TableMatch) -> AnswerDraft | None:
        """Whether the rows that are named are in the table that is named."""
        names = [str(match.table.rows[at][0]) for at in match.rows]
        titled = self._reader.find_titled()
        if titled is None or not names:
            return None
        lines = []
        for name in names:
            rows = [at for at, row in enumerate(titled.table.rows) if str(row[0]) == name]
            values = [list_values(titled.table, at, self._language, with_place=False) for at in rows[:1]]
            told = {
                "name": name,
                "title": titled.table.title,
                "rows": len(titled.table.rows),
                "values": "".join(values),
            }
            lines.append(self._say("is_in" if rows else "is_not_in", **told))
        return AnswerDraft("\n".join(lines), titled.table)

    def write_listed(self, titled: TableMatch, names: tuple[str, ...]) -> AnswerDraft:
        """All rows of a table that have these names."""
        rows = tuple(row for row in titled.table.rows if str(row[0]) in names)
        shown = replace(titled.table, rows=rows, total=len(rows))
        text = self._say("rows_of", name=join_names(names, self._language), title=titled.table.title, count=len(rows))
        headings = tuple(one.title for one in titled.table.columns)
        return AnswerDraft(text, titled.table, headings=headings, tables=(shown,), shown=shown)

    def rank_names(self, table: ResultTable, count: int) -> AnswerDraft | None:
        """Names by how many rows they have; None if each has one."""
        counted = Counter(str(row[0]) for row in table.rows)
        ranked = counted.most_common()
        if not ranked or ranked[0][1] < 2:
            return None
        best = ranked[count - 1][1] if count <= len(ranked) else 0
        kept = [(name, number) for at, (name, number) in enumerate(ranked) if at < count or number == best][:_MAX_LINES]
        lines = [self._say("rows_each", name=name, count=number) for name, number in kept]
        return AnswerDraft("\n".join(lines), table)

    def write_changes(self) -> AnswerDraft | None:
        """Which settings shall be changed: of the rows that are named, or of the kind that is named."""
        table = find_changes(self._reader)
        if table is None:
            return None
        texts = {at for at in range(1, len(table.columns)) if not _is_numeric_column(table, at)}
        wanted = [
            word
            for word in self._reader.words
            if any(_has_value(row, texts, word) for row in table.rows) and not is_word_of(word, table.title)
        ]
        named = self._reader.find_named_rows(table)
        names = {str(table.rows[at][0]) for at in named}
        if not names and re.search(r"\d{5,}", self._question.text):
            text = self._say("no_change_of", title=table.title, rows=len(table.rows))
            return AnswerDraft(text, table)
        rows = [
            row
            for row in table.rows
            if (not names or str(row[0]) in names) and all(_has_value(row, texts, word) for word in wanted)
        ]
        shown = replace(table, rows=tuple(rows), total=len(rows))
        cells = len({str(row[0]) for row in rows})
        title = entity_column(table).title
        text = self._say("changes", count=len(rows), total=len(table.rows), names=cells, column=title)
        headings = (*(one.title for one in table.columns), *wanted, *_CHANGE_WORDS)
        return AnswerDraft(text, table, headings=headings, tables=(shown,), shown=shown)

    def write_gain(self) -> AnswerDraft | None:
        """What became better: of rows that are named, of those that gained most, or on average."""
        pair = find_pair(self._reader)
        if pair is None:
            return None
        named = {str(pair.table.rows[at][0]) for at in self._reader.find_named_rows(pair.table)}
        named |= {str(pair.table.rows[one - 1][0]) for one in self._question.rows if 1 <= one <= len(pair.table.rows)}
        lines = self._write_gains(pair, named)
        if not lines:
            return None
        headings = (pair.column.title, pair.after_title, *_GAIN_WORDS)
        return AnswerDraft("\n".join(lines), pair.table, headings=headings)

    def _write_gains(self, pair: ValuePair, named: set[str]) -> list[str]:
        values = {name: (before, after) for name, before, after in pair.values}
        if named:
            return [self._say_pair(name, pair, values[name]) for name in named if name in values]
        if self._question.order is not None:
            worst = self._question.order in ("low", "worst")
            ranked = sorted(pair.gains, key=lambda one: one[1] if worst else -one[1])[: self._question.count]
            return [self._say_pair(name, pair, values[name]) for name, _ in ranked]
        if _WORSE.search(self._question.text):
            worse = sorted((one for one in pair.gains if one[1] < 0), key=lambda one: one[1])
            head = self._say("worse", count=len(worse), total=len(pair.values), column=pair.column.title)
            return [head, *(self._say_pair(name, pair, values[name]) for name, _ in worse[:_MAX_LINES])]
        befores, afters = [one[1] for one in pair.values], [one[2] for one in pair.values]
        means = (sum(befores) / len(befores), sum(afters) / len(afters))
        return [self._say_pair(self._say("mean_of", rows=len(befores)), pair, means)]

    def _say_pair(self, name: str, pair: ValuePair, values: tuple[float, float]) -> str:
        before, after = (round(one, 2) for one in values)
        gap = f"{after - before:+.2f}".rstrip("0").rstrip(".")
        unit = unit_of_differences(pair.column, self._language)
        told = {"before": with_unit(before, pair.column.unit), "after": with_unit(after, pair.column.unit)}
        return self._say("pair", name=name, column=pair.column.title, gap=f"{gap} {unit}".strip(), **told)

    def _say(self, code: str, **values: object) -> str:
        return SENTENCES.render(code, self._language, **values)


_CHANGE_WORDS: Final = (
    "改 调 要改 推荐参数 建议 需要改 新增 增配",
    "change changes changed adjust recommended should must be",
)
_GAIN_WORDS: Final = ("提升 改善 变化 优化 前后", "improved improvement gained before after optimisation optimization")


def _is_numeric_column(table: ResultTable, at: int) -> bool:
    return all(numeric_value(row[at]) is not None for row in table.rows if at < len(row) and row[at] is not None)


def _has_value(row: tuple[JsonValue, ...], texts: set[int], word: str) -> bool:
    cells = (str(row[at]) for at in texts if at < len(row))
    return any(len(one) <= _MAX_VALUE_CHARS and is_word_of(word, one) for one in cells)


def _is_gap(title: str, words: re.Pattern[str]) -> bool:
    return words.search(title) is not None and _GAP_HEADING.search(title) is not None
