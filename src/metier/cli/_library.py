"""The library a command works on: the settings', or the folder that was named."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.errors import PathNotFound

if TYPE_CHECKING:
    from metier.skills import SkillLibrary

DIR_OPTION = typer.Option(None, "--dir", "-d", help="Skills folder (repeat for several); default: the settings'.")


def open_library(folders: list[Path] | None) -> "SkillLibrary":
    """A library over the named folders, or over those of the settings."""
    from metier.settings import load_settings
    from metier.skills import SkillLibrary, SkillRoot

    settings = load_settings()
    for folder in folders or ():
        if not folder.is_dir():
            raise PathNotFound(f"no folder {str(folder)!r}", hint="check the path after --dir")
    plain = tuple(SkillRoot(folder) for folder in (folders or settings.skills_dir))
    trusted = () if folders else tuple(SkillRoot(folder, trusted=True) for folder in settings.trusted_skills_dir)
    return SkillLibrary((*plain, *trusted), allowed_tools_mode=settings.allowed_tools_mode)
