"""Library that keeps a catalog in sync with skill folders; snapshots are consistent, and broken edits are not used."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from metier.clock import unix_time_ns
from metier.errors import InvalidInput, Refused
from metier.faults import fault_point
from metier.skills.checks import fold
from metier.skills.live._merge import CatalogMerge
from metier.skills.model import Catalog, Diagnostic, Skill, WaitingSkill
from metier.skills.read import (
    AllowedToolsMode,
    ReadResult,
    ScanResult,
    SkillCandidate,
    SkillRoot,
    read_skill,
    scan_root,
)
from metier.skills.trust import LockEntry, SkillApprovals, find_waiting

# File times have the resolution of the kernel's tick (4 ms at 250 Hz; 10 ms at 100 Hz). A file written this shortly
# before a scan may be written again without its times changing, so the next scan reads it again.
_RACY_WINDOW_NS: Final = 50_000_000


@dataclass(slots=True)
class _CachedSource:
    """Cached read result of one skill; `settled` if its stat data can be trusted to show the next change."""

    reading: ReadResult
    last_good: Skill | None
    settled: bool


@dataclass(slots=True)
class SkillLibrary:
    """Skills of several folders; for equal ids a trusted folder wins over one that is not, else the earlier one.

    An id in `overrides` may be taken from a trusted folder. With `approvals` only approved versions are loaded.
    `catalog()` scans the folders and reads what changed; catalogs returned earlier never change. If an edit is
    refused, the last good version of the skill stays in the catalog.
    """

    roots: tuple[SkillRoot, ...]
    allowed_tools_mode: AllowedToolsMode = "preapprove"
    approvals: SkillApprovals | None = None
    overrides: frozenset[str] = frozenset()
    now_ns: Callable[[], int] = unix_time_ns
    _cache: dict[str, _CachedSource] = field(default_factory=dict)
    _current: Catalog | None = None
    _scan_diagnostics: tuple[Diagnostic, ...] = ()
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _watched: bool = False
    _stale: bool = True
    _unmerged: bool = False  # whether changes were read that no catalog has yet
    _lock_fingerprint: tuple[int, ...] = ()

    @classmethod
    def from_folders(cls, *folders: Path | str, trusted: Iterable[Path | str] = ()) -> "SkillLibrary":
        """Create a library of these folders; trusted folders come last."""
        plain = [SkillRoot(Path(folder)) for folder in folders]
        return cls((*plain, *(SkillRoot(Path(folder), trusted=True) for folder in trusted)))

    def catalog(self) -> Catalog:
        """The current catalog. Inside `watch()` the folders are scanned only after a change."""
        with self._lock:
            if self._current is None or self._stale or not self._watched or self._is_lock_changed():
                self._stale = False
                try:
                    self._current = self._refresh()
                except BaseException:
                    self._stale = True
                    raise
            return self._current

    @property
    def is_current(self) -> bool:
        """Whether `catalog()` returns at once: the folders are watched, and nothing changed or is being read."""
        if not self._watched or self._stale or self._current is None or self._lock.locked():
            return False
        return not self._is_lock_changed()

    async def refresh(self) -> None:
        """Read changed skills in a thread, so that `catalog()` returns at once while the folders are watched."""
        if self._watched and not self.is_current:
            await asyncio.to_thread(self.catalog)

    def find_waiting(self, skill_id: str, digest: str) -> WaitingSkill:
        """The version of a skill that waits; `Conflict` if it is not the one with this digest any more."""
        waiting = self.catalog().waiting
        is_known = any(one.id == skill_id for one in waiting)
        if self.approvals is None or (self.approvals.mode == "off" and not is_known):
            raise Refused("skills need no approval here", hint="set METIER_SKILL_TRUST to 'require'")
        return find_waiting(waiting, skill_id, digest)

    def approve(self, skill_id: str, digest: str, by: str) -> LockEntry:
        """Approve the waiting version of a skill; `Conflict` if it is not the one with this digest any more."""
        waiting = self.find_waiting(skill_id, digest)
        assert self.approvals is not None
        entry = self.approvals.approve(waiting.skill, by)
        self._stale = True
        return entry

    def _is_lock_changed(self) -> bool:
        return self.approvals is not None and self.approvals.lock.fingerprint() != self._lock_fingerprint

    def _refresh(self) -> Catalog:
        started_ns = self.now_ns()
        scans = _drop_repeated([scan_root(root) for root in self.roots])
        self._read_changes(scans, started_ns)
        noted = tuple(note for scan in scans for note in scan.diagnostics)
        self._unmerged |= self._is_lock_changed() or noted != self._scan_diagnostics
        if self._current is not None and not self._unmerged:
            return self._current
        fault_point("skills_read")
        merged = self._merge(scans, noted)
        self._scan_diagnostics, self._unmerged = noted, False
        return merged

    def _read_changes(self, scans: list[ScanResult], started_ns: int) -> None:
        """Read new and changed candidates and drop deleted ones."""
        found = {candidate.location: candidate for scan in scans for candidate in scan.candidates}
        gone = self._cache.keys() - found.keys()
        for place in gone:
            del self._cache[place]
        self._unmerged |= bool(gone)
        for place, candidate in found.items():
            known = self._cache.get(place)
            if known and known.settled and known.reading.candidate == candidate:
                continue
            self._unmerged |= self._read(place, candidate, known, started_ns)

    def _read(self, place: str, candidate: SkillCandidate, known: _CachedSource | None, started_ns: int) -> bool:
        """Read a candidate into the cache; returns whether the skill or what is said of it changed."""
        reading = read_skill(candidate, self.allowed_tools_mode)
        # ctime, not mtime: every write updates ctime, while mtime can be set to anything.
        newest_ns = max((file.ctime_ns for file in candidate.files), default=0)
        settled = newest_ns < started_ns - _RACY_WINDOW_NS
        if not settled:  # scan again even if no change is reported
            self._stale = True
        before = known.last_good if known else None
        if reading.skill is not None and before is not None and self._is_distrusted_edit(reading.skill, before):
            reading, settled = replace(reading, skill=None), False  # read again: an approval lets it in
        good = reading.skill or before
        self._cache[place] = _CachedSource(reading, good, settled)
        if known is None:
            return True
        old = known.reading
        return (old.skill and old.skill.digest) != (reading.skill and reading.skill.digest) or (
            old.diagnostics != reading.diagnostics
        )

    def _is_distrusted_edit(self, skill: Skill, before: Skill) -> bool:
        """Whether an edit made a trusted skill untrusted, and nobody has approved it: the version before stays."""
        if not skill.untrusted or before.untrusted or before.digest == skill.digest:
            return False
        entry = None
        if self.approvals is not None:
            with suppress(InvalidInput):
                entry = self.approvals.lock.read().get(skill.id)
        return entry is None or entry.digest != skill.digest

    def _merge(self, scans: list[ScanResult], noted: tuple[Diagnostic, ...]) -> Catalog:
        merging = CatalogMerge([*noted], self.overrides)
        unreadable: list[SkillCandidate] = []
        for root, scan in zip(self.roots, scans, strict=True):
            merging.start_root(installed=root.installed)
            found = [self._cache[candidate.location] for candidate in scan.candidates]
            for known in sorted(found, key=_has_foreign_id):
                merging.add(known.reading, known.last_good)
            unreadable += [] if root.installed else [one.reading.candidate for one in found if one.last_good is None]
        if self.approvals is None:
            return Catalog.from_skills(merging.skills.values(), merging.diagnostics)
        return self._apply_approvals(self.approvals, merging, unreadable)

    def _apply_approvals(
        self, approvals: SkillApprovals, merging: CatalogMerge, unreadable: list[SkillCandidate]
    ) -> Catalog:
        """Keep only versions that may run; skills of installed packs need no approval."""
        self._lock_fingerprint = approvals.lock.fingerprint()
        pinned = [skill for skill in merging.skills.values() if skill.id in merging.installed]
        found = [skill for skill in merging.skills.values() if skill.id not in merging.installed]
        result = approvals.apply(found, unreadable, self.allowed_tools_mode)
        allowed = [skill for skill in result.skills if skill.id not in merging.installed]
        trusted = {skill.id for skill in allowed if not skill.untrusted}
        told = [one for one in merging.diagnostics if one.code != "skill_untrusted" or one.skill not in trusted]
        return Catalog.from_skills([*pinned, *allowed], [*told, *result.diagnostics], result.waiting)

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[None]:
        """Use file system notifications instead of scanning at every call, while the context is open."""
        from metier.skills.live._watch import watch_folders

        async with watch_folders([root.path for root in self.roots], self._mark_stale, self._stop_watching):
            self._watched, self._stale = True, True
            try:
                yield
            finally:
                self._watched = False

    def _mark_stale(self) -> None:
        self._stale = True

    def _stop_watching(self) -> None:
        self._watched = False


def _drop_repeated(scans: list[ScanResult]) -> list[ScanResult]:
    """Remove repeated candidates of roots that are listed twice or nested; the first occurrence is kept."""
    seen: set[str] = set()
    for scan in scans:
        scan.candidates = [candidate for candidate in scan.candidates if candidate.location not in seen]
        seen.update(candidate.location for candidate in scan.candidates)
    return scans


def _has_foreign_id(known: _CachedSource) -> bool:
    """Whether the id differs from the folder's name; such skills are merged last.

    Otherwise folder `aaa` with the id `net-opt` would win over the folder `net-opt`.
    """
    candidate = known.reading.candidate
    own = candidate.path.stem if candidate.layout == "flat" else candidate.path.name
    return known.last_good is None or fold(known.last_good.id) != fold(own)
