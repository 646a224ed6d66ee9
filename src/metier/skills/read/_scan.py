"""Finds skills in a folder by file names and stats only; no file is read."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from metier.skills.checks import is_archive
from metier.skills.model import (
    MAX_FOLDER_DEPTH,
    MAX_FOLDER_FILES,
    MAX_SCAN_DEPTH,
    MAX_SCAN_FOLDERS,
    Diagnostic,
    Layout,
    Report,
)

_BY_NAME = attrgetter("name")
PROMPT_SUFFIXES = (".docx", ".md", ".txt")  # .docx first: office users edit the document
_MAIN_FILES: tuple[tuple[Layout, str], ...] = (
    ("agent-skill", "skill.md"),
    ("manifest", "skill.json"),
    *(("bare", f"system{suffix}") for suffix in PROMPT_SUFFIXES),
)
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__", "evals"})
# Folders that are conventions though hidden: those of coding agents hold a folder `skills`, the others hold skills.
_AGENT_FOLDERS = frozenset(
    {".agents", ".claude", ".codex", ".cursor", ".factory", ".gemini", ".github", ".kiro", ".opencode", ".windsurf"}
)
_SKILL_FOLDERS = frozenset({".curated", ".system", ".experimental"})
_NOT_SKILLS = frozenset(
    {"readme.md", "changelog.md", "license.md", "contributing.md", "index.md", "agents.md", "skill.md", "system.md"}
)
_PART_FOLDERS = frozenset(
    {"scripts", "references", "assets", "evals", "rules", "cases", "tools", "templates", "examples", "resources"}
)


@dataclass(frozen=True, slots=True)
class SkillRoot:
    """A folder to scan for skills. `trusted`: the operator vouches for its content, so some checks only warn.

    `installed`: it came with an installed package, whose versions are pinned there; its skills need no approval.
    `optional`: nobody named it, it is where skills would be; nothing is said while it is not there.
    """

    path: Path
    trusted: bool = False
    installed: bool = False
    optional: bool = False


class ScannedFile(NamedTuple):
    """Stat data of a file; the file is considered unchanged while all of it is equal."""

    name: str
    mode: int
    size_bytes: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    link_count: int


@dataclass(frozen=True, slots=True)
class SkillCandidate:
    """A folder or file that looks like a skill. If a later scan gives an equal candidate, the skill is unchanged.

    `ignored_folders` are left out (`__pycache__`), `unreadable_folders` cannot be listed. `location` is a string
    because scanning a thousand unchanged skills would spend half its time on creating and hashing `Path` objects.
    """

    location: str
    main_file: str
    layout: Layout
    trusted: bool
    files: tuple[ScannedFile, ...]
    ignored_folders: tuple[str, ...] = ()
    unreadable_folders: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The skill's folder, or its file in the flat layout."""
        return Path(self.location)

    @property
    def folder(self) -> Path:
        """The folder that the names in `files` are relative to."""
        return self.path.parent if self.layout == "flat" else self.path


@dataclass(slots=True)
class ScanResult:
    """Result of scanning one root folder."""

    candidates: list[SkillCandidate] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    folders: int = 0

    def add_diagnostic(self, code: str, message: str, place: str, hint: str = "") -> None:
        """Add a diagnostic about a path."""
        report = Report(Path(place))
        report.add(code, message, hint=hint)
        self.diagnostics.extend(report)


def scan_root(root: SkillRoot) -> ScanResult:
    """Scan a root for candidates, sorted by path."""
    scan = ScanResult()
    place = str(root.path)
    if not os.path.isdir(place):  # noqa: PTH112 - unlike Path.is_dir, it does not raise without permission
        if root.optional and not os.path.lexists(place):
            return scan
        scan.add_diagnostic("folder_missing", f"no folder {place!r}", place, "make it, or change METIER_SKILLS_DIR")
        return scan
    _visit(place, root, scan, depth=0)
    return scan


def _visit(folder: str, root: SkillRoot, scan: ScanResult, depth: int) -> None:
    scan.folders += 1
    if scan.folders > MAX_SCAN_FOLDERS:
        if scan.folders == MAX_SCAN_FOLDERS + 1:
            message = f"only the first {MAX_SCAN_FOLDERS} folders were looked at"
            scan.add_diagnostic("scan_truncated", message, folder, "point METIER_SKILLS_DIR at the skills alone")
        return
    try:
        entries = _list_entries(folder)
    except OSError as error:
        scan.add_diagnostic(
            "file_unreadable", f"cannot list the folder: {error.strerror}", folder, "check its permissions"
        )
        return
    found = _detect_layout(entries)
    if found and depth == 0 and any(map(_is_skill_folder, entries)):
        hint = "give it a folder of its own"
        scan.add_diagnostic("skill_in_root", f"{found[1]!r} lies beside skill folders", f"{folder}/{found[1]}", hint)
        own = [entry for entry in entries if entry.name == found[1] or entry.name.lower() in _PART_FOLDERS]
        scan.candidates.append(_build_folder_candidate(folder, found, own, trusted=root.trusted))
        entries = [entry for entry in entries if entry not in own]
    elif found:
        inner = [entry for entry in entries if depth < MAX_SCAN_DEPTH and _is_inner_skill(entry)]
        rest = [entry for entry in entries if entry not in inner]
        scan.candidates.append(_build_folder_candidate(folder, found, rest, trusted=root.trusted))
        for place in (
            *(entry.path for entry in inner),
            *(_list_hidden_folders(folder) if depth < MAX_SCAN_DEPTH else ()),
        ):
            _visit(place, root, scan, depth + 1)
        return
    if depth == 0:
        _scan_flat_files(entries, root, scan)
    _descend(folder, entries, root, scan, depth)


