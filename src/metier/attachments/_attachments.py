"""Files that a user attached to a conversation: kept in its workspace, under names made here."""

import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from metier.attachments._file_types import detect_type, find_media_type
from metier.documents import MAX_TEXT_CHARS, OFFICE_ENDINGS, TEXT_ENDINGS, extract_text
from metier.errors import FileDamaged, InvalidInput, PathNotFound, TooLarge
from metier.json_values import JsonObject
from metier.tools import ToolError
from metier.tools.builtin import (
    add_to_workspace,
    measure_folder,
    open_in_workspace,
    remove_in_workspace,
    write_in_workspace,
)
from metier.workspaces import WorkspaceQuota

FOLDER: Final = "attachments"
_TEXTS: Final = f"{FOLDER}/text"
MAX_FILES: Final = 20
_MAX_NAME_CHARS: Final = 60
_MAX_READ_BYTES: Final = 4 * MAX_TEXT_CHARS + 4
_NOT_IN_A_NAME: Final = re.compile(r"[^\w.\- ]+", re.UNICODE)
_STORED: Final = re.compile(rf"(\d{{3,9}})-([\w\- .]{{1,{_MAX_NAME_CHARS + 8}}})")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that a user attached: its path in the workspace, its name for people, and how much text skills read."""

    path: str
    name: str
    media_type: str
    size_bytes: int
    text_chars: int = 0

    def to_json(self) -> JsonObject:
        return {
            "path": self.path,
            "name": self.name,
            "media_type": self.media_type,
            "bytes": self.size_bytes,
            "text_chars": self.text_chars,
        }


@dataclass(frozen=True, slots=True)
class AttachedText:
    """Text of the attached files of a conversation; `name` and `path` are those of the newest."""

    text: str
    name: str
    path: str

    def to_json(self) -> JsonObject:
        return {"text": self.text, "name": self.name, "path": self.path}


def add_attachment(workspace: Path, name: str, content: bytes, *, max_bytes: int, quota: WorkspaceQuota) -> Attachment:
    """Check a file and keep it; the error says in a sentence what is wrong with it."""
    if not content:
        raise FileDamaged(f"{name[:80]!r} is empty", hint="attach a file that has content")
    if len(content) > max_bytes:
        hint = f"attach files of up to {max_bytes // 1024 // 1024} MB"
        raise TooLarge(f"{name[:80]!r} has {len(content)} bytes; the most is {max_bytes}", hint=hint)
    kind = detect_type(name, content)
    found = extract_text(name, kind.ending, content)
    text = found if kind.ending in OFFICE_ENDINGS else None
    path = _write(workspace, partial(_choose_name, name, kind.ending), content, text, quota)
    return Attachment(path, path.partition("-")[2], kind.media_type, len(content), len(found or ""))


def _choose_name(name: str, ending: str, known: Sequence[str]) -> str:
    """Name of a new file among those that are there."""
    stored = [hit for hit in map(_STORED.fullmatch, known) if hit is not None]
    if len(stored) >= MAX_FILES:
        raise InvalidInput(f"{MAX_FILES} files are attached already", hint="remove one first")
    number = 1 + max((int(hit[1]) for hit in stored), default=0)
    clean = _clean_name(name)
    stem = clean.rpartition(".")[0] or clean
    return f"{number:03d}-{stem[:_MAX_NAME_CHARS].strip(' .-') or 'file'}.{ending}"


def may_have_attachments(workspace: Path) -> bool:
    """Whether there is a folder for attached files: one look at the file system, cheap enough for the event loop."""
    return (workspace / FOLDER).is_dir()


def list_attachments(workspace: Path) -> tuple[Attachment, ...]:
    """Attached files, the oldest first."""
    found: list[tuple[int, Attachment]] = []
    for stored, size_bytes in measure_folder(workspace, FOLDER).items():
        hit = _STORED.fullmatch(stored)
        media_type = find_media_type(stored.rpartition(".")[2])  # the ending was told from the content
        if hit is not None and media_type is not None:
            path = f"{FOLDER}/{stored}"
            text = _read_text(workspace, path)
            found.append((int(hit[1]), Attachment(path, hit[2], media_type, size_bytes, len(text))))
    return tuple(one for _, one in sorted(found, key=lambda numbered: (numbered[0], numbered[1].path)))


def list_attached_names(workspace: Path) -> tuple[str, ...]:
    """Names for people of the attached files; their content is not read."""
    found = map(_STORED.fullmatch, measure_folder(workspace, FOLDER)) if may_have_attachments(workspace) else ()
    return tuple(hit[2] for hit in found if hit is not None)


def remove_attachment(workspace: Path, path: str) -> Attachment:
    """Remove an attached file and return what it was; `PathNotFound` if there is none at this path."""
    known = next((one for one in list_attachments(workspace) if one.path == path), None)
    if known is None:
        raise PathNotFound(f"no file {path[:120]!r} is attached", hint="the list of attachments has their paths")
    # The text first: a process that dies between the two leaves a file that can still be removed.
    if path.rpartition("/")[2] + ".txt" in measure_folder(workspace, _TEXTS):
        remove_in_workspace(workspace, _text_path(path))
    remove_in_workspace(workspace, path)
    return known


def read_attached_text(workspace: Path) -> AttachedText | None:
    """Text of all attached files that have some, each under its name; None if there is none."""
    parts = [(one, _read_text(workspace, one.path)) for one in list_attachments(workspace) if one.text_chars]
    if not parts:
        return None
    whole = parts[0][1] if len(parts) == 1 else "\n\n".join(f"# {one.name}\n\n{text}" for one, text in parts)
    newest = parts[-1][0]
    return AttachedText(whole[:MAX_TEXT_CHARS], newest.name, newest.path)


def _write(
    workspace: Path,
    choose_name: Callable[[Sequence[str]], str],
    content: bytes,
    text: str | None,
    quota: WorkspaceQuota,
) -> str:
    """Write the file and beside it the text that was read from it; both or neither. Returns its path."""
    path = ""
    try:
        path = add_to_workspace(workspace, FOLDER, choose_name, content, quota)
        if text:
            write_in_workspace(workspace, _text_path(path), text.encode(), quota)
    except ToolError as error:
        if path:
            remove_in_workspace(workspace, path)
        raise InvalidInput(error.failure.message, hint=error.failure.hint or "remove some files first") from error
    return path


def _text_path(path: str) -> str:
    """Where the text of a pdf or Office file is kept, so that a turn does not read the file again."""
    return f"{_TEXTS}/{path.rpartition('/')[2]}.txt"


def _read_text(workspace: Path, path: str) -> str:
    """Text of an attached file; empty if it has none, or was removed or replaced by something else meanwhile."""
    ending = path.rpartition(".")[2]
    try:
        if ending in OFFICE_ENDINGS:
            return _read(workspace, _text_path(path)).decode("utf-8", "replace")[:MAX_TEXT_CHARS]
        found = extract_text(path, ending, _read(workspace, path)) if ending in TEXT_ENDINGS else None
    except ToolError:
        return ""
    return found or ""


def _clean_name(name: str) -> str:
    """Last part of the client's name with letters, digits, spaces, dots and dashes only."""
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    return _NOT_IN_A_NAME.sub("", last).strip(" .-")


def _read(workspace: Path, path: str) -> bytes:
    """The beginning of a file: no more than skills read of it."""
    with os.fdopen(open_in_workspace(workspace, path), "rb") as source:
        return source.read(_MAX_READ_BYTES)
