"""Applies the lock file to the skills found on disk, and records approvals."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from metier.clock import utc_now
from metier.errors import Conflict, InvalidInput, SkillNotFound
from metier.json_values import JsonObject
from metier.names import suggest
from metier.skills.model import Diagnostic, Report, Skill, WaitingSkill
from metier.skills.read import AllowedToolsMode, SkillCandidate
from metier.skills.trust._copies import ApprovedCopies
from metier.skills.trust._lock import LockEntry, LockFile

TrustMode = Literal["off", "warn", "require"]

_PRIVATE: Final = "private.lock"  # beside the copies: what belongs to one user, in the form of the lock file
_APPROVE_HINT: Final = "look at the change, then `metier skills approve {id}`"


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """Skills on disk against the lock file: ids that changed, are not in it, or are in it but not on disk."""

    changed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def is_clean(self) -> bool:
        return not (self.changed or self.unknown or self.missing)

    def to_json(self) -> JsonObject:
        return {"changed": list(self.changed), "unknown": list(self.unknown), "missing": list(self.missing)}


@dataclass(slots=True)
class TrustResult:
    """Skills that may run, versions that wait, and the diagnostics."""

    skills: list[Skill] = field(default_factory=list)
    waiting: list[WaitingSkill] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def add_diagnostic(self, code: str, skill_id: str, path: Path, message: str, hint: str = "") -> None:
        report = Report(path)
        report.add(code, message, hint=hint)
        self.diagnostics.extend(report.diagnostics_for(skill_id))


@dataclass(slots=True)
class SkillApprovals:
    """Approved versions of skills. `off`: every version runs; `warn`: the rest is told; `require`: the rest waits.

    Whose a skill is, is written twice: a lock file that is lost or broken makes no private skill everybody's.
    """

    mode: TrustMode
    lock: LockFile
    copies: ApprovedCopies
    clock: Callable[[], datetime] = utc_now
    _loaded: dict[tuple[str, bool], Skill] = field(default_factory=dict)

    def apply(
        self, found: Iterable[Skill], unreadable: Iterable[SkillCandidate], tools_mode: AllowedToolsMode
    ) -> TrustResult:
        """Decide which versions run; an approved skill whose files cannot be read runs from its copy."""
        result = TrustResult()
        entries, private = self._read_entries(self.lock, result) or {}, self._read_entries(self._private, result)
        for skill in found:
            entry = entries.get(skill.id)
            if private is None and not entries:  # whose it is, nobody can tell
                result.waiting.append(WaitingSkill(skill))
                continue
            known = entry or (private or {}).get(skill.id)
            if known is not None and known.owner and not self._is_of(known, skill):
                known, entry = None, None
            self._apply_to(replace(skill, owner=known.owner) if known else skill, entry, tools_mode, result)
        if self.mode == "require":
            taken = {skill.id for skill in result.skills}
            for candidate in unreadable:
                path = candidate.folder / candidate.main_file
                entry = next((one for one in entries.values() if one.source == self._source_of(path)), None)
                if entry is not None and entry.id not in taken:
                    self._keep_approved(entry, path, tools_mode, result, trusted=candidate.trusted)
        return result

    def approve(self, skill: Skill, by: str) -> LockEntry:
        """Approve the version of a skill that was read: copy its files, then write the lock file."""
        return self.pin([skill], by)[0]

    def pin(
        self, skills: Iterable[Skill], by: str, *, replace_all: bool = False, owner: str = ""
    ) -> tuple[LockEntry, ...]:
        """Approve these versions for all, or for `owner` alone.

        `replace_all` removes every other entry, and what belongs to one user stays that user's.
        """
        chosen = list(skills)
        for skill in chosen:
            self.copies.save(skill)
        entries = tuple(self._make_entry(skill, by, owner or (skill.owner if replace_all else "")) for skill in chosen)
        before = self.lock.read()
        after = {**before, **{entry.id: entry for entry in entries}}
        if owned := [entry for entry in after.values() if entry.owner]:
            self._private.update(owned)  # first: it is never everybody's in between
        self.lock.update(entries, remove=before.keys() - {entry.id for entry in entries} if replace_all else ())
        self._forget_owners(entry.id for entry in entries if not entry.owner)
        return entries

    def claim(self, skill: Skill, owner: str) -> None:
        """Write down whose a skill is that waits for approval; approved for all, it is nobody's."""
        self._private.update([self._make_entry(skill, owner, owner)])

    def withdraw(self, skill_id: str) -> None:
        """Remove the approval of a skill that is gone, and whose it was."""
        self.lock.update((), remove=[skill_id])
        self._forget_owners([skill_id])

    def find(self, skill_id: str) -> LockEntry | None:
        """What is written down of a skill: approved for all, for one user, or claimed by one."""
        return self._read_all().get(skill_id)

    def list_owned(self, owner: str) -> tuple[LockEntry, ...]:
        """What is approved for this user alone."""
        return tuple(entry for entry in self._read_all().values() if owner and entry.owner == owner)

    def _read_all(self) -> dict[str, LockEntry]:
        return {**self._private.read(), **self.lock.read()}

    def locate(self, entry: LockEntry) -> Path:
        """Main file that an entry was approved from."""
        return self.lock.path.parent / entry.source

    def forget(self, entries: Iterable[LockEntry]) -> None:
        """Withdraw these approvals and delete their copies, except those that another approval needs."""
        gone = list(entries)
        for entry in gone:
            self.withdraw(entry.id)
        needed = {entry.digest for entry in (*self._private.read().values(), *self.lock.read().values())}
        for digest in {entry.digest for entry in gone} - needed:
            self.copies.delete(digest)

    def verify(self, found: Iterable[Skill]) -> VerifyReport:
        """Compare the skills on disk with the lock file."""
        entries, here = self.lock.read(), {skill.id: skill.digest for skill in found}
        changed = sorted(one for one, digest in here.items() if one in entries and entries[one].digest != digest)
        return VerifyReport(
            tuple(changed), tuple(sorted(here.keys() - entries.keys())), tuple(sorted(entries.keys() - here.keys()))
        )

    def _make_entry(self, skill: Skill, by: str, owner: str) -> LockEntry:
        at = self.clock().isoformat(timespec="seconds")
        return LockEntry(skill.id, skill.digest, self._source_of(skill.source.path), at, by, owner)

    @property
    def _private(self) -> LockFile:
        return LockFile(self.copies.folder / _PRIVATE)

    def _is_of(self, entry: LockEntry, skill: Skill) -> bool:
        """Whether what one user owns is this skill: by its place or its digest, never by its id alone.

        What stands in a trusted folder is the operator's.
        """
        if skill.source.trusted:
            return False
        return entry.digest == skill.digest or entry.source == self._source_of(skill.source.path)

    def _read_entries(self, file: LockFile, result: TrustResult) -> Mapping[str, LockEntry] | None:
        """Entries of a file; None, and a finding, if it cannot be read."""
        try:
            return file.read()
        except InvalidInput as error:
            result.add_diagnostic("lock_invalid", "", file.path, error.message, error.hint)
            return None

    def _forget_owners(self, skill_ids: Iterable[str]) -> None:
        if gone := self._private.read().keys() & set(skill_ids):
            self._private.update((), remove=gone)

    def _apply_to(self, skill: Skill, entry: LockEntry | None, mode: AllowedToolsMode, result: TrustResult) -> None:
        if skill.owner and (self.mode != "require" or (entry is not None and entry.digest == skill.digest)):
            result.waiting.append(WaitingSkill(skill, skill))  # for all: it is in use by its owner alone
        if entry is not None and entry.digest == skill.digest:
            self._use_copy(self._lift_distrust(skill), result)
            return
        if self.mode == "off":
            result.skills.append(skill)
            return
        what = "is new" if entry is None else "was changed"
        if self.mode != "require":
            hint = _APPROVE_HINT.format(id=skill.id)
            message = f"{skill.id!r} {what} (version {skill.digest[:12]})"
            result.add_diagnostic("skill_unapproved", skill.id, skill.source.path, message, hint)
            result.skills.append(skill)
            return
        trusted = skill.source.trusted
        approved = self._keep_approved(entry, skill.source.path, mode, result, trusted=trusted) if entry else None
        result.waiting.append(WaitingSkill(skill, approved))
        stays = f"version {approved.digest[:12]} stays in use" if approved else "it is not loaded"
        message = f"{skill.id!r} {what} and waits for approval (version {skill.digest[:12]}); {stays}"
        result.add_diagnostic(
            "skill_quarantined", skill.id, skill.source.path, message, _APPROVE_HINT.format(id=skill.id)
        )

    def _lift_distrust(self, skill: Skill) -> Skill:
        """An approved skill is trusted; beside files that are in no copy, its scripts run only from a copy."""
        return skill if skill.untrusted == "files" and self.mode != "require" else replace(skill, untrusted="")

    def _use_copy(self, skill: Skill, result: TrustResult) -> None:
        """Let the approved version run from its copy, so that a later change of the files reaches no call."""
        if self.mode != "require":
            result.skills.append(skill)
            return
        try:
            folder = self.copies.save(skill)
        except Conflict as error:  # changed since it was read: the next scan sees the new version
            result.add_diagnostic("skill_copy_lost", skill.id, skill.source.path, error.message, error.hint)
            return
        result.skills.append(replace(skill, source=replace(skill.source, folder=folder, approved=True)))

    def _keep_approved(
        self, entry: LockEntry, path: Path, mode: AllowedToolsMode, result: TrustResult, *, trusted: bool
    ) -> Skill | None:
        found = self._load(entry.digest, mode, trusted=trusted)
        if found is None or found.id != entry.id:
            message = f"the copy of the approved version of {entry.id!r} is missing or was changed"
            hint = f"restore {self.copies.folder}, or approve the skill again"
            result.add_diagnostic("skill_copy_lost", entry.id, path, message, hint)
            return None
        source = replace(found.source, path=path, approved=True)
        approved = replace(found, source=source, untrusted="", owner=entry.owner)
        result.skills.append(approved)
        return approved

    def _source_of(self, path: Path) -> str:
        """Path as written in the lock file: relative to it, so that both can be moved or checked in together."""
        base, place = (Path(os.path.abspath(one)) for one in (self.lock.path.parent, path))  # noqa: PTH100 - Path.absolute keeps '..'
        return (place.relative_to(base) if place.is_relative_to(base) else place).as_posix()

    def _load(self, digest: str, mode: AllowedToolsMode, *, trusted: bool) -> Skill | None:
        found = self._loaded.get((digest, trusted)) or self.copies.load(digest, trusted=trusted, mode=mode)
        if found is not None:
            self._loaded[digest, trusted] = found
        return found


def find_waiting(waiting: Iterable[WaitingSkill], skill_id: str, digest: str | None = None) -> WaitingSkill:
    """The version that waits under this id; `Conflict` if it is no longer the one with this digest."""
    known: Mapping[str, WaitingSkill] = {one.id: one for one in waiting}
    found = known.get(skill_id)
    if found is None:
        raise SkillNotFound(f"no version of {skill_id!r} waits for approval", hint=suggest(skill_id, known, ""))
    if digest is not None and digest != found.skill.digest:
        hint = f"look at version {found.skill.digest[:12]}"
        raise Conflict(f"{skill_id!r} was changed again since you looked at it", hint=hint)
    return found
