"""Answers a question from tables and charts: the text, and what to show with it."""

from collections.abc import Sequence

from metier.language import Language
from metier.questions._chart_answers import ChartAnswers
from metier.questions._parse import Question
from metier.questions._results import Answer, Results
from metier.questions._sentences import SENTENCES
from metier.questions._table_answers import TableAnswers


def describe_next(title: str, offers: Sequence[str], language: Language) -> str:
    """What can come next after a finished piece of work: things to say, one line each."""
    listed = "\n".join(f"- {one}" for one in offers)
    return SENTENCES.render("next" if offers else "next_nothing", language, title=title, offers=listed)


def remind_of_question(text: str, language: Language) -> str:
    """Sentence that a question asked before still waits."""
    return SENTENCES.render("still_open", language, text=text)


def answer_question(question: Question, results: Results, language: Language) -> Answer | None:
    """Answer from the results; None if the message is better read as a new request."""
    if question.kind == "export":
        return Answer(SENTENCES.render("export", language))
    if question.kind in ("chart", "data"):
        return ChartAnswers(question, results, language).write()
    return TableAnswers(question, results, language).write() if results.tables else None
