"""Where a research looks: attached files, the user's folder, pages of the web, or the sample articles."""

import json
import re
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from metier.clock import utc_text
from metier.documents import describe_place
from metier.evidence import EvidenceItem, EvidencePlace, split_paragraph
from metier.language import language_of
from metier.pack import PackContext
from metier.packs.workspace.research._questions import SourceKind
from metier.tools import Tool, ToolContext
from metier.tools.builtin import DocumentIndex, IndexedDocument, builtin_tools_from

SAMPLES: Final = Path(__file__).parent.parent / "samples" / "articles"
ATTACHMENTS: Final = "attachments"
_ATTACHED_TEXTS: Final = "text/"
_PAGES: Final = ".results/research_pages"
_MAX_PAGES: Final = 8
_MAX_KEPT: Final = 8
_NUMBER: Final = re.compile(r"^\d{3,9}-")
_JOINED: Final = frozenset({"page", "text"})


class SourceSentence(NamedTuple):
    """A sentence of a source as it stands there, without line breaks, and its place."""

    text: str
    place: EvidencePlace
    is_own_language: bool = True


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents that a research reads, of one kind; `problems` are the files that cannot be read, by code."""

    kind: SourceKind
    documents: Mapping[str, IndexedDocument]
    problems: Mapping[str, str] = field(default_factory=dict)
    pages: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def locate(self, path: str, document: IndexedDocument, line: int) -> EvidencePlace:
        """Place of a line for the ledger: file and page, slide, row or line, or the address of the page."""
        if page := self.pages.get(path):
            return EvidencePlace(page["url"], "url", page["url"], page["title"], page["time"])
        kind, at = describe_place(document.place(line))
        return EvidencePlace(path, kind, at, document.title)  # type: ignore[arg-type]  # `describe_place` gives no other kinds

    def read_source(self, item: EvidenceItem) -> str:
        """Whole text of the source of evidence; empty if it is not there any more."""
        by_url = {page["url"]: path for path, page in self.pages.items()}
        document = self.documents.get(by_url.get(item.place.source, item.place.source))
        return "" if document is None else "\n".join(passage.text for passage in document.passages)


class Library:
    """Opens corpora; indexes of the folder and the samples are kept for the next research."""

    def __init__(self, context: PackContext) -> None:
        self._settings = context.settings
        self.folder = context.settings.web_search_folder.resolve()
        self.has_web = context.settings.web_search != "local"
        self._folder_index = DocumentIndex(self.folder)
        self._sample_index = DocumentIndex(SAMPLES)
        self._attached: OrderedDict[Path, DocumentIndex] = OrderedDict()
        self._lock = threading.Lock()

    def choose(self, workspace: Path, asked: SourceKind | None) -> SourceKind:
        """The corpus that was asked for, else the first that has documents; the samples if there is no other."""
        if asked is not None:
            return asked
        attached = self.open(workspace, "attachments")
        if attached.documents or attached.problems:
            return "attachments"
        if self.has_web:
            return "web"
        found = self.open(workspace, "folder")
        return "folder" if found.documents or found.problems else "samples"

    def open(self, workspace: Path, kind: SourceKind) -> Corpus:
        """All documents of a kind; pages of the web are those of the last search."""
        if kind == "attachments":
            index = self._open_attached(workspace / ATTACHMENTS)
            documents = index.list_documents()
            own = {path: one for path, one in documents.items() if not path.startswith(_ATTACHED_TEXTS)}
            shown = _name_attached((*own, *index.problems))
            named = {shown[path]: one._replace(title=_NUMBER.sub("", one.title)) for path, one in own.items()}
            return Corpus(kind, named, {shown[path]: code for path, code in index.problems.items()})
        if kind == "web":
            index = DocumentIndex(workspace / _PAGES)
            documents = {path: one for path, one in index.list_documents().items() if path != "pages.json"}
            return Corpus(kind, documents, pages=_read_pages(workspace))
        index = self._sample_index if kind == "samples" else self._folder_index
        return Corpus(kind, index.list_documents(), index.problems)

    def _open_attached(self, folder: Path) -> DocumentIndex:
        """Index of the attached files of a conversation; those of the last few are kept, so that a pdf is read once."""
        with self._lock:
            index = self._attached.pop(folder, None) or DocumentIndex(folder)
            self._attached[folder] = index
            while len(self._attached) > _MAX_KEPT:
                self._attached.popitem(last=False)
            return index

    async def load_pages(self, queries: tuple[str, ...], context: ToolContext) -> str:
        """Search the web, keep the pages found in the conversation's folder; returns what went wrong, if anything."""
        tools = {tool.spec.name: tool for tool in builtin_tools_from(self._settings)}
        found: dict[str, str] = {}
        problem = ""
        for query in queries:
            answer = await tools["web_search"].run({"query": query[:400], "limit": 5}, context)
            problem = answer.failure.message if answer.failure else problem
            for row in _iter_rows(answer.data):
                found.setdefault(str(row.get("url")), str(row.get("title")))
        folder = context.workspace / _PAGES
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        pages: dict[str, dict[str, str]] = {}
        for number, (url, title) in enumerate(list(found.items())[:_MAX_PAGES], 1):
            text = await _fetch(tools["fetch_web_content"], url, context)
            if text:
                (folder / f"{number:03d}.txt").write_text(text, "utf-8")
                time = utc_text()
                pages[f"{number:03d}.txt"] = {"url": url, "title": title, "time": time}
        (folder / "pages.json").write_text(json.dumps(pages, ensure_ascii=False), "utf-8")
        return problem


