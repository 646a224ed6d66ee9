"""Folders and zip files that a conversation works on: copied, compared, written back and undone."""

from metier.projects._archive import add_archive
from metier.projects._changes import ChangedFile, pack_changes, render_diff
from metier.projects._copy import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES, CopyReport, LeftOut
from metier.projects._files import check_path, is_binary
from metier.projects._journal import FileEdit
from metier.projects._problems import ProjectProblem
from metier.projects._project import PROJECT_FOLDER, Project, add_project, delete_project, open_project

__all__ = [
    "MAX_FILES",
    "MAX_FILE_BYTES",
    "MAX_TOTAL_BYTES",
    "PROJECT_FOLDER",
    "ChangedFile",
    "CopyReport",
    "FileEdit",
    "LeftOut",
    "Project",
    "ProjectProblem",
    "add_archive",
    "add_project",
    "check_path",
    "delete_project",
    "is_binary",
    "open_project",
    "pack_changes",
    "render_diff",
]
