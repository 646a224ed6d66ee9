"""Questions what to do about something, and who does what until when: answered by the rows that they name."""

from metier.questions.named_rows._about_labels import drop_labels
from metier.questions.named_rows._answer import JUDGES, QUOTED, answer_named_rows, asks_for_rows
from metier.questions.named_rows._beside_work import answer_beside_work
from metier.questions.named_rows._mentions import describe_tables, find_mentions

__all__ = [
    "JUDGES",
    "QUOTED",
    "answer_beside_work",
    "answer_named_rows",
    "asks_for_rows",
    "describe_tables",
    "drop_labels",
    "find_mentions",
]
