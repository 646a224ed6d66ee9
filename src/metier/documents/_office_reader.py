"""Program that reads the text of a pdf or Office file; a process of its own, because such files can be hostile.

It imports nothing of Metier, so that it starts quickly, and limits its own memory and processor time first. It prints
`{"lines": [[place, text], …]}` or `{"problem": "locked" | "damaged" | "heavy" | "missing"}`. A place is `p4` (page of a
pdf), `s2` (slide), `Sheet1!12` (row of a sheet) or `L7` (paragraph of a Word file); headings made here have none.
"""

import contextlib
import io
import json
import re
import resource
import struct
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import IO, Final, TypeAlias
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

MAX_UNPACKED_BYTES: Final = 64 * 1024 * 1024
_MAX_MEMORY_BYTES: Final = 1 << 30
_MAX_CPU_S: Final = 20
_MAX_CELLS: Final = 1_000_000
_MAX_COLUMNS: Final = 200
_WORD_DOCUMENT: Final = "word/document.xml"
_MAX_WORD_BYTES: Final = 32 * 1024 * 1024
_CHUNK_BYTES: Final = 64 * 1024
_WORD_NAMESPACES: Final = frozenset(
    {
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "http://purl.oclc.org/ooxml/wordprocessingml/main",
        "http://schemas.openxmlformats.org/markup-compatibility/2006",
    }
)
_WORD_BREAKS: Final[Mapping[str, str]] = MappingProxyType({"tab": "\t", "br": "\n", "cr": "\n"})
# Control characters and halves of characters, which no store takes.
_UNSTORABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")

Lines: TypeAlias = Iterator[tuple[str, str]]


class FileProblem(Exception):
    """Why the file cannot be read: `locked`, `damaged`, `heavy`, or `missing` if the library is not installed."""


def read_office(ending: str, content: bytes, max_chars: int) -> list[tuple[str, str]]:
    """Lines of the file with their places, at most so many characters; `FileProblem` if it cannot be read."""
    if ending != "pdf":
        _check_archive(content)
    found: list[tuple[str, str]] = []
    left = max_chars
    try:
        for place, text in _READERS[ending](io.BytesIO(content)):
            for line in _UNSTORABLE.sub("", text).split("\n"):
                found.append((place, line[: max(0, left)]))
                left -= len(line) + 1
            if left < 0:
                break
    except ImportError:
        raise FileProblem("missing") from None
    except (MemoryError, RecursionError):
        raise FileProblem("heavy") from None
    return found


def _check_archive(content: bytes) -> None:
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
    except (BadZipFile, ValueError, OSError, struct.error, zlib.error):
        raise FileProblem("damaged") from None
    if any(one.flag_bits & 1 for one in members):
        raise FileProblem("locked")
    if sum(one.file_size for one in members) > MAX_UNPACKED_BYTES:
        raise FileProblem("heavy")


def _read_docx(file: IO[bytes]) -> Lines:
    """Paragraphs and rows of tables in their order.

    Read as a stream: libraries build the whole tree first, and one cell that spans 2,000,000,000 columns takes them
    all their memory and time.
    """
    reader, read_bytes = _WordReader(), 0
    try:
        with ZipFile(file) as archive, archive.open(_WORD_DOCUMENT) as part:
            while chunk := part.read(_CHUNK_BYTES):
                read_bytes += len(chunk)
                if read_bytes > _MAX_WORD_BYTES:
                    return
                yield from reader.read(chunk)
        reader.end()
    except (BadZipFile, KeyError, ValueError, OSError, EOFError, NotImplementedError, zlib.error, expat.ExpatError):
        raise FileProblem("damaged") from None


