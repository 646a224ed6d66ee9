"""Document search over a folder: BM25 over passages, in memory, updated when files change."""

import hashlib
import math
import os
import stat
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from metier.tools.builtin._decode import binary_kind, decode_file
from metier.tools.builtin._engines import Found
from metier.tools.builtin._words import index_terms, query_terms, single_characters, visible

SUFFIXES: Final = (".csv", ".htm", ".html", ".json", ".log", ".markdown", ".md", ".rst", ".text", ".tsv", ".txt")
_MOST_FILES = 5_000
_FILE_BYTES = 2 << 20
_DEEPEST = 8
_PASSAGE_CHARS = 800
_SNIPPET_CHARS = 400
_K1 = 1.2
_B = 0.75


class Passage(NamedTuple):
    """Passage of a document: first line, text, count per term, and number of terms."""

    line: int
    text: str
    counts: Counter[str]
    length: int


class Document(NamedTuple):
    """Indexed file."""

    title: str
    head: frozenset[str]
    passages: tuple[Passage, ...]


class _Seen(NamedTuple):
    """File metadata that tells whether a file must be read again."""

    size_bytes: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Hit(NamedTuple):
    """Matching passage with its score."""

    path: str
    document: Document
    passage: Passage
    score: float


@dataclass(slots=True)
class Library:
    """Search index of the documents below a folder.

    Only one search at a time scans the folder; a file is read again if it changed.
    """

    folder: Path
    notes: tuple[str, ...] = ()
    _seen: dict[str, tuple[_Seen, str]] = field(default_factory=dict)
    _documents: dict[str, Document] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def search(self, query: str, limit: int) -> tuple[Found, ...] | None:
        """Return the best passages, one per document; None if the folder has no documents."""
        with self._lock:
            self._refresh()
            if not self._seen:
                return None
            shelf = {path: self._documents[digest] for path, (_, digest) in self._seen.items()}
        hits = _ranked(shelf, query_terms(query))
        hits = hits or _ranked(shelf, single_characters(query_terms(query)))
        return tuple(_found(hit, query) for hit in hits[:limit])

    def _refresh(self) -> None:
        paths = list(_files(self.folder, "", 1))
        self.notes = ()
        if len(paths) > _MOST_FILES:
            self.notes = (f"only the first {_MOST_FILES} of {len(paths)} documents were searched",)
        before, self._seen = self._seen, {}
        for path, seen in paths[:_MOST_FILES]:
            known = before.get(path)
            digest = known[1] if known and known[0] == seen else self._read(path)
            if digest:
                self._seen[path] = (seen, digest)
        used = {digest for _, digest in self._seen.values()}
        self._documents = {digest: document for digest, document in self._documents.items() if digest in used}

    def _read(self, path: str) -> str | None:
        """Index a file under the digest of its path and bytes, so a file that was only touched is not parsed again."""
        try:
            file = os.open(self.folder / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(file, "rb") as stream:
                data = stream.read(_FILE_BYTES)
        except OSError:
            return None
        digest = hashlib.sha256(path.encode("utf-8", "surrogateescape") + b"\x00" + data).hexdigest()
        if digest not in self._documents:
            document = _document(path, data)
            if document is None:
                return None
            self._documents[digest] = document
        return digest


def _files(folder: Path, prefix: str, depth: int) -> Iterator[tuple[str, _Seen]]:
    try:
        with os.scandir(folder) as found:
            entries = sorted((entry for entry in found if not entry.name.startswith(".")), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        try:
            seen = entry.stat(follow_symlinks=False)
        except OSError:
            continue
        if stat.S_ISDIR(seen.st_mode) and depth < _DEEPEST:
            yield from _files(folder / entry.name, f"{prefix}{entry.name}/", depth + 1)
        elif stat.S_ISREG(seen.st_mode) and entry.name.lower().endswith(SUFFIXES):
            yield prefix + entry.name, _Seen(seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


def _document(path: str, data: bytes) -> Document | None:
    decoded = None if binary_kind(data) else decode_file(data, cut=len(data) == _FILE_BYTES)
    if decoded is None:
        return None
    text, title = decoded.text, ""
    if path.lower().endswith((".html", ".htm")):
        from metier.tools.builtin._page import read_article

        article = read_article(text, "")
        text, title = article.text, article.title
    title = title or _heading(text) or Path(path).stem
    passages = tuple(_passage(line, piece) for line, piece in _pieces(visible(text)))
    return Document(title, frozenset(index_terms(title)), passages)


def _heading(text: str) -> str:
    first = next((line.strip() for line in text.splitlines()[:20] if line.strip()), "")
    return first.lstrip("#").strip()[:120] if first.startswith("#") else ""


def _passage(line: int, text: str) -> Passage:
    terms = index_terms(text)
    return Passage(line, text, Counter(terms), len(terms))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Split text into passages of at most `_MAX_PASSAGE_CHARS` at line ends; longer lines are split too."""
    held: list[str] = []
    start = size = 0
    for number, line in enumerate(text.split("\n"), 1):
        for at in range(0, max(1, len(line)), _PASSAGE_CHARS):
            piece = line[at : at + _PASSAGE_CHARS]
            if held and size + len(piece) > _PASSAGE_CHARS:
                yield start, "\n".join(held)
                held, size = [], 0
            start = start if held else number
            held.append(piece)
            size += len(piece) + 1
    if held:
        yield start, "\n".join(held)


def _ranked(shelf: dict[str, Document], terms: list[str]) -> list[Hit]:
    """Return the best passage of each document that has any of the terms, best first."""
    rows = [(path, document, passage) for path, document in shelf.items() for passage in document.passages]
    if not rows or not terms:
        return []
    mean = sum(passage.length for *_, passage in rows) / len(rows) or 1.0
    weights = {term: _rarity(sum(term in passage.counts for *_, passage in rows), len(rows)) for term in terms}
    best: dict[str, Hit] = {}
    for path, document, passage in rows:
        score = sum(weights[term] * _share(passage, term, mean) for term in terms if term in passage.counts)
        score += sum(weights[term] for term in terms if term in document.head)
        if score > 0 and (path not in best or score > best[path].score):
            best[path] = Hit(path, document, passage, score)
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.path))


def _rarity(holders: int, total: int) -> float:
    return math.log(1 + (total - holders + 0.5) / (holders + 0.5))


def _share(passage: Passage, term: str, mean: float) -> float:
    count = passage.counts[term]
    return count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * passage.length / mean))


def _found(hit: Hit, query: str) -> Found:
    text = " ".join(hit.passage.text.split())
    low, wanted = text.lower(), [query.lower().strip(), *query_terms(query)]
    at = next((place for term in wanted if (place := low.find(term)) >= 0), 0)
    start = max(0, at - _SNIPPET_CHARS // 4)
    snippet = ("…" if start else "") + text[start : start + _SNIPPET_CHARS]
    path = hit.path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return Found(hit.document.title, f"{path}#L{hit.passage.line}", snippet)
