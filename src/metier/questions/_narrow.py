"""Results without the rows that a question leaves out by a value in words: 只看5G的，最差的三个."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from metier.language import Language, join_names
from metier.questions._results import Results, ResultTable
from metier.questions._sentences import SENTENCES
from metier.questions.queries import Token, cut_words


@dataclass(frozen=True, slots=True)
class NarrowedResults:
    """The rows that a question is about, what is left of the question, and the sentence that says which they are."""

    results: Results
    text: str
    told: str


def narrow_by_values(text: str, results: Results, language: Language) -> NarrowedResults | None:
    """The tables that have all values which a question names, with their rows only; None if it names none."""
    tokens = cut_words(text, results, language)
    values = [one for one in tokens if one.kind == "value"]
    if not values or any(one.kind == "not" for one in tokens):
        return None
    tables = [kept for one in results.tables if (kept := _keep_rows(one, values)) is not None]
    if not tables:
        return None
    named = [SENTENCES.render("quoted", language, word=one.value) for one in values]
    told = SENTENCES.render("narrowed", language, names=join_names(dict.fromkeys(named), language))
    return NarrowedResults(replace(results, tables=tuple(tables)), _cut_out(text, values), told)


def _keep_rows(table: ResultTable, values: Sequence[Token]) -> ResultTable | None:
    """The rows that have a value of each column that is named; None if a value is in no column, or no row is left."""
    wanted: dict[int, set[str]] = {}
    for one in values:
        if (at := _find_column(table, one.value)) is None:
            return None
        wanted.setdefault(at, set()).add(one.value)
    rows = tuple(row for row in table.rows if all(str(row[at]) in some for at, some in wanted.items()))
    return replace(table, rows=rows, total=len(rows)) if rows else None


def _find_column(table: ResultTable, value: str) -> int | None:
    columns = range(1, len(table.columns))
    return next((at for at in columns if any(at < len(row) and str(row[at]) == value for row in table.rows)), None)


def _cut_out(text: str, values: Sequence[Token]) -> str:
    for one in reversed(values):
        text = f"{text[: one.start]}{text[one.end :]}"
    return text
