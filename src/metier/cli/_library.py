"""Skill library and packs of a command: from the settings, or from the command line."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.errors import PathNotFound

if TYPE_CHECKING:
    from metier.pack import Pack
    from metier.skills import SkillLibrary

DIR_OPTION = typer.Option(None, "--dir", "-d", help="Skills folder (repeat for several); default: the settings'.")


PACK_OPTION = typer.Option(None, "--pack", "-p", metavar="ID", help="With this pack's skills (repeat).")


def open_packs(names: list[str] | None) -> "tuple[Pack, ...]":
    """Load the named packs, or those of the settings."""
    from metier.pack import select_packs
    from metier.settings import load_settings

    return select_packs(load_settings(), names or ()).found


def open_library(folders: list[Path] | None, packs: "tuple[Pack, ...]" = ()) -> "SkillLibrary":
    """Open a library over the named folders, or those of the settings; skills of packs come last."""
    from metier.pack import pack_skill_roots
    from metier.settings import load_settings
    from metier.skills import SkillLibrary, SkillRoot

    settings = load_settings()
    for folder in folders or ():
        if not folder.is_dir():
            raise PathNotFound(f"no folder {str(folder)!r}", hint="check the path after --dir")
    plain = tuple(SkillRoot(folder) for folder in (folders or settings.skills_dir))
    trusted = () if folders else tuple(SkillRoot(folder, trusted=True) for folder in settings.trusted_skills_dir)
    return SkillLibrary((*plain, *trusted, *pack_skill_roots(packs)), allowed_tools_mode=settings.allowed_tools_mode)
