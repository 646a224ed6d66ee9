"""Types of files that may be attached, told from their content; the name has to agree."""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import IO, Final
from zipfile import BadZipFile, ZipFile

from metier.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class FileType:
    """A type of file: its ending and its media type."""

    ending: str
    media_type: str


_TEXT_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {"txt": "text/plain", "md": "text/markdown", "csv": "text/csv", "json": "application/json", "log": "text/plain"}
)
_BINARY: Final = (
    (b"%PDF-", FileType("pdf", "application/pdf")),
    (b"\x89PNG\r\n\x1a\n", FileType("png", "image/png")),
    (b"\xff\xd8\xff", FileType("jpg", "image/jpeg")),
    (b"GIF8", FileType("gif", "image/gif")),
)
_OFFICE: Final = (
    ("word/document.xml", "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xl/workbook.xml", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("ppt/presentation.xml", "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
)
_DIRECTORY_END: Final = re.compile(rb"PK\x05\x06")
_SAME: Final[Mapping[str, str]] = MappingProxyType({"jpeg": "jpg", "markdown": "md", "text": "txt"})
_MAX_DIRECTORY_BYTES: Final = 1 << 20  # about 10,000 members; each takes a kilobyte of memory and 5 µs to list
_MAX_COMMENT_BYTES: Final = 66_000
_HINT: Final = "attach text (txt, md, csv, json, log), docx, xlsx, pptx, pdf, png, jpg or gif"


def detect_type(name: str, content: bytes) -> FileType:
    """Type of a file by its content; `InvalidInput` if it is none of ours, or if the name says otherwise."""
    ending = PurePosixPath(name.replace("\\", "/")).suffix.lstrip(".").lower()
    ending = _SAME.get(ending, ending)
    found = next((kind for begin, kind in _BINARY if content.startswith(begin)), None)
    if found is None and content.startswith(b"PK\x03\x04"):
        found = _detect_office(content)
    if found is None and _is_text(content):
        found = FileType(ending, _TEXT_TYPES[ending]) if ending in _TEXT_TYPES else FileType("txt", "text/plain")
        if ending and ending not in _TEXT_TYPES:
            raise InvalidInput(f"{name[:80]!r} holds text, not what its ending says", hint=_HINT)
    if found is None:
        raise InvalidInput(f"files such as {name[:80]!r} cannot be attached", hint=_HINT)
    if ending and ending != found.ending:
        raise InvalidInput(f"{name[:80]!r} is a {found.ending} file, not what its ending says", hint="rename the file")
    return found


def get_type(ending: str) -> FileType | None:
    """Type of a stored file by its ending; None if files of that ending are not attached."""
    known = (*(kind for _, kind in _BINARY), *(FileType(one, kind) for _, one, kind in _OFFICE))
    if ending in _TEXT_TYPES:
        return FileType(ending, _TEXT_TYPES[ending])
    return next((kind for kind in known if kind.ending == ending), None)


def is_plain_archive(file: IO[bytes]) -> bool:
    """Whether a ZIP archive has a directory of ordinary size; `zipfile` reads the whole directory when it opens one."""
    size_bytes = file.seek(0, io.SEEK_END)
    file.seek(max(0, size_bytes - _MAX_COMMENT_BYTES))
    end = file.read()
    file.seek(0)
    sizes = [int.from_bytes(end[hit.start() + 12 : hit.start() + 16], "little") for hit in _DIRECTORY_END.finditer(end)]
    return bool(sizes) and max(sizes) <= _MAX_DIRECTORY_BYTES and b"PK\x06\x07" not in end


def _detect_office(content: bytes) -> FileType | None:
    if not is_plain_archive(io.BytesIO(content)):
        return None
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist()[:5000])
    except (BadZipFile, ValueError, OSError):
        return None
    return next((FileType(ending, kind) for member, ending, kind in _OFFICE if member in names), None)


def _is_text(content: bytes) -> bool:
    if b"\x00" in content:
        return False
    for encoding in ("utf-8", "gb18030"):
        try:
            content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return True
    return False
