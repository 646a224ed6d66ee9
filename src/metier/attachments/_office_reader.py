"""Program that reads the text of a pdf or Office file; a process of its own, because such files can be hostile.

It imports nothing of Metier, so that it starts quickly, and limits its own memory and processor time first. It prints
`{"text": …}` or `{"problem": "locked" | "damaged" | "heavy" | "missing"}`.
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
from zipfile import BadZipFile, ZipFile

MAX_UNPACKED_BYTES: Final = 64 * 1024 * 1024
_MAX_MEMORY_BYTES: Final = 1 << 30
_MAX_CPU_S: Final = 20
_MAX_CELLS: Final = 1_000_000
_MAX_COLUMNS: Final = 200
# Control characters and halves of characters, which no store takes.
_UNSTORABLE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")

Lines: TypeAlias = Iterator[str]


class FileProblem(Exception):
    """Why the file cannot be read: `locked`, `damaged`, `heavy`, or `missing` if the library is not installed."""


def read_office(ending: str, content: bytes, max_chars: int) -> str:
    """Text of the file, at most so many characters; `FileProblem` if it cannot be read."""
    if ending != "pdf":
        _check_archive(content)
    parts: list[str] = []
    length = 0
    try:
        for line in _READERS[ending](io.BytesIO(content)):
            parts.append(line)
            length += len(line) + 1
            if length > max_chars:
                break
    except ImportError:
        raise FileProblem("missing") from None
    except (MemoryError, RecursionError):
        raise FileProblem("heavy") from None
    text = _UNSTORABLE.sub("", "\n".join(parts)).strip()
    return text[:max_chars]


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
    from docx import Document
    from docx.table import Table

    for block in Document(file).iter_inner_content():
        if isinstance(block, Table):
            for row in block.rows:
                yield "\t".join(cell.text for cell in row.cells)
        else:
            yield block.text


def _read_xlsx(file: IO[bytes]) -> Lines:
    from openpyxl import load_workbook

    book = load_workbook(file, read_only=True, data_only=True)
    left = _MAX_CELLS
    for sheet in book.worksheets:
        yield f"# {sheet.title}"
        for row in sheet.iter_rows(values_only=True, max_col=_MAX_COLUMNS):
            left -= len(row) or 1
            cells = ["" if value is None else str(value) for value in row]
            if any(cells):
                yield "\t".join(cells).rstrip("\t")
            if left < 0:
                return
        yield ""


def _read_pptx(file: IO[bytes]) -> Lines:
    from pptx import Presentation

    for number, slide in enumerate(Presentation(file).slides, 1):
        yield f"# {number}"
        for shape in slide.shapes:
            if shape.has_text_frame:
                yield shape.text_frame.text
            if shape.has_table:
                for row in shape.table.rows:
                    yield "\t".join(cell.text for cell in row.cells)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            yield slide.notes_slide.notes_text_frame.text
        yield ""


def _read_pdf(file: IO[bytes]) -> Lines:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PdfReadError

    try:
        document = PdfReader(file)
        # Many files are encrypted with an empty password, only to forbid printing or copying.
        if document.is_encrypted and not document.decrypt(""):
            raise FileProblem("locked")
        for page in document.pages:
            yield page.extract_text()
            yield ""
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
        answer = {"text": read_office(ending, sys.stdin.buffer.read(), max_chars)}
    except FileProblem as problem:
        answer = {"problem": str(problem)}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    _main()
