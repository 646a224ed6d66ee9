"""Career: interests by Holland's types, and a decision matrix with the weights that would change its winner."""

from metier.packs.life.career._criteria import (
    Criterion,
    exceeds_scale,
    list_unread,
    read_criteria,
    read_single,
    reweigh,
)
from metier.packs.life.career._decision import (
    Flip,
    describe_decision,
    describe_unread,
    find_flips,
    has_scores,
    list_options,
    rank_options,
    read_options,
    read_scores,
)
from metier.packs.life.career._interests import InterestItem, describe_interests, read_items, score_answers

__all__ = [
    "Criterion",
    "Flip",
    "InterestItem",
    "describe_decision",
    "describe_interests",
    "describe_unread",
    "exceeds_scale",
    "find_flips",
    "has_scores",
    "list_options",
    "list_unread",
    "rank_options",
    "read_criteria",
    "read_items",
    "read_options",
    "read_scores",
    "read_single",
    "reweigh",
    "score_answers",
]
