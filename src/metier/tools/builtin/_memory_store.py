"""SQLite store of the `memory` tool: texts with owners, and an FTS5 table of their search terms.

SQLite's tokenizers split Chinese wrongly or not at all, so terms are extracted here and stored separated by spaces;
SQLite keeps the index, ranks with BM25 and stems English. A connection lives for one call: threads and processes share
the file, not the connection.
"""

import hashlib
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from metier.clock import awake_time
from metier.errors import MetierError
from metier.textsearch import extract_query_terms, extract_words, fold, split_characters
from metier.tools._calls import ToolError
from metier.tools.builtin._memory_vectors import VECTOR_FOLDER, MemoryVectors, TextEmbedder

_log = logging.getLogger(__name__)

MAX_MEMORY_CHARS: Final = 4_000
_MAX_MEMORIES = 5_000
_SCHEMA_VERSION = 1
_RANK_OFFSET = 60
_OPEN, _CLOSE = "«", "»"  # no term holds them
_SCHEMA: Final = """
CREATE TABLE memories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  digest TEXT NOT NULL,
  text TEXT NOT NULL,
  conversation TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (owner, digest)
);
CREATE VIRTUAL TABLE memory_terms USING fts5(terms, tokenize = 'porter unicode61 remove_diacritics 2');
"""
_RECALL: Final = """
SELECT memories.id, memories.text, memories.created_at, memories.conversation, -bm25(memory_terms),
       highlight(memory_terms, 0, '«', '»')
FROM memory_terms JOIN memories ON memories.id = memory_terms.rowid
WHERE memory_terms MATCH ? AND memories.owner = ?
ORDER BY bm25(memory_terms), memories.id DESC LIMIT ?
"""


class MemoryEntry(NamedTuple):
    """Stored memory; `matched` are the terms that matched the query, `similarity` how near it is by meaning."""

    id: int
    text: str
    created_at: str
    conversation: str
    score: float = 0.0
    matched: tuple[str, ...] = ()
    similarity: float = 0.0


