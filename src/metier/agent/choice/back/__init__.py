"""Going back: the last change is undone, or a value of the conversation is again what it was."""

from metier.agent.choice.back._switch import follow_switch_back, read_switch_back
from metier.agent.choice.back._undo import find_undone, find_undone_in_question, follow_undo, leave_out_idle_undos

__all__ = [
    "find_undone",
    "find_undone_in_question",
    "follow_switch_back",
    "follow_undo",
    "leave_out_idle_undos",
    "read_switch_back",
]
