"""Runs one turn from lease to end: start, resume after an answer, recover after a crash, stop."""

from metier.agent.lifecycle._driver import Observer, TurnDriver
from metier.agent.lifecycle._recover import has_unstarted_plan, recover
from metier.agent.lifecycle._resume import apply_answer

__all__ = [
    "Observer",
    "TurnDriver",
    "apply_answer",
    "has_unstarted_plan",
    "recover",
]
