"""Exams: questions of a paper, answers of its key, and which answer fits which question. Nothing is invented."""

from metier.packs.office.analysis.exams._key import KeyEntry, read_answer_key
from metier.packs.office.analysis.exams._match import AnswerMatch, match_answers
from metier.packs.office.analysis.exams._propose import list_written, propose_answers
from metier.packs.office.analysis.exams._questions import ExamQuestion, find_blanks, find_questions

__all__ = [
    "AnswerMatch",
    "ExamQuestion",
    "KeyEntry",
    "find_blanks",
    "find_questions",
    "list_written",
    "match_answers",
    "propose_answers",
    "read_answer_key",
]
