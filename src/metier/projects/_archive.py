"""Projects that come as a zip file: unpacked within limits into a folder of our own, then copied like any other."""

import re
import stat
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Final
from zipfile import ZipInfo

from metier.archives import UNREADABLE_ARCHIVE, ArchiveTooLarge, find_root, open_zip
from metier.projects._copy import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES, CopyReport, LeftOut, find_skipped
from metier.projects._files import check_path
from metier.projects._problems import ProjectProblem
from metier.projects._project import add_project

_MAX_ENTRIES: Final = 50_000
_MAX_UNPACKED_FILES: Final = 4 * MAX_FILES
_MAX_UNPACKED_BYTES: Final = 4 * MAX_TOTAL_BYTES
_UTF8_NAME: Final = 0x800
_ENCRYPTED: Final = 0x1
_HIDDEN: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f]")
_MAX_SHOWN_CHARS: Final = 120


def add_archive(
    storage: Path, workspace: Path, content: bytes, name: str, *, max_bytes: int = MAX_TOTAL_BYTES
) -> CopyReport:
    """Unpack a zip file into a conversation as its project; it has no folder to write back to.

    Nothing is kept of a file that is damaged, locked, too large, or names a path outside of the project; `max_bytes` is
    what the workspace may hold.
    """
    plain = _HIDDEN.sub("", name.replace("\\", "/")).encode(errors="ignore").decode()
    title = Path(plain).name.removesuffix(".zip").strip(" .")[:60] or "project"
    with tempfile.TemporaryDirectory(prefix="metier-project-") as place:
        folder = Path(place) / title  # problems name the folder of the project
        folder.mkdir()
        left_out = _unpack(content, folder, title, max_bytes)
        root = find_root(folder)
        top = "" if root == folder else f"{root.name}/"
        report = add_project(storage, workspace, root, name=root.name, has_origin=False)
    shown = {_HIDDEN.sub("", path.removeprefix(top))[:_MAX_SHOWN_CHARS]: one.reason for path, one in left_out.items()}
    report.left_out += [LeftOut(path, reason) for path, reason in shown.items()]
    return report


def _unpack(content: bytes, folder: Path, name: str, max_bytes: int) -> dict[str, LeftOut]:
    """Write the plain files of an archive below a new folder; returns what was left out by its path."""
    left_out: dict[str, LeftOut] = {}
    total_bytes = count = 0
    try:
        with open_zip(BytesIO(content), max_entries=_MAX_ENTRIES, max_bytes=_MAX_UNPACKED_BYTES) as archive:
            for entry in archive.entries:
                path = _read_name(entry)
                skipped = _find_reason(entry, path)
                if skipped is not None:
                    left_out[skipped.path] = skipped
                if skipped is not None or path.endswith("/"):
                    continue
                total_bytes, count = total_bytes + entry.file_size, count + 1
                if total_bytes > min(max_bytes, _MAX_UNPACKED_BYTES):
                    raise ProjectProblem("too_large", path=name, limit=min(max_bytes, MAX_TOTAL_BYTES) >> 20)
                if count > _MAX_UNPACKED_FILES:
                    raise ProjectProblem("too_many_files", path=name, limit=MAX_FILES)
                _write(folder, check_path(path), archive.read(entry, MAX_FILE_BYTES))
    except ArchiveTooLarge as error:
        raise ProjectProblem("too_many_files", path=name, limit=MAX_FILES) from error
    except UNREADABLE_ARCHIVE as error:
        raise ProjectProblem("archive_damaged", path=name) from error
    return left_out


def _find_reason(entry: ZipInfo, path: str) -> LeftOut | None:
    """Why an entry is not unpacked; None if it is. A path that leads outside, and a locked entry, raise."""
    names = [one for one in path.split("/") if one not in ("", ".")]
    if ".." in names or path.startswith(("/", "~")):
        raise ProjectProblem("path_refused", path=path[:120])
    for at in range(len(names)):
        reason = find_skipped(names[at])
        if reason is not None:
            return LeftOut("/".join(names[: at + 1]), reason)
    if not names or path.endswith("/"):
        return None
    mode = entry.external_attr >> 16
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        return LeftOut(path, "link")
    if entry.flag_bits & _ENCRYPTED:
        raise ProjectProblem("archive_locked", path=path[:120])
    return LeftOut(path, "big") if entry.file_size > MAX_FILE_BYTES else None


def _read_name(entry: ZipInfo) -> str:
    """Path of an entry with forward slashes. Names that are not marked as UTF-8 may be in it, or in GBK."""
    name = entry.orig_filename
    if not entry.flag_bits & _UTF8_NAME:
        try:
            raw = name.encode("cp437")
        except UnicodeEncodeError:
            raw = name.encode()
        for encoding in ("utf-8", "gb18030"):
            try:
                name = raw.decode(encoding)
                break
            except UnicodeDecodeError:
                continue
    return name.replace("\\", "/")


def _write(folder: Path, path: str, content: bytes) -> None:
    place = folder / path
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    except OSError as error:  # a file where another entry has a folder, or a name that is too long
        raise ProjectProblem("path_refused", path=path[:120]) from error
