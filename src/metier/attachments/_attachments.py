"""Files that a user attached to a conversation: kept in its workspace, under names made here."""

import os
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from metier.attachments._file_types import FileType, detect_type, get_type
from metier.attachments._text import extract_text
from metier.errors import InvalidInput, PathNotFound, TooLarge
from metier.json_values import JsonObject
from metier.tools import ToolError
from metier.tools.builtin import add_to_workspace, measure_folder, open_in_workspace, remove_in_workspace
from metier.workspaces import WorkspaceQuota

FOLDER: Final = "attachments"
MAX_FILES: Final = 20
_MAX_NAME_CHARS: Final = 60
_MAX_TEXT_CHARS: Final = 200_000
_NOT_IN_A_NAME: Final = re.compile(r"[^\w.\- ]+", re.UNICODE)
_STORED: Final = re.compile(rf"(\d{{3,9}})-([\w\- .]{{1,{_MAX_NAME_CHARS + 8}}})")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that a user attached: its path in the workspace and its name for people."""

    path: str
    name: str
    media_type: str
    size_bytes: int

    def to_json(self) -> JsonObject:
        return {"path": self.path, "name": self.name, "media_type": self.media_type, "bytes": self.size_bytes}


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
        raise InvalidInput(f"{name[:80]!r} is empty", hint="attach a file that has content")
    if len(content) > max_bytes:
        hint = f"attach files of up to {max_bytes // 1024 // 1024} MB"
        raise TooLarge(f"{name[:80]!r} has {len(content)} bytes; the most is {max_bytes}", hint=hint)
    kind = detect_type(name, content)
    choose_name = partial(_choose_name, name, kind)
    try:
        path = add_to_workspace(workspace, FOLDER, choose_name, content, quota)
    except ToolError as error:
        raise InvalidInput(error.failure.message, hint=error.failure.hint or "remove some files first") from error
    return Attachment(path, path.partition("-")[2], kind.media_type, len(content))


def _choose_name(name: str, kind: FileType, known: Sequence[str]) -> str:
    """Name of a new file among those that are there."""
    stored = [hit for hit in map(_STORED.fullmatch, known) if hit is not None]
    if len(stored) >= MAX_FILES:
        raise InvalidInput(f"{MAX_FILES} files are attached already", hint="remove one first")
    number = 1 + max((int(hit[1]) for hit in stored), default=0)
    clean = _clean_name(name)
    stem = clean.rpartition(".")[0] or clean
    return f"{number:03d}-{stem[:_MAX_NAME_CHARS].strip(' .-') or 'file'}.{kind.ending}"


def list_attachments(workspace: Path) -> tuple[Attachment, ...]:
    """Attached files, the oldest first."""
    found: list[tuple[int, Attachment]] = []
    for stored, size_bytes in measure_folder(workspace, FOLDER).items():
        hit = _STORED.fullmatch(stored)
        kind = get_type(stored.rpartition(".")[2]) if hit is not None else None
        if hit is not None and kind is not None:
            found.append((int(hit[1]), Attachment(f"{FOLDER}/{stored}", hit[2], kind.media_type, size_bytes)))
    return tuple(one for _, one in sorted(found, key=lambda numbered: (numbered[0], numbered[1].path)))


def remove_attachment(workspace: Path, path: str) -> None:
    """Remove an attached file; `PathNotFound` if there is none at this path."""
    if path not in [one.path for one in list_attachments(workspace)]:
        raise PathNotFound(f"no file {path[:120]!r} is attached", hint="the list of attachments has their paths")
    remove_in_workspace(workspace, path)


def read_attached_text(workspace: Path) -> AttachedText | None:
    """Text of all attached files that have some, each under its name; None if there is none."""
    parts: list[tuple[Attachment, str]] = []
    for one in list_attachments(workspace):
        text = _read_text(workspace, one)
        if text and text.strip():
            parts.append((one, text))
    if not parts:
        return None
    whole = parts[0][1] if len(parts) == 1 else "\n\n".join(f"# {one.name}\n\n{text}" for one, text in parts)
    newest = parts[-1][0]
    return AttachedText(whole[:_MAX_TEXT_CHARS], newest.name, newest.path)


def _read_text(workspace: Path, one: Attachment) -> str | None:
    try:
        file = open_in_workspace(workspace, one.path)
    except ToolError:  # removed since it was listed, or replaced by something that is no file
        return None
    with os.fdopen(file, "rb") as source:
        return extract_text(one.path.rpartition(".")[2], source, _MAX_TEXT_CHARS)


def _clean_name(name: str) -> str:
    """Last part of the client's name with letters, digits, spaces, dots and dashes only."""
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rpartition("/")[2]
    return _NOT_IN_A_NAME.sub("", last).strip(" .-")
