"""Reads the files of one candidate: refuses what is not a regular file, hashes all, keeps text files in memory."""

import hashlib
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import attrgetter
from pathlib import Path, PurePosixPath

from metier.skills.checks import file_name_problem, fold, inspect_archive, is_archive
from metier.skills.model import MAX_FILE_BYTES, MAX_FOLDER_BYTES, MAX_FOLDER_FILES, MAX_MAIN_FILE_BYTES, Report
from metier.skills.read._decode import check_resource_text
from metier.skills.read._scan import ScannedFile, SkillCandidate

_OPEN_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_KEPT_SUFFIXES = (".md", ".txt", ".docx", ".json", ".yaml", ".yml", ".py")
_PROSE_SUFFIXES = (".md", ".txt")
_LOADABLE_SUFFIXES = (".py", ".pyc", ".so", ".pth", ".zip")
_CODE_SUFFIXES = (".py", ".sh", ".js", ".ts", ".bash", ".ps1", ".json", ".yaml", ".yml", ".toml", ".html", ".csv")
_IMAGE_MAGIC = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
_MAGIC: Mapping[str, tuple[bytes, ...]] = {
    **dict.fromkeys(
        (".png", ".jpg", ".jpeg", ".gif", ".webp"), _IMAGE_MAGIC
    ),  # a PNG named .jpg is a mistake, not an attack
    **dict.fromkeys((".zip", ".docx", ".xlsx", ".pptx"), _ZIP_MAGIC),
    ".pdf": (b"%PDF-",),
}


@dataclass(frozen=True, slots=True)
class LoadedFile:
    """A file of the skill: size, hash, and the bytes if the file may be parsed."""

    name: str
    size_bytes: int
    sha256: str
    content: bytes | None


@dataclass(slots=True)
class SkillFolder:
    """Files of one skill as read at one moment."""

    path: Path
    files: dict[str, LoadedFile] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    is_cut: bool = False

    @property
    def has_bad_code(self) -> bool:
        """Whether a file that a script could load was left out, or not even listed: no script may run beside it."""
        return self.is_cut or any(
            name.startswith("scripts/") or name.endswith(_LOADABLE_SUFFIXES) for name in self.left_out
        )

    @property
    def digest(self) -> str:
        """SHA-256 over the names and hashes of all files."""
        whole = hashlib.sha256()
        for name in sorted(self.files):
            whole.update(f"{name}\0{self.files[name].sha256}\n".encode())
        return whole.hexdigest()

    def get_bytes(self, name: str) -> bytes:
        """Bytes of a file; empty if the file does not exist or is not kept."""
        stored = self.files.get(name)
        return (stored.content or b"") if stored else b""

    def list_files(self, folder: str, suffix: str) -> list[str]:
        """Names of the files with this suffix directly inside a sub-folder."""
        return [
            name
            for name in self.files
            if name.startswith(f"{folder}/") and name.endswith(suffix) and name.count("/") == 1
        ]


def read_folder(candidate: SkillCandidate, report: Report) -> SkillFolder:
    """Read and check every file; invalid files are reported and left out."""
    folder = SkillFolder(candidate.folder)
    for name in candidate.ignored_folders:
        report.add("bytecode_ignored", f"{name!r} was ignored", hint="delete it", path=folder.path / name)
    for name in candidate.unreadable_folders:
        message = f"{name!r} cannot be looked into"
        report.add("file_unreadable", message, hint="check its permissions", path=folder.path / name, part=True)
        folder.left_out.append(name)
    read = _choose_files(candidate, report)
    folder.left_out += [seen.name for seen in candidate.files if seen not in read]
    folder.is_cut = len(candidate.files) > MAX_FOLDER_FILES
    twice = _find_collisions(candidate, report)
    for seen in read:
        found = Report(candidate.folder / seen.name, report.trusted)
        stored = _read_checked(seen, candidate, found) if seen.name not in twice else None
        if stored is not None and not found.has_refusal:
            folder.files[seen.name] = stored
        elif seen.name != candidate.main_file:
            folder.left_out.append(seen.name)
        report.extend(found if seen.name == candidate.main_file else found.spare())
    return folder


def _read_checked(seen: ScannedFile, candidate: SkillCandidate, report: Report) -> LoadedFile | None:
    return _read_file(seen, candidate, report) if _check_file(seen, candidate, report) else None


def _choose_files(candidate: SkillCandidate, report: Report) -> Sequence[ScannedFile]:
    """The files that are read: as many as a skill may have, of too many bytes the smaller ones."""
    read, hint = candidate.files, "keep data outside the skill"
    if len(read) > MAX_FOLDER_FILES:
        report.add(
            "too_many_files", f"more than {MAX_FOLDER_FILES} files; the others are not used", hint=hint, part=True
        )
        read = read[:MAX_FOLDER_FILES]
    read = tuple(sorted(read, key=attrgetter("name")))
    sizes = {seen: seen.size_bytes for seen in read if stat.S_ISREG(seen.mode) and seen.size_bytes <= MAX_FILE_BYTES}
    total = sum(sizes.values())
    if total <= MAX_FOLDER_BYTES:
        return read
    report.add("folder_too_large", f"{total} bytes; the most is {MAX_FOLDER_BYTES}", hint=hint, part=True)
    smaller = sorted(sizes, key=lambda seen: (seen.name != candidate.main_file, seen.size_bytes))
    totals = accumulate(sizes[seen] for seen in smaller)
    beyond = {seen for seen, reached in zip(smaller, totals, strict=True) if reached > MAX_FOLDER_BYTES}
    return [seen for seen in read if seen not in beyond]


