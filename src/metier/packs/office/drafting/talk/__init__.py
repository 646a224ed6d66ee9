"""Tells talk beside a request from its demands: a learned reader behind rules that it may not overrule."""

from metier.packs.office.drafting.talk._background import is_background
from metier.packs.office.drafting.talk._causes import is_cause
from metier.packs.office.drafting.talk._clauses import CUT, FREE
from metier.packs.office.drafting.talk._guard import is_joined_order, is_statement, may_be_talk, refuses
from metier.packs.office.drafting.talk._model import (
    THRESHOLD,
    is_demand,
    list_features,
    load_weights,
    score_talk,
    write_weights,
)
from metier.packs.office.drafting.talk._reasons import is_reason
from metier.packs.office.drafting.talk._strike import Struck, is_talk, is_told, strike_talk
from metier.packs.office.drafting.talk._told import may_be_told

__all__ = [
    "CUT",
    "FREE",
    "THRESHOLD",
    "Struck",
    "is_background",
    "is_cause",
    "is_demand",
    "is_joined_order",
    "is_reason",
    "is_statement",
    "is_talk",
    "is_told",
    "list_features",
    "load_weights",
    "may_be_talk",
    "may_be_told",
    "refuses",
    "score_talk",
    "strike_talk",
    "write_weights",
]
