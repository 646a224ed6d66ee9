"""Chroma collection in a folder: read as a whole, written by change, one process at a time.

Chroma's index supports a single process, and a client that failed to open stays cached; so every access takes the
folder's lock, opens its own client and closes it. Before that, SQLite checks the file, because Chroma's error does not
tell a damaged file from a locked one, and the index files are compared with the digests of the last access, because
loading a damaged one crashes the process (segmentation fault in 1.5.9).

Reading does not need Chroma: the metadata is in plain tables of that SQLite file, and importing Chroma costs 0.6 s of
processor time. A file with other tables is read by Chroma.
"""

import fcntl
import hashlib
import json
import re
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from metier.clock import awake_time

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

    from metier.routing.ranking import Floats

Metadata = Mapping[str, str | int]

_POLL_S = 0.02
# Records per call: Chroma copies them several times, 90 MB for a thousand.
_BATCH = 200
_MAX_BROKEN_FOLDERS = 9
_DIGESTS_FILE = "index.json"
_TEMPORARY_CODES = (
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)
_READ_METADATA = """
    SELECT record.embedding_id, field.key, coalesce(field.string_value, field.int_value)
    FROM collections AS collection
    JOIN segments AS segment ON segment.collection = collection.id AND segment.scope = 'METADATA'
    JOIN embeddings AS record ON record.segment_id = segment.id
    JOIN embedding_metadata AS field ON field.id = record.id
    WHERE collection.name = ?
    ORDER BY record.id
"""
# Chroma passes on SQLite's extended code and the system's error number only as text.
_SQLITE_CODE = re.compile(r"\(code: (\d+)\)")
_NO_SPACE_OR_READ_ONLY = re.compile(r"os error (?:28|30)\b")


class Damaged(Exception):
    """The store is damaged; the folder has been moved to `aside` and a new one can be created."""

    def __init__(self, reason: str, aside: Path | None = None) -> None:
        super().__init__(reason)
        self.aside = aside


class Unusable(Exception):
    """The folder cannot be used now: locked, read-only, disk full or chromadb missing."""


@dataclass(frozen=True, slots=True)
class VectorRecord:
    """Record of the collection: id, vector and metadata."""

    id: str
    vector: "Floats"
    metadata: Metadata


