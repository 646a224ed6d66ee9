"""Stores search results as small files, so that the same network is not searched twice."""

import os
import threading
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.packs.telecom.twin.scenario import ParameterChange
from metier.packs.telecom.twin.tuning._gains import Gain

if TYPE_CHECKING:
    from pydantic import TypeAdapter

# A file takes about 10 kB.
_MAX_FILES: Final = 64


@dataclass(frozen=True, slots=True)
class StoredSearch:
    """Stored result of a search; the states can be recomputed in a second. `shipped` came with the scenario."""

    changes: tuple[ParameterChange, ...]
    gains: tuple[Gain, ...]
    shipped: bool = False


class SearchStore:
    """Folder with the newest `most` searches. Unreadable files are ignored; without a folder nothing is kept."""

    def __init__(self, folder: Path | None, *, max_files: int = _MAX_FILES) -> None:
        self._folder = folder
        self._most = max_files

    def get(self, key: str) -> StoredSearch | None:
        """The search with this key, if it is stored and readable."""
        from pydantic import ValidationError

        if self._folder is None:
            return None
        try:
            return _search_adapter().validate_json((self._folder / f"{key}.json").read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, key: str, found: StoredSearch) -> None:
        """Store a search; a full or read-only disk is ignored and only costs a new search later."""
        if self._folder is None:
            return
        try:
            write_atomically(self._folder / f"{key}.json", _search_adapter().dump_json(found, indent=1))
            self._drop_oldest(self._folder)
        except OSError:
            return

    def _drop_oldest(self, folder: Path) -> None:
        files = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for path in files[: -self._most]:
            path.unlink(missing_ok=True)


@cache
def _search_adapter() -> "TypeAdapter[StoredSearch]":
    from pydantic import TypeAdapter

    return TypeAdapter(StoredSearch)


def write_atomically(path: Path, text: bytes) -> None:
    """Write to a temporary file and rename it: a reader sees either the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.part")
    try:
        beside.write_bytes(text)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def build_search_key(digest: str, aim: str) -> str:
    """Key of a search: the network, the aim, and the version of the model."""
    return f"{digest[:32]}-{aim}-{model_digest()[:12]}"


@cache
def model_digest() -> str:
    """Digest of the model's code and thresholds, so that results of another version are not reused."""
    here = Path(__file__).parents[1]
    parts = sorted((*here.rglob("*.py"), *here.rglob("*.toml")))
    whole = sha256()
    for part in parts:
        whole.update(part.read_bytes())
    return whole.hexdigest()
