"""Adds skills of others to a skills folder: only what was read and accepted is copied."""

import hashlib
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from metier.errors import Conflict, Refused, TargetTaken
from metier.json_values import JsonObject
from metier.skills.checks import fold
from metier.skills.model import MAX_FILE_BYTES, Diagnostic, Report, Skill
from metier.skills.read import ReadResult, SkillCandidate, SkillRoot, read_bytes, read_skill, scan_root


@dataclass(frozen=True, slots=True)
class AddedSkill:
    """A skill that was found: where it was copied to, or None if it was refused, and the findings."""

    id: str
    target: Path | None
    untrusted: str
    diagnostics: tuple[Diagnostic, ...]

    def to_json(self) -> JsonObject:
        return {
            "id": self.id,
            "target": str(self.target) if self.target else None,
            "untrusted": self.untrusted,
            "findings": [one.to_json() for one in self.diagnostics],
        }


def add_skills(folder: Path, into: Path, *, overwrite: bool = False) -> tuple[AddedSkill, ...]:
    """Copy every skill below `folder` that can be read into the skills folder `into`, each into a folder of its own.

    One that is there already is `TargetTaken` before anything is written, unless it may be overwritten.
    """
    found = [read_skill(candidate) for candidate in scan_root(SkillRoot(folder)).candidates]
    if not found:
        raise Refused(f"there is no skill in {str(folder)!r}", hint="a skill is a folder with a SKILL.md or skill.json")
    taken = [skill.id for skill in _readable(found) if (into / _target_name(skill)).exists()]
    if taken and not overwrite:
        raise TargetTaken(f"already there: {', '.join(taken)}", hint="--overwrite replaces them")
    kept = _drop_duplicates(found, folder)
    return tuple(_relocate(_add(one, into), one.candidate, folder) for one in kept)


def _drop_duplicates(found: Iterable[ReadResult], folder: Path) -> list[ReadResult]:
    """The readings with each id once: a copy of a skill is left out, another skill of its name is refused."""
    first: dict[str, Skill] = {}
    kept: list[ReadResult] = []
    for one in found:
        other = first.setdefault(fold(one.skill.id), one.skill) if one.skill is not None else None
        if one.skill is None or other is one.skill:
            kept.append(one)
        elif other is not None and one.skill.digest != other.digest:
            report = Report(one.skill.source.path)
            message = f"{one.skill.id!r} is also in {str(other.source.path.relative_to(folder))!r}"
            report.add("skill_duplicate", message, hint="rename one of them")
            kept.append(replace(one, skill=None, diagnostics=(*one.diagnostics, *report.diagnostics_for(one.skill.id))))
    return kept


def _relocate(added: AddedSkill, candidate: SkillCandidate, folder: Path) -> AddedSkill:
    """The result with findings at the copy, or within the source if it was not copied: the source may be a draft."""
    home = candidate.folder
    target = added.target if candidate.layout != "flat" or added.target is None else added.target.parent

    def move(path: Path) -> Path:
        if not path.is_relative_to(folder):
            return path
        return target / path.relative_to(home) if target and path.is_relative_to(home) else path.relative_to(folder)

    return replace(added, diagnostics=tuple(replace(one, path=move(one.path)) for one in added.diagnostics))


def _readable(found: Iterable[ReadResult]) -> list[Skill]:
    return [one.skill for one in found if one.skill is not None]


def _target_name(skill: Skill) -> str:
    return skill.source.path.name if skill.source.layout == "flat" else skill.id


def _add(reading: ReadResult, into: Path) -> AddedSkill:
    skill = reading.skill
    if skill is None:
        return AddedSkill(reading.candidate.path.name, None, "", reading.diagnostics)
    target = into / _target_name(skill)
    draft = into / f".{target.name}.adding"
    into.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(draft, ignore_errors=True)
    try:
        for file in skill.files:
            raw = read_bytes(skill.source.folder / file.path, MAX_FILE_BYTES)
            if hashlib.sha256(raw).hexdigest() != file.sha256:
                raise Conflict(f"{file.path} of {skill.id!r} changed meanwhile", hint="add it again")
            place = draft / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(raw)
        _replace(draft / skill.source.path.name if skill.source.layout == "flat" else draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    # Files that cannot be used are not copied, so only the wording still speaks against the copy.
    untrusted = "wording" if skill.untrusted == "wording" else ""
    return AddedSkill(skill.id, target, untrusted, reading.diagnostics)


def _replace(draft: Path, target: Path) -> None:
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    elif target.exists() or target.is_symlink():
        target.unlink()
    draft.rename(target)