def _descend(folder: str, entries: list["os.DirEntry[str]"], root: SkillRoot, scan: ScanResult, depth: int) -> None:
    inner = [entry for entry in entries if _is_folder(entry) and entry.name not in _SKIPPED_FOLDERS]
    for entry in entries:
        if entry.is_symlink():
            hint = "copy the folder here, or list its real parent in METIER_SKILLS_DIR"
            scan.add_diagnostic("symlink", f"{entry.name!r} is a symbolic link", entry.path, hint)
    if not inner and depth > 0:
        scan.add_diagnostic(
            "folder_not_a_skill", "no SKILL.md, skill.json or SYSTEM.* here", folder, "add one, or ignore this"
        )
    if inner and depth >= MAX_SCAN_DEPTH:
        message = f"folders more than {MAX_SCAN_DEPTH} levels down were not looked at"
        scan.add_diagnostic(
            "scan_truncated", message, folder, "move the skills up, or list this folder in METIER_SKILLS_DIR"
        )
        return
    for entry in inner:
        _visit(entry.path, root, scan, depth + 1)
    for place in _list_hidden_folders(folder):
        _visit(place, root, scan, depth + 1)


def _list_hidden_folders(folder: str) -> list[str]:
    """Hidden folders that hold skills by convention: `.claude/skills` and the like, `.curated`, `.system`."""
    try:
        with os.scandir(folder) as found:
            named = sorted(
                entry.name for entry in found if entry.name in _AGENT_FOLDERS | _SKILL_FOLDERS and _is_folder(entry)
            )
    except OSError:  # deleted since it was listed
        return []
    places = [f"{folder}/{name}/skills" if name in _AGENT_FOLDERS else f"{folder}/{name}" for name in named]
    return [place for place in places if os.path.isdir(place) and not os.path.islink(place)]  # noqa: PTH112, PTH114 - unlike those of Path, they do not raise without permission


def _is_inner_skill(entry: "os.DirEntry[str]") -> bool:
    """Whether a folder inside a skill is a skill of its own, or a folder `skills` of such.

    It has a SKILL.md, and is no folder of resources.
    """
    if not _is_folder(entry) or entry.name.lower() in _PART_FOLDERS | _SKIPPED_FOLDERS:
        return False
    try:
        inside = _list_entries(entry.path)
    except OSError:
        return False
    found = _detect_layout(inside)
    if found is None and entry.name.lower() == "skills":
        return any(map(_is_inner_skill, inside))
    return found is not None and found[0] == "agent-skill"


def _scan_flat_files(entries: list["os.DirEntry[str]"], root: SkillRoot, scan: ScanResult) -> None:
    for entry in entries:
        lower = entry.name.lower()
        if entry.is_symlink() or _is_folder(entry) or lower in _NOT_SKILLS:
            continue
        if lower.endswith(".md"):
            files = (_stat(entry, entry.name),)
            scan.candidates.append(SkillCandidate(entry.path, entry.name, "flat", root.trusted, files))
        elif is_archive(entry.name):
            scan.add_diagnostic(
                "archive_not_unpacked", f"{entry.name!r} is an archive", entry.path, "unpack it with `metier convert`"
            )


def _detect_layout(entries: list["os.DirEntry[str]"]) -> tuple[Layout, str] | None:
    names = {entry.name.lower(): entry.name for entry in reversed(entries) if not _is_folder(entry)}
    return next(((layout, names[lower]) for layout, lower in _MAIN_FILES if lower in names), None)


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    return entry.is_dir(follow_symlinks=False)


def _is_skill_folder(entry: "os.DirEntry[str]") -> bool:
    if not _is_folder(entry) or entry.name.lower() in _PART_FOLDERS:
        return False
    try:
        return _detect_layout(_list_entries(entry.path)) is not None
    except OSError:
        return False


def _build_folder_candidate(
    folder: str,
    found: tuple[Layout, str],
    entries: list["os.DirEntry[str]"],
    *,
    trusted: bool,
) -> SkillCandidate:
    files: list[ScannedFile] = []
    clutter: list[str] = []
    unlisted: list[str] = []
    for seen in _walk(entries, "", 1, clutter, unlisted):
        files.append(seen)
        if len(files) > MAX_FOLDER_FILES:
            break
    layout, main = found
    return SkillCandidate(folder, main, layout, trusted, tuple(files), tuple(clutter), tuple(unlisted))


def _walk(
    entries: list["os.DirEntry[str]"], prefix: str, depth: int, clutter: list[str], unlisted: list[str]
) -> Iterator[ScannedFile]:
    """Files of a folder before those of the folders inside: of too many, the main file is never left out."""
    for entry in sorted(entries, key=_is_folder):
        name = prefix + entry.name
        if not _is_folder(entry) or depth > MAX_FOLDER_DEPTH:
            yield _stat(entry, name)
        elif entry.name == "__pycache__":
            clutter.append(name)
        else:
            try:
                inner = _list_entries(entry.path)
            except OSError:  # no permission, or deleted since it was listed
                unlisted.append(name)
                continue
            yield from _walk(inner, f"{name}/", depth + 1, clutter, unlisted)


def _list_entries(folder: str) -> list["os.DirEntry[str]"]:
    with os.scandir(folder) as found:
        return sorted([entry for entry in found if entry.name[0] != "."], key=_BY_NAME)


def _stat(entry: "os.DirEntry[str]", name: str) -> ScannedFile:
    try:
        seen = entry.stat(follow_symlinks=False)
    except OSError:  # deleted between listing and stat: the next scan resolves it
        return ScannedFile(name, stat.S_IFREG, -1, 0, 0, 0, 1)
    return ScannedFile(name, seen.st_mode, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, seen.st_nlink)
