"""Safety: crisis wording and help lines, what is never foretold, and the rules for minors."""

from metier.packs.life.safety import _crisis_head as crisis_head
from metier.packs.life.safety import _crisis_tuned as crisis_tuned
from metier.packs.life.safety import _topic_head as topic_head
from metier.packs.life.safety._age import ADULT_YEARS, CONSENT_YEARS, read_age
from metier.packs.life.safety._claims import find_claim, find_closed_question, find_learned_question
from metier.packs.life.safety._crisis import (
    HelpLine,
    find_crisis,
    is_framed,
    is_taken_back,
    read_help_lines,
    write_crisis_reply,
)
from metier.packs.life.safety._crisis_check import CrisisCheck, CrisisFinding, decide_level
from metier.packs.life.safety._crisis_scores import SentenceEmbedder
from metier.packs.life.safety._guard import LIFE_SKILLS, LifeGuard, build_guard
from metier.packs.life.safety._texts import fold_words

__all__ = [
    "ADULT_YEARS",
    "CONSENT_YEARS",
    "LIFE_SKILLS",
    "CrisisCheck",
    "CrisisFinding",
    "HelpLine",
    "LifeGuard",
    "SentenceEmbedder",
    "build_guard",
    "crisis_head",
    "crisis_tuned",
    "decide_level",
    "find_claim",
    "find_closed_question",
    "find_crisis",
    "find_learned_question",
    "fold_words",
    "is_framed",
    "is_taken_back",
    "read_age",
    "read_help_lines",
    "topic_head",
    "write_crisis_reply",
]
