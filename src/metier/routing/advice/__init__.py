"""Advice for owners of a catalog: messages that people may write, skills that collide, texts that would be found."""

from metier.routing.advice._collisions import Collision, Rivalry, find_collisions
from metier.routing.advice._evals import generate_evals
from metier.routing.advice._improvements import Improvement, suggest_improvement
from metier.routing.advice._messages import (
    CandidateMessage,
    build_prompt,
    generate_exclusions,
    generate_messages,
    read_messages,
)
from metier.routing.advice._sentences import AdviceNote

__all__ = [
    "AdviceNote",
    "CandidateMessage",
    "Collision",
    "Improvement",
    "Rivalry",
    "build_prompt",
    "find_collisions",
    "generate_evals",
    "generate_exclusions",
    "generate_messages",
    "read_messages",
    "suggest_improvement",
]
