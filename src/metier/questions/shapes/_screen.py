"""What is on screen for questions of a known shape: all rows, the findings, and columns by what they measure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from metier.json_values import JsonValue
from metier.language import Language, join_names
from metier.questions._drafts import with_unit
from metier.questions._match import entity_column, find_numeric_columns, is_coordinate, list_causes, list_findings
from metier.questions._results import Answer, Results, ResultTable, TableColumn
from metier.questions._words import strip_title
from metier.questions.queries import NOUNS, concepts_of, cut_words, explain_missing, find_concepts
from metier.questions.shapes._shape_sentences import SHAPE_SENTENCES
from metier.visible_text import write_markdown_table

_MAX_SAID: Final = 40
_MAX_LISTED: Final = 20
# What narrows another word, or names a finding and no column.
_NO_MEASURES: Final = NOUNS | {
    "weak",
    "interference",
    "overload",
    "downlink",
    "uplink",
    "district",
    "neighbour",
    "band",
}
_PLAIN_KINDS: Final = frozenset({"term", "fill", "and", "or", "which", "any", "names", "sort", "group"})


@dataclass(frozen=True, slots=True)
class ShownMeasure:
    """A column of numbers: its table, its heading, and the value of each row that has one."""

    table: ResultTable
    column: TableColumn
    values: Mapping[str, float]

    def write(self, value: float) -> str:
        return with_unit(round(value, 2), self.column.unit)


class ShownRows:
    """Results that a question of a known shape is about, and its words."""

    def __init__(self, text: str, results: Results, language: Language) -> None:
        self.text = text
        self.language: Language = language
        self._results = results
        self.findings = list_findings(results.tables)
        self.causes = list_causes(self.findings)

    def say(self, code: str, **values: object) -> str:
        return SHAPE_SENTENCES.render(code, self.language, **values)

    def find_base(self) -> ResultTable | None:
        """The table with the most rows of different names among those of the newest findings, or of all."""
        said = self.findings[0].said if self.findings else None
        same = [one for one in self._results.tables if said is None or one.said == said]
        unique = [one for one in same if one.rows and len(set(names_of(one))) == len(one.rows)]
        return max(unique, key=lambda one: len(one.rows), default=None)

    def is_plain(self, *shapes: re.Pattern[str]) -> bool:
        """Whether the words beside the shape only name columns and rows: no further condition, nothing unknown."""
        rest = self.text
        for shape in shapes:
            rest = shape.sub(" ", rest)
        tokens = cut_words(rest, self._results, self.language)
        return all(one.kind in _PLAIN_KINDS for one in tokens) and not self.find_named(rest)

    def find_named(self, text: str) -> tuple[ResultTable, ...]:
        """Findings whose subject a text names."""
        said = concepts_of(text) & {"weak", "interference", "overload"}
        lower = text.lower()
        return tuple(
            one for one in self.findings if subject_of(one).lower() in lower or said & concepts_of(subject_of(one))
        )

    def find_about(self, concept: str) -> ResultTable | None:
        """The finding that is about a concept; None if there is none."""
        return next((one for one in self.findings if concept in concepts_of(subject_of(one))), None)

    def find_measures(self, text: str) -> tuple[ShownMeasure, ...] | None:
        """Columns that a text names, in its order; None if one of them is on no table."""
        said = concepts_of(text)
        wanted = [name for name in find_concepts(text) if name not in _NO_MEASURES]
        if said & {"downlink", "uplink"} and not wanted:
            wanted = ["throughput"]
        found: list[ShownMeasure] = []
        for name in wanted:
            measure = self._find_measure(name, said)
            if measure is None:
                return None
            found += [] if any(one.column == measure.column for one in found) else [measure]
        return tuple(found)

    def _find_measure(self, name: str, said: frozenset[str]) -> ShownMeasure | None:
        base = self.find_base()
        ranked: list[tuple[tuple[int, int, int], ShownMeasure]] = []
        for table in self._results.tables:
            if base is None or table.said != base.said or len(set(names_of(table))) < len(table.rows):
                continue
            for at in find_numeric_columns(table):
                head = table.columns[at]
                about = concepts_of(f"{head.title} {head.unit}")
                if at and name in about and not is_coordinate(head.title):
                    ranked.append(((len(about & said), len(table.rows), -at), measure_of(table, at)))
        return max(ranked, key=lambda one: one[0])[1] if ranked else None

    def decline(self) -> Answer | None:
        """That no column has what the question wants to measure; None if all of it is there."""
        return explain_missing(self.text, self._results, self.language)

    def finish(self, text: str, *tables: ResultTable, shown: ResultTable | None = None) -> Answer:
        """The text with the tables that it is from and how many rows each has."""
        said = tables[0].said if len(tables[0].said) <= _MAX_SAID else tables[0].said[: _MAX_SAID - 1] + "…"
        listed = [self.say("table", title=strip_title(one.title).strip(), rows=len(one.rows)) for one in tables]
        source = self.say("source", tables=join_names(listed, self.language), said=said)
        return Answer(f"{text}\n\n{source}", tables=(shown,) if shown is not None and shown.rows else (), shown=shown)

    def note_part(self, measure: ShownMeasure) -> str:
        """That only some rows have the column; empty if all have it."""
        base = self.find_base()
        if base is None or len(measure.values) >= len(base.rows):
            return ""
        return "\n\n" + self.say(
            "only_some", count=len(measure.values), total=len(base.rows), title=measure.table.title
        )

    def list_rows(self, heads: Sequence[str], rows: Sequence[Sequence[JsonValue]]) -> str:
        """Rows as a Markdown table, the first of them only."""
        listed = write_markdown_table(heads, ([_write_cell(one) for one in row] for row in rows[:_MAX_LISTED]))
        left = len(rows) - _MAX_LISTED
        return "\n".join([listed, *(["", self.say("more_rows", left=left)] if left > 0 else [])])

    def write_values(self, table: ResultTable, row: Sequence[JsonValue]) -> str:
        """Values of a row with their headings, without where it is."""
        pairs = [(head, value) for head, value in zip(table.columns[1:], row[1:], strict=False)]
        told = [
            self.say("value", column=head.title, value=with_unit(value, head.unit))
            for head, value in pairs
            if not is_coordinate(head.title)
        ]
        return join_names(told, self.language)


def measure_of(table: ResultTable, at: int) -> ShownMeasure:
    """A column of a table with its values by name."""
    values = {
        str(row[0]): float(value)
        for row in table.rows
        if at < len(row) and isinstance(value := row[at], int | float) and not isinstance(value, bool)
    }
    return ShownMeasure(table, table.columns[at], values)


def names_of(table: ResultTable) -> list[str]:
    """Names of the rows."""
    return [str(row[0]) for row in table.rows]


def subject_of(table: ResultTable) -> str:
    """What a table of findings is about: its title without its kind and count."""
    return re.split("[：:]", strip_title(table.title))[-1].strip()


def name_heading(table: ResultTable) -> str:
    """Heading of the names of the rows."""
    return entity_column(table).title


def _write_cell(value: JsonValue) -> str:
    return with_unit(round(value, 4) if isinstance(value, float) else value, "")
