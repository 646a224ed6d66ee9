"""Give the sandbox user access to the paths it may use, and no others: ownership and reachable parents."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from metier.tools.sandbox import _kernel as kernel
from metier.tools.sandbox._folder_usage import open_folder, walk_tree

# Uids without an account. Each script run gets its own; a command gets the one assigned to its folder.
SCRIPT_UIDS: Final = range(60001, 60501)
COMMAND_UIDS: Final = range(60501, 61001)
_MAX_DEPTH: Final = 128  # deeper folders keep their owner; runs may make 32 levels


class PathUnreachable(OSError):
    """The sandbox user cannot reach a path, and this process may not change that."""


def grant(folder: str, uid: int) -> None:
    """Make `uid` the owner of the folder and its content, except files of scripts that are running.

    Files with several hard links are skipped: another name may belong to someone else.
    """
    _change_owner(folder, uid, spare=SCRIPT_UIDS)


def revoke(folder: str) -> None:
    """Make the server the owner again. Safe after the run: no process is left that could swap names."""
    _change_owner(folder, os.geteuid(), spare=range(0))


def _change_owner(folder: str, uid: int, spare: range) -> None:
    os.chown(folder, uid, uid, follow_symlinks=False)
    root = open_folder(folder)
    try:
        for entry in walk_tree(root, _MAX_DEPTH):
            owner = entry.found.st_uid
            shared = stat.S_ISREG(entry.found.st_mode) and entry.found.st_nlink > 1
            if owner != uid and owner not in spare and not shared:
                with suppress(FileNotFoundError):  # deleted since it was listed
                    os.chown(entry.name, uid, uid, dir_fd=entry.parent, follow_symlinks=False)
    finally:
        os.close(root)


def _find_blocker(path: Path) -> Path | None:
    """Return the topmost parent folder of `path` that other users may not enter."""
    above = reversed(path.parents)
    return next((folder for folder in above if not folder.stat().st_mode & stat.S_IXOTH), None)


def find_unreachable(paths: Iterable[str]) -> list[tuple[Path, Path]]:
    """Return the paths that another user cannot reach, each with the folder that blocks it."""
    real = sorted({Path(path).resolve() for path in paths if Path(path).exists()})
    return [(path, blocker) for path in real if (blocker := _find_blocker(path))]


def make_reachable(paths: Iterable[str]) -> None:
    """Let other users reach `paths` below folders closed to them, in a private mount namespace.

    Each closed folder is covered by an empty tmpfs, and only these paths are bind-mounted back. Other processes are not
    affected. Needs CAP_SYS_ADMIN, but only if a folder is in fact closed.
    """
    blocked = find_unreachable(paths)
    if not blocked:
        return
    try:
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
        held = [(path, os.open(path, os.O_PATH | os.O_CLOEXEC)) for path, _ in blocked]
        for blocker in dict.fromkeys(blocker for _, blocker in blocked):
            kernel.mount("tmpfs", str(blocker), "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=755,size=1m")
        for path, place in _iter_outermost(held):
            _bind_mount(path, place)
    except OSError as error:
        path, blocker = blocked[0]
        raise PathUnreachable(f"another user cannot reach {path}: {blocker} is closed to others") from error
    for _, place in held:
        os.close(place)


def _iter_outermost(held: list[tuple[Path, int]]) -> Iterator[tuple[Path, int]]:
    """Yield the paths that lie inside no other path of the list; the others come with their parents."""
    last = None
    for path, place in held:
        if last is None or not path.is_relative_to(last):
            last = path
            yield path, place


def _bind_mount(path: Path, place: int) -> None:
    if stat.S_ISDIR(os.fstat(place).st_mode):
        path.mkdir(parents=True, exist_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    kernel.mount(f"/proc/self/fd/{place}", str(path), "", kernel.MS_BIND | kernel.MS_REC)
