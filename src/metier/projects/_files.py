"""Files below a folder, opened step by step with `O_NOFOLLOW`: no link leads outside, also not one slipped in later."""

import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from metier.projects._problems import ProjectProblem

_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CREATE_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_UNWRITABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\\\\]")
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_MAX_PATH_CHARS: Final = 1024
_MAX_DEPTH: Final = 32
_UNFINISHED: Final = re.compile(r"\..{0,80}\.metier-(\d{1,10})-[0-9a-f]{8}", re.DOTALL)
_FORBIDDEN_NAMES: Final = frozenset({"..", ".git"})


class StoredFile(NamedTuple):
    """Content of a file and its permissions."""

    content: bytes
    mode: int

    @property
    def sha256(self) -> str:
        return digest(self.content)


def digest(content: bytes) -> str:
    """SHA-256 of a content."""
    return hashlib.sha256(content).hexdigest()


def is_binary(content: bytes) -> bool:
    """Whether a content is no text: it has a NUL byte."""
    return b"\0" in content


def check_path(path: str) -> str:
    """A path in its plain form, relative to the project; raises `ProjectProblem` if it could lead outside."""
    names = [name for name in path.split("/") if name not in ("", ".")]
    is_refused = (
        not names
        or len(path) > _MAX_PATH_CHARS
        or len(names) > _MAX_DEPTH
        or path.startswith(("/", "~"))
        or bool(_DRIVE.match(path))
        or bool(_UNWRITABLE.search(path))
        or bool(_FORBIDDEN_NAMES & {name.casefold() for name in names})
    )
    if is_refused:
        raise ProjectProblem("path_refused", path=path[:120])
    return "/".join(names)


def read_file(root: Path, path: str) -> StoredFile | None:
    """Read a file; None if there is none. Links, pipes and devices raise `ProjectProblem`."""
    try:
        with _open_parent(root, path) as (here, name):
            file = os.open(name, _READ_FLAGS, dir_fd=here)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _translate(path, error) from error
    with os.fdopen(file, "rb") as stream:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise ProjectProblem("is_link", path=path)
        return StoredFile(stream.read(), stat.S_IMODE(found.st_mode))


def write_file(root: Path, path: str, content: bytes, mode: int) -> None:
    """Write a file whole or not at all; missing folders are made. Raises `OSError` or `ProjectProblem`."""
    with _open_parent(root, path, make=True) as (here, name):
        _sweep(here)
        fresh = f".{name[:80]}.metier-{os.getpid()}-{secrets.token_hex(4)}"
        try:
            with os.fdopen(os.open(fresh, _CREATE_FLAGS, 0o600, dir_fd=here), "wb") as stream:
                stream.write(content)
                os.fchmod(stream.fileno(), mode)
            os.replace(fresh, name, src_dir_fd=here, dst_dir_fd=here)
        except OSError:
            with suppress(OSError):
                os.unlink(fresh, dir_fd=here)
            raise


def delete_file(root: Path, path: str, *, with_folders: bool = False) -> None:
    """Delete a file if it is there; with `with_folders` also folders that are empty then."""
    with suppress(FileNotFoundError), _open_parent(root, path) as (here, name):
        _sweep(here)
        os.unlink(name, dir_fd=here)
    names = path.split("/")[:-1]
    while with_folders and names:
        try:
            with _open_parent(root, "/".join(names)) as (here, name):
                os.rmdir(name, dir_fd=here)
        except OSError:
            return
        names.pop()


def _sweep(here: int) -> None:
    """Delete what a process left behind that was killed while it wrote a file of this folder."""
    for name in os.listdir(here):
        found = _UNFINISHED.fullmatch(name)
        if found is not None and not _is_running(int(found[1])):
            with suppress(OSError):
                os.unlink(name, dir_fd=here)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


@contextmanager
def _open_parent(root: Path, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """The folder that holds a file, as a descriptor, and the file's name in it."""
    *folders, name = check_path(path).split("/")
    here = os.open(root, _FOLDER_FLAGS)
    try:
        for folder in folders:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(folder, 0o755, dir_fd=here)
            below = os.open(folder, _FOLDER_FLAGS, dir_fd=here)
            os.close(here)
            here = below
        yield here, name
    finally:
        os.close(here)


def _translate(path: str, error: OSError) -> ProjectProblem:
    if isinstance(error, PermissionError):
        return ProjectProblem("folder_unreadable", path=path, why=error.strerror or "")
    return ProjectProblem("is_link", path=path)
