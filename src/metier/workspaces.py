"""Folders for the files of conversations and of users, below the storage folder."""

import hashlib
import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

__all__ = ["WorkspaceQuota", "delete_tree", "find_user_folders", "has_files", "user_folder", "workspace_folder"]

_FOLDER: Final = "workspaces"
_PACKS: Final = "packs"
_USERS: Final = "users"
_SAFE_NAME: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")
_OPEN_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class WorkspaceQuota:
    """Limits of one workspace: bytes of all files, number of files and folders, depth."""

    max_bytes: int = 256 << 20
    max_files: int = 10_000
    max_depth: int = 32


def workspace_folder(storage: Path, conversation: str) -> Path:
    """Folder of a conversation: named by its id, or by a digest of one that is no plain name."""
    is_plain = _SAFE_NAME.fullmatch(conversation) is not None
    name = (
        conversation if is_plain else f"id-{hashlib.sha256(conversation.encode('utf-8', 'surrogatepass')).hexdigest()}"
    )
    return storage / _FOLDER / name


def has_files(folder: Path) -> bool:
    """Whether a conversation's folder holds anything: what is about its files need not be loaded for an empty one."""
    try:
        with os.scandir(folder) as found:
            return next(found, None) is not None
    except OSError:
        return False


def user_folder(pack_storage: Path, user: str) -> Path:
    """Folder for what a pack keeps of one user; it is deleted with the user. A user's name is no file name."""
    return pack_storage / _USERS / hashlib.sha256(user.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def find_user_folders(storage: Path, user: str) -> tuple[Path, ...]:
    """Folders of this user in the storage of every pack, also of packs that are no longer installed."""
    kept = (user_folder(pack, user) for pack in sorted((storage / _PACKS).glob("*")))
    return tuple(folder for folder in kept if folder.is_dir())


def delete_tree(folder: Path) -> None:
    """Delete a folder with all it holds, however deep, without following links; what cannot be deleted is left.

    The content of every sub-folder is moved up before the sub-folder is removed, so that neither the stack nor a path
    grows with the depth.
    """
    try:
        root = os.open(folder, _OPEN_FLAGS)
    except OSError:
        return
    try:
        _empty_folder(root)
    finally:
        os.close(root)
    with suppress(OSError):
        folder.rmdir()


def _empty_folder(root: int) -> None:
    numbers = count()
    left: set[str] = set()
    while names := set(os.listdir(root)) - left:
        for name in names:
            if not _delete_entry(root, name, numbers):
                left.add(name)


def _delete_entry(root: int, name: str, numbers: "count[int]") -> bool:
    try:
        if not stat.S_ISDIR(os.stat(name, dir_fd=root, follow_symlinks=False).st_mode):
            os.unlink(name, dir_fd=root)
            return True
        _move_up(root, name, numbers)
        os.rmdir(name, dir_fd=root)
    except OSError:
        return False
    return True


def _move_up(root: int, name: str, numbers: "count[int]") -> None:
    """Move the content of a sub-folder into the root, under new names; files are deleted instead."""
    below = _open_folder(root, name)
    try:
        os.fchmod(below, 0o700)
        for inner in os.listdir(below):  # noqa: PTH208 - of a descriptor
            if stat.S_ISDIR(os.stat(inner, dir_fd=below, follow_symlinks=False).st_mode):
                os.rename(inner, f".deleted-{os.getpid()}-{next(numbers)}", src_dir_fd=below, dst_dir_fd=root)
            else:
                os.unlink(inner, dir_fd=below)
    finally:
        os.close(below)


def _open_folder(root: int, name: str) -> int:
    try:
        return os.open(name, _OPEN_FLAGS, dir_fd=root)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=root)
        return os.open(name, _OPEN_FLAGS, dir_fd=root)
