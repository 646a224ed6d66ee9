"""Path handling inside a workspace: check paths and walk folders without leaving the workspace.

Every step is one `openat` with `O_NOFOLLOW`, so no symbolic link can be swapped in between a check and its use.
"""

import os
import re
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Final, Literal, NamedTuple, NoReturn

from metier.tools._calls import ToolError

EntryKind = Literal["file", "folder", "link", "other"]

MAX_PATH_CHARS: Final = 1024
_MAX_NAME_BYTES = 255
_MAX_DEPTH = 32
_MAX_FOLDER_ENTRIES = 20_000
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Non-blocking: a pipe that replaced the file after the check must not block the open.
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_DRIVE = re.compile(r"[A-Za-z]:")
_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_RELATIVE: Final = "name a path inside the workspace, such as notes/report.md"


class Entry(NamedTuple):
    """Entry of a folder; `path` is relative to the workspace."""

    path: str
    kind: EntryKind
    size_bytes: int
    depth: int


def split_path(path: str) -> tuple[str, ...]:
    """Split a path into names, empty for the workspace itself; raise `path_refused` if it could lead outside."""
    if len(path) > MAX_PATH_CHARS:
        refuse(path, "is too long", f"at most {MAX_PATH_CHARS} characters")
    if _UNWRITABLE.search(path):
        refuse(path, "holds a character that no name should hold", "leave control and direction characters out")
    if path.startswith(("/", "~")) or _DRIVE.match(path):
        refuse(path, "is not a path inside the workspace", _RELATIVE)
    if "\\" in path:
        refuse(path, "is written with backslashes", "separate names with /")
    names = tuple(name for name in path.split("/") if name not in ("", "."))
    if ".." in names:
        refuse(path, "leads upwards", _RELATIVE)
    if len(names) > _MAX_DEPTH:
        refuse(path, "goes too deep", f"at most {_MAX_DEPTH} folders")
    if any(len(unicodedata.normalize("NFC", name).encode()) > _MAX_NAME_BYTES for name in names):
        refuse(path, "has a name that is too long", f"at most {_MAX_NAME_BYTES} bytes a name")
    return names


def refuse(path: str, why: str, hint: str) -> NoReturn:
    """Raise `ToolError` with the code `path_refused`."""
    shown = path if len(path) <= 120 else f"{path[:117]}…"
    raise ToolError(f"{shown!r} {why}", code="path_refused", hint=hint)


@contextmanager
def open_root(workspace: Path) -> Iterator[int]:
    """Open the workspace as a file descriptor; it is created if missing."""
    try:
        workspace.mkdir(parents=True, exist_ok=True)
        root = os.open(workspace, _FOLDER_FLAGS)
    except OSError as error:
        raise ToolError(f"the workspace cannot be opened: {error.strerror}", code="workspace_unavailable") from error
    try:
        yield root
    finally:
        os.close(root)


def open_in_workspace(workspace: Path, path: str) -> int:
    """Open a regular file for reading by its path in the workspace; raises `ToolError` if there is none."""
    *folders, name = split_path(path) or ("",)
    if not name or not workspace.is_dir():
        raise ToolError(f"there is no {path[:200]!r}", code="not_found")
    with open_root(workspace) as root, open_folder(root, tuple(folders)) as here:
        return open_file(here, find_real_name(here, name), path)


def list_workspace_files(workspace: Path) -> tuple[str, ...]:
    """Paths of all files in a workspace, as deep as `open_in_workspace` goes; empty if there is no workspace."""
    if not workspace.is_dir():
        return ()
    with open_root(workspace) as root:
        return tuple(entry.path for entry in walk(root, "", _MAX_DEPTH) if entry.kind == "file")


def measure_folder(workspace: Path, folder: str) -> Mapping[str, int]:
    """Names and sizes in bytes of the files in one folder of a workspace; empty if there is no such folder."""
    if not workspace.is_dir():
        return {}
    try:
        with open_root(workspace) as root, open_folder(root, split_path(folder)) as here:
            return {entry.path: entry.size_bytes for entry in walk(here, "", 1) if entry.kind == "file"}
    except ToolError:
        return {}


