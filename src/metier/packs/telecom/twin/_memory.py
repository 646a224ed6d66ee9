"""What searches found, kept as small files, so that nobody waits twice for the same network."""

import os
import threading
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.packs.telecom.twin._optimise import Gain
from metier.packs.telecom.twin._scenario import Change

if TYPE_CHECKING:
    from pydantic import TypeAdapter

# A file has some 10 kB.
_MOST_FILES: Final = 64


@dataclass(frozen=True, slots=True)
class Found:
    """What a search is remembered by: the states can be computed again in a second."""

    changes: tuple[Change, ...]
    gains: tuple[Gain, ...]


class Memory:
    """A folder of searches by key, the newest `most`. A file that cannot be read is no file; no folder, no memory."""

    def __init__(self, folder: Path | None, *, most: int = _MOST_FILES) -> None:
        self._folder = folder
        self._most = most

    def get(self, key: str) -> Found | None:
        """The search of this key, if it was kept and is whole."""
        from pydantic import ValidationError

        if self._folder is None:
            return None
        try:
            return _adapter().validate_json((self._folder / f"{key}.json").read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, key: str, found: Found) -> None:
        """Keep a search; a disk that is full or read-only costs the next asker time and nothing else."""
        if self._folder is None:
            return
        try:
            write_whole(self._folder / f"{key}.json", _adapter().dump_json(found, indent=1))
            self._drop_oldest(self._folder)
        except OSError:
            return

    def _drop_oldest(self, folder: Path) -> None:
        files = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for path in files[: -self._most]:
            path.unlink(missing_ok=True)


@cache
def _adapter() -> "TypeAdapter[Found]":
    from pydantic import TypeAdapter

    return TypeAdapter(Found)


def write_whole(path: Path, text: bytes) -> None:
    """Written beside and put in place: a reader sees the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
    try:
        beside.write_bytes(text)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def search_key(digest: str, aim: str) -> str:
    """The name of a search: the network, the aim, and the model that judged it."""
    return f"{digest[:32]}-{aim}-{model_digest()[:12]}"


@cache
def model_digest() -> str:
    """Changes whenever the model or a threshold does: what another model found is not an answer of this one."""
    here = Path(__file__).parent
    parts = sorted((*here.glob("*.py"), *here.glob("*.toml")))
    whole = sha256()
    for part in parts:
        whole.update(part.read_bytes())
    return whole.hexdigest()
