"""Opens the skill library of the settings."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from metier.settings import Settings
from metier.skills.live._library import SkillLibrary
from metier.skills.read import SkillRoot
from metier.skills.trust import ApprovedCopies, LockFile, SkillApprovals, TrustMode

COPIES_FOLDER: Final = "approved-skills"


def open_skill_library(
    settings: Settings,
    pack_roots: Iterable[SkillRoot] = (),
    *,
    folders: Sequence[Path] | None = None,
    trust: TrustMode | None = None,
) -> SkillLibrary:
    """Library of the named folders, or those of the settings, then of the packs; `trust` replaces the setting."""
    is_named = bool(folders) or "skills_dir" in settings.model_fields_set
    plain = tuple(SkillRoot(folder, optional=not is_named) for folder in (folders or settings.skills_dir))
    trusted = () if folders else tuple(SkillRoot(folder, trusted=True) for folder in settings.trusted_skills_dir)
    mode = trust or settings.skill_trust
    return SkillLibrary(
        (*plain, *trusted, *pack_roots),
        allowed_tools_mode=settings.allowed_tools_mode,
        approvals=open_skill_approvals(settings, mode),
        overrides=frozenset(settings.skill_overrides),
    )


def open_skill_approvals(settings: Settings, mode: TrustMode | None = None) -> SkillApprovals:
    """Approved versions of skills: the lock file of the settings, and the copies in the storage folder."""
    copies = ApprovedCopies(settings.storage_dir / COPIES_FOLDER)
    return SkillApprovals(mode or settings.skill_trust, LockFile(settings.skill_lock), copies)
