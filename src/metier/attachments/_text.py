"""Text of an attached file, for skills and models; reads no more of it than it needs."""

import codecs
import zlib
from typing import IO, Final
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from metier.attachments._file_types import is_plain_archive

_DOCUMENT: Final = "word/document.xml"
_MAX_XML_BYTES: Final = 16 * 1024 * 1024
_CHUNK_BYTES: Final = 64 * 1024
_NAMESPACES: Final = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
_FALLBACK: Final = "http://schemas.openxmlformats.org/markup-compatibility/2006 Fallback"
_UNREADABLE: Final = (
    *(BadZipFile, KeyError, ValueError, OSError, EOFError, OverflowError),
    *(RuntimeError, NotImplementedError, zlib.error, expat.ExpatError),
)


def extract_text(ending: str, file: IO[bytes], max_chars: int) -> str | None:
    """First `max_chars` of a file's text; None if it has none that can be read here."""
    if ending in ("txt", "md", "csv", "json", "log"):
        return _decode(file.read(4 * max_chars))[:max_chars]
    if ending == "docx":
        return _read_docx(file, max_chars)
    return None


def _decode(content: bytes) -> str:
    """Text of the content, whose last character may be cut off."""
    try:
        return codecs.getincrementaldecoder("utf-8-sig")().decode(content)
    except UnicodeDecodeError:
        return codecs.getincrementaldecoder("gb18030")("replace").decode(content)


def _read_docx(file: IO[bytes], max_chars: int) -> str | None:
    """Paragraphs and tables in their order.

    Read as a stream: libraries build the whole tree first, and one cell that spans 2,000,000,000 columns takes them
    all the memory there is.
    """
    if not is_plain_archive(file):
        return None
    reader = _DocxReader(max_chars)
    try:
        with ZipFile(file) as archive:
            if archive.getinfo(_DOCUMENT).compress_type not in (ZIP_STORED, ZIP_DEFLATED):
                return None
            with archive.open(_DOCUMENT) as part:
                return reader.read(part)
    except _UNREADABLE:
        return None


class _DocxReader:
    """Reads the text of `word/document.xml`."""

    def __init__(self, max_chars: int) -> None:
        self._left_chars = max_chars
        self._parts: list[str] = []
        self._text_depth = 0
        self._cell_depth = 0
        self._fallback_depth = 0  # older programs' copy of what was read already

    def read(self, part: IO[bytes]) -> str:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add_text
        parser.StartDoctypeDeclHandler = _refuse_doctype
        read_bytes = 0
        while self._left_chars > 0 and read_bytes < _MAX_XML_BYTES and (chunk := part.read(_CHUNK_BYTES)):
            parser.Parse(chunk, False)
            read_bytes += len(chunk)
        return "\n".join(line.rstrip() for line in "".join(self._parts).split("\n")).strip("\n")

    def _start(self, name: str, _attributes: dict[str, str]) -> None:
        self._fallback_depth += name == _FALLBACK
        tag = _find_tag(name)
        self._text_depth += tag == "t"
        self._cell_depth += tag == "tc"
        if tag == "tab":
            self._add("\t")
        elif tag in ("br", "cr"):
            self._add("\n")

    def _end(self, name: str) -> None:
        tag = _find_tag(name)
        self._text_depth -= tag == "t"
        self._cell_depth -= tag == "tc"
        if tag == "p":
            self._add(" " if self._cell_depth else "\n")
        elif tag == "tc":
            self._parts[-1:] = ["\t"] if self._parts[-1:] == [" "] else [*self._parts[-1:], "\t"]
        elif tag == "tr":
            self._add("\n")
        self._fallback_depth -= name == _FALLBACK

    def _add_text(self, text: str) -> None:
        if self._text_depth:
            self._add(text)

    def _add(self, text: str) -> None:
        if not self._fallback_depth:
            self._parts.append(text[: max(0, self._left_chars)])
            self._left_chars -= len(text)


def _find_tag(name: str) -> str:
    """Name of an element of Word without its namespace; empty for one of another."""
    namespace = next((one for one in _NAMESPACES if name.startswith(one)), None)
    return name.removeprefix(namespace) if namespace else ""


def _refuse_doctype(*_given: object) -> None:
    raise ValueError("a document declares no entities")
