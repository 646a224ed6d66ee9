"""Answers of a person to a pause, structured or in words: choices, decisions about calls, forms, rows of a preview."""

from metier.agent.turn.answers._answers import (
    answer_in_words,
    describe_answer,
    get_choices,
    read_words,
    validate_answer,
)
from metier.agent.turn.answers._control import Control, read_control, wants_again
from metier.agent.turn.answers._decisions import sounds_like_approval
from metier.agent.turn.answers._doubts import may_reply, raises_doubt
from metier.agent.turn.answers._reactions import Reaction, is_half_answer, read_reaction
from metier.agent.turn.answers._row_choices import (
    CHOSEN,
    UNCLEAR,
    ChosenPreview,
    choose_preview_rows,
    count_chosen_rows,
    count_preview_rows,
    cut_refusal,
    digest_question,
    list_choosable,
    narrow_approval,
    sounds_partial,
    wants_all_rows,
)
from metier.agent.turn.answers._values import find_decision

__all__ = [
    "CHOSEN",
    "UNCLEAR",
    "ChosenPreview",
    "Control",
    "Reaction",
    "answer_in_words",
    "choose_preview_rows",
    "count_chosen_rows",
    "count_preview_rows",
    "cut_refusal",
    "describe_answer",
    "digest_question",
    "find_decision",
    "get_choices",
    "is_half_answer",
    "list_choosable",
    "may_reply",
    "narrow_approval",
    "raises_doubt",
    "read_control",
    "read_reaction",
    "read_words",
    "sounds_like_approval",
    "sounds_partial",
    "validate_answer",
    "wants_again",
    "wants_all_rows",
]
