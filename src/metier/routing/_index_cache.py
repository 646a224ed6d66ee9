"""Cache of routing indexes, one per catalog and constraints."""

import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from metier.errors import Unavailable
from metier.routing._decision import Filtered
from metier.routing._eligibility import RoutingConstraints, ineligible_reason, split_eligible
from metier.routing._sentences import RoutingNote
from metier.routing.ranking import OffsetFile, Offsets, RoutingIndex, SkillVectors, VectorView, trim_heap
from metier.routing.text import ExampleIndex, ExclusionIndex, RoutingText, SkillNames, TriggerIndex, build_routing_text
from metier.skills import Catalog

_MAX_VIEWS: Final = 24  # each user who owns a skill has a catalog of their own; an index takes 3 to 5 MB
_MAX_SPARE: Final = 4  # indexes of catalogs that are gone: the next one may be as they were
_RETRY_S = 30.0


@dataclass(frozen=True, slots=True)
class CatalogView:
    """Catalog under given constraints: eligible texts and their groups, excluded skills with the reason, lookups."""

    catalog: Catalog
    constraints: RoutingConstraints
    all_texts: tuple[RoutingText, ...]
    texts: tuple[RoutingText, ...]
    filtered: tuple[Filtered, ...]
    names: SkillNames
    triggers: TriggerIndex
    examples: ExampleIndex
    exclusions: ExclusionIndex
    groups: Mapping[str, str]

    @classmethod
    def of(cls, catalog: Catalog, offer: RoutingConstraints) -> "CatalogView":
        # Sorted, so that the same skills in any order give the same index.
        catalog = Catalog.from_skills(catalog, catalog.diagnostics)
        offered, filtered = split_eligible(catalog, offer)
        ids = {skill.id for skill in offered}
        everything = tuple(build_routing_text(skill) for skill in catalog)
        texts = tuple(text for text in everything if text.skill in ids)
        return cls(
            catalog,
            offer,
            everything,
            texts,
            filtered,
            SkillNames(catalog),
            TriggerIndex(texts),
            ExampleIndex(texts),
            ExclusionIndex(texts),
            {text.skill: text.group for text in texts},
        )

    def resolve_active(self, active: str | None) -> str | None:
        """The active skill if it may still run here, also when only a user may start it by name; otherwise None."""
        skill = self.catalog.get(active) if active is not None else None
        if skill is None:
            return None
        offered = any(text.skill == active for text in self.texts)
        reason = None if offered else ineligible_reason(skill, self.catalog, self.constraints, by_name=True)
        return active if reason is None else None


@dataclass(frozen=True, slots=True)
class _CatalogVectors:
    """Vectors of a whole catalog; `failed_at_s` is when a view failed, if one did."""

    texts: tuple[RoutingText, ...]
    by_view: Mapping[str, Mapping[str, SkillVectors]]
    notes: tuple[RoutingNote, ...]
    failed_at_s: float | None

    def is_due(self, now_s: float) -> bool:
        return self.failed_at_s is not None and now_s - self.failed_at_s >= _RETRY_S


@dataclass(frozen=True, slots=True)
class BuiltIndex:
    """Built index with its vectors, calibration offsets and notes."""

    texts: tuple[RoutingText, ...]
    vectors: _CatalogVectors
    index: RoutingIndex
    offsets: Offsets

    @property
    def notes(self) -> tuple[RoutingNote, ...]:
        return self.vectors.notes


