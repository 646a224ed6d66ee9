"""Difference between two versions of a skill, file by file, for the person who approves the new one."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from metier.json_values import JsonObject
from metier.limits import diff_lines
from metier.skills.model import Skill, SkillFile
from metier.visible_text import visible_text

MAX_DIFF_CHARS: Final = 100_000
_MAX_TEXT_BYTES: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that was added, removed or changed."""

    path: str
    change: Literal["added", "removed", "changed"]
    size_bytes: int

    def to_json(self) -> JsonObject:
        return {"path": self.path, "change": self.change, "size_bytes": self.size_bytes}


@dataclass(frozen=True, slots=True)
class SkillDiff:
    """Changed files and a unified diff of the texts; `cut` if the diff is longer than shown."""

    files: tuple[FileChange, ...]
    text: str
    cut: bool = False


def diff_skills(old: Skill | None, new: Skill) -> SkillDiff:
    """Compare the files of two versions; without an old version every file is added."""
    before = {file.path: file for file in old.files} if old else {}
    after = {file.path: file for file in new.files}
    changes = tuple(_iter_changes(before, after))
    lines: list[str] = []
    size = 0
    for change in changes:
        old_text = _read_text(old, change.path) if old and change.path in before else []
        new_text = _read_text(new, change.path) if change.path in after else []
        for line in _diff_file(change, old_text, new_text):
            size += len(line) + 1
            if size > MAX_DIFF_CHARS:
                return SkillDiff(changes, "\n".join(lines), cut=True)
            lines.append(line)
    return SkillDiff(changes, "\n".join(lines))


def _iter_changes(before: dict[str, SkillFile], after: dict[str, SkillFile]) -> Iterator[FileChange]:
    for path in sorted(before.keys() | after.keys()):
        if path not in after:
            yield FileChange(path, "removed", before[path].size_bytes)
        elif path not in before:
            yield FileChange(path, "added", after[path].size_bytes)
        elif before[path].sha256 != after[path].sha256:
            yield FileChange(path, "changed", after[path].size_bytes)


def _diff_file(change: FileChange, old: list[str] | None, new: list[str] | None) -> Iterator[str]:
    if old is None or new is None:
        yield f"{change.change}: {change.path} ({change.size_bytes} bytes, not text)"
        return
    yield from diff_lines(old, new, f"a/{change.path}", f"b/{change.path}")


def _read_text(skill: Skill, path: str) -> list[str] | None:
    """Lines of a file, with characters that nobody sees written out; None if the file is not text."""
    try:
        raw = Path(skill.source.folder / path).read_bytes()
        if len(raw) > _MAX_TEXT_BYTES or b"\0" in raw:
            return None
        return [visible_text(line) for line in raw.decode().splitlines()]
    except (OSError, UnicodeDecodeError):
        return None
