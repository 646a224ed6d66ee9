"""Answers about charts: the same data as another chart, or as a table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from metier.language import Language
from metier.patterns import compile_later
from metier.questions._match import QuestionReader, entity_column, find_numeric_columns, is_coordinate
from metier.questions._parse import Question
from metier.questions._results import Answer, ResultChart, Results, ResultTable, table_from_chart
from metier.questions._sentences import SENTENCES
from metier.questions._words import find_words, score_words

if TYPE_CHECKING:
    from metier.json_values import JsonObject, JsonValue

_MAX_SAID: Final = 40
_MAX_CHARTS: Final = 4
_MAX_DRAWN: Final = 24
_CHANGES: Final = compile_later(
    r"(?i)换|改|这[个张幅]图|那[个张幅]图|\b(?:change|switch|turn|instead|this chart|that chart)\b"
)
_BAR_KINDS: Final = ("grouped_bar", "line", "stacked_bar", "scatter", "table")


class ChartAnswers:
    """Answers of one question about the charts of the newest turn that has some."""

    def __init__(self, question: Question, results: Results, language: Language) -> None:
        self._question = question
        self._language: Language = language
        newest = results.charts[0].said if results.charts else ""
        self._charts = [one for one in results.charts if one.said == newest]
        self._tables = results.tables
        drawable = [one for one in results.tables if one.said == results.said and self._draw_column(one, None)]
        # A newer result without a chart is drawn, unless the message changes the chart that there is.
        self._newer = () if newest in ("", results.said) or _CHANGES.search(question.text) else tuple(drawable)
        self._reader = QuestionReader(question.text, results.tables)

    def write(self) -> Answer | None:
        if not self._charts and not self._tables:
            return None
        return self._show_data() if self._question.kind == "data" else self._redraw()

    def _redraw(self) -> Answer | None:
        """The charts in another form; None if there is none to redraw, so that a skill may have one in a document."""
        kind = self._question.chart or "grouped_bar"
        told = SENTENCES.render(kind, self._language)
        usable = self._choose([one for one in self._charts if (one.kind in _BAR_KINDS) == (kind in _BAR_KINDS)])
        if self._newer and kind in _BAR_KINDS:
            usable = self._draw_column(self._newer[0], None)
        elif not usable and kind in _BAR_KINDS:
            usable = self._draw_table()
        if not usable and not self._charts:
            return None
        if not usable:
            return Answer(SENTENCES.render("no_chart", self._language, kind=told), found=False)
        drawn = tuple(replace(one, spec={**one.spec, "kind": kind}) for one in usable[:_MAX_CHARTS])
        lines = [SENTENCES.render("chart", self._language, title=one.title, kind=told) for one in drawn]
        if self._question.is_unknown_chart:
            lines.insert(0, SENTENCES.render("unknown_chart", self._language))
        return Answer("\n".join([*lines, self._source(drawn[0])]), charts=drawn)

    def _draw_table(self) -> list[ResultChart]:
        """A chart of the table that the question means: its first numbers, of as many rows as can be told apart."""
        match = self._reader.find_table(needs_number=True)
        return [] if match is None else self._draw_column(match.table, match.column)

    def draw_rows(self, table: ResultTable) -> Answer | None:
        """A chart of the rows that an answer listed; None if they have no number."""
        kind = self._question.chart or "grouped_bar"
        drawn = tuple(replace(one, spec={**one.spec, "kind": kind}) for one in self._draw_column(table, None))
        if not drawn:
            return None
        told = SENTENCES.render(kind, self._language)
        line = SENTENCES.render("drawn", self._language, title=drawn[0].title, kind=told)
        return Answer(f"{line}\n{self._source(drawn[0])}", charts=drawn)

    def _draw_column(self, table: ResultTable, wanted: int | None) -> list[ResultChart]:
        numeric = [at for at in find_numeric_columns(table) if not is_coordinate(table.columns[at].title)]
        at = wanted if wanted in numeric else next(iter(numeric), None)
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
            return self._show_table()
        shown = tuple(map(table_from_chart, charts[:_MAX_CHARTS]))
        lines = [SENTENCES.render("data", self._language, title=one.title) for one in shown]
        return Answer("\n".join([*lines, self._source(charts[0])]), tables=shown)

    def _show_table(self) -> Answer:
        """The table that the question means, where there is no chart."""
        match = self._reader.find_table(needs_number=False)
        if match is None:
            return Answer(SENTENCES.render("no_data", self._language), found=False)
        table = match.table
        told = SENTENCES.render(
            "source", self._language, title=table.title, total=table.total, said=table.said[:_MAX_SAID]
        )
        return Answer(told, tables=(table,))

    def _choose(self, charts: Sequence[ResultChart]) -> list[ResultChart]:
        """The charts whose title the question names best, otherwise all."""
        words = find_words(self._question.text, [table_from_chart(one) for one in charts])
        scored = [(score_words(words, one.title), one) for one in charts]
        best = max((score for score, _ in scored), default=0.0)
        return [one for score, one in scored if score == best]

    def _source(self, chart: ResultChart) -> str:
        return SENTENCES.render("source_chart", self._language, title=chart.title, said=chart.said[:_MAX_SAID])
