"""Catalog snapshots that follow the files."""

from metier.skills.live._library import SkillLibrary

__all__ = [
    "SkillLibrary",
]
