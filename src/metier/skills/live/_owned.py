"""Skills that belong to one user: found for the export of a user, and deleted with the user."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from metier.settings import Settings
from metier.skills.live._library import SkillLibrary
from metier.skills.live._open import open_skill_approvals
from metier.skills.model import Catalog
from metier.workspaces import delete_tree

_MAIN_FILES: Final = frozenset({"skill.md", "skill.json"})
_log = logging.getLogger(__name__)


def find_owned_skills(settings: Settings, owner: str) -> Mapping[str, Path]:
    """Folder, or the one file, of every skill that belongs to this user, by id.

    Only what stands in the folder that users install to, in the version that was recorded as theirs: a skill that
    somebody put in its place, or took over under another id, is not theirs, nor is one of a trusted folder. One that
    cannot be read any more is theirs by its place.
    """
    approvals = open_skill_approvals(settings)
    if not owner or not settings.skills_dir or not (entries := approvals.list_owned(owner)):
        return {}
    root = settings.skills_dir[0].resolve()
    trusted = [folder.resolve() for folder in settings.trusted_skills_dir]
    here = SkillLibrary.from_folders(root).catalog()
    found: dict[str, Path] = {}
    for entry in entries:
        skill = here.get(entry.id)
        if skill is not None and skill.digest != entry.digest:
            continue
        if skill is None:
            place = _find_unreadable(approvals.locate(entry), here)
        else:
            place = skill.source.path if skill.source.layout == "flat" else skill.source.folder
        if place is None or not place.resolve().is_relative_to(root):
            continue
        if place.resolve() != root and not any(place.resolve().is_relative_to(one) for one in trusted):
            found[entry.id] = place
    return found


def _find_unreadable(main_file: Path, readable: Catalog) -> Path | None:
    """Folder, or the one file, of a skill that was recorded here; None if it is gone or another skill stands here."""
    if not main_file.is_file() or any(one.source.path.resolve() == main_file.resolve() for one in readable):
        return None
    return main_file.parent if main_file.name.lower() in _MAIN_FILES else main_file


def delete_owned_skills(settings: Settings, owner: str) -> tuple[str, ...]:
    """Delete the skills that belong to this user, their approvals and copies; returns their ids.

    A skill that was approved for all since is everybody's and stays; so does another skill inside the folder of one.
    The approvals go last: after a crash the skills still have their owner and can be deleted again.
    """
    approvals, found = open_skill_approvals(settings), find_owned_skills(settings, owner)
    for place in found.values():
        if place.is_symlink() or place.is_file():
            place.unlink()
        else:
            _delete_folder(place)
    entries = approvals.list_owned(owner)
    if left := sorted({entry.id for entry in entries} - found.keys()):
        _log.warning("not deleted with their user, as they are gone or were changed since: %s", ", ".join(left))
    approvals.forget(entries)
    return tuple(sorted(found))


def _delete_folder(place: Path) -> None:
    """Delete a skill's folder, except the folders below it that hold another skill."""
    foreign = [file.parent for file in place.rglob("*") if file.name.lower() in _MAIN_FILES and file.parent != place]
    if not foreign:
        delete_tree(place)
        return
    for inner in place.iterdir():
        if any(one.is_relative_to(inner) for one in foreign):
            if inner not in foreign:
                _delete_folder(inner)
        elif inner.is_dir() and not inner.is_symlink():
            delete_tree(inner)
        else:
            inner.unlink()
