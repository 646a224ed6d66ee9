"""Answers to questions about a table of data, with their source, or why there is none and what can be asked."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from metier.language import join_names
from metier.packs.workspace.data.questions._figures import FigureAnswers
from metier.packs.workspace.data.questions._query import DataQuery, read_question
from metier.packs.workspace.data.questions._rows import DataRows
from metier.packs.workspace.data.questions._state import StateAnswers

if TYPE_CHECKING:
    from metier.language import Language
    from metier.packs.workspace.data._summary import Typed


@dataclass(frozen=True, slots=True)
class DataAnswer:
    """Text of an answer; `found` is false if it says why there is none and what can be asked instead.

    `is_about_data` says whether the question names anything of the data; `lacks_column` that it names what they lack.
    """

    text: str
    found: bool = True
    is_about_data: bool = True
    lacks_column: bool = False


def answer_question(message: str, table: "Typed", file: str, language: "Language") -> DataAnswer:
    """The answer if every word of the question has its place in the table, else what cannot be answered and why."""
    query = read_question(message, table)
    rows = DataRows(query, table, language)
    text = StateAnswers(query, rows, language).write()
    if not text and not (query.unknown or query.absent or query.unclear) and (query.measure or query.counts):
        text = FigureAnswers(query, rows, language).write()
    if text:
        return DataAnswer(f"{text}\n\n{_write_source(query, rows, file, language)}")
    is_about = _names_data(query, message)
    return DataAnswer(
        _explain(query, rows, file, language), found=False, is_about_data=is_about, lacks_column=bool(query.absent)
    )


def _names_data(query: DataQuery, message: str) -> bool:
    """Whether a question names something of the data, and most of its words are known."""
    named = query.kinds & {"column", "level", "role", "derived", "loss", "missing", "toobig", "odd"}
    times = query.kinds & {"period", "span"} and query.kinds & {"order", "stat", "gap", "than", "why"}
    return bool(named or times) and 2 * sum(map(len, query.unknown)) <= len(message)


def _write_source(query: DataQuery, rows: DataRows, file: str, language: "Language") -> str:
    told = [
        rows.say(code, column=name, values=join_names(values, language))
        for code, held in (("is", query.levels), ("is_not", query.excluded))
        for name, values in held.items()
    ]
    for _, first, after in query.spans:
        last = first.fromordinal(after.toordinal() - 1)
        told.append(rows.say("when", first=first.isoformat(), last=last.isoformat()))
    every = len(rows.frame)
    if not told or query.kinds & {"share", "why", "still", "odd", "line"}:
        return rows.say("source_all", file=file, all=f"{every:,}")
    where = rows.say("where", conditions=join_names(told, language))
    return rows.say("source", file=file, rows=f"{len(rows.select()):,}", all=f"{every:,}", where=where)


def _explain(query: DataQuery, rows: DataRows, file: str, language: "Language") -> str:
    """Why nothing was computed, and sentences that would compute something about what was named."""
    for code, words in (("absent", query.absent), ("unknown", query.unknown), ("unclear", query.unclear)):
        if words:
            quoted = [rows.say("quoted", word=one) for one in dict.fromkeys(words)]
            head = rows.say(code, words=join_names(quoted, language))
            break
    else:
        head = rows.say("unread")
    measure = (
        query.measure.name if query.measure else next((one.name for one in rows.columns if one.kind == "number"), "")
    )
    named = [query.by] if query.by else []
    named += [one for one in rows.columns if one.kind == "category" and one not in named and one.distinct > 1]
    offers = [rows.say("offer_by", by=one.name, measure=measure) for one in named[:2]] if measure else []
    offers += [rows.say("offer_month", measure=measure)] if measure and rows.time else []
    quoted = [rows.say("quoted", word=one) for one in offers]
    columns = join_names([one.name for one in rows.columns], language)
    return f"{head}\n\n{rows.say('offers', file=file, columns=columns, offers=join_names(quoted, language))}"
