"""Opens an Office file safely: every file that is hostile, damaged or of another kind is refused with a reason."""

import io
import stat
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import MappingProxyType
from typing import Final

from metier.archives import UNREADABLE_ARCHIVE, ArchiveTooLarge, BoundedZip, open_zip
from metier.packs.office.files._errors import OfficeFileError
from metier.packs.office.files._package import Package, PackageKind, StoredPart

__all__ = ["MAX_FILE_BYTES", "find_inside", "open_package", "open_parts"]

MAX_FILE_BYTES: Final = 100 * 1024 * 1024
MAX_UNPACKED_BYTES: Final = 600 * 1024 * 1024
_MAX_XML_BYTES: Final = 200 * 1024 * 1024
_MAX_RATIO: Final = 200  # text of a document shrinks to a tenth or twentieth, seldom to a hundredth
_RATIO_FROM_BYTES: Final = 20 * 1024 * 1024
_MAX_PARTS: Final = 20_000
_OLE: Final = bytes.fromhex("D0CF11E0A1B11AE1")
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_OLD_FORMATS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        ".doc": ("Word 97–2003 (.doc)", "docx"),
        ".dot": ("Word 97–2003 (.dot)", "docx"),
        ".wps": ("WPS (.wps)", "docx"),
        ".wpt": ("WPS (.wpt)", "docx"),
        ".xls": ("Excel 97–2003 (.xls)", "xlsx"),
        ".et": ("WPS (.et)", "xlsx"),
        ".ett": ("WPS (.ett)", "xlsx"),
        ".ppt": ("PowerPoint 97–2003 (.ppt)", "pptx"),
        ".dps": ("WPS (.dps)", "pptx"),
    }
)
_MAIN_TYPES: Final[Mapping[str, PackageKind]] = MappingProxyType(
    {
        "wordprocessingml": "docx",
        "ms-word": "docx",
        "spreadsheetml": "xlsx",
        "ms-excel": "xlsx",
        "presentationml": "pptx",
        "ms-powerpoint": "pptx",
    }
)
_ENDINGS: Final[Mapping[PackageKind, tuple[str, ...]]] = MappingProxyType(
    {
        "docx": (".docx", ".docm", ".dotx", ".dotm"),
        "xlsx": (".xlsx", ".xlsm", ".xltx", ".xltm"),
        "pptx": (".pptx", ".pptm", ".potx", ".potm", ".ppsx"),
    }
)
_CONTENT_TYPES: Final = "[Content_Types].xml"


def find_inside(folder: Path, path: Path) -> Path:
    """The file as an absolute path inside the folder, links followed; refused if it lies outside."""
    found = (folder / path).resolve()
    if not found.is_relative_to(folder.resolve()):
        raise OfficeFileError("outside", name=path.name)
    return found


def open_package(path: Path, *, within: Path | None = None) -> Package:
    """Read a docx, xlsx or pptx file into memory; `OfficeFileError` says why a file is not opened.

    Nothing is executed and nothing is fetched: macros and remote links are kept as they are and can be asked for.
    """
    if within is not None:
        path = find_inside(within, path)
    content = _read_file(path)
    _check_kind(path, content)
    parts = _read_parts(path, content)
    kind = _find_kind(path, parts)
    if path.suffix.lower() not in _ENDINGS[kind]:
        raise OfficeFileError("wrong_ending", name=path.name, kind=kind)
    return Package(path, kind, content, parts)


def _read_file(path: Path) -> bytes:
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        raise OfficeFileError("missing", name=path.name) from None
    except (OSError, ValueError):
        raise OfficeFileError("not_a_file", name=path.name) from None
    if not stat.S_ISREG(status.st_mode):
        raise OfficeFileError("not_a_file", name=path.name)
    if status.st_size > MAX_FILE_BYTES:
        size, limit = round(status.st_size / 1e6), MAX_FILE_BYTES // 1024 // 1024
        raise OfficeFileError("too_large", name=path.name, size=size, limit=limit)
    if status.st_size == 0:
        raise OfficeFileError("empty", name=path.name)
    try:
        return path.read_bytes()
    except PermissionError:
        raise OfficeFileError("locked", name=path.name) from None


def _check_kind(path: Path, content: bytes) -> None:
    suffix = path.suffix.lower()
    if content.startswith(_OLE):
        if _ENCRYPTED in content:
            raise OfficeFileError("password", name=path.name)
        kind, wanted = _OLD_FORMATS.get(suffix, ("Office 97–2003", "docx"))
        raise OfficeFileError("old_format", name=path.name, kind=kind, wanted=wanted)
    if not content.startswith(b"PK"):
        if suffix in _OLD_FORMATS:
            kind, wanted = _OLD_FORMATS[suffix]
            raise OfficeFileError("old_format", name=path.name, kind=kind, wanted=wanted)
        is_office = any(suffix in endings for endings in _ENDINGS.values())
        raise OfficeFileError("corrupt" if is_office else "other_type", name=path.name)


def open_parts(content: bytes) -> AbstractContextManager[BoundedZip]:
    """Parts of a file that `open_package` has taken, within the limits for Office files."""
    return open_zip(io.BytesIO(content), max_entries=_MAX_PARTS, max_bytes=MAX_UNPACKED_BYTES)


def _read_parts(path: Path, content: bytes) -> dict[str, StoredPart]:
    try:
        with open_parts(content) as archive:
            _check_members(path, archive, len(content))
            members = [one for one in archive.entries if not one.is_dir()]
            return {one.filename: StoredPart(one, archive.read(one)) for one in members}
    except ArchiveTooLarge:
        raise OfficeFileError("bomb", name=path.name) from None
    except UNREADABLE_ARCHIVE:
        raise OfficeFileError("corrupt", name=path.name) from None


def _check_members(path: Path, archive: BoundedZip, file_bytes: int) -> None:
    """Refuse before anything is unpacked. A member that unpacks to more than it states ends in a checksum error."""
    members, total, names = archive.entries, archive.stated_bytes, archive.names
    if any(one.flag_bits & 1 for one in members):
        raise OfficeFileError("password", name=path.name)
    is_dense = total > _RATIO_FROM_BYTES and total > _MAX_RATIO * file_bytes
    is_heavy = any(one.file_size > _MAX_XML_BYTES and one.filename.endswith((".xml", ".rels")) for one in members)
    if total > MAX_UNPACKED_BYTES or is_dense or is_heavy:
        raise OfficeFileError("bomb", name=path.name)
    is_outside = any(name.startswith(("/", "\\")) or ".." in name.replace("\\", "/").split("/") for name in names)
    if is_outside or not archive.is_plain or len(set(names)) != len(names):
        raise OfficeFileError("corrupt", name=path.name)


def _find_kind(path: Path, parts: Mapping[str, StoredPart]) -> PackageKind:
    types = parts.get(_CONTENT_TYPES)
    if types is None:
        raise OfficeFileError("other_type", name=path.name)
    package = Package(path, "docx", b"", parts)
    for name in package.list_relations("", "officeDocument"):
        content_type = package.content_type(name)
        for word, kind in _MAIN_TYPES.items():
            if word in content_type and name in parts:
                root = package.xml(name)  # a damaged main part is found now, not while writing
                if "purl.oclc.org" in str(root.tag):
                    raise OfficeFileError("strict", name=path.name, wanted=kind)
                return kind
    raise OfficeFileError("corrupt", name=path.name)
