"""Judge a zip or tar by its directory, without unpacking it."""

import io
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from metier.skills._limits import ARCHIVE_BYTES, ARCHIVE_DEPTH, ARCHIVE_RATIO

ARCHIVE_SUFFIXES = (".zip", ".skill", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_OFFICE_SUFFIXES = (".docx", ".xlsx", ".pptx")


@dataclass(frozen=True, slots=True)
class ArchiveProblem:
    """What is wrong with an archive."""

    code: str
    message: str


def is_archive(name: str) -> bool:
    """Whether a file name says that the file is an archive."""
    return name.lower().endswith(ARCHIVE_SUFFIXES)


def inspect_archive(raw: bytes, name: str, *, depth: int = 1) -> list[ArchiveProblem]:
    """Every reason not to unpack this archive; empty when there is none."""
    try:
        if name.lower().endswith((".zip", ".skill", *_OFFICE_SUFFIXES)):
            with zipfile.ZipFile(io.BytesIO(raw)) as archive:
                return list(_zip_problems(archive, len(raw), name, depth))
        with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
            return list(_tar_problems(tar, name))
    except (zipfile.BadZipFile, tarfile.TarError, OSError, EOFError, NotImplementedError, ValueError) as error:
        return [ArchiveProblem("archive_unreadable", f"{name}: {error}")]


def _zip_problems(archive: zipfile.ZipFile, weight: int, name: str, depth: int) -> Iterator[ArchiveProblem]:
    members = archive.infolist()
    total = sum(member.file_size for member in members)
    if total > ARCHIVE_BYTES or total > ARCHIVE_RATIO * max(weight, 1) or _overlaps(members):
        yield ArchiveProblem("archive_bomb", f"{name} unpacks {weight} bytes to {total}")
        return
    for member in members:
        if escapes(member.orig_filename):
            yield ArchiveProblem("archive_path_escape", f"{name} has the entry {member.orig_filename!r}")
        elif stat.S_ISLNK(member.external_attr >> 16):
            yield ArchiveProblem("archive_link", f"{name} has the link {member.filename!r}")
        elif is_archive(member.filename):
            yield from _nested(archive, member, name, depth)


def _nested(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, depth: int) -> Iterator[ArchiveProblem]:
    if depth >= ARCHIVE_DEPTH:
        yield ArchiveProblem("archive_nested", f"{name} has {member.filename!r} at depth {depth + 1}")
    else:
        yield from inspect_archive(archive.read(member), f"{name}!{member.filename}", depth=depth + 1)


def _overlaps(members: list[zipfile.ZipInfo]) -> bool:
    """Whether two entries share bytes, the trick that makes a small zip very large."""
    end = 0
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < end:
            return True
        end = member.header_offset + 30 + member.compress_size
    return False


def _tar_problems(tar: tarfile.TarFile, name: str) -> Iterator[ArchiveProblem]:
    total = 0
    for member in tar:
        total += member.size
        if total > ARCHIVE_BYTES:
            yield ArchiveProblem("archive_bomb", f"{name} unpacks to more than {ARCHIVE_BYTES} bytes")
            return
        if member.issym() or member.islnk() or member.isdev():
            yield ArchiveProblem("archive_link", f"{name} has the link or device {member.name!r}")
        elif escapes(member.name):
            yield ArchiveProblem("archive_path_escape", f"{name} has the entry {member.name!r}")


def escapes(entry: str) -> bool:
    """Whether a path inside an archive leads anywhere but below the folder it is unpacked in."""
    path = PurePosixPath(entry.replace("\\", "/"))
    return path.is_absolute() or ".." in path.parts or (len(entry) > 1 and entry[1] == ":")
