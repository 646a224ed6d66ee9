"""Skills that belong to one user: found for the export of a user, and deleted with the user."""

from collections.abc import Mapping
from pathlib import Path

from metier.settings import Settings
from metier.skills.live._open import open_skill_approvals, open_skill_library
from metier.workspaces import delete_tree


def find_owned_skills(settings: Settings, owner: str) -> Mapping[str, Path]:
    """Folder, or the one file, of every skill that belongs to this user, by id; also of one that cannot be read."""
    library, approvals = open_skill_library(settings, trust="off"), open_skill_approvals(settings)
    roots = [root.path.resolve() for root in library.roots]
    found = {
        skill.id: skill.source.path if skill.source.layout == "flat" else skill.source.folder
        for skill in library.catalog()
        if owner and skill.owner == owner
    }
    for entry in approvals.list_owned(owner):
        main = approvals.locate(entry)
        place = main if main.parent.resolve() in roots else main.parent
        if any(place.parent.resolve().is_relative_to(root) for root in roots):  # not a draft in a workspace
            found.setdefault(entry.id, place)
    return found


def delete_owned_skills(settings: Settings, owner: str) -> tuple[str, ...]:
    """Delete the skills that belong to this user, their approvals and copies; returns their ids.

    A skill that was approved for all since is everybody's and stays. The approvals go last: after a crash the skills
    still have their owner and can be deleted again.
    """
    approvals, found = open_skill_approvals(settings), find_owned_skills(settings, owner)
    for place in found.values():
        if place.is_symlink() or place.is_file():
            place.unlink()
        else:
            delete_tree(place)
    approvals.forget(approvals.list_owned(owner))
    return tuple(sorted(found))
