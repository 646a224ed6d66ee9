"""Files that tools write into the conversation's folder: found by comparing snapshots, reported as events."""

import asyncio
import hashlib
import mimetypes
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from metier.store import EventDraft

if TYPE_CHECKING:
    from metier.jsons import JsonValue

_MOST_ENTRIES: Final = 10_000
_DEEPEST: Final = 16
_MOST_HASHED_BYTES: Final = 64 << 20
_PIECE_BYTES: Final = 1 << 20
# Not from `mimetypes`: whether it knows WebP differs between machines.
_PICTURES: Final[Mapping[str, str]] = MappingProxyType(
    {
        ".gif": "image/gif",
        ".jpeg": "image/jpeg",
        ".jpg": "image/jpeg",
        ".png": "image/png",
        ".svg": "image/svg+xml",
        ".webp": "image/webp",
    }
)


class Mark(NamedTuple):
    """Modification time and size, which tell whether a file has changed."""

    changed_ns: int
    size_bytes: int


@dataclass(slots=True)
class Files:
    """Last snapshot of the conversation's folder. Concurrent calls take snapshots one after the other."""

    _seen: Mapping[str, Mark] | None = None
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self, folder: Path) -> None:
        """Take the first snapshot, before the first call that may write."""
        async with self._one:
            if self._seen is None:
                self._seen = await asyncio.to_thread(listed, folder)

    async def changed(self, folder: Path) -> tuple[str, ...]:
        """Files that are new or changed since the last snapshot; empty without an earlier one."""
        async with self._one:
            before = self._seen
            if before is None:
                return ()
            now = self._seen = await asyncio.to_thread(listed, folder)
        return tuple(path for path, mark in now.items() if before.get(path) != mark)


def listed(folder: Path) -> dict[str, Mark]:
    """Regular files below a folder, by relative path. Links are not followed, hidden names are skipped."""
    found: dict[str, Mark] = {}
    for path, entry in _walked(folder, "", 1):
        if len(found) >= _MOST_ENTRIES:
            break
        found[path] = Mark(entry.st_mtime_ns, entry.st_size)
    return found


def _walked(folder: Path, prefix: str, depth: int) -> Iterator[tuple[str, os.stat_result]]:
    try:
        with os.scandir(folder) as entries:
            here = sorted((one for one in entries if not _is_hidden(one.name)), key=lambda one: one.name)
    except OSError:  # missing or unreadable
        return
    for entry in here:
        try:
            state = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if _is_plain(state):
            yield prefix + entry.name, state
        elif stat.S_ISDIR(state.st_mode) and depth < _DEEPEST:
            yield from _walked(folder / entry.name, f"{prefix}{entry.name}/", depth + 1)


def _is_hidden(name: str) -> bool:
    return name.startswith((".", "__")) or not name.isprintable()


def _is_plain(state: os.stat_result) -> bool:
    """A regular file without a second hard link, which might lie outside the folder."""
    return stat.S_ISREG(state.st_mode) and state.st_nlink == 1


def within(folder: Path, name: str) -> str | None:
    """Path of a file relative to the folder, however it was written; None if outside, missing, or behind a link."""
    try:
        root = folder.resolve()
        lexical = Path(os.path.normpath(root / name))
        path = lexical.relative_to(root)
        plain = _is_plain(lexical.lstat()) and lexical.resolve() == lexical
    except (OSError, ValueError):
        return None
    return path.as_posix() if plain and path.as_posix().isprintable() else None


def file_event(folder: Path, path: str, call: str, number: int, said: Mapping[str, str]) -> EventDraft | None:
    """`file` or `image` event of a file in the folder; None if the file is gone."""
    name = PurePosixPath(path)
    picture = _PICTURES.get(name.suffix.lower())
    kind = picture or mimetypes.guess_type(name.name)[0] or "application/octet-stream"
    try:
        size_bytes, digest = _weighed(folder / path)
    except OSError:
        return None
    told: dict[str, JsonValue] = {"path": path, "title": said.get("title") or name.name, "media_type": kind}
    told |= {"bytes": size_bytes, "call": call, **({"sha256": digest} if digest else {})}
    if picture is None:
        return EventDraft("file", {"file": f"{call}-file-{number}", **told})
    alt = {"alt": said["alt"]} if said.get("alt") else {}
    return EventDraft("image", {"image": f"{call}-image-{number}", **told, **alt})


def _weighed(file: Path) -> tuple[int, str]:
    with os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as stream:
        size_bytes = os.fstat(stream.fileno()).st_size
        if size_bytes > _MOST_HASHED_BYTES:
            return size_bytes, ""
        digest = hashlib.sha256()
        while piece := stream.read(_PIECE_BYTES):
            digest.update(piece)
        return size_bytes, digest.hexdigest()
