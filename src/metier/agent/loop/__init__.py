"""The LangChain agent of a turn: which middleware, in which order, compiled once."""

from metier.agent.loop._agent import TurnAgent
from metier.agent.loop._profile_form import PROFILE_PURPOSE, save_data
from metier.agent.loop.callers import answer_interrupts, list_middleware_tools

__all__ = [
    "PROFILE_PURPOSE",
    "TurnAgent",
    "answer_interrupts",
    "list_middleware_tools",
    "save_data",
]
