"""Deletes a skill from its skills folder."""

import shutil
from collections.abc import Iterable

from metier.errors import Refused
from metier.skills.model import Skill
from metier.skills.read import SkillRoot


def delete_skill(skill: Skill, roots: Iterable[SkillRoot]) -> None:
    """Delete the folder of a skill, or its one file; `Refused` if the folder is a skills folder or a link."""
    if skill.source.layout == "flat":
        skill.source.path.unlink()
        return
    folder = skill.source.folder
    if folder.is_symlink() or any(root.path.resolve().is_relative_to(folder.resolve()) for root in roots):
        raise Refused(
            f"{str(folder)!r} is not deleted: it is a link or a whole skills folder", hint="delete it by hand"
        )
    shutil.rmtree(folder)
