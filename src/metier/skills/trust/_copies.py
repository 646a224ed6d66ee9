"""Copies of approved skills, one read-only folder per digest: they run even if the files they came from change."""

import hashlib
import os
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.errors import Conflict
from metier.skills.model import Skill
from metier.skills.read import AllowedToolsMode, SkillRoot, read_skill, scan_root

_READ_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class ApprovedCopies:
    """Folder with the copies, named by digest."""

    folder: Path

    def save(self, skill: Skill) -> Path:
        """Copy the files of a skill; `Conflict` if they are no longer those of its digest. Returns the copy."""
        done = self.folder / skill.digest
        if not done.is_dir():
            draft = self.folder / f".{skill.digest[:16]}-{secrets.token_hex(8)}"
            try:
                self._copy(skill, _inner_folder(draft, skill))
                draft.rename(done)
            except FileExistsError:  # another process saved it meanwhile
                shutil.rmtree(draft, ignore_errors=True)
            except BaseException:
                _delete(draft)
                raise
        return _inner_folder(done, skill)

    def load(self, digest: str, *, trusted: bool, mode: AllowedToolsMode) -> Skill | None:
        """The skill of this digest, read from its copy; None if there is no copy or it was changed."""
        folder = self.folder / digest
        if not folder.is_dir():
            return None
        candidates = scan_root(SkillRoot(folder, trusted)).candidates
        found = read_skill(candidates[0], mode).skill if len(candidates) == 1 else None
        return found if found is not None and found.digest == digest else None

    def delete(self, digest: str) -> None:
        """Delete the copy of this digest; it is no error if there is none."""
        _delete(self.folder / digest)

    def _copy(self, skill: Skill, target: Path) -> None:
        for file in skill.files:
            raw = _read(skill.source.folder / file.path)
            if hashlib.sha256(raw).hexdigest() != file.sha256:
                raise Conflict(f"{file.path} of {skill.id!r} changed meanwhile", hint="look at the change again")
            place = target / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(raw)
            place.chmod(0o444)


def _inner_folder(base: Path, skill: Skill) -> Path:
    """A skill with a folder of its own keeps its folder's name, which its id may come from."""
    return base if skill.source.layout == "flat" else base / skill.source.folder.name


def _read(path: Path) -> bytes:
    try:
        with os.fdopen(os.open(path, _READ_FLAGS), "rb") as file:
            return file.read()
    except OSError as error:
        raise Conflict(f"{path.name} cannot be read: {error.strerror}", hint="look at the change again") from error


def _delete(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
