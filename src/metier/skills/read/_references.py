"""Resolves paths written inside a skill; they must refer to a file of the same skill."""

import posixpath
import re
from collections.abc import Collection
from pathlib import PurePosixPath

from metier.skills.checks import file_name_problem
from metier.skills.model import Report

_NOT_RELATIVE = re.compile(r"^(?:[A-Za-z][A-Za-z0-9+.-]*:|[/\\~])")


def resolve_reference(reference: str, names: Collection[str], report: Report, *, line: int | None = None) -> str | None:
    """The name of the referenced file, or `None` after reporting why the reference is invalid."""
    spelt = reference.replace("\\", "/")
    if re.match(r"^[^/]+\.[A-Za-z0-9]+:", spelt):
        report.add("file_name_invalid", f"{reference!r} holds ':'", hint="name the plain file", line=line)
        return None
    if _NOT_RELATIVE.match(reference):
        hint = "name a file below the skill folder, such as 'SYSTEM.md'"
        report.add("path_not_relative", f"{reference!r} is not below the skill folder", hint=hint, line=line)
        return None
    for part in PurePosixPath(spelt).parts:
        if part != ".." and (why := file_name_problem(part)):
            report.add("file_name_invalid", f"{reference!r} cannot be used: {why}", hint="rename it", line=line)
            return None
    plain = posixpath.normpath(spelt)
    if plain == ".." or plain.startswith("../"):
        report.add("path_escapes", f"{reference!r} leads out of the skill", hint="copy the file in", line=line)
        return None
    if plain not in names:
        report.add("path_missing", f"{reference!r} does not exist", hint="check the name and its case", line=line)
        return None
    return plain
