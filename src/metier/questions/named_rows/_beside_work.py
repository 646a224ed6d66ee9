"""What a request asks of the rows that its work brings: 朝阳区哪些小区 RSRP 低于 -105 dBm starts an analysis first."""

import re
from collections.abc import Iterable
from typing import Final

from metier.language import Language
from metier.patterns import compile_later
from metier.questions._answer import answer_question
from metier.questions._parse import Question, parse_question
from metier.questions._results import Answer, Results
from metier.questions.named_rows._about_labels import drop_labels

_CLAUSE: Final = compile_later(r"[，,;；。]|\band\b", re.IGNORECASE)
_LEAD: Final = compile_later(
    r"^(?:然后|并且?|再|重点|主要|只|先|帮我)*(?:看看?|列出|找出|给出|要)(?:一下)?"
    r"|^(?:then |please )*(?:list|show|find|give)(?: me)? ",
    re.IGNORECASE,
)
_ASKED_OF_ROWS: Final = ("filter", "rank", "count")


def answer_beside_work(message: str, results: Results, labels: Iterable[str], language: Language) -> Answer | None:
    """The rows that a request asks for beside its work; for a limit that no column has, what the columns are.

    `labels` name what the results are of. None if the message asks for no rows, or nothing can be said of them.
    """
    if not results.tables or _find_asked(message) is None:
        return None
    question = _find_asked(drop_labels(message, labels, results))
    answer = None if question is None else answer_question(question, results, language)
    return answer if answer is not None and question is not None and (answer.found or question.limits) else None


def _find_asked(message: str) -> Question | None:
    """The question about rows that a message is, else the first that one of its clauses is."""
    parts = (message, *(_LEAD.sub("", part.strip()) for part in _CLAUSE.split(message)))
    questions = (parse_question(part) for part in parts if part)
    return next((one for one in questions if one is not None and one.kind in _ASKED_OF_ROWS), None)