class _WordReader:
    """Reads `word/document.xml` piece by piece."""

    def __init__(self) -> None:
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add_text
        self._parser.StartDoctypeDeclHandler = _refuse_doctype
        self._done: list[tuple[str, str]] = []
        self._count = 0
        self._line: list[str] = []
        self._depths = dict.fromkeys(("t", "tc", "Fallback"), 0)

    def read(self, chunk: bytes) -> Lines:
        """Lines that end in this piece."""
        self._parser.Parse(chunk, False)
        done, self._done = self._done, []
        yield from done

    def end(self) -> None:
        """Raise `ExpatError` if the document is not complete."""
        self._parser.Parse(b"", True)

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        tag = _find_word_tag(name)
        if tag in self._depths:
            self._depths[tag] += 1
        elif tag in _WORD_BREAKS:
            self._add(_WORD_BREAKS[tag])

    def _end(self, name: str) -> None:
        tag = _find_word_tag(name)
        if tag in self._depths:
            self._depths[tag] -= 1
        is_in_cell = self._depths["tc"] > 0
        if tag == "tc" or (tag == "p" and is_in_cell):
            self._add("\t" if tag == "tc" else " ")
        elif tag in ("tr", "p"):
            self._count += 1
            self._done.append((f"L{self._count}", "".join(self._line).replace(" \t", "\t").rstrip()))
            self._line.clear()

    def _add_text(self, text: str) -> None:
        if self._depths["t"]:
            self._add(text)

    def _add(self, text: str) -> None:
        if not self._depths["Fallback"]:  # a copy for older programs
            self._line.append(text)


def _find_word_tag(name: str) -> str:
    """Name of an element without its namespace; empty for one that Word's own do not belong to."""
    namespace, _, tag = name.rpartition(" ")
    return tag if namespace in _WORD_NAMESPACES else ""


def _refuse_doctype(*_given: object) -> None:
    raise ValueError("a document declares no entities")


def _read_xlsx(file: IO[bytes]) -> Lines:
    from openpyxl import load_workbook

    book = load_workbook(file, read_only=True, data_only=True)
    left = _MAX_CELLS
    for sheet in book.worksheets:
        yield "", f"# {sheet.title}"
        for number, row in enumerate(sheet.iter_rows(values_only=True, max_col=_MAX_COLUMNS), 1):
            left -= len(row) or 1
            cells = ["" if value is None else str(value) for value in row]
            if any(cells):
                yield f"{sheet.title}!{number}", "\t".join(cells).rstrip("\t").replace("\n", " ")
            if left < 0:
                return
        yield "", ""


def _read_pptx(file: IO[bytes]) -> Lines:
    from pptx import Presentation

    for number, slide in enumerate(Presentation(file).slides, 1):
        place = f"s{number}"
        yield "", f"# {number}"
        for shape in slide.shapes:
            if shape.has_text_frame:
                yield place, shape.text_frame.text
            if shape.has_table:
                for row in shape.table.rows:
                    yield place, "\t".join(cell.text for cell in row.cells)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            yield place, slide.notes_slide.notes_text_frame.text
        yield "", ""


def _read_pdf(file: IO[bytes]) -> Lines:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PdfReadError

    try:
        document = PdfReader(file)
        # Many files are encrypted with an empty password, only to forbid printing or copying.
        if document.is_encrypted and not document.decrypt(""):
            raise FileProblem("locked")
        for number, page in enumerate(document.pages, 1):
            yield f"p{number}", page.extract_text()
            yield "", ""
    except DependencyError:  # AES needs a package that is not installed
        raise FileProblem("locked") from None
    except PdfReadError:
        raise FileProblem("damaged") from None


_READERS: Final[Mapping[str, Callable[[IO[bytes]], Lines]]] = MappingProxyType(
    {"docx": _read_docx, "xlsx": _read_xlsx, "pptx": _read_pptx, "pdf": _read_pdf}
)


def _limit_itself() -> None:
    for kind, limit in ((resource.RLIMIT_AS, _MAX_MEMORY_BYTES), (resource.RLIMIT_CPU, _MAX_CPU_S)):
        with contextlib.suppress(ValueError, OSError):  # macOS knows no limit of memory
            resource.setrlimit(kind, (limit, limit))


def _main() -> None:
    _limit_itself()
    ending, max_chars = sys.argv[1], int(sys.argv[2])
    try:
        answer: dict[str, object] = {"lines": read_office(ending, sys.stdin.buffer.read(), max_chars)}
    except FileProblem as problem:
        answer = {"problem": str(problem)}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    _main()
