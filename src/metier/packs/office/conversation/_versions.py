"""Versions of a conversation's documents: every write keeps the bytes before it, and undo gives exactly them back.

The versions are hidden files of the workspace: `.versions/KEY/`, one folder for each document.
"""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.packs.office.conversation._documents import ConversationDocument, read_bytes, working_path
from metier.packs.office.conversation._problems import DocumentProblem

if TYPE_CHECKING:
    from metier.packs.office.files import DocumentVersions

BLANK: Final = "blank"
_FOLDER: Final = ".versions"


def digest_document(workspace: Path, document: ConversationDocument) -> str:
    """SHA-256 of the newest version of a document; empty if it is yet to be made."""
    if not (workspace / document.current).exists():
        return ""
    return hashlib.sha256(read_bytes(workspace, document.current)).hexdigest()


def open_versions(workspace: Path, document: ConversationDocument) -> "DocumentVersions":
    """Versions of a document; the first is the document before any write."""
    from metier.packs.office.files import DocumentVersions

    key = hashlib.sha256(document.id.encode()).hexdigest()[:16]
    return DocumentVersions(workspace / _FOLDER / key, Path(working_path(document, workspace)).name)


def count_writes(workspace: Path, document: ConversationDocument) -> int:
    """How many writes of a document were made and not undone."""
    return max(0, len(open_versions(workspace, document).list()) - 1)


def find_write(workspace: Path, document: ConversationDocument) -> tuple[int, str]:
    """Number and title of the last write if the document still has its bytes; else 0.

    So a write whose receipt was lost, because the process died right after it, is known again.
    """
    known = open_versions(workspace, document).list()
    target = workspace / working_path(document, workspace)
    if len(known) < 2 or not target.exists():
        return 0, ""
    is_there = hashlib.sha256(target.read_bytes()).hexdigest() == known[-1].digest
    return (len(known) - 1, known[-1].title) if is_there else (0, "")


def describe_nothing_left(workspace: Path, document: ConversationDocument) -> DocumentProblem:
    """Problem that no write can be undone: there was none, or all of them were taken back."""
    code = "all_undone" if open_versions(workspace, document).list() else "nothing_to_undo"
    return DocumentProblem(code, name=document.name)


def undo_version(workspace: Path, document: ConversationDocument) -> int:
    """Put the bytes before the last write back; returns the number of the write. A file that it had made goes."""
    number, target = count_writes(workspace, document), workspace / working_path(document, workspace)
    if not number:
        raise describe_nothing_left(workspace, document)
    left = open_versions(workspace, document).undo(target)
    if left.title == BLANK:
        target.unlink()
    return number
