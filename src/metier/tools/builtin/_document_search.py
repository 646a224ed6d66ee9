"""Document search over a folder: BM25 over passages, in memory, updated when files change."""

import hashlib
import os
import stat
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from metier.clock import awake_time
from metier.documents import OFFICE_ENDINGS, describe_place, read_office_lines
from metier.errors import InvalidInput
from metier.textsearch import Bm25, extract_query_terms, extract_words, split_characters, strip_invisible
from metier.tools.builtin._decode import decode_file, detect_binary_kind
from metier.tools.builtin._engines import SearchResult
from metier.tools.builtin._paths import to_valid_utf8

_TEXT_SUFFIXES: Final = (".csv", ".htm", ".html", ".json", ".log", ".markdown", ".md", ".rst", ".text", ".tsv", ".txt")
_OFFICE_SUFFIXES: Final = tuple(f".{ending}" for ending in sorted(OFFICE_ENDINGS))
SUFFIXES: Final = (*_OFFICE_SUFFIXES, *_TEXT_SUFFIXES)
_MAX_FILES = 5_000
_MAX_FILE_BYTES = 2 << 20
_MAX_OFFICE_BYTES = 32 << 20
_MAX_OFFICE_CHARS = 1_000_000
_MAX_DEPTH = 8
_MAX_PASSAGE_CHARS = 800
_MAX_SNIPPET_CHARS = 400
_MAX_NAMED_FILES = 3
_READ_OFFICE_S = 20.0  # of one search; what is left over is read by the next one
_PROBLEM_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "file_locked": "protected by a password",
        "file_damaged": "damaged",
        "file_too_complex": "too large to read",
        "no_text": "without text, perhaps scanned",
        "missing_extra": "not readable without the extra 'office'",
        "unread": "not read yet, search again in a moment",
    }
)


class IndexedPassage(NamedTuple):
    """Passage of a document: number of its first line from 0, text, count per term, and number of terms."""

    first: int
    text: str
    term_counts: Counter[str]
    term_total: int


class IndexedDocument(NamedTuple):
    """Indexed file. `places` has the place of each line of a pdf or Office file; it is empty for a text file."""

    title: str
    title_terms: frozenset[str]
    passages: tuple[IndexedPassage, ...]
    places: tuple[str, ...] = ()

    def place(self, line: int) -> str:
        """Place of a line, counted from 0: `L3`, `p4`, `s2` or `Sheet1!12`."""
        return self.places[line] if self.places else f"L{line + 1}"

    def find_line(self, place: str) -> int | None:
        """First line at a place; None if the document has no such place."""
        if self.places:
            return self.places.index(place) if place in self.places else None
        return int(place[1:]) - 1 if place[:1] == "L" and place[1:].isdecimal() and int(place[1:]) else None


class FoundDocument(NamedTuple):
    """Document of the folder with the line that was asked for, counted from 0; None if no place was named."""

    path: str
    document: IndexedDocument
    line: int | None = None

    def cut(self, max_chars: int) -> tuple[str, str]:
        """Text of at most so many characters and the place it starts at; empty for the whole document.

        A text file that fits is given whole; a pdf or Office file starts at the page, slide or row that was asked for.
        """
        passages = self.document.passages
        whole = "\n".join(passage.text for passage in passages)
        if self.line is None or (len(whole) <= max_chars and not self.document.places):
            return whole[:max_chars], ""
        first = max((at for at, passage in enumerate(passages) if passage.first <= self.line), default=0)
        while first and self.document.place(passages[first - 1].first) == self.document.place(self.line):
            first -= 1
        rest = "\n".join(passage.text for passage in passages[first:])
        return rest[:max_chars], self.document.place(passages[first].first)


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

    @property
    def place(self) -> str:
        """Where the passage is: `a.md#L3`, `b.pdf#p4`."""
        return f"{to_valid_utf8(self.path)}#{self.document.place(self.passage.first)}"


