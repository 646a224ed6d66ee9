"""What a line of a meeting is for: a learned judge of decisions and of work, with its weights."""

from metier.packs.office.analysis.meetings.roles._judge import (
    ROLES,
    WANTED,
    RoleJudge,
    describe_context,
    load_judge,
    write_judge,
)
from metier.packs.office.analysis.meetings.roles._judged import (
    AGREED_WORK,
    KEPT_DECISION,
    KEPT_WORK,
    LIKELY,
    SURE_DECISION,
    SURE_REPLY,
    SURE_WORK,
    JudgedLine,
    judge_lines,
)
from metier.packs.office.analysis.meetings.roles._lines import SpokenLine, describe_lines

__all__ = [
    "AGREED_WORK",
    "KEPT_DECISION",
    "KEPT_WORK",
    "LIKELY",
    "ROLES",
    "SURE_DECISION",
    "SURE_REPLY",
    "SURE_WORK",
    "WANTED",
    "JudgedLine",
    "RoleJudge",
    "SpokenLine",
    "describe_context",
    "describe_lines",
    "judge_lines",
    "load_judge",
    "write_judge",
]
