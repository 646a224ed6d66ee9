"""Bids: requirements and dates of a tender, and what the bid says to each; words alone never comply."""

from metier.packs.office.analysis.bids._compare import BidAnswer, Compliance, compare_bid
from metier.packs.office.analysis.bids._propose import propose_compliance
from metier.packs.office.analysis.bids._requirements import (
    Deadline,
    Period,
    Requirement,
    find_deadlines,
    find_periods,
    find_requirements,
)
from metier.packs.office.analysis.bids._units import find_unit

__all__ = [
    "BidAnswer",
    "Compliance",
    "Deadline",
    "Period",
    "Requirement",
    "compare_bid",
    "find_deadlines",
    "find_periods",
    "find_requirements",
    "find_unit",
    "propose_compliance",
]
