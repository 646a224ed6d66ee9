"""Find skills in a folder by looking at names and stats only; nothing is read."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from metier.skills._archives import is_archive
from metier.skills._diagnostics import Diagnostic, Report
from metier.skills._limits import FOLDER_DEPTH, FOLDER_FILES, SCAN_DEPTH, SCAN_FOLDERS
from metier.skills._skill import Layout

PROMPT_SUFFIXES = (".md", ".txt", ".docx")
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
_NOT_SKILLS = frozenset({"readme.md", "changelog.md", "license.md", "contributing.md", "index.md", "agents.md"})


@dataclass(frozen=True, slots=True)
class SkillRoot:
    """A folder to look for skills in. `trusted`: somebody vouches for what lies there."""

    path: Path
    trusted: bool = False


class FileStat(NamedTuple):
    """What a scan remembers of a file, and what decides whether it changed."""

    name: str
    mode: int
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    links: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that looks like a skill. Two equal candidates have not changed."""

    path: Path
    main: str
    layout: Layout
    trusted: bool
    files: tuple[FileStat, ...]
    clutter: tuple[str, ...] = ()

    @property
    def folder(self) -> Path:
        """The folder that file names are relative to."""
        return self.path.parent if self.layout == "flat" else self.path


@dataclass(slots=True)
class Scan:
    """The outcome of one look at a folder."""

    candidates: list[Candidate] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    folders: int = 0

    def note(self, code: str, message: str, path: Path, hint: str = "", *, trusted: bool = False) -> None:
        report = Report(path, trusted)
        report.add(code, message, hint=hint)
        self.diagnostics.extend(report)


def scan_root(root: SkillRoot) -> Scan:
    """Every candidate below `root`, in the order of their paths."""
    scan = Scan()
    if not root.path.is_dir():
        scan.note("folder_missing", f"no folder {str(root.path)!r}", root.path, "make it, or change METIER_SKILLS_DIR")
        return scan
    _visit(root.path, root, scan, depth=0)
    return scan


def _visit(folder: Path, root: SkillRoot, scan: Scan, depth: int) -> None:
    scan.folders += 1
    if scan.folders > SCAN_FOLDERS:
        if scan.folders == SCAN_FOLDERS + 1:
            scan.note("scan_truncated", f"only the first {SCAN_FOLDERS} folders were looked at", root.path)
        return
    try:
        entries = _entries(folder)
    except OSError as error:
        scan.note("file_unreadable", f"cannot list the folder: {error.strerror}", folder)
        return
    found = _layout(entries)
    if found:
        scan.candidates.append(_folder_candidate(folder, found, entries, trusted=root.trusted))
        return
    if depth == 0:
        _flat_files(folder, entries, root, scan)
    _descend(folder, entries, root, scan, depth)


def _descend(folder: Path, entries: list["os.DirEntry[str]"], root: SkillRoot, scan: Scan, depth: int) -> None:
    inner = [entry for entry in entries if entry.is_dir(follow_symlinks=False) and entry.name not in _SKIPPED_FOLDERS]
    for entry in entries:
        if entry.is_symlink():
            hint = "copy the folder here, or list its real parent in METIER_SKILLS_DIR"
            scan.note("symlink", f"{entry.name!r} is a symbolic link", folder / entry.name, hint)
    if not inner and depth > 0:
        scan.note("folder_not_a_skill", "no SKILL.md, skill.json or SYSTEM.* here", folder)
    if depth >= SCAN_DEPTH:
        return
    for entry in inner:
        _visit(folder / entry.name, root, scan, depth + 1)


def _flat_files(folder: Path, entries: list["os.DirEntry[str]"], root: SkillRoot, scan: Scan) -> None:
    for entry in entries:
        if entry.is_symlink() or entry.is_dir(follow_symlinks=False):
            continue
        path = folder / entry.name
        if entry.name.lower().endswith(".md") and entry.name.lower() not in _NOT_SKILLS:
            files = (_stat(entry, entry.name),)
            scan.candidates.append(Candidate(path, entry.name, "flat", root.trusted, files))
        elif is_archive(entry.name):
            scan.note("archive_not_unpacked", f"{entry.name!r} is an archive", path, "unpack it with `metier convert`")


def _layout(entries: list["os.DirEntry[str]"]) -> tuple[Layout, str] | None:
    names = {entry.name: entry.name.lower() for entry in entries}
    for layout, wanted in (("agent-skill", ("skill.md",)), ("manifest", ("skill.json",))):
        for name, lower in names.items():
            if lower in wanted:
                return layout, name  # type: ignore[return-value]
    for suffix in reversed(PROMPT_SUFFIXES):  # a document beats text: office users edit the document
        for name, lower in names.items():
            if lower == f"system{suffix}":
                return "bare", name
    return None


def _folder_candidate(
    folder: Path,
    found: tuple[Layout, str],
    entries: list["os.DirEntry[str]"],
    *,
    trusted: bool,
) -> Candidate:
    files: list[FileStat] = []
    clutter: list[str] = []
    for stat_ in _walk(entries, "", 1, clutter):
        files.append(stat_)
        if len(files) > FOLDER_FILES:
            break
    layout, main = found
    return Candidate(folder, main, layout, trusted, tuple(files), tuple(clutter))


def _walk(entries: list["os.DirEntry[str]"], prefix: str, depth: int, clutter: list[str]) -> Iterator[FileStat]:
    for entry in entries:
        name = prefix + entry.name
        if not entry.is_dir(follow_symlinks=False):
            yield _stat(entry, name)
        elif entry.name == "__pycache__":
            clutter.append(name)
        elif depth > FOLDER_DEPTH:
            yield _stat(entry, name)
        else:
            yield from _walk(_entries(Path(entry.path)), f"{name}/", depth + 1, clutter)


def _entries(folder: Path) -> list["os.DirEntry[str]"]:
    with os.scandir(folder) as found:
        return sorted((entry for entry in found if not entry.name.startswith(".")), key=lambda entry: entry.name)


def _stat(entry: "os.DirEntry[str]", name: str) -> FileStat:
    try:
        seen = entry.stat(follow_symlinks=False)
    except OSError:  # vanished between the listing and the look: the next scan settles it
        return FileStat(name, stat.S_IFREG, -1, 0, 0, 0, 1)
    return FileStat(name, seen.st_mode, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, seen.st_nlink)
