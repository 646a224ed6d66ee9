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
    if not text and not query.is_open and (query.measure or query.counts):
        text = FigureAnswers(query, rows, language).write()
    if text:
        return DataAnswer(f"{text}\n\n{_write_source(query, rows, file, language)}")
    told = _explain(query, rows, file, language)
    return DataAnswer(
        told, found=False, is_about_data=query.is_about_data, lacks_column=bool(query.absent or query.unread)
    )


def _write_source(query: DataQuery, rows: DataRows, file: str, language: "Language") -> str:
    told = [
        rows.say(code, column=name, values=join_names(values, language))
        for code, held in (("is", query.levels), ("is_not", query.excluded))
        for name, values in held.items()
        if name != rows.without or code == "is_not"
    ]
    for _, first, after in query.spans if rows.without != "time" else ():
        last = first.fromordinal(after.toordinal() - 1)
        told.append(rows.say("when", first=first.isoformat(), last=last.isoformat()))
    every = len(rows.frame)
    is_dated = rows.time is not None and (query.spans or query.period) and _has_several_dates(rows)
    dated = rows.say("dated", column=rows.time.name) if is_dated and rows.time else ""
    dated += _tell_ungrouped(query, rows)
    if not told or query.kinds & {"why", "still", "odd", "line"}:
        return rows.say("source_all", file=file, all=f"{every:,}") + dated
    where = rows.say("where", conditions=join_names(told, language))
    used = f"{len(rows.select(without=rows.without)):,}"
    return rows.say("source", file=file, rows=used, all=f"{every:,}", where=where) + dated


def _tell_ungrouped(query: DataQuery, rows: DataRows) -> str:
    """How many rows belong to no group, because they have no value in the column of the groups; empty if all do."""
    if query.by is None:
        return ""
    count = int(rows.select(without=rows.without)[query.by.name].isna().sum())
    return rows.say("ungrouped", rows=f"{count:,}", column=query.by.name) if count else ""


def _has_several_dates(rows: DataRows) -> bool:
    return sum(one.kind == "date" for one in rows.columns) > 1


def _explain(query: DataQuery, rows: DataRows, file: str, language: "Language") -> str:
    """Why nothing was computed, and sentences that would compute something about what was named."""
    if query.unread:
        column = query.unread[0]
        return rows.say("unread_column", column=column.name, value=column.unread, file=file)
    first, last = rows.write_ends()
    for code, words in (
        ("absent", query.absent),
        ("unknown", query.unknown),
        ("unclear", query.unclear),
        ("outside", query.outside),
        ("unused", query.unused),
    ):
        if words:
            quoted = [rows.say("quoted", word=one) for one in dict.fromkeys(words)]
            head = rows.say(code, words=join_names(quoted, language), first=first, last=last)
            break
    else:
        head = rows.say("none_fit" if rows.select().empty else "unread")
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
