"""Files that tools leave in the conversation's folder: found by looking before and after, told with size and digest."""

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
# Not from `mimetypes`: what it knows of WebP differs from one machine to the next.
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
    """What tells one state of a file from the next."""

    changed_ns: int
    size_bytes: int


@dataclass(slots=True)
class Files:
    """What the folder held when it was last looked at. Calls that run side by side look one after the other."""

    _seen: Mapping[str, Mark] | None = None
    _one: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self, folder: Path) -> None:
        """Remember what is there before the first call that may write."""
        async with self._one:
            if self._seen is None:
                self._seen = await asyncio.to_thread(listed, folder)

    async def changed(self, folder: Path) -> tuple[str, ...]:
        """What is new or different since the last look; nothing when nobody looked before."""
        async with self._one:
            before = self._seen
            if before is None:
                return ()
            now = self._seen = await asyncio.to_thread(listed, folder)
        return tuple(path for path, mark in now.items() if before.get(path) != mark)


def listed(folder: Path) -> dict[str, Mark]:
    """The plain files below a folder, by their path in it. Links are not followed, hidden names are not looked at."""
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
    except OSError:  # not there yet, or not ours to read
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
    """An ordinary file without a second name, which might lie outside."""
    return stat.S_ISREG(state.st_mode) and state.st_nlink == 1


def within(folder: Path, name: str) -> str | None:
    """The path of a file in the folder, however it was written; None when it is none, or a link is on the way."""
    try:
        root = folder.resolve()
        lexical = Path(os.path.normpath(root / name))
        path = lexical.relative_to(root)
        plain = _is_plain(lexical.lstat()) and lexical.resolve() == lexical
    except (OSError, ValueError):
        return None
    return path.as_posix() if plain and path.as_posix().isprintable() else None


def file_event(folder: Path, path: str, call: str, number: int, said: Mapping[str, str]) -> EventDraft | None:
    """The `file` or `image` event of a file of the folder; None when it is gone by now."""
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
