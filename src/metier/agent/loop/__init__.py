"""The LangChain agent of a turn: which middleware, in which order, compiled once."""

from metier.agent.loop._agent import TextStreamer, turn_agent
from metier.agent.loop._parts import suggestions_event
from metier.agent.loop._profile_form import PROFILE_PURPOSE, save_data
from metier.agent.loop._record import refuse_or_hold
from metier.agent.loop._skill_choice import SkillMiddleware, SkillState
from metier.agent.loop._trackers import ToolStep, Tracker, todo_tracker

__all__ = [
    "PROFILE_PURPOSE",
    "SkillMiddleware",
    "SkillState",
    "TextStreamer",
    "ToolStep",
    "Tracker",
    "refuse_or_hold",
    "save_data",
    "suggestions_event",
    "todo_tracker",
    "turn_agent",
]
