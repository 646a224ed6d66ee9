"""Vector store of the skills: embedded once, persisted in Chroma, searched in memory.

Each skill is one record with its items packed into the metadata: Chroma needs ten seconds to index 10,000 records of
one example each, one second for a thousand records of ten. Searches never query Chroma; it only saves embedding again
after a restart.
"""

import atexit
import base64
import hashlib
import logging
import re
import threading
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from metier.language import write_count
from metier.routing.ranking import Floats, SkillVectors, trim_heap
from metier.routing.vectors._chroma import ChromaFolder, Damaged, Metadata, Unusable, VectorRecord
from metier.routing.vectors._embedders import Embedder, ensure_checked

if TYPE_CHECKING:
    from metier.routing.text import RoutingText

_log = logging.getLogger(__name__)
_TRIM_HEAP_FROM = 50
_MAX_NAME_CHARS = 40
_WRITING_LATER: "weakref.WeakSet[VectorStore]" = weakref.WeakSet()


@atexit.register
def _cancel_writes() -> None:
    """Let a write that has begun end, so that no folder is left damaged; cancel the others.

    Chroma cannot be imported while the interpreter shuts down. Vectors that were not written are embedded again.
    """
    for store in list(_WRITING_LATER):
        store.cancel_write()


class VectorStore:
    """Vectors of one embedder, persisted in a folder; what cannot be stored stays in memory and is listed in `notes`.

    Raises only the embedder's errors: a damaged, locked or read-only folder costs time but never breaks routing.
    """

    def __init__(
        self, folder: Path, embedder: Embedder, *, patience_s: float = 5.0, write_after_s: float | None = None
    ) -> None:
        """`patience_s` limits the wait for another process that holds the folder's lock.

        With `write_after_s` new vectors are written by a thread that much later, or by `flush`: importing Chroma and
        writing take a second that the first message should not wait for.
        """
        self._embedder = ensure_checked(embedder)
        name = collection_name("skills", embedder.name, embedder.dimension)
        self._chroma = ChromaFolder(folder, name, patience_s=patience_s)
        self._known: dict[str, tuple[str, SkillVectors]] = {}
        self._stored: set[str] | None = None
        self._unsaved: set[str] = set()
        self._notes: list[str] = []
        self._last_warning = ""
        self._write_after_s = write_after_s
        self._timer: threading.Timer | None = None
        self._lock = threading.RLock()
        if write_after_s is not None:
            _WRITING_LATER.add(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the last `sync` did and failed to do, in English."""
        return tuple(self._notes)

    def sync(self, texts: Sequence["RoutingText"]) -> Mapping[str, SkillVectors]:
        """Return the vectors of exactly these skills; only texts with a new digest are embedded, in one call."""
        with self._lock:
            return self._sync(texts)

    def flush(self) -> None:
        """Write now what a thread was to write later."""
        with self._lock:
            # A temporary folder that was removed meanwhile stays removed.
            if self.cancel_write() and self._chroma.folder.parent.is_dir():
                self._write()

    def cancel_write(self) -> bool:
        """Cancel a write that has not begun, after waiting for one that has; whether there was one to cancel."""
        with self._lock:
            timer, self._timer = self._timer, None
            if timer is not None:
                timer.cancel()
            return timer is not None

    def _sync(self, texts: Sequence["RoutingText"]) -> Mapping[str, SkillVectors]:
        self._notes = []
        wanted: dict[str, RoutingText] = {}
        for text in texts:
            wanted.setdefault(text.skill, text)
        if self._stored is None:
            self._read()
        changed = [text for text in wanted.values() if not self._is_current(text)]
        embedded = self._embed(changed)
        self._known = {skill: embedded.get(skill) or self._known[skill] for skill in wanted}
        self._unsaved |= embedded.keys()
        if changed:
            self._notes.append(f"embedded {write_count(len(changed), 'skills')}")
        self._write_or_schedule()
        if len(changed) >= _TRIM_HEAP_FROM:
            trim_heap()
        return {skill: vectors for skill, (_, vectors) in self._known.items()}

    def _write_or_schedule(self) -> None:
        if self._write_after_s is None or self._stored is None:
            self._write()
        elif self._timer is None and (self._unsaved or self._stored - self._known.keys()):
            self._timer = threading.Timer(self._write_after_s, self.flush)
            self._timer.daemon = True
            self._timer.start()

    def _is_current(self, text: "RoutingText") -> bool:
        digest, vectors = self._known.get(text.skill, ("", None))
        if digest != text.digest or vectors is None:
            return False
        due = len(text.examples) + bool(text.about)
        is_whole = len(vectors.items) == due and len(vectors.sentences) == len(text.sentences)
        return is_whole and vectors.examples == len(text.examples)

    def _embed(self, texts: Sequence["RoutingText"]) -> dict[str, tuple[str, SkillVectors]]:
        places: dict[str, int] = {}
        for text in texts:
            for line in (*text.examples, *text.about, *text.phrases, *text.sentences):
                places.setdefault(line, len(places))
        rows = self._embedder.embed(tuple(places)) if places else np.zeros((0, self._embedder.dimension), np.float32)

        def rows_for(lines: Sequence[str]) -> Floats:
            found: Floats = rows[[places[line] for line in lines]]
            return found

        return {
            text.skill: (
                text.digest,
                SkillVectors.of(*map(rows_for, (text.examples, text.about, text.phrases, text.sentences))),
            )
            for text in texts
        }

    def _read(self) -> None:
        try:
            found = self._chroma.read()
        except Unusable as error:
            self._warn(f"vectors are kept in memory only: {error}")
            return
        except Damaged as error:
            self._rebuild(error)
            return
        self._stored = set(found)
        for skill, data in found.items():
            vectors = _unpack(data, self._embedder.dimension)
            if vectors is not None:
                self._known.setdefault(skill, (str(data.get("digest")), vectors))

    def _write(self) -> None:
        """Store what the folder lacks; if it proves damaged, store everything in a new folder."""
        for _ in range(2):
            if self._stored is None:
                return
            # Chroma rejects an id that is not printable text; a folder name may be any bytes.
            new = [skill for skill in self._known if skill in self._unsaved and _is_text(skill)]
            gone = sorted(self._stored - self._known.keys())
            if not new and not gone:
                return
            try:
                self._chroma.write((_build_row(skill, *self._known[skill]) for skill in new), gone)
            except Unusable as error:
                self._warn(f"new vectors are kept in memory only: {error}")
                return
            except Damaged as error:
                self._rebuild(error)
                continue
            self._stored = self._stored.difference(gone).union(new)
            self._unsaved.clear()
            if gone:
                self._notes.append(f"removed {write_count(len(gone), 'skills')}")
            return

    def _warn(self, what: str) -> None:
        self._notes.append(what)
        if what != self._last_warning:  # the folder is tried again at every change of the skills
            _log.warning("skill vectors in %s: %s", self._chroma.folder, what)
            self._last_warning = what

    def _rebuild(self, found: Damaged) -> None:
        self._warn(f"rebuilt: {found}; the old folder is now {found.aside.name if found.aside else 'gone'}")
        self._stored = set()
        self._unsaved = set(self._known)


def collection_name(kind: str, model: str, dimension: int) -> str:
    """Collection name of one model: `<kind>-<model>-<dimension>-<first eight hex digits of their hash>`.

    Chroma requires 3 to 63 letters, digits, dots, dashes and underscores, with a letter or digit at both ends. The
    hash separates models whose names become equal after cleaning.
    """
    exact = hashlib.sha256(f"{kind}\n{model}\n{dimension}".encode("utf-8", "replace")).hexdigest()[:8]
    readable = re.sub(r"[^A-Za-z0-9._-]+|\.{2,}", "-", model)[:_MAX_NAME_CHARS].strip("._-") or "model"
    return f"{kind}-{readable}-{dimension}-{exact}"


def _build_row(skill: str, digest: str, vectors: SkillVectors) -> VectorRecord:
    items = vectors.items.astype("<f2")
    mean: Floats = vectors.items.astype(np.float32).mean(axis=0) if len(items) else np.zeros(items.shape[1], np.float32)
    raw = items.tobytes() + vectors.sentences.astype("<f2").tobytes()
    packed = base64.b64encode(raw).decode("ascii")
    counts = {"examples": vectors.examples, "sentences": len(vectors.sentences)}
    return VectorRecord(skill, mean, {"digest": digest, **counts, "items": packed, "crc32": crc32(raw)})


def _unpack(data: Metadata, dimension: int) -> SkillVectors | None:
    """Vectors of a record, or None if it is damaged or has another format."""
    examples, sentences, packed = data.get("examples"), data.get("sentences", 0), data.get("items")
    if not isinstance(examples, int) or not isinstance(sentences, int) or not isinstance(packed, str):
        return None
    try:
        raw = base64.b64decode(packed, validate=True)
        rows = np.frombuffer(raw, dtype="<f2").reshape(-1, dimension).astype(np.float16, copy=False)
    except ValueError:
        return None
    count = len(rows) - sentences
    if data.get("crc32") != crc32(raw) or not 0 <= count - examples <= 1 or sentences < 0:
        return None
    return SkillVectors(rows[:count], examples, rows[count:]) if np.isfinite(rows).all() else None


def _is_text(skill: str) -> bool:
    return bool(skill) and skill.isprintable()
