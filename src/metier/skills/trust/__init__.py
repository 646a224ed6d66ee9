"""Which versions of skills a person approved: the lock file, the copies of approved files, and what waits."""

from metier.skills.trust._approvals import SkillApprovals, TrustMode, VerifyReport, find_waiting
from metier.skills.trust._copies import ApprovedCopies
from metier.skills.trust._diff import FileChange, SkillDiff, diff_skills
from metier.skills.trust._lock import LockEntry, LockFile

__all__ = [
    "ApprovedCopies",
    "FileChange",
    "LockEntry",
    "LockFile",
    "SkillApprovals",
    "SkillDiff",
    "TrustMode",
    "VerifyReport",
    "diff_skills",
    "find_waiting",
]
