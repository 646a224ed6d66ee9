"""Size of a folder: bytes, entries and depth, measured without recursion, links or leaving the folder."""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class FolderUsage(NamedTuple):
    """Bytes of all files, number of files and folders, and the greatest depth; a file in the folder has depth 1."""

    size_bytes: int = 0
    files: int = 0
    depth: int = 0


class TreeEntry(NamedTuple):
    """Entry below a folder; `parent` is the open folder that holds it, and `depth` counts from 1."""

    parent: int
    name: str
    found: os.stat_result
    depth: int


class _Level:
    """Open folder whose entries are being listed."""

    def __init__(self, folder: int) -> None:
        self.folder = folder
        self.entries = os.scandir(folder)


def walk_tree(folder: int, max_depth: int) -> Iterator[TreeEntry]:
    """Yield all entries below an open folder, at most one level deeper than `max_depth`; folders before their content.

    One folder per level is open, and nothing is followed: a name that is swapped meanwhile leads nowhere. A folder that
    its owner cannot list is made listable, so that nothing hides in it.
    """
    levels = [_Level(folder)]
    try:
        while levels:
            level = levels[-1]
            entry = next(level.entries, None)
            if entry is None:
                _close(levels.pop(), folder)
                continue
            with suppress(OSError):  # deleted, or replaced, since it was listed
                found = entry.stat(follow_symlinks=False)
                yield TreeEntry(level.folder, entry.name, found, len(levels))
                if stat.S_ISDIR(found.st_mode) and len(levels) <= max_depth:
                    levels.append(_Level(_open_below(level.folder, entry.name)))
    finally:
        while levels:
            _close(levels.pop(), folder)


def _open_below(parent: int, name: str) -> int:
    try:
        return os.open(name, _FOLDER_FLAGS, dir_fd=parent)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=parent)
        return os.open(name, _FOLDER_FLAGS, dir_fd=parent)


def _close(level: _Level, root: int) -> None:
    level.entries.close()
    if level.folder != root:
        os.close(level.folder)


def measure_folder(folder: int, max_files: int, max_depth: int) -> FolderUsage:
    """Measure an open folder; ends at the first entry beyond a limit, so a folder of any size takes bounded time.

    Files are counted by their size, sparse ones too: whoever copies or reads one meets all of it. A file with several
    names is counted once.
    """
    size_bytes = files = depth = 0
    linked: set[int] = set()
    for entry in walk_tree(folder, max_depth):
        files += 1
        depth = max(depth, entry.depth)
        if stat.S_ISREG(entry.found.st_mode) and not _is_known(entry.found, linked):
            size_bytes += entry.found.st_size
        if files > max_files or depth > max_depth:
            break
    return FolderUsage(size_bytes, files, depth)


def _is_known(found: os.stat_result, linked: set[int]) -> bool:
    """Return whether a file with several names was counted before."""
    if found.st_nlink < 2:
        return False
    known = found.st_ino in linked
    linked.add(found.st_ino)
    return known


def open_folder(folder: str) -> int:
    """Open a folder for `measure_folder`; the last name must be no link."""
    return os.open(folder, _FOLDER_FLAGS)