@contextmanager
def open_folder(root: int, names: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
    """Open the folder at the end of these names; with `make`, missing folders are created."""
    here = os.dup(root)
    try:
        for at, name in enumerate(names):
            path = "/".join(names[: at + 1])
            below = _open_child_folder(here, find_real_name(here, name), path, make=make)
            os.close(here)
            here = below
        yield here
    finally:
        os.close(here)


def _open_child_folder(here: int, name: str, path: str, *, make: bool) -> int:
    try:
        return os.open(name, _FOLDER_FLAGS, dir_fd=here)
    except FileNotFoundError as error:
        if not make:
            raise ToolError(f"there is no {path!r}", code="not_found", hint="list_dir shows what there is") from error
    except OSError as error:
        _raise_open_error(here, name, path, error)
    try:
        os.mkdir(name, 0o755, dir_fd=here)
    except FileExistsError:
        pass  # another process created it first; the open below checks that it is a folder
    except OSError as error:
        raise ToolError(f"cannot make the folder {path!r}: {error.strerror}", code="write_failed") from error
    try:
        return os.open(name, _FOLDER_FLAGS, dir_fd=here)
    except OSError as error:
        _raise_open_error(here, name, path, error)


def _raise_open_error(here: int, name: str, path: str, error: OSError) -> NoReturn:
    found = stat_name(here, name)
    if found is not None and stat.S_ISLNK(found.st_mode):
        refuse(path, "is a symbolic link", "links are not followed; name the file itself")
    if found is not None and not stat.S_ISDIR(found.st_mode):
        raise ToolError(f"{path!r} is not a folder", code="not_a_folder") from error
    raise ToolError(f"cannot open {path!r}: {error.strerror}", code="unreadable") from error


def find_real_name(here: int, name: str) -> str:
    """Return the name as stored on disk: as given, else NFC, else NFD (archives from other systems)."""
    composed = unicodedata.normalize("NFC", name)
    for candidate in dict.fromkeys((name, composed, unicodedata.normalize("NFD", name))):
        if stat_name(here, candidate) is not None:
            return candidate
    return composed


def stat_name(here: int, name: str) -> os.stat_result | None:
    """Return the stat of this name without following links; None if there is no such entry."""
    try:
        return os.stat(name, dir_fd=here, follow_symlinks=False)
    except OSError:
        return None


def open_file(here: int, name: str, path: str) -> int:
    """Open a regular file for reading; links, pipes, devices and files with several hard links are refused."""
    check_regular_file(stat_name(here, name), path)
    try:
        file = os.open(name, _READ_FLAGS, dir_fd=here)
    except OSError as error:
        raise ToolError(f"cannot open {path!r}: {error.strerror}", code="unreadable") from error
    try:
        check_regular_file(os.fstat(file), path)
    except ToolError:
        os.close(file)
        raise
    return file


def check_regular_file(found: os.stat_result | None, path: str) -> None:
    """Raise `ToolError` unless this is a regular file with one hard link."""
    if found is None:
        raise ToolError(f"there is no {path!r}", code="not_found", hint="list_dir shows what there is")
    if stat.S_ISDIR(found.st_mode):
        raise ToolError(f"{path!r} is a folder", code="is_a_folder", hint="list_dir shows what is in it")
    if stat.S_ISLNK(found.st_mode):
        refuse(path, "is a symbolic link", "links are not followed; name the file itself")
    if not stat.S_ISREG(found.st_mode):
        refuse(path, "is no ordinary file", "pipes, sockets and devices are not touched")
    if found.st_nlink > 1:
        refuse(path, "has a second name that may lie outside", "copy the file instead of linking it")


def walk(here: int, prefix: str, deepest: int, depth: int = 1) -> Iterator[Entry]:
    """Yield all entries below a folder, sorted by name, folders before their content; links are not followed."""
    with os.scandir(here) as found:
        entries = sorted(islice(found, _MAX_FOLDER_ENTRIES), key=lambda entry: entry.name)
    for entry in entries:
        path = prefix + entry.name
        kind, size_bytes = _classify_entry(entry)
        yield Entry(path, kind, size_bytes, depth)
        if kind == "folder" and depth < deepest:
            try:
                below = os.open(entry.name, _FOLDER_FLAGS, dir_fd=here)
            except OSError:  # no permission, or replaced since it was listed
                continue
            try:
                yield from walk(below, f"{path}/", deepest, depth + 1)
            finally:
                os.close(below)


def _classify_entry(entry: "os.DirEntry[str]") -> tuple[EntryKind, int]:
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return "other", 0
    if stat.S_ISREG(found.st_mode):
        return "file", found.st_size
    if stat.S_ISDIR(found.st_mode):
        return "folder", 0
    return ("link" if stat.S_ISLNK(found.st_mode) else "other"), 0


def to_valid_utf8(path: str) -> str:
    """Replace bytes of a path that are not UTF-8, so that it can be sent."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
