"""Files that tools write into the conversation's folder: found by comparing snapshots, reported as events."""

import asyncio
import filecmp
import hashlib
import mimetypes
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from metier.store import EventDraft

if TYPE_CHECKING:
    from metier.json_values import JsonValue

_MAX_ENTRIES: Final = 10_000
_MAX_DEPTH: Final = 16
_MAX_HASHED_BYTES: Final = 64 << 20
_CHUNK_BYTES: Final = 1 << 20
# Not from `mimetypes`: whether it knows WebP differs between machines.
_IMAGE_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".gif": "image/gif",
        ".jpeg": "image/jpeg",
        ".jpg": "image/jpeg",
        ".png": "image/png",
        ".svg": "image/svg+xml",
        ".webp": "image/webp",
    }
)


class FileState(NamedTuple):
    """Modification time and size, which tell whether a file has changed."""

    mtime_ns: int
    size_bytes: int


@dataclass(slots=True)
class FileWatch:
    """Last snapshot of the conversation's folder. Concurrent calls take snapshots one after the other."""

    _known: Mapping[str, FileState] | None = None
    _gone: frozenset[FileState] = frozenset()
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def take_snapshot(self, folder: Path) -> None:
        """Take the first snapshot, before the first call that may write."""
        async with self._lock:
            if self._known is None:
                self._known = await asyncio.to_thread(list_files, folder, hidden=True)

    async def find_changes(self, folder: Path) -> tuple[str, ...]:
        """Files that are new or changed since the last snapshot, hidden ones too; empty without an earlier one."""
        async with self._lock:
            before = self._known
            if before is None:
                return ()
            now = self._known = await asyncio.to_thread(list_files, folder, hidden=True)
            self._gone = frozenset(mark for path, mark in before.items() if path not in now)
        return tuple(path for path, mark in now.items() if before.get(path) != mark)

    def is_carried(self, folder: Path, path: str, changed: Collection[str]) -> bool:
        """Whether a changed file was copied or moved from one that was there before, so that nobody made it now."""
        known = self._known or {}
        mark = known.get(path)
        if mark is None or mark in self._gone:
            return mark is not None
        same = [one for one, other in known.items() if other.size_bytes == mark.size_bytes]
        earlier = [one for one in same if one not in changed or known[one] in self._gone]
        return any(filecmp.cmp(folder / one, folder / path, shallow=False) for one in earlier)


def list_files(folder: Path, *, hidden: bool = False) -> dict[str, FileState]:
    """Regular files below a folder, by relative path. Links are not followed, hidden names only if asked for."""
    found: dict[str, FileState] = {}
    for path, entry in _walk(folder, "", 1, hidden):
        if len(found) >= _MAX_ENTRIES:
            break
        found[path] = FileState(entry.st_mtime_ns, entry.st_size)
    return found


def _walk(folder: Path, prefix: str, depth: int, hidden: bool) -> Iterator[tuple[str, os.stat_result]]:
    try:
        with os.scandir(folder) as entries:
            here = sorted((one for one in entries if hidden or not is_hidden(one.name)), key=lambda one: one.name)
    except OSError:  # missing or unreadable
        return
    for entry in here:
        try:
            state = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if _is_plain(state):
            yield prefix + entry.name, state
        elif stat.S_ISDIR(state.st_mode) and depth < _MAX_DEPTH:
            yield from _walk(folder / entry.name, f"{prefix}{entry.name}/", depth + 1, hidden)


def is_hidden(name: str) -> bool:
    """Whether users are not shown a file or folder of this name."""
    return name.startswith((".", "__")) or not name.isprintable()


def _is_plain(state: os.stat_result) -> bool:
    """A regular file without a second hard link, which might lie outside the folder."""
    return stat.S_ISREG(state.st_mode) and state.st_nlink == 1


def resolve_within(folder: Path, name: str) -> str | None:
    """Path of a file relative to the folder, however it was written; None if outside, missing, or behind a link."""
    try:
        root = folder.resolve()
        lexical = Path(os.path.normpath(root / name))
        path = lexical.relative_to(root)
        plain = _is_plain(lexical.lstat()) and lexical.resolve() == lexical
    except (OSError, ValueError):
        return None
    return path.as_posix() if plain and path.as_posix().isprintable() else None


def file_event(
    folder: Path, path: str, call: str, number: int, labels: Mapping[str, str], *, to_save: bool = False
) -> EventDraft | None:
    """`file` or `image` event of a file in the folder; None if the file is gone. A picture `to_save` is not shown."""
    name = PurePosixPath(path)
    picture = _IMAGE_TYPES.get(name.suffix.lower())
    kind = picture or mimetypes.guess_type(name.name)[0] or "application/octet-stream"
    try:
        size_bytes, digest = _size_and_digest(folder / path)
    except OSError:
        return None
    told: dict[str, JsonValue] = {"path": path, "title": labels.get("title") or name.name, "media_type": kind}
    told |= {"bytes": size_bytes, "call": call, **({"sha256": digest} if digest else {})}
    if picture is None or to_save:
        return EventDraft("file", {"file": f"{call}-file-{number}", **told})
    alt = {"alt": labels["alt"]} if labels.get("alt") else {}
    return EventDraft("image", {"image": f"{call}-image-{number}", **told, **alt})


def _size_and_digest(file: Path) -> tuple[int, str]:
    with os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as stream:
        size_bytes = os.fstat(stream.fileno()).st_size
        if size_bytes > _MAX_HASHED_BYTES:
            return size_bytes, ""
        digest = hashlib.sha256()
        while piece := stream.read(_CHUNK_BYTES):
            digest.update(piece)
        return size_bytes, digest.hexdigest()
