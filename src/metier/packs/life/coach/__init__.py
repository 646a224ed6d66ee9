"""Life coach: a goal in the user's own words, a plan of small steps, check-ins."""

from metier.packs.life.coach._goals import (
    FIELDS,
    MAX_CHECKINS,
    MAX_EXTRACTED,
    CoachRequest,
    describe_checkin,
    describe_forgotten,
    describe_no_goal,
    describe_plan,
    read_request,
)

__all__ = [
    "FIELDS",
    "MAX_CHECKINS",
    "MAX_EXTRACTED",
    "CoachRequest",
    "describe_checkin",
    "describe_forgotten",
    "describe_no_goal",
    "describe_plan",
    "read_request",
]
