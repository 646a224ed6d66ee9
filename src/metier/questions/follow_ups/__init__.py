"""Short follow-ups: the last question for another subject, completed to a whole question, or what the skill states."""

from metier.questions.follow_ups._complete import complete_follow_up, complete_several, orders_change
from metier.questions.follow_ups._limits import read_other_limit
from metier.questions.follow_ups._listed import (
    ListedQuestion,
    answer_share,
    name_listed,
    read_listed,
    tell_no_place,
)
from metier.questions.follow_ups._pointed import name_pointed
from metier.questions.follow_ups._read import read_compared, read_subject
from metier.questions.follow_ups._stated import find_stated
from metier.questions.follow_ups._views import is_view_wish

__all__ = [
    "ListedQuestion",
    "answer_share",
    "complete_follow_up",
    "complete_several",
    "find_stated",
    "is_view_wish",
    "name_listed",
    "name_pointed",
    "orders_change",
    "read_compared",
    "read_listed",
    "read_other_limit",
    "read_subject",
    "tell_no_place",
]
