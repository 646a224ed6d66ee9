"""Versions of a document in a conversation: the bytes before each write, so that undo gives exactly them back.

Hidden files of the workspace: `.versions/KEY/0001.bin` has the bytes before the first write, `index.json` says which
plan wrote what. The result of a write replaces the working copy by a rename, so that nobody reads half a file.
"""

import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Final, TypeVar

from metier.packs.office.conversation._documents import ConversationDocument, read_bytes, working_path
from metier.tools import ToolError

_FOLDER: Final = ".versions"
_INDEX: Final = "index.json"
_MAX_VERSIONS: Final = 200
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Version:
    """One write: its number, the digests before and after it, and the plan that made it."""

    number: int
    before: str
    after: str
    plan: str
    mode: str
    changes: int
    at: str
    path: str


@dataclass(frozen=True, slots=True)
class NewVersion:
    """What a write is recorded with."""

    plan: str
    mode: str
    at: str


def digest_document(workspace: Path, document: ConversationDocument) -> str:
    """SHA-256 of the newest version of a document."""
    return hashlib.sha256(read_bytes(workspace, document.current)).hexdigest()


def list_versions(workspace: Path, document: ConversationDocument) -> tuple[Version, ...]:
    """Writes of a document that were not undone, the oldest first."""
    try:
        rows = json.loads((_folder_of(workspace, document) / _INDEX).read_text("utf-8"))
    except (OSError, ValueError):
        return ()
    return tuple(Version(**one) for one in rows)


def write_version(
    workspace: Path,
    document: ConversationDocument,
    expected: str,
    made_by: NewVersion,
    execute: Callable[[Path, Path], tuple[_Result, int]],
) -> tuple[_Result, Version | None]:
    """Run `execute(source, target)`, which returns its result and how many changes it made, and keep the target.

    `expected` is the digest that the user saw in the preview. Without a change nothing is written.
    """
    with _lock(workspace, document) as folder, tempfile.TemporaryDirectory(dir=folder, prefix="new-") as scratch:
        content = read_bytes(workspace, document.current)
        before = hashlib.sha256(content).hexdigest()
        if before != expected:
            raise changed_since(document.name)
        path = working_path(document, workspace)
        source = Path(scratch) / f"source{PurePosixPath(document.current).suffix}"
        target = Path(scratch) / f"target{PurePosixPath(path).suffix}"
        source.write_bytes(content)
        result, changes = execute(source, target)
        after = hashlib.sha256(target.read_bytes()).hexdigest() if target.exists() else before
        if not changes or after == before:
            return result, None
        known = list_versions(workspace, document)
        number = 1 + max((one.number for one in known), default=0)
        made = Version(number, before, after, made_by.plan, made_by.mode, changes, made_by.at, path)
        _write_file(folder / f"{number:04d}.bin", content)
        _replace(target, workspace / path)
        _write_index(folder, (*known, made))
        return result, made


def undo_version(workspace: Path, document: ConversationDocument) -> Version:
    """Put the bytes before the last write back; returns the version that was undone."""
    known = list_versions(workspace, document)
    if not known:
        raise ToolError(
            f"「{document.name}」没有可撤销的写入 · nothing was written to {document.name!r}", code="nothing_to_undo"
        )
    last = known[-1]
    with _lock(workspace, document) as folder:
        if digest_document(workspace, document) != last.after:
            raise changed_since(document.name)
        kept = folder / f"{last.number:04d}.bin"
        if hashlib.sha256(kept.read_bytes()).hexdigest() != last.before:
            raise ToolError(
                f"「{document.name}」的旧版本已损坏 · the kept version of {document.name!r} is damaged",
                code="version_damaged",
            )
        _write_index(folder, known[:-1])
        _replace(kept, workspace / last.path)
    return last


def changed_since(name: str) -> ToolError:
    return ToolError(
        f"「{name}」在预览之后又有改动，没有写入 · {name!r} changed since the preview, nothing was written",
        code="document_changed",
        hint="请重新预览 · look at the changes again",
    )


def _folder_of(workspace: Path, document: ConversationDocument) -> Path:
    key = hashlib.sha256(document.id.encode()).hexdigest()[:16]
    return workspace / _FOLDER / key


@contextmanager
def _lock(workspace: Path, document: ConversationDocument) -> Iterator[Path]:
    """Folder of the versions, held by one writer at a time."""
    folder = _folder_of(workspace, document)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("ab") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ToolError(
                f"「{document.name}」正在被写入 · {document.name!r} is being written",
                code="document_busy",
                hint="请稍后再试 · try again in a moment",
            ) from None
        yield folder


def _replace(source: Path, target: Path) -> None:
    """Put a file in the place of another in one step."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.new")
    shutil.copyfile(source, fresh)
    with fresh.open("rb") as stream:
        os.fsync(stream.fileno())
    fresh.replace(target)


def _write_file(path: Path, content: bytes) -> None:
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_bytes(content)
    fresh.replace(path)


def _write_index(folder: Path, versions: tuple[Version, ...]) -> None:
    rows = [asdict(one) for one in versions[-_MAX_VERSIONS:]]
    _write_file(folder / _INDEX, json.dumps(rows, ensure_ascii=False).encode())
