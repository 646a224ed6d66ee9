"""Folder of `metier run --folder`: copied into the conversation, where work happens until it is written back."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.errors import InvalidInput, PathNotFound
from metier.language import Language, Sentences

if TYPE_CHECKING:
    from metier.settings import Settings

_TEXTS: Final = Sentences(
    {
        "in_copy": (
            "Work happens in the copy; {folder} is written to only after you approve it.",
            "改动都在副本里做；经你批准才写回 {folder}。",
        ),
        "goes_on": (
            "Going on with the copy of {folder}: {count} changed files are not written back yet.",
            "继续使用 {folder} 的副本：有 {count} 个改过的文件还没有写回。",
        ),
    }
)


def add_folder(workspace: Path, folder: Path, settings: "Settings", language: Language) -> str:
    """Copy a folder into the conversation of this workspace; returns what was copied and left out, in words.

    A copy of the same folder that has changes stays as it is.
    """
    from metier.projects import ProjectProblem, add_project, open_project

    place = folder.expanduser().resolve()
    try:
        known = open_project(settings.storage_dir, workspace)
        if known is not None and known.origin == place and (changes := known.find_unwritten()):
            return _TEXTS.render("goes_on", language, folder=known.name, count=len(changes))
        workspace.mkdir(parents=True, exist_ok=True)
        report = add_project(settings.storage_dir, workspace, folder)
    except ProjectProblem as problem:
        kind = PathNotFound if problem.code == "folder_not_found" else InvalidInput
        raise kind(problem.text(language), hint=problem.hint(language)) from problem
    except OSError as error:
        raise InvalidInput(
            f"{str(folder)!r} cannot be copied: {error.strerror}", hint="check rights and space"
        ) from error
    return f"{report.describe(place.name, language)} {_TEXTS.render('in_copy', language, folder=place.name)}"
