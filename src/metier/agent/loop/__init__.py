"""The LangChain agent of a turn: which middleware, in which order, compiled once."""

from metier.agent.loop._agent import turn_agent
from metier.agent.loop._gate import refuse_or_hold
from metier.agent.loop._profile_form import PROFILE_PURPOSE, save_data
from metier.agent.loop._stream_text import TextStreamer

__all__ = [
    "PROFILE_PURPOSE",
    "TextStreamer",
    "refuse_or_hold",
    "save_data",
    "turn_agent",
]
