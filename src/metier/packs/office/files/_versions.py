"""Versions of a document: every write keeps the bytes before it, so that undo returns exactly these."""

import json
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

from metier.clock import utc_now
from metier.packs.office.files._errors import OfficeFileError
from metier.packs.office.files._write import (
    check_digest,
    check_replaceable,
    digest_of,
    lock_document,
    replace_file,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from metier.packs.office._hosts import Execution

__all__ = ["DocumentVersion", "DocumentVersions", "WrittenDocument", "write_document"]

_INDEX: Final = "versions.json"


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """One kept state of a document. `number` counts from 1, the state as it was uploaded."""

    number: int
    digest: str
    size_bytes: int
    at: str
    title: str


class DocumentVersions:
    """Versions of one document in a folder of its own; the newest is the current state."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = name

    def list(self) -> tuple[DocumentVersion, ...]:
        """Versions, the oldest first."""
        index = self._folder / _INDEX
        if not index.exists():
            return ()
        return tuple(DocumentVersion(**one) for one in json.loads(index.read_text("utf-8")))

    def add(self, content: bytes, title: str, *, at: datetime | None = None) -> DocumentVersion:
        """Keep a state; the same bytes as the newest version are not kept twice."""
        known = self.list()
        digest = sha256(content).hexdigest()
        if known and known[-1].digest == digest:
            return known[-1]
        number = known[-1].number + 1 if known else 1
        version = DocumentVersion(number, digest, len(content), (at or utc_now()).isoformat(), title)
        self._folder.mkdir(parents=True, exist_ok=True)
        replace_file(self._path(number), content)
        self._write_index((*known, version))
        return version

    def read(self, number: int) -> bytes:
        """Exact bytes of a version."""
        path = self._path(number)
        if number not in {one.number for one in self.list()} or not path.exists():
            raise OfficeFileError("no_version", name=self._name)
        return path.read_bytes()

    def undo(self, target: Path) -> DocumentVersion:
        """Give the target the exact bytes before the last write; refused if it was changed since by somebody else.

        A target that has these bytes already needs no more: the process died in the middle of the write or of its undo.
        """
        with lock_document(target):
            known = self.list()
            if len(known) < 2:
                raise OfficeFileError("no_version", name=self._name)
            check_replaceable(target)
            if target.exists():
                if self.drop_unfinished(target.read_bytes()):
                    return known[-2]
                check_digest(target, known[-1].digest)
            replace_file(target, self.read(known[-2].number))
            self._drop_last(known)
            return known[-2]

    def drop_unfinished(self, content: bytes) -> bool:
        """Forget a write that is kept but not in the file, as when the process died; whether there was one."""
        known = self.list()
        is_unfinished = len(known) > 1 and known[-2].digest == sha256(content).hexdigest() != known[-1].digest
        if is_unfinished:
            self._drop_last(known)
        return is_unfinished

    def _drop_last(self, known: tuple[DocumentVersion, ...]) -> None:
        self._path(known[-1].number).unlink(missing_ok=True)
        self._write_index(known[:-1])  # last: until then the write is known as one that is not in the file

    def _path(self, number: int) -> Path:
        return self._folder / f"{number:04d}{Path(self._name).suffix}"

    def _write_index(self, versions: tuple[DocumentVersion, ...]) -> None:
        text = json.dumps([asdict(one) for one in versions], ensure_ascii=False, indent=1)
        replace_file(self._folder / _INDEX, text.encode())


@dataclass(frozen=True, slots=True)
class WrittenDocument:
    """Receipt of a write."""

    path: Path
    execution: "Execution"
    version: DocumentVersion | None


def write_document(
    source: Path,
    target: Path,
    execute: "Callable[[Path, Path], Execution]",
    *,
    expected_digest: str = "",
    check: "Callable[[], None] | None" = None,
    versions: DocumentVersions | None = None,
    first_title: str = "",
    title: str = "",
) -> WrittenDocument:
    """Carry out `execute(source, temporary)` and put the result in place of the target, which may be the source.

    With a digest the source must still be the file of the preview; `check` may refuse more, as the only writer of the
    target. With versions the bytes before and after are kept, the first ones under `first_title`.
    If anything is refused or fails, the target keeps its bytes.
    """
    with lock_document(target):
        if expected_digest:
            check_digest(source, expected_digest)
        if check is not None:
            check()
        check_replaceable(target)
        before = source.read_bytes()
        temporary = target.with_name(f".metier-{sha256(before).hexdigest()[:12]}{source.suffix}")
        try:
            execution = execute(source, temporary)
            after = before if execution.unchanged else temporary.read_bytes()
        finally:
            temporary.unlink(missing_ok=True)
        if execution.unchanged and target.exists() and digest_of(target) == sha256(before).hexdigest():
            return WrittenDocument(target, execution, None)
        version = None
        if versions is not None:
            versions.drop_unfinished(before)
            versions.add(before, "" if versions.list() else first_title)
            version = versions.add(after, title)
        replace_file(target, after)
        return WrittenDocument(target, execution, version)
