"""Types of files that may be attached, told from their content; the name has to agree."""

import io
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final
from zipfile import BadZipFile, ZipFile

from metier.attachments._old_formats import OLD_ENDINGS, describe_old_format
from metier.errors import FileDamaged, FileHasMacros, FileTypeRefused


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
# Measured data: kept as it is, read by the pack that knows it. A MATLAB file of version 7.3 is HDF5 behind its header.
_DATA: Final = (
    (b"MATLAB 5.0 MAT-file", FileType("mat", "application/x-matlab-data")),
    (b"MATLAB 7.3 MAT-file", FileType("mat", "application/x-matlab-data")),
    (b"RIFF", FileType("wav", "audio/wav")),
    (b"\x93NUMPY", FileType("npy", "application/x-npy")),
    (b"\x89HDF\r\n\x1a\n", FileType("h5", "application/x-hdf5")),
    (b"PAR1", FileType("parquet", "application/vnd.apache.parquet")),
)
_NPZ: Final = FileType("npz", "application/x-npz")
_OFFICE: Final = (
    ("word/document.xml", "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xl/workbook.xml", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("ppt/presentation.xml", "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
)
_SAME: Final[Mapping[str, str]] = MappingProxyType({"jpeg": "jpg", "markdown": "md", "text": "txt", "hdf5": "h5"})
_OLD_OFFICE: Final = b"\xd0\xcf\x11\xe0"
_MACRO_ENDINGS: Final[Mapping[str, str]] = MappingProxyType(
    {"docm": "docx", "dotm": "docx", "xlsm": "xlsx", "xltm": "xlsx", "pptm": "pptx", "potm": "pptx", "ppsm": "pptx"}
)
_HINT: Final = (
    "attach text (txt, md, csv, json, log), docx, xlsx, pptx, pdf, png, jpg, gif, "
    "or measured data (mat, wav, npy, npz, h5, parquet)"
)


def detect_type(name: str, content: bytes) -> FileType:
    """Type of a file by its content; `FileTypeRefused` if it is none of ours or the name says otherwise."""
    ending = PurePosixPath(name.replace("\\", "/")).suffix.lstrip(".").lower()
    ending = _SAME.get(ending, ending)
    found = next((kind for begin, kind in (*_BINARY, *_DATA) if content.startswith(begin)), None)
    if found is not None and found.ending == "wav" and content[8:12] != b"WAVE":
        found = None
    if content.startswith(b"PK\x03\x04"):
        found = _detect_office(name, ending, content)
    if content.startswith(_OLD_OFFICE) or (found is None and ending in OLD_ENDINGS and b"\x00" in content):
        raise describe_old_format(name, ending, content)
    if found is None and _is_text(content):
        found = FileType(ending, _TEXT_TYPES[ending]) if ending in _TEXT_TYPES else FileType("txt", "text/plain")
        if ending and ending not in _TEXT_TYPES:
            raise FileTypeRefused(f"{name[:80]!r} holds text, not what its ending says", hint=_HINT)
    if found is None and ending in _TEXT_TYPES:
        raise FileTypeRefused(f"{name[:80]!r} is no text that can be read", hint="save it as UTF-8 and attach it again")
    if found is None:
        raise FileTypeRefused(f"files such as {name[:80]!r} cannot be attached", hint=_HINT)
    if _MACRO_ENDINGS.get(ending) == found.ending:
        raise FileHasMacros(
            f"{name[:80]!r} has macros, which are not run here and would be lost",
            hint=f"open it and save it without macros, as {found.ending}",
        )
    if ending and ending != found.ending:
        raise FileTypeRefused(
            f"{name[:80]!r} is a {found.ending} file, not what its ending says", hint="rename the file"
        )
    return found


def find_media_type(ending: str) -> str | None:
    """Media type of the files that are kept with this ending; None if there are none."""
    office = {kind: media_type for _, kind, media_type in _OFFICE}
    binary = {kind.ending: kind.media_type for kind in (_NPZ, *(one for _, one in (*_BINARY, *_DATA)))}
    return {**_TEXT_TYPES, **office, **binary}.get(ending)


def _detect_office(name: str, ending: str, content: bytes) -> FileType | None:
    try:
        with ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist()[:5000])
    except (BadZipFile, ValueError, OSError):
        if ending in [kind for _, kind, _ in _OFFICE]:
            raise FileDamaged(f"{name[:80]!r} is damaged or incomplete", hint="attach another copy") from None
        return None
    if names and all(one.endswith(".npy") for one in names):
        return _NPZ
    return next((FileType(kind, media_type) for member, kind, media_type in _OFFICE if member in names), None)


def _is_text(content: bytes) -> bool:
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        try:
            return "\x00" not in content.decode("utf-16")
        except UnicodeDecodeError:
            return False
    if b"\x00" in content:
        return False
    for encoding in ("utf-8", "gb18030"):
        try:
            content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return True
    return False
