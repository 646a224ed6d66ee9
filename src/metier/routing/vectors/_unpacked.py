"""Weights that a package ships compressed, kept unpacked in the user's cache folder so that a start only maps them.

Unpacking takes a second of processor time. A file here is used only if it belongs to this user, was made from the same
file of the package and has the checksum it was written with; otherwise it is written anew.
"""

import json
import mmap
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Weights = Mapping[str, NDArray[Any]]

_ALIGNMENT: Final = 4096  # pages, so that those of one weight can be dropped
_HEADER_BYTES: Final = 16_384


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


def find_cache_folder() -> Path:
    """Folder for files that can be made again, in the user's home; OSError if there is none."""
    try:
        return Path.home() / ".cache" / "metier"
    except RuntimeError as error:
        raise FileNotFoundError(str(error)) from error


def load_unpacked(name: str, packed: Path, digest: str) -> UnpackedWeights | None:
    """Map the unpacked weights of the package's file with this digest; None if there are none, or others or damaged."""
    try:
        opened = os.open(find_cache_folder() / f"{name}.weights", os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if os.fstat(opened).st_uid != os.geteuid():
                return None
            content = mmap.mmap(opened, 0, access=mmap.ACCESS_READ)
        finally:
            os.close(opened)
        header = json.loads(content[:_HEADER_BYTES].rstrip(b"\0"))
        is_whole = header["crc32"] == crc32(memoryview(content)[_HEADER_BYTES:])
        if header["source"] != _identify(packed, digest) or not is_whole:
            return None
        return _map_weights(content, header["weights"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def store_unpacked(name: str, packed: Path, digest: str, weights: Weights) -> UnpackedWeights | None:
    """Write the unpacked weights for later starts and map them; None if there is no room or right to."""
    try:
        folder = find_cache_folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=f".{name}-", delete=False) as file:
            try:
                file.write(_build_header(_identify(packed, digest), weights))
                for one in weights.values():
                    file.write(_pad(np.ascontiguousarray(one).tobytes()))
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).replace(folder / f"{name}.weights")
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except (OSError, ValueError):
        return None
    return load_unpacked(name, packed, digest)


def _build_header(source: list[int | str], weights: Weights) -> bytes:
    known, at, checksum = {}, _HEADER_BYTES, 0
    for name, one in weights.items():
        known[name] = (one.dtype.str, list(one.shape), at)
        content = _pad(np.ascontiguousarray(one).tobytes())
        at, checksum = at + len(content), crc32(content, checksum)
    header = json.dumps({"source": source, "crc32": checksum, "weights": known}).encode()
    if len(header) > _HEADER_BYTES:
        raise ValueError("too many weights for one file")
    return header.ljust(_HEADER_BYTES, b"\0")


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
