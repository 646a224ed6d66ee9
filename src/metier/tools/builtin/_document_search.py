"""Document search over a folder: BM25 over passages, in memory, updated when files change."""

import hashlib
import os
import stat
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from metier.textsearch import Bm25, extract_query_terms, extract_words, split_characters, strip_invisible
from metier.tools.builtin._decode import decode_file, detect_binary_kind
from metier.tools.builtin._engines import SearchResult

SUFFIXES: Final = (".csv", ".htm", ".html", ".json", ".log", ".markdown", ".md", ".rst", ".text", ".tsv", ".txt")
_MAX_FILES = 5_000
_MAX_FILE_BYTES = 2 << 20
_MAX_DEPTH = 8
_MAX_PASSAGE_CHARS = 800
_MAX_SNIPPET_CHARS = 400


class IndexedPassage(NamedTuple):
    """Passage of a document: first line, text, count per term, and number of terms."""

    line: int
    text: str
    term_counts: Counter[str]
    term_total: int


class IndexedDocument(NamedTuple):
    """Indexed file."""

    title: str
    title_terms: frozenset[str]
    passages: tuple[IndexedPassage, ...]


class FoundDocument(NamedTuple):
    """Document of the folder with the line that was asked for."""

    path: str
    title: str
    passages: tuple[IndexedPassage, ...]
    line: int

    def cut(self, max_chars: int) -> tuple[str, int]:
        """Text of at most so many characters and its first line: all of it if it fits, else from the line on."""
        whole = "\n".join(passage.text for passage in self.passages)
        if len(whole) <= max_chars:
            return whole, 1
        first = max((at for at, passage in enumerate(self.passages) if passage.line <= self.line), default=0)
        rest = "\n".join(passage.text for passage in self.passages[first:])
        return rest[:max_chars], self.passages[first].line


class _FileStamp(NamedTuple):
    """File metadata that tells whether a file must be read again."""

    size_bytes: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class PassageHit(NamedTuple):
    """Matching passage with its score."""

    path: str
    document: IndexedDocument
    passage: IndexedPassage
    score: float