@dataclass(slots=True)
class DocumentIndex:
    """Search index of the documents below a folder.

    Only one search at a time scans the folder; a file is read again if it changed. `problems` has the code of each file
    that could not be read: `file_locked`, `file_damaged`, `file_too_complex`, `no_text`, `missing_extra`, `unread`.
    """

    folder: Path
    notes: tuple[str, ...] = ()
    problems: Mapping[str, str] = field(default_factory=dict)
    _files_by_path: dict[str, tuple[_FileStamp, str]] = field(default_factory=dict)
    _documents: dict[str, IndexedDocument] = field(default_factory=dict)
    _problems: dict[str, tuple[_FileStamp, str]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def search(self, query: str, limit: int) -> tuple[SearchResult, ...] | None:
        """Return the best passages, one per document; None if the folder has no documents."""
        hits = self.find_passages(query, limit)
        return None if hits is None else tuple(_to_search_result(hit, query) for hit in hits)

    def find_passages(self, query: str, limit: int, *, per_document: int = 1) -> tuple[PassageHit, ...] | None:
        """Best passages, at most so many of one document; None if the folder has no documents."""
        documents = self.list_documents()
        if not documents and not self.problems:
            return None
        hits = _rank(documents, extract_query_terms(query), per_document)
        hits = hits or _rank(documents, split_characters(extract_query_terms(query)), per_document)
        return tuple(hits[:limit])

    def list_documents(self) -> dict[str, IndexedDocument]:
        """All documents by path, after files that changed were read again."""
        with self._lock:
            self._refresh()
            return {path: self._documents[digest] for path, (_, digest) in self._files_by_path.items()}

    def read(self, place: str) -> FoundDocument | None:
        """Document at a place that a search gave, `path` or `path#L12`; None if it is not one of the folder's.

        Only paths that the scan of the folder found are known, so none leads out of it.
        """
        known = {to_valid_utf8(own): document for own, document in self.list_documents().items()}
        if place in known:
            return FoundDocument(place, known[place])
        ends = (at for at, char in enumerate(place) if char == "#")
        path = next((place[:at] for at in ends if place[:at] in known), None)
        if path is None:
            return None
        return FoundDocument(path, known[path], known[path].find_line(place[len(path) + 1 :]) or 0)

    def find_problem(self, place: str) -> tuple[str, str] | None:
        """Code and words of why the file at a place could not be read at the last search; None if it could."""
        path = next((one for one in self.problems if place == one or place.startswith(f"{one}#")), None)
        return None if path is None else (self.problems[path], _PROBLEM_WORDS[self.problems[path]])

    def _refresh(self) -> None:
        paths = list(_iter_files(self.folder, "", 1))
        before, self._files_by_path = self._files_by_path, {}
        problems, self._problems = self._problems, {}
        office: list[tuple[str, _FileStamp]] = []
        for path, seen in paths[:_MAX_FILES]:
            known, problem = before.get(path), problems.get(path)
            if known and known[0] == seen:
                self._files_by_path[path] = known
            elif problem and problem[0] == seen and problem[1] != "unread":
                self._problems[path] = problem
            elif path.lower().endswith(_OFFICE_SUFFIXES):
                office.append((path, seen))
            elif digest := self._read(path):
                self._files_by_path[path] = (seen, digest)
        self._read_office_files(office)
        used = {digest for _, digest in self._files_by_path.values()}
        self._documents = {digest: document for digest, document in self._documents.items() if digest in used}
        self.problems = {to_valid_utf8(path): code for path, (_, code) in self._problems.items()}
        cut = (f"only the first {_MAX_FILES} of {len(paths)} documents were searched",) if paths[_MAX_FILES:] else ()
        self.notes = (*cut, *_describe_problems(self.problems))

    def _read(self, path: str) -> str | None:
        """Index a file under the digest of its path and bytes, so a file that was only touched is not parsed again."""
        data = self._load(path, _MAX_FILE_BYTES)
        if data is None:
            return None
        digest = _make_digest(path, data)
        if digest not in self._documents:
            document = _index_text(path, data)
            if document is None:
                return None
            self._documents[digest] = document
        return digest

    def _read_office_files(self, paths: list[tuple[str, _FileStamp]]) -> None:
        """Read pdf and Office files, two at a time; those that do not fit into the time wait for the next search."""
        if not paths:
            return
        deadline = awake_time() + _READ_OFFICE_S
        with ThreadPoolExecutor(2) as pool:
            for (path, seen), (digest, code) in zip(
                paths, pool.map(lambda one: self._read_office(one[0], deadline), paths), strict=True
            ):
                if digest:
                    self._files_by_path[path] = (seen, digest)
                else:
                    self._problems[path] = (seen, code)

    def _read_office(self, path: str, deadline: float) -> tuple[str, str]:
        """Digest under which a pdf or Office file was indexed, or the code of its problem."""
        data = self._load(path, _MAX_OFFICE_BYTES + 1)
        if data is None:
            return "", "file_damaged"
        if len(data) > _MAX_OFFICE_BYTES:
            return "", "file_too_complex"
        digest = _make_digest(path, data)
        if digest not in self._documents:
            if awake_time() > deadline:
                return "", "unread"
            try:
                document = _index_office(path, data)
            except InvalidInput as error:
                return "", error.code
            if isinstance(document, str):
                return "", document
            self._documents[digest] = document
        return digest, ""

    def _load(self, path: str, max_bytes: int) -> bytes | None:
        try:
            file = os.open(self.folder / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(file, "rb") as stream:
                return stream.read(max_bytes)
        except OSError:
            return None


def _make_digest(path: str, data: bytes) -> str:
    return hashlib.sha256(path.encode("utf-8", "surrogateescape") + b"\x00" + data).hexdigest()


def _describe_problems(problems: Mapping[str, str]) -> Iterator[str]:
    for code, words in _PROBLEM_WORDS.items():
        named = [path for path, own in problems.items() if own == code]
        if named:
            more = f" and {len(named) - _MAX_NAMED_FILES} more" if named[_MAX_NAMED_FILES:] else ""
            yield f"not searched: {', '.join(named[:_MAX_NAMED_FILES])}{more} ({words})"


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


def _index_text(path: str, data: bytes) -> IndexedDocument | None:
    decoded = None if detect_binary_kind(data) else decode_file(data, cut=len(data) == _MAX_FILE_BYTES)
    if decoded is None:
        return None
    text, title = decoded.text, ""
    if path.lower().endswith((".html", ".htm")):
        from metier.tools.builtin._page import read_article

        article = read_article(text, "")
        text, title = article.text, article.title
    title = title or _find_heading(text) or Path(path).stem
    return _build_document(title, strip_invisible(text).split("\n"))


def _index_office(path: str, data: bytes) -> IndexedDocument | str:
    """Document of a pdf or Office file; the code of its problem if it has no text. A locked one raises its error."""
    ending = path.lower().rpartition(".")[2]
    if data.startswith(b"\xd0\xcf\x11\xe0"):  # Office writes this with a password, or for old versions
        return "file_locked"
    found = read_office_lines(path, ending, data, _MAX_OFFICE_CHARS)
    if found is None:
        return "missing_extra"
    lines = [line for line in found if line.place]
    if not any(line.text.strip() for line in lines):
        return "no_text"
    texts = [strip_invisible(line.text) for line in lines]
    return _build_document(Path(path).stem, texts, tuple(line.place for line in lines))


def _build_document(title: str, lines: list[str], places: tuple[str, ...] = ()) -> IndexedDocument:
    passages = tuple(_index_passage(first, piece) for first, piece in _split_passages(lines, places))
    return IndexedDocument(title, frozenset(extract_words(title)), passages, places)


def _find_heading(text: str) -> str:
    first = next((line.strip() for line in text.splitlines()[:20] if line.strip()), "")
    return first.lstrip("#").strip()[:120] if first.startswith("#") else ""


def _index_passage(first: int, text: str) -> IndexedPassage:
    terms = extract_words(text)
    return IndexedPassage(first, text, Counter(terms), len(terms))


def _split_passages(lines: list[str], places: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Split lines into passages of at most `_MAX_PASSAGE_CHARS`; long lines are split, pages and slides not joined."""
    held: list[str] = []
    start = size = 0
    for number, line in enumerate(lines):
        page = places[number] if places and describe_place(places[number])[0] in ("page", "slide") else ""
        for at in range(0, max(1, len(line)), _MAX_PASSAGE_CHARS):
            piece = line[at : at + _MAX_PASSAGE_CHARS]
            if held and (size + len(piece) > _MAX_PASSAGE_CHARS or (page and places[start] != page)):
                yield start, "\n".join(held)
                held, size = [], 0
            start = start if held else number
            held.append(piece)
            size += len(piece) + 1
    if held:
        yield start, "\n".join(held)


def _rank(documents: Mapping[str, IndexedDocument], terms: list[str], per_document: int) -> list[PassageHit]:
    """Return the best passages of each document that has any of the terms, best first."""
    rows = [(path, document, passage) for path, document in documents.items() for passage in document.passages]
    if not rows or not terms:
        return []
    bm25 = Bm25(len(rows), sum(passage.term_total for *_, passage in rows) / len(rows) or 1.0)
    weights = {term: bm25.idf(sum(term in passage.term_counts for *_, passage in rows)) for term in terms}
    found: dict[str, list[PassageHit]] = {}
    for path, document, passage in rows:
        score = bm25.score(weights, passage.term_counts, passage.term_total)
        score += sum(weights[term] for term in terms if term in document.title_terms)
        if score > 0:
            found.setdefault(path, []).append(PassageHit(path, document, passage, score))
    best = (sorted(hits, key=lambda hit: -hit.score)[:per_document] for hits in found.values())
    return sorted((hit for hits in best for hit in hits), key=lambda hit: (-hit.score, hit.path))


def _to_search_result(hit: PassageHit, query: str) -> SearchResult:
    text = " ".join(hit.passage.text.split())
    low, wanted = text.lower(), [query.lower().strip(), *extract_query_terms(query)]
    at = next((place for term in wanted if (place := low.find(term)) >= 0), 0)
    start = max(0, at - _MAX_SNIPPET_CHARS // 4)
    snippet = ("…" if start else "") + text[start : start + _MAX_SNIPPET_CHARS]
    return SearchResult(hit.document.title, hit.place, snippet)
