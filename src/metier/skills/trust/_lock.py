"""Lock file of approved skills (`skills.lock`): id, digest, source, when and by whom; sorted JSON."""

import fcntl
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from metier.errors import InvalidInput
from metier.json_values import JsonInvalid, load_json

_VERSION: Final = 1
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_MAX_BYTES: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class LockEntry:
    """Approved version of one skill: the digest of its files, its main file, and who approved it when.

    With an `owner` it is approved for that user alone.
    """

    id: str
    digest: str
    source: str
    at: str
    by: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class LockFile:
    """The lock file. A missing file has no entries."""

    path: Path

    def fingerprint(self) -> tuple[int, ...]:
        """Stat data that changes with every write; empty if there is no file."""
        try:
            seen = self.path.stat()
        except OSError:
            return ()
        return seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, seen.st_size

    def read(self) -> Mapping[str, LockEntry]:
        """Entries by id; `InvalidInput` if the file is not a lock file."""
        try:
            with self.path.open("rb") as file:
                raw = file.read(_MAX_BYTES + 1)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._invalid(str(error.strerror)) from error
        if len(raw) > _MAX_BYTES:
            raise self._invalid(f"longer than {_MAX_BYTES} bytes")
        try:
            whole = load_json(raw.decode())
        except (JsonInvalid, UnicodeDecodeError) as error:
            raise self._invalid(str(error)) from error
        skills = whole.get("skills") if isinstance(whole, Mapping) and whole.get("version") == _VERSION else None
        if not isinstance(skills, Mapping):
            raise self._invalid(f"it has no 'skills' of version {_VERSION}")
        return {skill_id: self._read_entry(skill_id, entry) for skill_id, entry in skills.items()}

    def update(self, entries: Iterable[LockEntry], remove: Iterable[str] = ()) -> None:
        """Add or replace entries and remove others; the file is replaced as a whole."""
        with self._exclusive():
            gone = frozenset(remove)
            found = {skill_id: entry for skill_id, entry in self.read().items() if skill_id not in gone}
            found.update({entry.id: entry for entry in entries})
            skills = {entry.id: _entry_to_json(entry) for entry in sorted(found.values(), key=lambda entry: entry.id)}
            text = json.dumps({"version": _VERSION, "skills": skills}, ensure_ascii=False, indent=2) + "\n"
            draft = self.path.with_name(f"{self.path.name}.new")
            with draft.open("w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path)

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Let one process at a time write."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.with_name(f".{self.path.name}.write").open("w") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            yield

    def _read_entry(self, skill_id: str, entry: object) -> LockEntry:
        known = entry if isinstance(entry, Mapping) else {}
        texts = {name: known.get(name) for name in ("digest", "source", "at", "by")} | {"owner": known.get("owner", "")}
        if not all(isinstance(text, str) for text in texts.values()):
            raise self._invalid(f"the entry {skill_id[:80]!r} needs digest, source, at and by")
        if not _DIGEST.fullmatch(str(texts["digest"])):  # it names the folder of the approved copy
            raise self._invalid(f"the entry {skill_id[:80]!r} has no SHA-256 as its digest")
        return LockEntry(skill_id, **{name: str(text) for name, text in texts.items()})

    def _invalid(self, why: str) -> InvalidInput:
        hint = "restore it, or delete it and run `metier skills pin` again"
        return InvalidInput(f"{self.path} is no lock file of skills: {why[:200]}", hint=hint)


def _entry_to_json(entry: LockEntry) -> dict[str, str]:
    return {name: value for name, value in asdict(entry).items() if name != "id" and (value or name != "owner")}
