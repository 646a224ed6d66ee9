"""Unpacks an archive of skills, file by file, after its directory has been inspected."""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from metier.archives import UNREADABLE_ARCHIVE, find_root, open_zip
from metier.errors import InvalidSkill
from metier.skills.checks import ARCHIVE_SUFFIXES, file_name_problem, inspect_archive, is_path_escape
from metier.skills.model import MAX_ARCHIVE_BYTES, MAX_FILE_BYTES
from metier.skills.read._candidate_files import read_bytes

MAX_MEMBERS: Final = 10_000
_HINT = "unpack it by hand, look at what is in it, and convert the folder"


def unpack(archive: Path, into: Path) -> Path:
    """Write the files of `archive` below `into` and return the folder to scan for skills."""
    stem = archive.name
    for suffix in sorted(ARCHIVE_SUFFIXES, key=len, reverse=True):
        stem = stem[: -len(suffix)] if stem.lower().endswith(suffix) else stem
    root = into / (stem or "skill")
    root.mkdir()
    try:
        raw = read_bytes(archive, MAX_ARCHIVE_BYTES)
        _refuse_problems(raw, archive)
        _write_members(raw, archive, root)
    except NotImplementedError as error:
        raise InvalidSkill(f"{archive.name} is packed in a way that cannot be read: {error}", hint=_HINT) from error
    except RuntimeError as error:  # raised for a password-protected member
        raise InvalidSkill(f"{archive.name} is encrypted: {error}", hint=_HINT) from error
    except (*UNREADABLE_ARCHIVE, tarfile.TarError) as error:
        raise InvalidSkill(f"{archive.name} cannot be unpacked: {error}", hint=_HINT) from error
    return find_root(root)


def _refuse_problems(raw: bytes, archive: Path) -> None:
    problems = inspect_archive(raw, archive.name)
    if problems:
        said = "; ".join(f"{problem.message} ({problem.code})" for problem in problems[:3])
        raise InvalidSkill(f"archive refused: {said}", hint="pack plain files below one folder, no links, no archives")


def _write_members(raw: bytes, archive: Path, root: Path) -> None:
    left = MAX_ARCHIVE_BYTES
    for number, (name, mode, data) in enumerate(_iter_members(raw, archive.name)):
        if number >= MAX_MEMBERS:
            raise InvalidSkill(f"{archive.name} has more than {MAX_MEMBERS} files", hint=_HINT)
        path = root.joinpath(*_split_safe_path(name, archive.name))
        left -= len(data)
        if len(data) > MAX_FILE_BYTES or left < 0:
            raise InvalidSkill(f"{archive.name}: {name!r} is larger than a skill's file may be", hint=_HINT)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:  # a repeated name is an error, not an overwrite
            file.write(data)
        path.chmod(0o755 if mode & 0o111 else 0o644)


def _iter_members(raw: bytes, name: str) -> Iterator[tuple[str, int, bytes]]:
    """Name, mode and content of every regular file, one at a time; one that is too large has a byte too many."""
    if name.lower().endswith((".zip", ".skill")):
        with open_zip(io.BytesIO(raw), max_entries=2 * MAX_MEMBERS, max_bytes=2 * MAX_ARCHIVE_BYTES) as packed:
            for info in packed.entries:
                if not info.is_dir() and not info.filename.startswith("__MACOSX/"):
                    yield info.filename, info.external_attr >> 16, packed.read(info, MAX_FILE_BYTES + 1)
        return
    with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isfile() else None
            if content is not None:
                with content:
                    yield member.name, member.mode, content.read(MAX_FILE_BYTES + 1)


def _split_safe_path(name: str, archive: str) -> tuple[str, ...]:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    why = "it leads out of the archive" if is_path_escape(name) or not parts else ""
    why = why or next((said for part in parts if (said := file_name_problem(part))), "")
    if why:
        raise InvalidSkill(f"{archive}: {name!r} cannot be unpacked: {why}", hint=_HINT)
    return parts
