"""Questions about results on screen, answered from the stored tables and charts without a model."""

from metier.questions._answer import answer_question, describe_next, remind_of_question
from metier.questions._details import is_detail_question
from metier.questions._parse import ChartKind, Question, QuestionKind, parse_question
from metier.questions._results import Answer, ResultChart, Results, ResultTable, TableColumn, results_from_events

__all__ = [
    "Answer",
    "ChartKind",
    "Question",
    "QuestionKind",
    "ResultChart",
    "ResultTable",
    "Results",
    "TableColumn",
    "answer_question",
    "describe_next",
    "is_detail_question",
    "parse_question",
    "remind_of_question",
    "results_from_events",
]
