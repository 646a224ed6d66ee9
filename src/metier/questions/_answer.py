"""Answers a question from tables and charts: the text, and what to show with it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from metier.language import Language, join_names, language_of
from metier.patterns import compile_later
from metier.questions._narrow import NarrowedResults, narrow_by_values
from metier.questions._parse import Question, parse_charted, parse_question
from metier.questions._results import Answer, Results, ResultTable
from metier.questions._said_names import SaidNames, write_names
from metier.questions._sentences import SENTENCES
from metier.questions._table_answers import TableAnswers
from metier.questions._written_numbers import write_numbers_for, write_targets
from metier.questions.charts import ChartAnswers
from metier.questions.queries import answer_query, explain_beyond, explain_missing, explain_unread, find_wrong_unit
from metier.questions.remarks import answer_remark
from metier.questions.shapes import answer_shape, answer_weights

_CLAUSE: Final = compile_later(r"[，,;；]|\band (?=how many)", re.IGNORECASE)

# A further question about what was found; it takes nothing away from the rows.
_ASKS_ON: Final = compile_later(
    r"是不是|是否|为什么|为啥|怎么会|(?:and )?(?:is|was|are|does) (?:it|that|they)\b|(?:and )?why\b", re.I
)


def describe_next(title: str, offers: Sequence[str], language: Language) -> str:
    """What can come next after a finished piece of work: things to say, one line each."""
    listed = "\n".join(f"- {one}" for one in offers)
    return SENTENCES.render("next" if offers else "next_nothing", language, title=title, offers=listed)


def describe_written(table: ResultTable, name: str, language: Language) -> str:
    """Sentence on a table of the screen that is a file now."""
    return SENTENCES.render("table_written", language, title=table.title, name=name, count=len(table.rows))


def remind_of_question(text: str, language: Language) -> str:
    """Sentence that a question asked before still waits; one in the other language is not quoted."""
    if language_of(text) != language:
        return SENTENCES.render("still_open_above", language)
    return SENTENCES.render("still_open", language, text=text)


def answer_question(
    question: Question, results: Results, language: Language, previous: str = "", *, prefers_changes: bool = False
) -> Answer | None:
    """Answer from the results; None if the message is better read as a new request.

    `previous` is the message before: a chart "of the last answer" shows the rows that it listed. A question whose words
    all have their place in one table is answered from that; the others are matched with what they name. With
    `prefers_changes` the rows that wait for approval are meant first.
    """
    if question.kind == "export":
        return Answer(SENTENCES.render("export", language))
    question, names = _read_said(question, results)
    answer = _answer_read(question, results, language, previous, prefers_changes=prefers_changes)
    if answer is None and results.tables:
        return explain_beyond(question.said or question.text, results, language)
    if question.kind in ("chart", "data"):
        return answer
    return _check_units(_check_names(answer, names, question, language), question, language)


def _answer_read(
    question: Question, results: Results, language: Language, previous: str, *, prefers_changes: bool
) -> Answer | None:
    if question.kind != "data" and not question.is_of_answer:
        said = question.said or question.text
        if (told := answer_remark(said, results, language)) is not None:
            return told
        read = answer_weights(said, results, language)
        read = read or answer_query(said, results, language, prefers_changes=prefers_changes)
        read = read or answer_shape(said, results, language)
        if read is not None:
            return read
        if question.kind == "query":
            missing = explain_missing(said, results, language)
            return missing or explain_unread(said, results, language) if results.tables else None
    if question.kind == "chart" and (missing := explain_missing(question.said or question.text, results, language)):
        return missing
    if question.kind in ("chart", "data"):
        charts = ChartAnswers(question, results, language)
        asked = parse_question(previous) if question.is_of_answer else parse_charted(question.text)
        listed = _find_listed(asked, results, language) if question.kind == "chart" else None
        return (charts.draw_rows(listed) if listed is not None else None) or charts.write()
    if not results.tables:
        return None
    parts = [parse_question(part) for part in _CLAUSE.split(question.text)] if question.kind == "count" else []
    counts = [one for one in parts if one is not None and one.kind == "count"]
    if len(counts) > 1 and len(counts) == len(parts):
        answers = [TableAnswers(one, results, language).write() for one in counts]
        found = [one for one in answers if one is not None]
        return Answer("\n\n".join(one.text for one in found), found=all(one.found for one in found)) if found else None
    return _answer_loosely(question, results, language)


def _answer_loosely(question: Question, results: Results, language: Language) -> Answer | None:
    """The answer by patterns, where not every word has its place in one table; a value that is named still holds."""
    said = question.said or question.text
    if (narrowed := narrow_by_values(said, results, language)) is not None:
        return _answer_narrowed(narrowed, language)
    answer = TableAnswers(question, results, language).write()
    if answer is not None and answer.found:
        return answer
    return _answer_clause(said, results, language) or answer or explain_missing(said, results, language)


def _answer_narrowed(narrowed: NarrowedResults, language: Language) -> Answer | None:
    """The answer for the rows that have the named values alone; which they are is told."""
    question = parse_question(narrowed.text)
    answer = None if question is None else TableAnswers(question, narrowed.results, language).write()
    if answer is None or not answer.found:
        return answer or explain_missing(narrowed.text, narrowed.results, language)
    return replace(answer, text=f"{narrowed.told}\n\n{answer.text}")


def _read_said(question: Question, results: Results) -> tuple[Question, SaidNames]:
    """The question with its numbers and names as the tables on screen have them: 500k is 500000, 10月 is 2025-10."""
    said = question.said or question.text
    names = write_names(write_numbers_for(write_targets(said), results.tables), results.tables)
    return (question if names.text == said else parse_question(names.text) or question), names


def _check_units(answer: Answer | None, question: Question, language: Language) -> Answer | None:
    """The answer, unless it compares a number with a quantity of another unit: then that is told."""
    said = question.said or question.text
    wrong = find_wrong_unit(said, answer.text) if answer is not None and answer.found else None
    if wrong is None:
        return answer
    return Answer(SENTENCES.render("wrong_unit", language, said=wrong[0], unit=wrong[1]), found=False)


def _check_names(answer: Answer | None, names: SaidNames, question: Question, language: Language) -> Answer | None:
    """The answer, unless it passes over a row that was named: then what is not there, or cannot be told of it."""
    if answer is None or not answer.found:
        return answer
    told = "\n".join([answer.text, *(str(row) for one in (*answer.tables, answer.shown) if one for row in one.rows)])
    absent = [one for one in names.absent if one not in told]
    if absent:
        quoted = [SENTENCES.render("quoted", language, word=one) for one in absent]
        return Answer(SENTENCES.render("no_such_row", language, names=join_names(quoted, language)), found=False)
    left = [] if question.has_exception else [one for one in names.named if one not in told]
    if left:
        quoted = [SENTENCES.render("quoted", language, word=one) for one in left]
        return Answer(SENTENCES.render("row_not_told", language, names=join_names(quoted, language)), found=False)
    return answer


def _answer_clause(said: str, results: Results, language: Language) -> Answer | None:
    """The answer of the first clause, if the one behind it only asks further; it is named as not answered."""
    first, *others = _CLAUSE.split(said)
    if len(others) != 1 or not _ASKS_ON.match(others[0].strip()):
        return None
    answer = answer_query(first, results, language)
    if answer is None or not answer.found:
        return None
    note = SENTENCES.render("unread_clause", language, clause=others[0].strip())
    return replace(answer, text=f"{answer.text}\n\n{note}")


def _find_listed(question: Question | None, results: Results, language: Language) -> ResultTable | None:
    """The rows that the answer to a question lists; None if it is no question about results."""
    if question is None or not results.tables or question.kind in ("chart", "data", "export", "continue"):
        return None
    answer = TableAnswers(question, results, language).write()
    return None if answer is None else answer.shown
