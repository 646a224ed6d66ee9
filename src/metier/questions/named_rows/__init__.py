"""Questions what to do about something, and who does what until when: answered by the rows that they name."""

from metier.questions.named_rows._answer import JUDGES, QUOTED, answer_named_rows, asks_for_rows
from metier.questions.named_rows._mentions import describe_tables, find_mentions

__all__ = ["JUDGES", "QUOTED", "answer_named_rows", "asks_for_rows", "describe_tables", "find_mentions"]
