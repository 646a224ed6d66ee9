"""Log of catalog reloads: each new catalog compared with the previous one, with a diff per skill."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from metier.background import repeat, try_step
from metier.clock import utc_now
from metier.json_values import JsonObject, JsonValue
from metier.limits import diff_lines
from metier.skills import Catalog, Skill, skill_to_json

_FAILED: Final = "the skills could not be looked at"
_MAX_ENTRIES: Final = 100
_POLL_INTERVAL_S: Final = 1.0
_MAX_DIFF_LINES: Final = 2000


@dataclass(slots=True)
class Reloads:
    """The last hundred changes of the catalog, newest first.

    `prepare` is called with each new catalog in a worker thread: building a routing index may take seconds.
    """

    catalog: Callable[[], Catalog]
    prepare: Callable[[Catalog], object] = id
    clock: Callable[[], datetime] = utc_now
    _last_catalog: Catalog | None = None
    _prepared_catalog: Catalog | None = None
    _entries: "deque[_Reload]" = field(default_factory=lambda: deque(maxlen=_MAX_ENTRIES))

    @asynccontextmanager
    async def watch(self, poll_s: float = _POLL_INTERVAL_S) -> AsyncIterator[None]:
        """Poll the catalog while the context is open."""
        task = asyncio.create_task(self._poll_catalog(poll_s))
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def check_catalog(self) -> None:
        """Compare the current catalog with the last one and log the changes."""
        newest, before = self.catalog(), self._last_catalog
        self._last_catalog = newest
        if before is not None and newest is not before:
            entry = _Reload(self.clock().isoformat(), before, newest)
            if entry.is_visible(entry.tell(_see_all)):
                self._entries.appendleft(entry)

    def list_entries(self, limit: int, narrow: Callable[[Catalog], Catalog]) -> list[JsonObject]:
        """List the log, newest first, of the catalogs as `narrow` lets a reader see them."""
        self.check_catalog()
        told = ((entry, entry.tell(narrow)) for entry in self._entries)
        return [one for entry, one in told if entry.is_visible(one)][:limit]

    async def _poll_catalog(self, look_s: float) -> None:
        await try_step(self._prepare_new_catalog, _FAILED)
        await repeat(self._prepare_new_catalog, every_s=look_s, what=_FAILED)

    async def _prepare_new_catalog(self) -> None:
        await asyncio.to_thread(self.catalog)  # changed skills are read there
        self.check_catalog()
        newest = self._last_catalog
        known, self._prepared_catalog = self._prepared_catalog, newest
        if newest is not None and known is not None and known is not newest:  # the first is prepared at start-up
            await asyncio.to_thread(self.prepare, newest)


@dataclass(frozen=True, slots=True)
class _Reload:
    """One change of the catalog; what is told of it is kept for each pair of narrowed catalogs."""

    at: str
    before: Catalog
    after: Catalog
    _told: dict[tuple[int, int], JsonObject] = field(default_factory=dict)

    def tell(self, narrow: Callable[[Catalog], Catalog]) -> JsonObject:
        before, after = narrow(self.before), narrow(self.after)
        pair = id(before), id(after)  # a catalog keeps those that it is narrowed to
        if pair not in self._told:
            self._told[pair] = {
                "at": self.at,
                "before": before.digest,
                "after": after.digest,
                "changes": _diff_catalogs(before, after),
                "findings": [one.to_json() for one in after.diagnostics if one not in before.diagnostics],
            }
        return self._told[pair]

    @staticmethod
    def is_visible(told: JsonObject) -> bool:
        return bool(told["changes"] or told["findings"])


def _see_all(catalog: Catalog) -> Catalog:
    return catalog


def _diff_catalogs(before: Catalog, after: Catalog) -> list[JsonValue]:
    found: list[JsonValue] = []
    for skill in sorted(before.skills.keys() | after.skills.keys()):
        old, new = before.get(skill), after.get(skill)
        if old is None or new is None or old.digest != new.digest:
            found.append(_diff_skill(skill, old, new))
    return found


def _diff_skill(skill: str, old: Skill | None, new: Skill | None) -> JsonObject:
    kind = "added" if old is None else "removed" if new is None else "changed"
    was, now = (f"{skill}@{one.digest[:12]}" if one else "/dev/null" for one in (old, new))
    lines = list(diff_lines(_render_lines(old), _render_lines(new), was, now))
    cut = len(lines) > _MAX_DIFF_LINES
    return {
        "skill": skill,
        "change": kind,
        "before": old.digest if old else None,
        "after": new.digest if new else None,
        "diff": "\n".join(lines[:_MAX_DIFF_LINES]),
        "cut": cut,
    }


def _render_lines(skill: Skill | None) -> list[str]:
    """Render a skill as lines to diff: one per field, then its instructions."""
    if skill is None:
        return []
    whole = dict(skill_to_json(skill))
    text = str(whole.pop("instructions"))
    whole.pop("digest")
    fields = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in whole.items() if value]
    return [*fields, "", *text.splitlines()]
