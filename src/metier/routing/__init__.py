"""Skill routing: finds the skill for a message in Chinese or English, or decides that none is meant."""

from metier.routing._decision import Candidate, Decision, Filtered, Reason, Route, SkillRequest, Verdict
from metier.routing._open import load_text_embedder, open_router
from metier.routing._router import Router
from metier.routing._sentences import SENTENCES, RoutingNote
from metier.routing._thresholds import Thresholds
from metier.routing._trigger_evals import EvalCase, EvalReport, SkillEval, build_eval_case, evaluate, evaluate_queries
from metier.routing.advice import (
    CandidateMessage,
    Collision,
    find_collisions,
    generate_evals,
    generate_messages,
)
from metier.routing.ranking import HEADS_FILE, VectorView
from metier.routing.text import Glossary, read_small_talk
from metier.routing.vectors import UseSource, load_use_source, plain_encoders

__all__ = [
    "HEADS_FILE",
    "SENTENCES",
    "Candidate",
    "CandidateMessage",
    "Collision",
    "Decision",
    "EvalCase",
    "EvalReport",
    "Filtered",
    "Glossary",
    "Reason",
    "Route",
    "Router",
    "RoutingNote",
    "SkillEval",
    "SkillRequest",
    "Thresholds",
    "UseSource",
    "VectorView",
    "Verdict",
    "build_eval_case",
    "evaluate",
    "evaluate_queries",
    "find_collisions",
    "generate_evals",
    "generate_messages",
    "load_text_embedder",
    "load_use_source",
    "open_router",
    "plain_encoders",
    "read_small_talk",
]
