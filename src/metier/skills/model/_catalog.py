"""Immutable snapshot of all loaded skills."""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from metier.errors import SkillNotFound
from metier.names import suggest
from metier.skills.model._diagnostics import Diagnostic
from metier.skills.model._skill import Skill


@dataclass(frozen=True, slots=True)
class WaitingSkill:
    """Version of a skill that waits for approval; `approved` is the version in use, if one was approved before."""

    skill: Skill
    approved: Skill | None = None

    @property
    def id(self) -> str:
        return self.skill.id

    @property
    def shared(self) -> Skill | None:
        """Version that everybody uses; None if there is none, or its owner alone uses it."""
        return None if self.approved is None or self.approved.owner else self.approved


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Catalog:
    """All loaded skills by id, the diagnostics of loading them, and one digest over all.

    Iterates over the skills by descending priority, then by id. `waiting` has the versions that are not loaded before
    a person approves them.
    """

    skills: Mapping[str, Skill] = field(default_factory=lambda: MappingProxyType({}))
    diagnostics: tuple[Diagnostic, ...] = ()
    digest: str = ""
    waiting: tuple[WaitingSkill, ...] = ()
    _narrowed: dict[str, "Catalog"] = field(default_factory=dict, init=False, repr=False, compare=False)

    @classmethod
    def from_skills(
        cls, skills: Iterable[Skill], diagnostics: Iterable[Diagnostic] = (), waiting: Iterable[WaitingSkill] = ()
    ) -> "Catalog":
        """Build a catalog: sort the skills and compute the digest from theirs."""
        ordered = sorted(skills, key=lambda skill: (-skill.priority, skill.id))
        whole = hashlib.sha256()
        for skill in ordered:
            whole.update(f"{skill.id}\0{skill.digest}\n".encode())
        by_id = MappingProxyType({skill.id: skill for skill in ordered})
        return cls(by_id, tuple(diagnostics), whole.hexdigest(), tuple(waiting))

    def in_groups(self, groups: Collection[str] | None) -> "Catalog":
        """The catalog of the skills of these groups, and of those without a group; None means all of them."""
        kept = [skill for skill in self if groups is None or not skill.group or skill.group in groups]
        if len(kept) == len(self):
            return self
        return Catalog.from_skills(kept, self.diagnostics, self.waiting)

    def narrow_to(self, user: str) -> "Catalog":
        """The catalog without what belongs to other users: their skills, findings about them, and what waits of them.

        A version that waits without an owner is nobody's yet: it is left out too. All who own nothing get one catalog.
        """
        owners = {skill.owner for skill in (*self, *(one.skill for one in self.waiting))}
        if not self.waiting and not any(owners):
            return self
        owner = user if user in owners else ""
        if owner not in self._narrowed:
            self._narrowed[owner] = self._narrow_to(owner)
        return self._narrowed[owner]

    def _narrow_to(self, owner: str) -> "Catalog":
        kept = [skill for skill in self if skill.owner in ("", owner)]
        waiting = [one for one in self.waiting if owner and one.skill.owner == owner]
        seen = {skill.id for skill in (*kept, *(one.skill for one in waiting))}
        hidden = [skill for skill in (*self, *(one.skill for one in self.waiting)) if skill.id not in seen]
        told = [one for one in self.diagnostics if not any(_is_about(one, skill) for skill in hidden)]
        return Catalog.from_skills(kept, told, waiting)

    def __iter__(self) -> Iterator[Skill]:
        return iter(self.skills.values())

    def __len__(self) -> int:
        return len(self.skills)

    def __contains__(self, skill_id: object) -> bool:
        return skill_id in self.skills

    def get(self, skill_id: str) -> Skill | None:
        """The skill with this id, or `None`."""
        return self.skills.get(skill_id)

    def __getitem__(self, skill_id: str) -> Skill:
        found = self.skills.get(skill_id)
        if found is None:
            hint = suggest(skill_id, self.skills, "`metier skills list` shows what is loaded")
            raise SkillNotFound(f"no skill {skill_id!r}", hint=hint)
        return found


def _is_about(found: Diagnostic, skill: Skill) -> bool:
    """Whether a finding is about this skill, or tells where it is."""
    place = skill.source.path if skill.source.layout == "flat" else skill.source.path.parent
    return found.skill == skill.id or found.path.is_relative_to(place) or str(place) in found.message


def narrow_groups(allowed: Collection[str], asked: Collection[str]) -> frozenset[str] | None:
    """Groups that are allowed and asked for; an empty list restricts nothing. None if neither restricts."""
    if not allowed or not asked:
        return frozenset(allowed or asked) or None
    return frozenset(allowed) & frozenset(asked)
