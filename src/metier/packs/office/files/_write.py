"""Writes documents: one writer at a time, by a temporary file and a rename, with the digest checked."""

import contextlib
import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from metier.clock import awake_time
from metier.packs.office.files._errors import OfficeFileError

__all__ = ["beside", "check_digest", "check_replaceable", "digest_of", "lock_document", "replace_file"]

_WAIT_S: Final = 5.0
_POLL_S: Final = 0.05


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_digest(path: Path, expected: str) -> None:
    """Refuse if the file is not the one that was previewed."""
    try:
        found = digest_of(path)
    except FileNotFoundError:
        raise OfficeFileError("missing", name=path.name) from None
    if found != expected:
        raise OfficeFileError("changed", name=path.name)


def check_replaceable(path: Path) -> None:
    """Refuse to replace a file that is read-only or open in Word, WPS or LibreOffice."""
    if any(_is_read_only(one) for one in (path.parent, path) if one.exists()):
        raise OfficeFileError("read_only", name=path.name)
    owners = (f"~${path.name}", f"~${path.name[2:]}", f".~lock.{path.name}#", f".~{path.name}")
    if any((path.parent / owner).exists() for owner in owners):
        raise OfficeFileError("locked", name=path.name)


def _is_read_only(path: Path) -> bool:
    """Whether nobody may write it, or not this process; the administrator may, but was told not to."""
    return not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK)


def beside(path: Path, ending: str) -> Path:
    """A free name beside a file: `合同-批注.docx`, then `合同-批注-2.docx`."""
    first = path.with_name(f"{path.stem}-{ending}{path.suffix}")
    names = (path.with_name(f"{path.stem}-{ending}-{number}{path.suffix}") for number in range(2, 10_000))
    return first if not first.exists() else next(name for name in names if not name.exists())


def replace_file(target: Path, content: bytes) -> None:
    """Write a file so that readers see the old or the new bytes, never a part of them."""
    handle, name = tempfile.mkstemp(prefix=".metier-", suffix=".tmp", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        else:
            temporary.chmod(0o644)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def lock_document(path: Path, *, wait_s: float = _WAIT_S) -> Iterator[None]:
    """Be the only writer of a document on this machine; refused if another one does not finish in time."""
    folder = Path(tempfile.gettempdir()) / f"metier-office-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    name = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:32]
    with (folder / name).open("w") as file:
        _take_lock(file, path, awake_time() + wait_s)
        yield


def _take_lock(file: IO[str], path: Path, until_s: float) -> None:
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if awake_time() >= until_s:
                raise OfficeFileError("busy", name=path.name) from None
            time.sleep(_POLL_S)
        else:
            return