class ChromaFolder:
    """Collection `name` in a folder; methods raise only `Damaged` or `Unusable`."""

    def __init__(self, folder: Path, name: str, *, patience_s: float) -> None:
        self.folder = folder
        self._name = name
        self._patience_s = patience_s

    def read(self) -> dict[str, Metadata]:
        """Read the metadata of every record, by id."""
        with self._guard():
            try:
                return self._read_tables()
            except sqlite3.Error:
                pass
        with self._open_locked() as collection:
            found = collection.get(include=["metadatas"])
            return {key: dict(data or {}) for key, data in zip(found["ids"], found["metadatas"] or [], strict=True)}  # type: ignore[arg-type]  # Chroma's types name arrays only; lists are taken too

    def write(self, rows: Iterable[VectorRecord], gone: Sequence[str]) -> None:
        """Upsert the rows, then delete the records in `gone`."""
        rest = iter(rows)
        with self._open_locked() as collection:
            while part := list(islice(rest, _BATCH)):
                collection.upsert(
                    ids=[row.id for row in part],
                    embeddings=[row.vector for row in part],  # type: ignore[arg-type]  # Chroma's types name arrays only; lists are taken too
                    metadatas=[row.metadata for row in part],
                )
            for start in range(0, len(gone), _BATCH):
                collection.delete(ids=list(gone[start : start + _BATCH]))

    def _read_tables(self) -> dict[str, Metadata]:
        file = self.folder / "chroma.sqlite3"
        if not file.exists():
            return {}
        found: dict[str, dict[str, str | int]] = {}
        with closing(sqlite3.connect(file, timeout=self._patience_s)) as database:
            for key, name, value in database.execute(_READ_METADATA, [self._name]):
                found.setdefault(key, {})[name] = value
        return dict(found)

    @contextmanager
    def _open_locked(self) -> "Iterator[Collection]":
        with self._guard():
            with _translate_errors(), _open_collection(self.folder, self._name) as collection:
                yield collection
            self._write_digests()

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Lock and check the folder; a damaged one is set aside."""
        if find_spec("chromadb") is None:
            raise Unusable("chromadb is not installed: pip install 'metier[routing]'")
        with self._lock():
            try:
                self._inspect()
                yield
            except Damaged as error:
                # Still under the lock, so that no other process moves the folder that replaces it.
                raise Damaged(str(error), self._set_aside()) from error

    def _set_aside(self) -> Path:
        places = [self.folder.with_name(f"{self.folder.name}.broken-{n}") for n in range(1, _MAX_BROKEN_FOLDERS + 1)]
        place = next((place for place in places if not place.exists()), places[-1])
        try:
            if place.exists():
                shutil.rmtree(place)
            return self.folder.rename(place)
        except OSError as error:
            raise Unusable(f"{self.folder.name} is damaged and cannot be set aside: {error}") from error

    @contextmanager
    def _lock(self) -> Iterator[None]:
        """Lock file beside the folder, so that it stays when the folder is moved."""
        until = awake_time() + self._patience_s
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            handle = self.folder.with_name(f"{self.folder.name}.lock").open("ab")
        except OSError as error:
            raise Unusable(str(error)) from error
        with handle:
            while True:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError as error:
                    if awake_time() > until:
                        raise Unusable("another process holds its lock") from error
                    time.sleep(_POLL_S)
            yield

    def _inspect(self) -> None:
        """Check that the SQLite file is intact and writable, and that the index files are unchanged."""
        if self.folder.exists() and not self.folder.is_dir():
            raise Damaged(f"{self.folder.name} is not a folder")
        file = self.folder / "chroma.sqlite3"
        if not file.exists():
            return
        if not file.is_file():
            raise Damaged(f"{file.name} is not a file")
        try:
            with closing(sqlite3.connect(file, timeout=self._patience_s, isolation_level=None)) as database:
                database.execute("BEGIN IMMEDIATE")
                (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
                database.execute("ROLLBACK")
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            raise (Unusable if code in _TEMPORARY_CODES else Damaged)(str(error)) from error
        if verdict != "ok":
            raise Damaged(" ".join(str(verdict).split()))
        self._check_digests()

    def _check_digests(self) -> None:
        try:
            sealed = json.loads((self.folder / _DIGESTS_FILE).read_bytes())
        except FileNotFoundError:
            sealed = {}
        except (OSError, ValueError) as error:
            raise Damaged(f"{_DIGESTS_FILE} cannot be read: {error}") from error
        if sealed != self._compute_digests():
            raise Damaged("the index is not as it was left")

    def _write_digests(self) -> None:
        try:
            draft = self.folder / f"{_DIGESTS_FILE}.new"
            draft.write_text(json.dumps(self._compute_digests()), "utf-8")
            draft.replace(self.folder / _DIGESTS_FILE)
        except OSError as error:
            raise Unusable(str(error)) from error

    def _compute_digests(self) -> dict[str, str]:
        found = {}
        try:
            for file in sorted(self.folder.glob("*/*")):
                with file.open("rb") as content:
                    found[file.relative_to(self.folder).as_posix()] = hashlib.file_digest(content, "sha256").hexdigest()
        except OSError as error:
            raise Unusable(str(error)) from error
        return found


@contextmanager
def _open_collection(folder: Path, name: str) -> "Iterator[Collection]":
    from chromadb.api import ServerAPI
    from chromadb.api.client import Client
    from chromadb.config import Settings, System

    settings = Settings(
        _env_file=None,
        is_persistent=True,
        persist_directory=str(folder),
        anonymized_telemetry=False,
    )
    # `PersistentClient` would cache a system that failed to start and return it for the same folder again.
    system = System(settings)
    system.instance(ServerAPI)  # type: ignore[type-abstract]  # Chroma chooses the class
    system.start()
    client = Client.from_system(system)
    try:
        yield client.get_or_create_collection(name, embedding_function=None)
    finally:
        client.close()


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        from chromadb.errors import ChromaError
    except (ImportError, RuntimeError, ValueError) as error:
        raise Unusable(f"chromadb cannot be imported: {error}") from error
    try:
        yield
    except (ChromaError, OSError, RuntimeError, TypeError, ValueError, LookupError, AttributeError) as error:
        told = f"{type(error).__name__}: {str(error)[:300]}"
        code = _SQLITE_CODE.search(told)
        passing = (int(code[1]) & 0xFF in _TEMPORARY_CODES) if code else bool(_NO_SPACE_OR_READ_ONLY.search(told))
        raise (Unusable if passing or isinstance(error, OSError) else Damaged)(told) from error
    except BaseException as error:
        if (
            type(error).__name__ == "PanicException"
        ):  # of Chroma's Rust code; derives from BaseException, not importable
            raise Damaged(f"Chroma panicked: {str(error)[:300]}") from error
        raise
