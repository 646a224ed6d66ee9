"""Journal of edits to the files of a folder: each keeps the bytes before it, and undo gives exactly them back.

An edit is checked as a whole before its first file is written; if one file fails, the others get their bytes back.
"""

import errno
import json
import os
import shutil
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.json_values import JsonInvalid, load_json
from metier.projects._files import StoredFile, delete_file, digest, read_file, write_file
from metier.projects._problems import ProjectProblem

_ENTRY: Final = "entry.json"
_DEFAULT_MODE: Final = 0o644


@dataclass(frozen=True, slots=True)
class FileEdit:
    """New content of a file, None to delete it; `expected` is its SHA-256 before, None if it must not exist."""

    path: str
    content: bytes | None
    expected: str | None


@dataclass(frozen=True, slots=True)
class _KeptFile:
    path: str
    before: StoredFile | None
    after: str | None


@dataclass(frozen=True, slots=True)
class EditJournal:
    """Edits of the files below `root`, kept in `folder`, which lies outside of it."""

    root: Path
    folder: Path

    def count(self) -> int:
        """How many edits were made and not undone."""
        return len(self._list())

    def apply(self, edits: Sequence[FileEdit]) -> int:
        """Write all edits or none; returns the number of this edit."""
        found = {one.path: read_file(self.root, one.path) for one in edits}
        changed = [one.path for one in edits if _digest_of(found[one.path]) != one.expected]
        if changed:
            raise ProjectProblem("changed_meanwhile", names=", ".join(changed[:5]))
        for path, before in found.items():  # replacing a file needs no right to write it, so its owner's wish is asked
            if before is not None and not before.mode & stat.S_IWUSR:
                raise ProjectProblem("not_writable", path=path, why=os.strerror(errno.EACCES))
        kept = [
            _KeptFile(one.path, found[one.path], None if one.content is None else digest(one.content)) for one in edits
        ]
        entry = self._keep(kept)
        try:
            for one in edits:
                before = found[one.path]
                self._put(one.path, one.content, before.mode if before else _DEFAULT_MODE)
        except OSError as error:
            self._restore(kept)
            shutil.rmtree(entry, ignore_errors=True)
            path = getattr(error, "filename", "") or edits[0].path
            raise ProjectProblem("not_writable", path=str(path), why=error.strerror or str(error)) from error
        return int(entry.name)

    def list_last(self) -> tuple[str, ...]:
        """Paths of the last edit."""
        entries = self._list()
        return tuple(one.path for one in self._read(entries[-1])) if entries else ()

    def undo(self) -> tuple[str, ...]:
        """Give the files of the last edit the bytes they had before; returns their paths."""
        entries = self._list()
        if not entries:
            raise ProjectProblem("nothing_to_undo")
        kept = self._read(entries[-1])
        changed = [one.path for one in kept if self._digest_now(one.path) not in (one.after, _digest_of(one.before))]
        if changed:
            raise ProjectProblem("changed_since_write", names=", ".join(changed[:5]))
        self._restore(kept)
        shutil.rmtree(entries[-1])
        return tuple(one.path for one in kept)

    def _digest_now(self, path: str) -> str | None:
        return _digest_of(read_file(self.root, path))

    def _put(self, path: str, content: bytes | None, mode: int) -> None:
        if content is None:
            delete_file(self.root, path)
        else:
            write_file(self.root, path, content, mode)

    def _restore(self, kept: Iterable[_KeptFile]) -> None:
        for one in kept:
            if one.before is None:
                delete_file(self.root, one.path, with_folders=True)
            else:
                write_file(self.root, one.path, one.before.content, one.before.mode)

    def _list(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        numbered = [one for one in self.folder.iterdir() if one.name.isdigit() and (one / _ENTRY).is_file()]
        return sorted(numbered, key=lambda one: int(one.name))

    def _keep(self, kept: Sequence[_KeptFile]) -> Path:
        """Write the bytes before the edit; the entry counts once its list is there."""
        known = self._list()
        entry = self.folder / str(int(known[-1].name) + 1 if known else 1)
        shutil.rmtree(entry, ignore_errors=True)
        entry.mkdir(parents=True)
        rows: list[dict[str, str | int | None]] = []
        for at, one in enumerate(kept):
            if one.before is not None:
                (entry / f"{at}.bytes").write_bytes(one.before.content)
            mode = one.before.mode if one.before else None
            rows.append({"path": one.path, "after": one.after, "mode": mode})
        (entry / _ENTRY).write_text(json.dumps(rows, ensure_ascii=False), "utf-8")
        return entry

    def _read(self, entry: Path) -> tuple[_KeptFile, ...]:
        try:
            rows = load_json((entry / _ENTRY).read_text("utf-8"))
        except JsonInvalid as error:
            raise ProjectProblem("nothing_to_undo") from error
        found: list[_KeptFile] = []
        for at, row in enumerate(rows if isinstance(rows, list) else []):
            assert isinstance(row, dict), entry
            mode, after = row.get("mode"), row.get("after")
            before = StoredFile((entry / f"{at}.bytes").read_bytes(), mode) if isinstance(mode, int) else None
            found.append(_KeptFile(str(row["path"]), before, after if isinstance(after, str) else None))
        return tuple(found)


def _digest_of(found: StoredFile | None) -> str | None:
    return None if found is None else found.sha256
