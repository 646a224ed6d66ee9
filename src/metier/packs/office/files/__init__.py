"""Office files: opened safely, written by a rename under a lock, with versions that undo to the exact bytes."""

from metier.packs.office.files._errors import FILE_SENTENCES, OfficeFileError
from metier.packs.office.files._open import MAX_FILE_BYTES, find_inside, open_package, open_parts
from metier.packs.office.files._package import Package, PackageKind, RemoteLink, relations_part
from metier.packs.office.files._text import decode_text
from metier.packs.office.files._versions import DocumentVersion, DocumentVersions, WrittenDocument, write_document
from metier.packs.office.files._write import (
    beside,
    check_digest,
    check_replaceable,
    digest_of,
    lock_document,
    replace_file,
)
from metier.packs.office.files._xml import XmlElement, parse_xml

__all__ = [
    "FILE_SENTENCES",
    "MAX_FILE_BYTES",
    "DocumentVersion",
    "DocumentVersions",
    "OfficeFileError",
    "Package",
    "PackageKind",
    "RemoteLink",
    "WrittenDocument",
    "XmlElement",
    "beside",
    "check_digest",
    "check_replaceable",
    "decode_text",
    "digest_of",
    "find_inside",
    "lock_document",
    "open_package",
    "open_parts",
    "parse_xml",
    "relations_part",
    "replace_file",
    "write_document",
]
