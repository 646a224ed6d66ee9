"""Files that a user attached to a conversation: kept in its workspace, under names made here."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.attachments._file_types import detect_type
from metier.attachments._text import extract_text
from metier.errors import InvalidInput, PathNotFound, TooLarge
from metier.json_values import JsonObject
from metier.tools import ToolError
from metier.tools.builtin import list_workspace_files, open_in_workspace, remove_in_workspace, write_in_workspace
from metier.workspaces import WorkspaceQuota

FOLDER: Final = "attachments"
MAX_FILES: Final = 20
_MAX_NAME_CHARS: Final = 60
_MAX_TEXT_CHARS: Final = 200_000
_NOT_IN_A_NAME: Final = re.compile(r"[^\w.\- ]+", re.UNICODE)
_STORED: Final = re.compile(rf"{FOLDER}/(\d{{3}})-([\w\- .]{{1,{_MAX_NAME_CHARS + 8}}})")


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
    known = list_attachments(workspace)
    if len(known) >= MAX_FILES:
        raise InvalidInput(f"{MAX_FILES} files are attached already", hint="remove one first")
    number = 1 + max((int(one.path.split("/")[1][:3]) for one in known), default=0)
    stem = _clean_name(name).rpartition(".")[0] or _clean_name(name) or "file"
    path = f"{FOLDER}/{number:03d}-{stem[:_MAX_NAME_CHARS].strip(' .-') or 'file'}.{kind.ending}"
    try:
        write_in_workspace(workspace, path, content, quota)
    except ToolError as error:
        raise InvalidInput(error.failure.message, hint=error.failure.hint or "remove some files first") from error
    return Attachment(path, path.partition("-")[2], kind.media_type, len(content))


def list_attachments(workspace: Path) -> tuple[Attachment, ...]:
    """Attached files, the oldest first."""
    found = []
    for path in sorted(list_workspace_files(workspace)):
        hit = _STORED.fullmatch(path)
        if hit is not None:
            content = _read(workspace, path)
            kind = detect_type(hit[2], content)
            found.append(Attachment(path, hit[2], kind.media_type, len(content)))
    return tuple(found)


def remove_attachment(workspace: Path, path: str) -> None:
    """Remove an attached file; `PathNotFound` if there is none at this path."""
    if path not in [one.path for one in list_attachments(workspace)]:
        raise PathNotFound(f"no file {path[:120]!r} is attached", hint="the list of attachments has their paths")
    remove_in_workspace(workspace, path)


def read_attached_text(workspace: Path) -> AttachedText | None:
    """Text of all attached files that have some, each under its name; None if there is none."""
    parts: list[tuple[Attachment, str]] = []
    for one in list_attachments(workspace):
        text = extract_text(one.path.rpartition(".")[2], _read(workspace, one.path))
        if text and text.strip():
            parts.append((one, text))
    if not parts:
        return None
    whole = parts[0][1] if len(parts) == 1 else "\n\n".join(f"# {one.name}\n\n{text}" for one, text in parts)
    newest = parts[-1][0]
    return AttachedText(whole[:_MAX_TEXT_CHARS], newest.name, newest.path)


def _clean_name(name: str) -> str:
    """Last part of the client's name with letters, digits, spaces, dots and dashes only."""
    return _NOT_IN_A_NAME.sub("", name.replace("\\", "/").rpartition("/")[2]).strip(" .-")


def _read(workspace: Path, path: str) -> bytes:
    with os.fdopen(open_in_workspace(workspace, path), "rb") as source:
        return source.read()
