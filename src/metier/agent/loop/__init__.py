"""The LangChain agent of a turn: which middleware, in which order, compiled once."""

from metier.agent.loop._agent import TurnAgent
from metier.agent.loop._interrupts import answer_interrupts
from metier.agent.loop._profile_form import PROFILE_PURPOSE, save_data

__all__ = [
    "PROFILE_PURPOSE",
    "TurnAgent",
    "answer_interrupts",
    "save_data",
]
