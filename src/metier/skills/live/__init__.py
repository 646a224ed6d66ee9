"""Catalog snapshots that follow the files."""

from metier.skills.live._library import SkillLibrary
from metier.skills.live._open import open_skill_approvals, open_skill_library
from metier.skills.live._owned import delete_owned_skills, find_owned_skills

__all__ = [
    "SkillLibrary",
    "delete_owned_skills",
    "find_owned_skills",
    "open_skill_approvals",
    "open_skill_library",
]