@dataclass(slots=True)
class IndexCache:
    """Cache of the views of catalogs that are still in use, with their indexes, and of the last few other indexes.

    `offsets` are those of earlier processes. Thread-safe; a cached entry is returned without waiting for one that is
    being built.
    """

    offsets: OffsetFile | None = None
    _catalog_views: tuple[tuple["weakref.ref[Catalog]", CatalogView], ...] = ()
    _indexes: tuple[BuiltIndex, ...] = ()
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get_catalog_view(self, catalog: Catalog, offer: RoutingConstraints) -> CatalogView:
        """Return the view of a catalog under these constraints; catalogs are immutable and compared by identity."""
        for known, seen in self._catalog_views:
            if known() is catalog and seen.constraints == offer:
                return seen
        seen = CatalogView.of(catalog, offer)
        with self._lock:
            kept = [one for one in self._catalog_views if one[0]() is not None]
            self._catalog_views = ((weakref.ref(catalog), seen), *kept)[:_MAX_VIEWS]
        return seen

    def get_index(self, seen: CatalogView, views: Sequence[VectorView], clock: Callable[[], float]) -> BuiltIndex:
        """Return the index of these skills; rebuilt after a text changed or when failed vectors are due for a retry."""
        found = self._find(seen, clock())
        if found is not None:
            return found
        with self._lock:
            found = self._find(seen, clock())
            if found is None:
                found = self._build(seen, views, clock())
                self._indexes = (found, *self._drop_unused())
            return found

    def _drop_unused(self) -> Iterator[BuiltIndex]:
        """The indexes without those that no kept view uses; the newest of these stay."""
        spare = 0
        for ready in self._indexes:
            is_used = any(
                _is_same(ready.texts, seen.texts) and _is_same(ready.vectors.texts, seen.all_texts)
                for known, seen in self._catalog_views
                if known() is not None
            )
            spare += not is_used
            if is_used or spare < _MAX_SPARE:
                yield ready

    def _find(self, seen: CatalogView, now_s: float) -> BuiltIndex | None:
        for ready in self._indexes:
            if _is_same(ready.texts, seen.texts) and _is_same(ready.vectors.texts, seen.all_texts):
                return None if ready.vectors.is_due(now_s) else ready
        return None

    def _build(self, seen: CatalogView, views: Sequence[VectorView], now_s: float) -> BuiltIndex:
        known = {digest: count for ready in self._indexes for digest, count in ready.index.documents.items()}
        of_catalog = [ready for ready in self._indexes if _is_same(ready.vectors.texts, seen.all_texts)]
        vectors = next((ready.vectors for ready in of_catalog if not ready.vectors.is_due(now_s)), None)
        if vectors is None:
            vectors = _sync_views(seen.all_texts, views, now_s)
            for ready in of_catalog:
                if _is_same(ready.texts, seen.texts) and ready.vectors.by_view.keys() == vectors.by_view.keys():
                    return BuiltIndex(seen.texts, vectors, ready.index, ready.offsets)
        index = RoutingIndex(seen.texts, vectors.by_view, known)
        trim_heap()
        before = self._indexes[0].offsets if self._indexes else None
        return BuiltIndex(seen.texts, vectors, index, Offsets(index, before, self.offsets))


def _is_same(texts: tuple[RoutingText, ...], others: tuple[RoutingText, ...]) -> bool:
    return texts is others or texts == others


def _sync_views(texts: tuple[RoutingText, ...], views: Sequence[VectorView], now_s: float) -> _CatalogVectors:
    """Sync vectors of all skills, eligible or not: a store deletes the vectors of skills it is not asked for."""
    by_view: dict[str, Mapping[str, SkillVectors]] = {}
    notes: list[RoutingNote] = []
    for view in views:
        if not view.fits(texts):
            continue
        try:
            found = view.sync(texts)
        except Unavailable as error:
            notes.append(RoutingNote.of("no_vectors", view=view.name, why=error.message))
            continue
        flaw = _find_flaw(texts, found)
        if flaw:
            notes.append(RoutingNote.of("no_vectors", view=view.name, why=flaw))
        else:
            by_view[view.name] = found
    return _CatalogVectors(texts, by_view, tuple(notes), now_s if notes else None)


def _find_flaw(texts: Sequence[RoutingText], found: Mapping[str, SkillVectors]) -> str:
    """Describe what is wrong with the vectors of a view; empty if nothing is."""
    widths: set[int] = set()
    for text in texts:
        vectors = found.get(text.skill)
        if vectors is None:
            return f"there are none for skill {text.skill!r}"
        if vectors.items.ndim != 2 or len(vectors.items) != len(text.examples) + bool(text.about):
            return f"the wrong number of them for skill {text.skill!r}"
        if vectors.examples != len(text.examples):
            return f"the wrong number of them for skill {text.skill!r}"
        if not np.isfinite(vectors.items).all() or not np.isfinite(vectors.sentences).all():
            return f"those of skill {text.skill!r} are not numbers"
        widths.add(vectors.items.shape[1])
        widths.update(vectors.sentences.shape[1:] if len(vectors.sentences) else ())
    return "they are of different sizes" if len(widths) > 1 or 0 in widths else ""
