"""Library that keeps a catalog in sync with skill folders; snapshots are consistent, and broken edits are not used."""

import threading
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from metier.faults import fault_point
from metier.skills.checks import fold
from metier.skills.model import Catalog, Diagnostic, Report, Skill
from metier.skills.read import (
    AllowedToolsMode,
    ReadResult,
    ScanResult,
    SkillCandidate,
    SkillRoot,
    read_skill,
    scan_root,
)

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
    """Skills of several folders; for equal ids the earlier folder wins.

    `catalog()` scans the folders and reads what changed; catalogs returned earlier never change. If an edit is
    refused, the last good version of the skill stays in the catalog.
    """

    roots: tuple[SkillRoot, ...]
    allowed_tools_mode: AllowedToolsMode = "preapprove"
    now_ns: Callable[[], int] = time.time_ns
    _cache: dict[str, _CachedSource] = field(default_factory=dict)
    _current: Catalog | None = None
    _scan_diagnostics: tuple[Diagnostic, ...] = ()
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _watched: bool = False
    _stale: bool = True

    @classmethod
    def from_folders(cls, *folders: Path | str, trusted: Iterable[Path | str] = ()) -> "SkillLibrary":
        """Create a library of these folders; trusted folders come last."""
        plain = [SkillRoot(Path(folder)) for folder in folders]
        return cls((*plain, *(SkillRoot(Path(folder), trusted=True) for folder in trusted)))

    def catalog(self) -> Catalog:
        """The current catalog. Inside `watch()` the folders are scanned only after a change."""
        with self._lock:
            if self._current is None or self._stale or not self._watched:
                self._stale = False
                self._current = self._refresh()
            return self._current

    @property
    def is_current(self) -> bool:
        """Whether `catalog()` returns at once: the folders are watched, and nothing changed or is being read."""
        return self._watched and not self._stale and self._current is not None and not self._lock.locked()

    def _refresh(self) -> Catalog:
        started_ns = self.now_ns()
        scans = _drop_repeated([scan_root(root) for root in self.roots])
        changed = self._read_changes(scans, started_ns)
        noted = tuple(note for scan in scans for note in scan.diagnostics)
        if self._current is not None and not changed and noted == self._scan_diagnostics:
            return self._current
        fault_point("skills_read")
        self._scan_diagnostics = noted
        return self._merge(scans, noted)

    def _read_changes(self, scans: list[ScanResult], started_ns: int) -> bool:
        """Read new and changed candidates and drop deleted ones; returns whether anything changed."""
        found = {candidate.location: candidate for scan in scans for candidate in scan.candidates}
        gone = self._cache.keys() - found.keys()
        for place in gone:
            del self._cache[place]
        changed = bool(gone)
        for place, candidate in found.items():
            known = self._cache.get(place)
            if known and known.settled and known.reading.candidate == candidate:
                continue
            changed |= self._read(place, candidate, known, started_ns)
        return changed

    def _read(self, place: str, candidate: SkillCandidate, known: _CachedSource | None, started_ns: int) -> bool:
        reading = read_skill(candidate, self.allowed_tools_mode)
        # ctime, not mtime: every write updates ctime, while mtime can be set to anything.
        newest_ns = max((file.ctime_ns for file in candidate.files), default=0)
        settled = newest_ns < started_ns - _RACY_WINDOW_NS
        if not settled:  # scan again even if no change is reported
            self._stale = True
        good = reading.skill or (known.last_good if known else None)
        self._cache[place] = _CachedSource(reading, good, settled)
        if known is None:
            return True
        old = known.reading
        return (old.skill and old.skill.digest) != (reading.skill and reading.skill.digest) or (
            old.diagnostics != reading.diagnostics
        )

    def _merge(self, scans: list[ScanResult], noted: tuple[Diagnostic, ...]) -> Catalog:
        merging = _CatalogMerge([*noted])
        for scan in scans:
            merging.start_root()
            found = [self._cache[candidate.location] for candidate in scan.candidates]
            for known in sorted(found, key=_has_foreign_id):
                merging.add(known)
        return Catalog.from_skills(merging.skills.values(), merging.diagnostics)

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


@dataclass(slots=True)
class _CatalogMerge:
    """Merges the skills of all folders into one catalog; the first skill with an id wins."""

    diagnostics: list[Diagnostic]
    skills: dict[str, Skill] = field(default_factory=dict)
    _folded: dict[str, Skill] = field(default_factory=dict)
    _in_root: set[str] = field(default_factory=set)

    def start_root(self) -> None:
        self._in_root = set()

    def add(self, known: _CachedSource) -> None:
        self.diagnostics.extend(known.reading.diagnostics)
        skill = known.last_good
        if skill is None:
            return
        if known.reading.skill is None:
            self._add_diagnostic(
                "skill_kept", skill, f"version {skill.digest[:12]} of {skill.id!r} stays in use", "mend the file"
            )
        other = self._folded.get(fold(skill.id))
        if other is None:
            self.skills[skill.id] = self._folded[fold(skill.id)] = skill
            self._in_root.add(skill.id)
        elif other.id != skill.id:
            self._add_diagnostic(
                "name_collision", skill, f"{skill.id!r} and {other.id!r} are one name", f"see {other.source.path}"
            )
        elif skill.id in self._in_root:
            self._add_diagnostic(
                "skill_duplicate", skill, f"{skill.id!r} is also in {other.source.path}", "rename one of them"
            )
        else:
            self._add_diagnostic(
                "skill_shadowed", skill, f"{skill.id!r} is hidden by {other.source.path}", "rename one of them"
            )

    def _add_diagnostic(self, code: str, skill: Skill, message: str, hint: str) -> None:
        report = Report(skill.source.path)
        report.add(code, message, hint=hint)
        self.diagnostics.extend(report.diagnostics_for(skill.id))
