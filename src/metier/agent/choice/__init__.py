"""What a message is for: a skill, several one after the other, results on screen, or work that was put aside."""

from metier.agent.choice._choose_skill import choose_skill, decline_choice, is_leave_request, read_answer
from metier.agent.choice._set_aside import go_on_event, halt_plan
from metier.agent.choice._tasks import (
    advance_tasks,
    assign_chosen_skill,
    begin_chosen_tasks,
    continue_tasks,
    drop_pending_tasks,
    find_tasks,
    has_begun_task,
    stop_tasks,
)
from metier.agent.choice._trials import describe_used_trial
from metier.agent.choice.details import (
    answer_rows_asked,
    asks_who_decided,
    describe_decisions,
    is_about_other,
    names_other_place,
)
from metier.agent.choice.talk import read_talk

__all__ = [
    "advance_tasks",
    "answer_rows_asked",
    "asks_who_decided",
    "assign_chosen_skill",
    "begin_chosen_tasks",
    "choose_skill",
    "continue_tasks",
    "decline_choice",
    "describe_decisions",
    "describe_used_trial",
    "drop_pending_tasks",
    "find_tasks",
    "go_on_event",
    "halt_plan",
    "has_begun_task",
    "is_about_other",
    "is_leave_request",
    "names_other_place",
    "read_answer",
    "read_talk",
    "stop_tasks",
]
