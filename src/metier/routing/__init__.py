"""Skill routing: finds the skill for a message in Chinese or English, or decides that none is meant."""

from metier.routing._calibration import HEADS_FILE
from metier.routing._decision import Candidate, Decision, Filtered, Reason, Route, Verdict
from metier.routing._encoders import plain_encoders
from metier.routing._evals import EvalReport, SkillEval, evaluate
from metier.routing._glossary import Glossary
from metier.routing._open import open_router
from metier.routing._router import Router, Thresholds
from metier.routing._view import VectorView
from metier.routing._wording import SENTENCES, Note

__all__ = [
    "HEADS_FILE",
    "SENTENCES",
    "Candidate",
    "Decision",
    "EvalReport",
    "Filtered",
    "Glossary",
    "Note",
    "Reason",
    "Route",
    "Router",
    "SkillEval",
    "Thresholds",
    "VectorView",
    "Verdict",
    "evaluate",
    "open_router",
    "plain_encoders",
]
