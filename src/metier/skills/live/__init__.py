"""Catalog snapshots that follow the files."""

from metier.skills.live._library import SkillLibrary
from metier.skills.live._open import open_skill_approvals, open_skill_library

__all__ = [
    "SkillLibrary",
    "open_skill_approvals",
    "open_skill_library",
]