def _name_attached(paths: Sequence[str]) -> Mapping[str, str]:
    """Names of attached files as the user knows them; the number in front stays where two have the same name."""
    plain = {path: _NUMBER.sub("", path) for path in paths}
    counts = Counter(plain.values())
    return {path: name if counts[name] == 1 else path for path, name in plain.items()}


def iter_sentences(corpus: Corpus, path: str, language: str) -> Iterator[SourceSentence]:
    """Sentences of a document with their places; headings, notes in front of a text and table rules are left out."""
    document = corpus.documents[path]
    for line, text in _iter_paragraphs(document):
        own = language_of(text) == language
        at = 0
        for sentence in split_paragraph(text):
            at = text.find(sentence, at)
            place = corpus.locate(path, document, line + text.count("\n", 0, max(at, 0)))
            yield SourceSentence(_join_lines(sentence), place, own)


def _iter_paragraphs(document: IndexedDocument) -> Iterator[tuple[int, str]]:
    """First line and text of each paragraph; lines of a page or a text are joined, rows and slides stay apart."""
    kind = describe_place(document.places[0])[0] if document.places else "text"
    start, held, page = 0, list[str](), ""
    for passage in document.passages:
        for offset, line in enumerate(passage.text.split("\n")):
            number = passage.first + offset
            here = document.place(number) if kind == "page" and number < len(document.places) else ""
            is_apart = kind not in _JOINED or line.lstrip().startswith(("#", ">", "-", "*", "|", "•"))
            if held and (not line.strip() or is_apart or here != page):
                yield start, "\n".join(held)
                held = []
            if not line.strip() or line.lstrip().startswith(("#", ">", "|--", "---")):
                continue
            if is_apart:
                yield number, line.strip().lstrip("-*•| ")
                continue
            start, page = (number, here) if not held else (start, page)
            held.append(line.strip())
    if held:
        yield start, "\n".join(held)


def _join_lines(text: str) -> str:
    parts = [part.strip() for part in text.replace("\t", " ").split("\n")]
    joined = parts[0]
    for part in parts[1:]:
        is_latin = joined[-1:].isascii() and part[:1].isascii()
        joined += f" {part}" if is_latin else part
    return joined


def _read_pages(workspace: Path) -> Mapping[str, Mapping[str, str]]:
    try:
        found = json.loads((workspace / _PAGES / "pages.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _iter_rows(data: object) -> Iterator[Mapping[str, object]]:
    rows = data.get("results") if isinstance(data, Mapping) else None
    yield from (row for row in rows or () if isinstance(row, Mapping))


async def _fetch(tool: Tool, url: str, context: ToolContext) -> str:
    answer = await tool.run({"url": url, "max_chars": 60_000}, context)
    return str(answer.data.get("content", "")) if answer.data else ""
