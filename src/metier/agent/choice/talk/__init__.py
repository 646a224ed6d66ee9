"""Messages about the talk itself, not about any work: complaints, and questions about the program and one's data."""

from metier.agent.choice.talk._answer import answer_talk, answer_unread_complaint
from metier.agent.choice.talk._read import is_about_talk, read_talk

__all__ = ["answer_talk", "answer_unread_complaint", "is_about_talk", "read_talk"]
