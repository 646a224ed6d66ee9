"""Counters, usage and the log of reloads."""

from metier.server.observe._figures import summarize_turns
from metier.server.observe._meter import Meter
from metier.server.observe._preparation import Preparation
from metier.server.observe._reloads import Reloads
from metier.server.observe._usage import SkillUsage

__all__ = [
    "Meter",
    "Preparation",
    "Reloads",
    "SkillUsage",
    "summarize_turns",
]
