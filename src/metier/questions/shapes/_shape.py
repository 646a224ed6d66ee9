"""Recognises questions of a known shape and answers them from the results."""

from metier.language import Language
from metier.questions._numbers import write_digits
from metier.questions._results import Answer, Results
from metier.questions.shapes._cause_shapes import CauseShapes, has_cause_shape
from metier.questions.shapes._row_shapes import RowShapes, has_row_shape
from metier.questions.shapes._screen import ShownRows
from metier.questions.shapes._weights import has_weight_shape
from metier.textsearch import to_simplified


def has_shape(text: str) -> bool:
    """Whether a message has the shape of such a question; whether it is one, only the results say."""
    said = _read(text)
    return has_row_shape(said) or has_cause_shape(said) or has_weight_shape(said)


def answer_shape(text: str, results: Results, language: Language) -> Answer | None:
    """The answer if the message has a known shape, its other words name what is on screen, and the values are there."""
    said = _read(text)
    if not results.tables:
        return None
    screen = ShownRows(said, results, language)
    answer = RowShapes(screen).write() if has_row_shape(said) else None
    if answer is None and has_cause_shape(said):
        newest = screen.findings[0].said if screen.findings else results.tables[0].said
        answer = CauseShapes(screen, [one for one in results.tables if one.said == newest]).write()
    return answer


def _read(text: str) -> str:
    return write_digits(to_simplified(text.strip()))