@dataclass(frozen=True, slots=True)
class MemoryStore:
    """Memories in one SQLite file. Every method opens and closes its own connection."""

    path: Path
    now: Callable[[], str]
    busy_timeout_s: float = 5.0
    load_embedder: Callable[[], TextEmbedder | None] = lambda: None

    @property
    def vectors(self) -> MemoryVectors:
        """Vectors of the memories, in a folder beside the file."""
        return MemoryVectors(self.path.parent / VECTOR_FOLDER, self.load_embedder)

    def remember(self, owner: str, text: str, conversation: str) -> tuple[int, bool]:
        """Store a text; return its id and whether it is new. The same text is stored once per owner."""
        digest = hashlib.sha256(" ".join(fold(text).split()).encode()).hexdigest()
        with self._open_for_writing() as database:
            known = database.execute(
                "SELECT id FROM memories WHERE owner = ? AND digest = ?", (owner, digest)
            ).fetchone()
            if known:
                return int(known[0]), False
            (count,) = database.execute("SELECT count(*) FROM memories WHERE owner = ?", (owner,)).fetchone()
            if count >= _MAX_MEMORIES:
                raise ToolError(f"{count} memories are kept already", code="memory_full", hint="forget some first")
            row = (owner, digest, text, conversation, self.now())
            made = database.execute(
                "INSERT INTO memories (owner, digest, text, conversation, created_at) VALUES (?, ?, ?, ?, ?)", row
            ).lastrowid
            assert made is not None
            terms = " ".join(extract_words(text))
            database.execute("INSERT INTO memory_terms (rowid, terms) VALUES (?, ?)", (made, terms))
            return made, True

    def recall(self, owner: str, query: str, limit: int) -> tuple[MemoryEntry, ...]:
        """Return memories that match the query by words or meaning, best first; for an empty query the newest.

        Character pairs are searched first, single characters only if the pairs match nothing, and of these 不 and the
        like only if there is no other. Without an embedder, or if it fails, words alone decide.
        """
        with self._open_for_reading() as database:
            if database is None:
                return ()
            if not query.strip():
                return _select_newest(database, owner, limit)
            near = self._find_near(database, owner, query, limit)
            terms = extract_query_terms(query)
            characters = split_characters(terms)
            telling = [one for one in characters if one not in _FUNCTION_CHARACTERS]
            for asked in (terms, telling or characters):
                found = _select_matching(database, owner, " OR ".join(map(_quote, asked)), limit)
                if found:
                    return _merge_ranks(found, near, limit)
            return tuple(near[:limit])

    def _find_near(self, database: sqlite3.Connection, owner: str, query: str, limit: int) -> list[MemoryEntry]:
        """Memories near the query by meaning; none if there are no vectors."""
        rows = database.execute(f"{_SELECT} WHERE owner = ? ORDER BY id DESC LIMIT ?", (owner, _MAX_MEMORIES))
        kept = {row[0]: MemoryEntry(*row) for row in rows}
        try:
            found = self.vectors.search(owner, query, {id: one.text for id, one in kept.items()}, limit)
        except (MetierError, OSError, sqlite3.Error) as error:
            _log.warning("memories are searched by words alone: %s", error)
            return []
        return [kept[id]._replace(similarity=float(f"{score:.3g}")) for id, score in found]

    def forget(self, owner: str, *, id: int | None = None, query: str = "") -> tuple[MemoryEntry, ...]:
        """Delete one memory, or all that contain every term of the query; return the deleted ones."""
        with self._open_for_writing() as database:
            if id is not None:
                rows = database.execute(f"{_SELECT} WHERE owner = ? AND id = ?", (owner, id)).fetchall()
                gone = tuple(MemoryEntry(*row) for row in rows)
            else:
                wanted = " AND ".join(map(_quote, extract_query_terms(query)))
                gone = _select_matching(database, owner, wanted, _MAX_MEMORIES)
            keys = [(memory.id,) for memory in gone]
            database.executemany("DELETE FROM memories WHERE id = ?", keys)
            database.executemany("DELETE FROM memory_terms WHERE rowid = ?", keys)
            self.vectors.remove([memory.id for memory in gone])
            return gone

    def list_of_conversation(self, conversation: str) -> tuple[MemoryEntry, ...]:
        """Return all memories that were stored in a conversation, oldest first, whoever owns them."""
        with self._open_for_reading() as database:
            if database is None:
                return ()
            rows = database.execute(f"{_SELECT} WHERE conversation = ? ORDER BY id", (conversation,))
            return tuple(MemoryEntry(*row) for row in rows)

    def delete_conversations(self, conversations: Sequence[str]) -> int:
        """Delete all memories that were stored in these conversations, also from the file; return how many."""
        if not self.path.exists():
            return 0
        with self._open_for_writing() as database:
            keys = [
                row
                for conversation in conversations
                for row in database.execute("SELECT id FROM memories WHERE conversation = ?", (conversation,))
            ]
            database.executemany("DELETE FROM memories WHERE id = ?", keys)
            database.executemany("DELETE FROM memory_terms WHERE rowid = ?", keys)
            self.vectors.remove([int(row[0]) for row in keys])
            if keys:  # the index only marks a row as deleted until its segments are merged
                database.execute("INSERT INTO memory_terms (memory_terms) VALUES ('optimize')")
        self._truncate_log()
        return len(keys)

    def _truncate_log(self) -> None:
        with _translate_errors(self.path), closing(self._connect()) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def _open_for_writing(self) -> Iterator[sqlite3.Connection]:
        with _translate_errors(self.path):
            self._make_file()
            with closing(self._connect()) as database:
                _use_wal(database, self.busy_timeout_s)
                database.execute("PRAGMA synchronous = NORMAL")
                database.execute("BEGIN IMMEDIATE")
                with database:  # commits, or rolls back
                    _make_tables(database)
                    yield database

    @contextmanager
    def _open_for_reading(self) -> Iterator[sqlite3.Connection | None]:
        """Open the file for reading; yields None if nothing was ever stored."""
        with _translate_errors(self.path):
            if not self.path.exists():
                yield None
                return
            with closing(self._connect()) as database:
                if _read_version(database) == 0:
                    yield None
                    return
                _check_version(database)
                yield database

    def _connect(self) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode=rw"
        database = sqlite3.connect(address, uri=True, timeout=self.busy_timeout_s, isolation_level=None)
        database.execute("PRAGMA secure_delete = ON")  # forgotten texts are overwritten, not only unlinked
        return database

    def _make_file(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


_FUNCTION_CHARACTERS: Final = frozenset("不没无未的了是在有我你您他她它这那个也都就和与或吗呢啊吧很太最什么怎样")
_SELECT: Final = "SELECT id, text, created_at, conversation FROM memories"


def _select_newest(database: sqlite3.Connection, owner: str, limit: int) -> tuple[MemoryEntry, ...]:
    rows = database.execute(f"{_SELECT} WHERE owner = ? ORDER BY id DESC LIMIT ?", (owner, limit))
    return tuple(MemoryEntry(*row) for row in rows)


def _select_matching(database: sqlite3.Connection, owner: str, wanted: str, limit: int) -> tuple[MemoryEntry, ...]:
    if not wanted:
        return ()
    rows: Sequence[tuple[int, str, str, str, float, str]]
    rows = database.execute(_RECALL, (wanted, owner, limit)).fetchall()
    return tuple(
        MemoryEntry(id, text, at, conversation, float(f"{score:.4g}"), _parse_highlights(terms))
        for id, text, at, conversation, score, terms in rows
    )


def _merge_ranks(
    by_words: Sequence[MemoryEntry], by_meaning: Sequence[MemoryEntry], limit: int
) -> tuple[MemoryEntry, ...]:
    """Join two rankings by reciprocal rank; a memory in both keeps its words and its similarity."""
    scores: dict[int, float] = {}
    for ranked in (by_words, by_meaning):
        for rank, one in enumerate(ranked):
            scores[one.id] = scores.get(one.id, 0.0) + 1 / (_RANK_OFFSET + rank)
    near = {one.id: one for one in by_meaning}
    known = {**near, **{one.id: one for one in by_words}}
    best = sorted(known, key=lambda id: (-scores[id], -id))[:limit]
    return tuple(known[id]._replace(similarity=near[id].similarity if id in near else 0.0) for id in best)


def _parse_highlights(terms: str) -> tuple[str, ...]:
    pieces = (piece.partition(_CLOSE)[0] for piece in terms.split(_OPEN)[1:])
    return tuple(dict.fromkeys(word for piece in pieces for word in piece.split()))


def _quote(term: str) -> str:
    return f'"{term}"'


def _read_version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _make_tables(database: sqlite3.Connection) -> None:
    if _read_version(database) == 0:
        for statement in _SCHEMA.split(";\n"):
            if statement.strip():
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
    _check_version(database)


def _check_version(database: sqlite3.Connection) -> None:
    if _read_version(database) != _SCHEMA_VERSION:
        raise ToolError(
            "the memory file was written by another version", code="memory_unavailable", hint="upgrade Metier"
        )


def _use_wal(database: sqlite3.Connection, patience_s: float) -> None:
    """Switch to WAL with retries: SQLite's busy timeout does not cover this switch, made by the first writer."""
    deadline = awake_time() + patience_s
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or awake_time() > deadline:
                raise
            time.sleep(0.01)


@contextmanager
def _translate_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as error:
        busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
        code = "memory_busy" if busy else "memory_unavailable"
        raise ToolError(
            f"the memory cannot be used now: {error}", code=code, hint="try again" if busy else ""
        ) from error
    except (sqlite3.Error, OSError) as error:
        hint = f"mend or move {path.name!r} in the storage folder; it was not touched"
        raise ToolError(f"the memory cannot be used: {error}", code="memory_unavailable", hint=hint) from error
