"""Runs one turn from lease to end: start, resume after an answer, recover after a crash, stop."""

from metier.agent.lifecycle._answer import (
    APPROVAL_KINDS,
    GivenAnswer,
    check_edited_arguments,
    find_refusal,
    is_own_request,
    is_self_approval_allowed,
    may_see_pause,
    read_given,
    require_skill_of,
)
from metier.agent.lifecycle._driver import Observer, TurnDriver
from metier.agent.lifecycle._facts import change_fact, remove_fact
from metier.agent.lifecycle._guards import check_form_data, check_guards, choose_opening, find_guarded_text
from metier.agent.lifecycle._incoming import RequestPlace, claim_key, find_place, require_owner
from metier.agent.lifecycle._recover import find_answer_event, has_call_in_flight, is_left_empty
from metier.agent.lifecycle._resume import is_about_plan
from metier.agent.lifecycle._start import NewTurn, ResumedTurn
from metier.agent.lifecycle._stop import tell_interrupted

__all__ = [
    "APPROVAL_KINDS",
    "GivenAnswer",
    "NewTurn",
    "Observer",
    "RequestPlace",
    "ResumedTurn",
    "TurnDriver",
    "change_fact",
    "check_edited_arguments",
    "check_form_data",
    "check_guards",
    "choose_opening",
    "claim_key",
    "find_answer_event",
    "find_guarded_text",
    "find_place",
    "find_refusal",
    "has_call_in_flight",
    "is_about_plan",
    "is_left_empty",
    "is_own_request",
    "is_self_approval_allowed",
    "may_see_pause",
    "read_given",
    "remove_fact",
    "require_owner",
    "require_skill_of",
    "tell_interrupted",
]
