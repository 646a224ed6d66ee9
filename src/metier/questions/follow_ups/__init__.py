"""Short follow-ups: the last question for another subject, completed to a whole question."""

from metier.questions.follow_ups._complete import complete_follow_up
from metier.questions.follow_ups._read import read_subject

__all__ = ["complete_follow_up", "read_subject"]
