"""Vectors of memories, beside their words: one SQLite file in a folder of its own, a collection per model and size.

SQLite instead of a vector database: an owner has at most a few thousand memories, for which a matrix product is exact
and fast, and a forgotten memory must be overwritten in the file, not only unlinked.
"""

import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VECTOR_FOLDER: Final = "memory_vector_store"
_FILE: Final = "vectors.sqlite3"
_MAX_EMBEDDED: Final = 256  # texts in one call: those kept before there were vectors follow little by little
# Below this, what is near by meaning is mostly chance: unrelated sentences of the shipped encoder reach 0.35.
_MIN_SIMILARITY: Final = 0.42
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS vectors (
  collection TEXT NOT NULL, id INTEGER NOT NULL, owner TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (collection, id)
)
"""


@dataclass(frozen=True, slots=True)
class TextEmbedder:
    """What turns texts into vectors: its name, and the function. It may raise; then words alone decide."""

    name: str
    embed: "Callable[[list[str]], NDArray[np.float32]]"


@dataclass(frozen=True, slots=True)
class MemoryVectors:
    """Vectors in `folder`; `load` gives the embedder on first use, or None if there is none."""

    folder: Path
    load: Callable[[], TextEmbedder | None] = lambda: None

    def search(self, owner: str, query: str, texts: Mapping[int, str], limit: int) -> list[tuple[int, float]]:
        """Ids of the owner's memories that are near the query by meaning, with their similarity, best first.

        `texts` are all memories of the owner; those without a vector get one.
        """
        embedder = self.load()
        if embedder is None or not texts:
            return []
        (asked,) = _normalize(embedder.embed([query]))
        collection = f"memory-{re.sub(r'[^a-z0-9]+', '-', embedder.name.lower())}-{len(asked)}"
        with self._open() as database:
            known = _read_vectors(database, collection, owner)
            missing = [id for id in texts if id not in known][:_MAX_EMBEDDED]
            if missing:
                made = _normalize(embedder.embed([texts[id] for id in missing]))
                rows = [(collection, id, owner, made[at].tobytes()) for at, id in enumerate(missing)]
                database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)
                known |= {id: made[at] for at, id in enumerate(missing)}
        near = [
            (id, float(vector @ asked)) for id, vector in known.items() if id in texts and vector.shape == asked.shape
        ]
        found = sorted((one for one in near if one[1] >= _MIN_SIMILARITY), key=lambda one: (-one[1], -one[0]))
        return found[:limit]

    def remove(self, ids: Sequence[int]) -> None:
        """Overwrite the vectors of these memories, of whichever model."""
        if not ids or not (self.folder / _FILE).exists():
            return
        with self._open() as database:
            database.executemany("DELETE FROM vectors WHERE id = ?", [(id,) for id in ids])

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with closing(sqlite3.connect(self.folder / _FILE, timeout=5.0)) as database:
            database.execute("PRAGMA secure_delete = ON")
            with database:
                database.execute(_SCHEMA)
                yield database


def _read_vectors(database: sqlite3.Connection, collection: str, owner: str) -> "dict[int, NDArray[np.float32]]":
    import numpy as np

    rows = database.execute("SELECT id, vector FROM vectors WHERE collection = ? AND owner = ?", (collection, owner))
    return {id: np.frombuffer(vector, dtype=np.float32) for id, vector in rows}


def _normalize(vectors: "NDArray[np.float32]") -> "NDArray[np.float32]":
    import numpy as np

    sizes = np.linalg.norm(vectors, axis=1, keepdims=True)
    normalized: NDArray[np.float32] = (vectors / np.maximum(sizes, 1e-9)).astype(np.float32)
    return normalized
