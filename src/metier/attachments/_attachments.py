"""Files that a user attached to a conversation: kept in its workspace, under names made here."""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.attachments._file_types import detect_type, find_media_type
from metier.attachments._text import MAX_TEXT_CHARS, OFFICE_ENDINGS, TEXT_ENDINGS, extract_text
from metier.errors import InvalidInput, PathNotFound, TooLarge
from metier.json_values import JsonObject
from metier.tools import ToolError
from metier.tools.builtin import list_workspace_files, open_in_workspace, remove_in_workspace, write_in_workspace
from metier.workspaces import WorkspaceQuota

FOLDER: Final = "attachments"
_TEXTS: Final = f"{FOLDER}/text"
MAX_FILES: Final = 20
_MAX_NAME_CHARS: Final = 60
_NOT_IN_A_NAME: Final = re.compile(r"[^\w.\- ]+", re.UNICODE)
_STORED: Final = re.compile(rf"{FOLDER}/(\d{{3}})-([\w\- .]{{1,{_MAX_NAME_CHARS + 8}}})")


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
        raise InvalidInput(f"{name[:80]!r} is empty", hint="attach a file that has content")
    if len(content) > max_bytes:
        hint = f"attach files of up to {max_bytes // 1024 // 1024} MB"
        raise TooLarge(f"{name[:80]!r} has {len(content)} bytes; the most is {max_bytes}", hint=hint)
    kind = detect_type(name, content)
    known = list_attachments(workspace)
    if len(known) >= MAX_FILES:
        raise InvalidInput(f"{MAX_FILES} files are attached already", hint="remove one first")
    found = extract_text(name, kind.ending, content)
    number = 1 + max((int(one.path.split("/")[1][:3]) for one in known), default=0)
    stem = _clean_name(name).rpartition(".")[0] or _clean_name(name) or "file"
    path = f"{FOLDER}/{number:03d}-{stem[:_MAX_NAME_CHARS].strip(' .-') or 'file'}.{kind.ending}"
    _write(workspace, path, content, found if kind.ending in OFFICE_ENDINGS else None, quota)
    return Attachment(path, path.partition("-")[2], kind.media_type, len(content), len(found or ""))


def list_attachments(workspace: Path) -> tuple[Attachment, ...]:
    """Attached files, the oldest first."""
    found = []
    for path in sorted(list_workspace_files(workspace)):
        hit = _STORED.fullmatch(path)
        media_type = find_media_type(path.rpartition(".")[2])  # the ending was told from the content
        if hit is not None and media_type is not None:
            size, text = _measure(workspace, path), _read_text(workspace, path)
            found.append(Attachment(path, hit[2], media_type, size, len(text)))
    return tuple(found)


def remove_attachment(workspace: Path, path: str) -> Attachment:
    """Remove an attached file and return what it was; `PathNotFound` if there is none at this path."""
    known = next((one for one in list_attachments(workspace) if one.path == path), None)
    if known is None:
        raise PathNotFound(f"no file {path[:120]!r} is attached", hint="the list of attachments has their paths")
    remove_in_workspace(workspace, path)
    if _text_path(path) in list_workspace_files(workspace):
        remove_in_workspace(workspace, _text_path(path))
    return known


def read_attached_text(workspace: Path) -> AttachedText | None:
    """Text of all attached files that have some, each under its name; None if there is none."""
    parts = [(one, _read_text(workspace, one.path)) for one in list_attachments(workspace) if one.text_chars]
    if not parts:
        return None
    whole = parts[0][1] if len(parts) == 1 else "\n\n".join(f"# {one.name}\n\n{text}" for one, text in parts)
    newest = parts[-1][0]
    return AttachedText(whole[:MAX_TEXT_CHARS], newest.name, newest.path)


def _write(workspace: Path, path: str, content: bytes, text: str | None, quota: WorkspaceQuota) -> None:
    """Write the file and beside it the text that was read from it; both or neither."""
    try:
        write_in_workspace(workspace, path, content, quota)
        if text:
            write_in_workspace(workspace, _text_path(path), text.encode(), quota)
    except ToolError as error:
        if path in list_workspace_files(workspace):
            remove_in_workspace(workspace, path)
        raise InvalidInput(error.failure.message, hint=error.failure.hint or "remove some files first") from error


def _text_path(path: str) -> str:
    """Where the text of a pdf or Office file is kept, so that a turn does not read the file again."""
    return f"{_TEXTS}/{path.rpartition('/')[2]}.txt"


def _read_text(workspace: Path, path: str) -> str:
    ending = path.rpartition(".")[2]
    if ending not in OFFICE_ENDINGS:
        found = extract_text(path, ending, _read(workspace, path)) if ending in TEXT_ENDINGS else None
        return found or ""
    try:
        return _read(workspace, _text_path(path)).decode()
    except ToolError:
        return ""


def _measure(workspace: Path, path: str) -> int:
    with os.fdopen(open_in_workspace(workspace, path), "rb") as source:
        return os.fstat(source.fileno()).st_size


def _clean_name(name: str) -> str:
    """Last part of the client's name with letters, digits, spaces, dots and dashes only."""
    return _NOT_IN_A_NAME.sub("", name.replace("\\", "/").rpartition("/")[2]).strip(" .-")


def _read(workspace: Path, path: str) -> bytes:
    with os.fdopen(open_in_workspace(workspace, path), "rb") as source:
        return source.read()
