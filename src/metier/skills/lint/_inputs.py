"""Input of the linter: a folder of skills, one skill, a flat file or an archive."""

import os
from dataclasses import dataclass
from pathlib import Path

from metier.errors import PathNotFound, UsageError
from metier.skills.checks import inspect_archive, is_archive
from metier.skills.live import SkillLibrary
from metier.skills.model import MAX_ARCHIVE_BYTES, Catalog, Diagnostic, Report
from metier.skills.read import (
    AllowedToolsMode,
    ScannedFile,
    SkillCandidate,
    SkillRoot,
    read_bytes,
    read_skill,
    scan_root,
)

_MAIN_NAMES = ("skill.md", "skill.json", "system.md", "system.txt", "system.docx")


@dataclass(frozen=True, slots=True)
class LintInput:
    """Candidates below a path and the catalog read from them; `is_single_skill` if the path is one skill."""

    catalog: Catalog
    candidates: tuple[SkillCandidate, ...] = ()
    is_single_skill: bool = False


def resolve_path(path: Path) -> Path:
    """Absolute path of a skill or folder, without resolving links; a main file is replaced by its folder."""
    there = Path(os.path.abspath(path))  # noqa: PTH100 - Path.absolute keeps '..'
    if not os.path.lexists(there):
        raise PathNotFound(f"no file or folder {str(path)!r}", hint="check the path")
    return there.parent if there.name.lower() in _MAIN_NAMES else there


def find_candidates(path: Path, *, trusted: bool) -> tuple[SkillCandidate, ...]:
    """Skill candidates at or below `path`; none for an archive."""
    if path.is_dir():
        return tuple(scan_root(SkillRoot(path, trusted)).candidates)
    if is_archive(path.name):
        return ()
    if path.suffix.lower() != ".md":
        raise UsageError(f"{path.name!r} is no skill", hint="name a folder, a .md file, skill.json or an archive")
    return (_build_flat_candidate(path, trusted=trusted),)


def open_input(path: Path, *, trusted: bool, mode: AllowedToolsMode) -> LintInput:
    """Read the skills at `path`; an archive is inspected but not unpacked."""
    candidates = find_candidates(path, trusted=trusted)
    if path.is_dir():
        catalog = SkillLibrary((SkillRoot(path, trusted),), allowed_tools_mode=mode).catalog()
        return LintInput(catalog, candidates, is_single_skill=[candidate.path for candidate in candidates] == [path])
    if not candidates:
        return LintInput(Catalog.from_skills((), _inspect_archive_file(path, trusted=trusted)))
    reading = read_skill(candidates[0], mode)
    return LintInput(
        Catalog.from_skills([reading.skill] if reading.skill else [], reading.diagnostics),
        candidates,
        is_single_skill=True,
    )


def _build_flat_candidate(path: Path, *, trusted: bool) -> SkillCandidate:
    seen = path.lstat()
    stat = ScannedFile(
        path.name, seen.st_mode, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, seen.st_nlink
    )
    return SkillCandidate(str(path), path.name, "flat", trusted, (stat,))


def _inspect_archive_file(path: Path, *, trusted: bool) -> tuple[Diagnostic, ...]:
    report = Report(path, trusted)
    try:
        raw = read_bytes(path, MAX_ARCHIVE_BYTES)
    except OSError as error:
        report.add("archive_unreadable", f"{path.name} cannot be read: {error.strerror}", hint="pack it again")
        return tuple(report)
    for problem in inspect_archive(raw, path.name):
        report.add(problem.code, problem.message, hint="do not unpack it; ask its author for the files")
    return tuple(report)
