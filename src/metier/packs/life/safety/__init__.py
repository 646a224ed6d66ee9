"""Safety: crisis wording and help lines, what is never foretold, and the rules for minors."""

from metier.packs.life.safety._age import ADULT_YEARS, CONSENT_YEARS, find_closed_topics, read_age
from metier.packs.life.safety._claims import find_claim, find_closed_question
from metier.packs.life.safety._crisis import HelpLine, find_crisis, read_help_lines, write_crisis_reply
from metier.packs.life.safety._guard import LIFE_SKILLS, LifeGuard, build_guard

__all__ = [
    "ADULT_YEARS",
    "CONSENT_YEARS",
    "LIFE_SKILLS",
    "HelpLine",
    "LifeGuard",
    "build_guard",
    "find_claim",
    "find_closed_question",
    "find_closed_topics",
    "find_crisis",
    "read_age",
    "read_help_lines",
    "write_crisis_reply",
]