@dataclass(slots=True)
class DocumentIndex:
    """Search index of the documents below a folder.

    Only one search at a time scans the folder; a file is read again if it changed.
    """

    folder: Path
    notes: tuple[str, ...] = ()
    _files_by_path: dict[str, tuple[_FileStamp, str]] = field(default_factory=dict)
    _documents: dict[str, IndexedDocument] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...] | None:
        """Return the best passages, one per document; None if the folder has no documents."""
        with self._lock:
            self._refresh()
            if not self._files_by_path:
                return None
            shelf = {path: self._documents[digest] for path, (_, digest) in self._files_by_path.items()}
        hits = _rank(shelf, extract_query_terms(query))
        hits = hits or _rank(shelf, split_characters(extract_query_terms(query)))
        return tuple(_to_search_result(hit, query) for hit in hits[:limit])

    def read(self, place: str) -> FoundDocument | None:
        """Document at a place that a search gave, `path` or `path#L12`; None if it is not one of the folder's.

        Only paths that the scan of the folder found are known, so none leads out of it.
        """
        path, _, line = place.partition("#L")
        with self._lock:
            self._refresh()
            known = {_show_path(own): digest for own, (_, digest) in self._files_by_path.items()}
            document = self._documents.get(known.get(path, ""))
        if document is None:
            return None
        return FoundDocument(path, document.title, document.passages, int(line) if line.isdecimal() else 1)

    def _refresh(self) -> None:
        paths = list(_iter_files(self.folder, "", 1))
        self.notes = ()
        if len(paths) > _MAX_FILES:
            self.notes = (f"only the first {_MAX_FILES} of {len(paths)} documents were searched",)
        before, self._files_by_path = self._files_by_path, {}
        for path, seen in paths[:_MAX_FILES]:
            known = before.get(path)
            digest = known[1] if known and known[0] == seen else self._read(path)
            if digest:
                self._files_by_path[path] = (seen, digest)
        used = {digest for _, digest in self._files_by_path.values()}
        self._documents = {digest: document for digest, document in self._documents.items() if digest in used}

    def _read(self, path: str) -> str | None:
        """Index a file under the digest of its path and bytes, so a file that was only touched is not parsed again."""
        try:
            file = os.open(self.folder / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(file, "rb") as stream:
                data = stream.read(_MAX_FILE_BYTES)
        except OSError:
            return None
        digest = hashlib.sha256(path.encode("utf-8", "surrogateescape") + b"\x00" + data).hexdigest()
        if digest not in self._documents:
            document = _index_document(path, data)
            if document is None:
                return None
            self._documents[digest] = document
        return digest


def _iter_files(folder: Path, prefix: str, depth: int) -> Iterator[tuple[str, _FileStamp]]:
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
        if stat.S_ISDIR(seen.st_mode) and depth < _MAX_DEPTH:
            yield from _iter_files(folder / entry.name, f"{prefix}{entry.name}/", depth + 1)
        elif stat.S_ISREG(seen.st_mode) and entry.name.lower().endswith(SUFFIXES):
            yield prefix + entry.name, _FileStamp(seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino)


def _index_document(path: str, data: bytes) -> IndexedDocument | None:
    decoded = None if detect_binary_kind(data) else decode_file(data, cut=len(data) == _MAX_FILE_BYTES)
    if decoded is None:
        return None
    text, title = decoded.text, ""
    if path.lower().endswith((".html", ".htm")):
        from metier.tools.builtin._page import read_article

        article = read_article(text, "")
        text, title = article.text, article.title
    title = title or _find_heading(text) or Path(path).stem
    passages = tuple(_index_passage(line, piece) for line, piece in _split_passages(strip_invisible(text)))
    return IndexedDocument(title, frozenset(extract_words(title)), passages)


def _find_heading(text: str) -> str:
    first = next((line.strip() for line in text.splitlines()[:20] if line.strip()), "")
    return first.lstrip("#").strip()[:120] if first.startswith("#") else ""


def _index_passage(line: int, text: str) -> IndexedPassage:
    terms = extract_words(text)
    return IndexedPassage(line, text, Counter(terms), len(terms))


def _split_passages(text: str) -> Iterator[tuple[int, str]]:
    """Split text into passages of at most `_MAX_PASSAGE_CHARS` at line ends; longer lines are split too."""
    held: list[str] = []
    start = size = 0
    for number, line in enumerate(text.split("\n"), 1):
        for at in range(0, max(1, len(line)), _MAX_PASSAGE_CHARS):
            piece = line[at : at + _MAX_PASSAGE_CHARS]
            if held and size + len(piece) > _MAX_PASSAGE_CHARS:
                yield start, "\n".join(held)
                held, size = [], 0
            start = start if held else number
            held.append(piece)
            size += len(piece) + 1
    if held:
        yield start, "\n".join(held)


def _rank(shelf: dict[str, IndexedDocument], terms: list[str]) -> list[PassageHit]:
    """Return the best passage of each document that has any of the terms, best first."""
    rows = [(path, document, passage) for path, document in shelf.items() for passage in document.passages]
    if not rows or not terms:
        return []
    bm25 = Bm25(len(rows), sum(passage.term_total for *_, passage in rows) / len(rows) or 1.0)
    weights = {term: bm25.idf(sum(term in passage.term_counts for *_, passage in rows)) for term in terms}
    best: dict[str, PassageHit] = {}
    for path, document, passage in rows:
        score = bm25.score(weights, passage.term_counts, passage.term_total)
        score += sum(weights[term] for term in terms if term in document.title_terms)
        if score > 0 and (path not in best or score > best[path].score):
            best[path] = PassageHit(path, document, passage, score)
    return sorted(best.values(), key=lambda hit: (-hit.score, hit.path))


def _to_search_result(hit: PassageHit, query: str) -> SearchResult:
    text = " ".join(hit.passage.text.split())
    low, wanted = text.lower(), [query.lower().strip(), *extract_query_terms(query)]
    at = next((place for term in wanted if (place := low.find(term)) >= 0), 0)
    start = max(0, at - _MAX_SNIPPET_CHARS // 4)
    snippet = ("…" if start else "") + text[start : start + _MAX_SNIPPET_CHARS]
    return SearchResult(hit.document.title, f"{_show_path(hit.path)}#L{hit.passage.line}", snippet)


def _show_path(path: str) -> str:
    """Path as it can be printed: bytes of the name that are no text become a mark."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
