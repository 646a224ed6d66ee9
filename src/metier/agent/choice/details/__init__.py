"""Questions about what was done: answered from results on screen, open approvals and who decided, without routing."""

from metier.agent.choice.details._detail_questions import (
    FOLLOW_UPS,
    answer_detail_question,
    set_plan_aside,
    tell_without_skill,
)
from metier.agent.choice.details._load_results import load_results, read_request
from metier.agent.choice.details._other_subject import is_about_other, names_other_place, names_other_value
from metier.agent.choice.details._row_choice import mark_doubt, tell_unread
from metier.agent.choice.details._rows_asked import answer_rows_asked
from metier.agent.choice.details._who_decided import asks_who_decided, describe_decisions

__all__ = [
    "FOLLOW_UPS",
    "answer_detail_question",
    "answer_rows_asked",
    "asks_who_decided",
    "describe_decisions",
    "is_about_other",
    "load_results",
    "mark_doubt",
    "names_other_place",
    "names_other_value",
    "read_request",
    "set_plan_aside",
    "tell_unread",
    "tell_without_skill",
]
