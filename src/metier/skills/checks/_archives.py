"""Inspects zip and tar archives for unsafe entries and zip bombs, without unpacking them to disk."""

import bz2
import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import PurePosixPath
from typing import Protocol

from metier.archives import UNREADABLE_ARCHIVE, ArchiveTooLarge, BoundedZip, open_zip
from metier.skills.model import ARCHIVE_SMALL_BYTES, MAX_ARCHIVE_BYTES, MAX_ARCHIVE_DEPTH, MAX_ARCHIVE_RATIO

ARCHIVE_SUFFIXES = (".zip", ".skill", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_OFFICE_SUFFIXES = (".docx", ".xlsx", ".pptx")
_MAX_ENTRIES = 100_000


@dataclass(frozen=True, slots=True)
class ArchiveProblem:
    """A reason not to unpack an archive."""

    code: str
    message: str


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


_DECOMPRESSORS: tuple[tuple[bytes, Callable[[], _Decompressor]], ...] = (
    (b"\x1f\x8b", lambda: zlib.decompressobj(31)),
    (b"BZh", bz2.BZ2Decompressor),
    (b"\xfd7zXZ", lambda: lzma.LZMADecompressor(memlimit=MAX_ARCHIVE_BYTES)),
)


def is_archive(name: str) -> bool:
    """Whether the file name has the suffix of an archive."""
    return name.lower().endswith(ARCHIVE_SUFFIXES)


def inspect_archive(raw: bytes, name: str) -> list[ArchiveProblem]:
    """All reasons not to unpack this archive; empty if it is safe."""
    return list(_Inspection().find_problems(raw, name, 1))


@dataclass(slots=True)
class _Inspection:
    """Inspection of an archive and of those nested in it; all share one budget of unpacked bytes."""

    left_bytes: int = MAX_ARCHIVE_BYTES

    def find_problems(self, raw: bytes, name: str, depth: int) -> Iterator[ArchiveProblem]:
        try:
            if name.lower().endswith((".zip", ".skill", *_OFFICE_SUFFIXES)):
                with open_zip(io.BytesIO(raw), max_entries=_MAX_ENTRIES, max_bytes=MAX_ARCHIVE_BYTES) as archive:
                    yield from self._inspect_zip(archive, len(raw), name, depth)
            else:
                yield from self._inspect_tar(raw, name, depth)
        except ArchiveTooLarge as error:
            yield ArchiveProblem("archive_too_large", f"{name}: {error}")
        except (*UNREADABLE_ARCHIVE, tarfile.TarError) as error:
            yield ArchiveProblem("archive_unreadable", f"{name}: {error}")

    def _is_bomb(self, total: int, weight: int) -> bool:
        self.left_bytes -= total
        return self.left_bytes < 0 or (total > ARCHIVE_SMALL_BYTES and total > MAX_ARCHIVE_RATIO * weight)

    def _inspect_zip(self, archive: BoundedZip, weight: int, name: str, depth: int) -> Iterator[ArchiveProblem]:
        members, total = archive.entries, archive.stated_bytes
        if self._is_bomb(total, weight) or _has_overlaps(members):
            yield ArchiveProblem("archive_bomb", f"{name} unpacks {weight} bytes to {total}")
            return
        for member in members:
            if is_path_escape(member.orig_filename):
                yield ArchiveProblem("archive_path_escape", f"{name} has the entry {member.orig_filename!r}")
            elif stat.S_ISLNK(member.external_attr >> 16):
                yield ArchiveProblem("archive_link", f"{name} has the link {member.filename!r}")
            elif is_archive(member.filename):
                yield from self._inspect_nested(
                    partial(archive.read, member, MAX_ARCHIVE_BYTES), member.filename, name, depth
                )

    def _inspect_tar(self, raw: bytes, name: str, depth: int) -> Iterator[ArchiveProblem]:
        whole = _decompress_tar(raw)
        if whole is None or self._is_bomb(len(whole), len(raw)):
            yield ArchiveProblem("archive_bomb", f"{name} unpacks {len(raw)} bytes to far more")
            return
        with tarfile.open(fileobj=io.BytesIO(whole), mode="r:") as tar:
            for member in tar:
                if not (member.isfile() or member.isdir()):
                    yield ArchiveProblem("archive_link", f"{name} has the link or device {member.name!r}")
                elif is_path_escape(member.name):
                    yield ArchiveProblem("archive_path_escape", f"{name} has the entry {member.name!r}")
                elif member.size > len(whole):
                    yield ArchiveProblem("archive_bomb", f"{name} has {member.name!r} of {member.size} bytes")
                elif is_archive(member.name) and (file := tar.extractfile(member)):
                    yield from self._inspect_nested(file.read, member.name, name, depth)

    def _inspect_nested(self, read: Callable[[], bytes], inner: str, name: str, depth: int) -> Iterator[ArchiveProblem]:
        if depth >= MAX_ARCHIVE_DEPTH:
            yield ArchiveProblem("archive_nested", f"{name} has {inner!r} at depth {depth + 1}")
        else:
            yield from self.find_problems(read(), f"{name}!{inner}", depth + 1)


def _decompress_tar(raw: bytes) -> bytes | None:
    """Decompressed bytes of a tar, or `None` if there are more than `MAX_ARCHIVE_BYTES`.

    `tarfile` itself would read a header of any declared length from a compressed tar into memory.
    """
    inflater = next((make for magic, make in _DECOMPRESSORS if raw.startswith(magic)), None)
    if inflater is None:
        return raw
    whole, left = bytearray(), raw
    while left:
        stream = inflater()
        whole += stream.decompress(left, MAX_ARCHIVE_BYTES + 1 - len(whole))
        if len(whole) > MAX_ARCHIVE_BYTES:
            return None
        if not stream.eof:
            raise EOFError("it is cut short")
        left = stream.unused_data.lstrip(b"\0")
    return bytes(whole)


def _has_overlaps(members: list[zipfile.ZipInfo]) -> bool:
    """Whether entries of a zip overlap, as in zip bombs that reuse the same bytes."""
    end = 0
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < end:
            return True
        end = member.header_offset + 30 + member.compress_size
    return False


def is_path_escape(entry: str) -> bool:
    """Whether a path inside an archive would be unpacked outside the target folder."""
    path = PurePosixPath(entry.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or (len(entry) > 1 and entry[1] == ":")