def _find_collisions(candidate: SkillCandidate, report: Report) -> frozenset[str]:
    """Files whose names are the same on some systems: none of them is read, unless it is the main file."""
    seen: dict[str, str] = {}
    twice: set[str] = set()
    for file in candidate.files:
        other = seen.setdefault(fold(file.name), file.name)
        if other != file.name:
            message = f"{file.name!r} and {other!r} are the same name on some systems"
            costly = candidate.main_file in (file.name, other)
            path = candidate.folder / file.name
            report.add("file_name_collision", message, hint="rename one of them", path=path, part=not costly)
            twice |= {file.name, other}
    return frozenset(twice - {candidate.main_file})


def _check_file(seen: ScannedFile, candidate: SkillCandidate, report: Report) -> bool:
    path = candidate.folder / seen.name
    found = Report(path, report.trusted)
    for problem in (
        _kind_problem(seen),
        _size_problem(seen, _max_bytes(seen, candidate)),
        _name_problem(seen, candidate),
    ):
        if problem is not None:
            code, message, hint = problem
            found.add(code, f"{seen.name!r} {message}", hint=hint)
    report.extend(found)
    return not found.has_refusal


def _max_bytes(seen: ScannedFile, candidate: SkillCandidate) -> int:
    return MAX_MAIN_FILE_BYTES if seen.name == candidate.main_file else MAX_FILE_BYTES


_Problem = tuple[str, str, str]


def _kind_problem(seen: ScannedFile) -> _Problem | None:
    if stat.S_ISLNK(seen.mode):
        return "symlink", "is a symbolic link", "copy the file itself"
    if stat.S_ISDIR(seen.mode):
        return "folder_too_deep", "is nested too deep", "flatten the folder"
    if not stat.S_ISREG(seen.mode):
        return "not_regular_file", "is a pipe, socket or device", "remove it"
    if seen.link_count > 1:
        return "hard_link", f"has {seen.link_count} names on this disk", "copy the file itself, or trust the folder"
    return None


def _size_problem(seen: ScannedFile, limit: int) -> _Problem | None:
    if seen.size_bytes > limit:
        return "file_too_large", f"has {seen.size_bytes} bytes; the most is {limit}", "split it or shorten it"
    return None


def _name_problem(seen: ScannedFile, candidate: SkillCandidate) -> _Problem | None:
    for part in PurePosixPath(seen.name).parts:
        if why := file_name_problem(part):
            return "file_name_invalid", f"cannot be used: {why}", "rename it"
    if seen.name.endswith(".pyc") and seen.name.removesuffix("c") not in {other.name for other in candidate.files}:
        return "bytecode_without_source", "is compiled code without its source", "ship the source"
    return None


def _read_file(seen: ScannedFile, candidate: SkillCandidate, report: Report) -> LoadedFile | None:
    path = candidate.folder / seen.name
    try:
        raw = read_bytes(path, _max_bytes(seen, candidate), inode=seen.inode)
    except OSError as error:
        message = f"{seen.name!r} cannot be read: {error.strerror or error}"
        report.add("file_unreadable", message, hint="check that it is there and readable", path=path)
        return None
    _check_content(seen.name, raw, path, report)
    if seen.name != candidate.main_file:
        _check_text(seen.name, raw, path, report)
    suffix = PurePosixPath(seen.name).suffix.lower()
    kept = raw if suffix in _KEPT_SUFFIXES else None
    return LoadedFile(seen.name, len(raw), hashlib.sha256(raw).hexdigest(), kept)


def read_bytes(path: Path, limit: int, *, inode: int | None = None) -> bytes:
    """Content of a regular file of at most `limit` bytes; `OSError` for links, pipes and devices.

    With `inode` the file must be the one that was scanned: a parent folder may have been replaced by a link since.
    """
    handle = os.open(path, _OPEN_FLAGS)
    with os.fdopen(handle, "rb") as file:
        seen = os.fstat(handle)
        if not stat.S_ISREG(seen.st_mode):
            raise OSError(0, "not a regular file")
        if inode is not None and seen.st_ino != inode:
            raise OSError(0, "it was replaced while it was read")
        raw = file.read(limit + 1)
    if len(raw) > limit:
        raise OSError(0, "it grew while it was read")
    return raw


def _check_content(name: str, raw: bytes, path: Path, report: Report) -> None:
    suffix = PurePosixPath(name).suffix.lower()
    expected = _MAGIC.get(suffix)
    if expected and not raw.startswith(expected):
        what = "a script" if raw.startswith(b"#!") else f"no {suffix[1:].upper()} file"
        report.add("content_mismatch", f"{name!r} is {what}", hint="give the file its true suffix", path=path)
        return
    if is_archive(name) or suffix == ".docx":
        for problem in inspect_archive(raw, name):
            report.add(problem.code, problem.message, hint="unpack it and ship the files", path=path)


def _check_text(name: str, raw: bytes, path: Path, report: Report) -> None:
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in _PROSE_SUFFIXES or suffix in _CODE_SUFFIXES:
        text = raw.decode("utf-8-sig", errors="replace")
        check_resource_text(text, path, report, wording=suffix in _PROSE_SUFFIXES)
