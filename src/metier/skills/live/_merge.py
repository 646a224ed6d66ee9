"""Merges the skills of all folders into one catalog: who gets an id that several skills have."""

from dataclasses import dataclass, field

from metier.skills.checks import fold
from metier.skills.model import Diagnostic, Report, Skill
from metier.skills.read import ReadResult


@dataclass(slots=True)
class CatalogMerge:
    """Skills by id. A trusted skill keeps its id against one that is not, unless the operator lists it in `overrides`;
    otherwise the first skill with an id keeps it.
    """

    diagnostics: list[Diagnostic]
    overrides: frozenset[str] = frozenset()
    skills: dict[str, Skill] = field(default_factory=dict)
    installed: set[str] = field(default_factory=set)
    _folded: dict[str, Skill] = field(default_factory=dict)
    _in_root: set[str] = field(default_factory=set)
    _installed_root: bool = False

    def start_root(self, *, installed: bool = False) -> None:
        """Begin with the skills of the next folder."""
        self._in_root = set()
        self._installed_root = installed

    def add(self, reading: ReadResult, skill: Skill | None) -> None:
        """Add what was read of one skill: its diagnostics and its last good version, if there is one."""
        self.diagnostics.extend(reading.diagnostics)
        if skill is None:
            return
        if reading.skill is None:
            self._report(
                "skill_kept", skill, f"version {skill.digest[:12]} of {skill.id!r} stays in use", "mend the file"
            )
        other = self._folded.get(fold(skill.id))
        if other is None:
            self._take(skill)
        elif skill.source.trusted and not other.source.trusted and skill.id not in self.overrides:
            self._take_from(other, skill)
        else:
            self._refuse(skill, other)

    def _take(self, skill: Skill) -> None:
        self.skills[skill.id] = self._folded[fold(skill.id)] = skill
        self._in_root.add(skill.id)
        if self._installed_root:
            self.installed.add(skill.id)

    def _take_from(self, other: Skill, skill: Skill) -> None:
        """Give the id back to the trusted skill."""
        del self.skills[other.id]
        self._take(skill)
        if other.id != skill.id:
            self._report_collision(other, skill)
            return
        hint = f"rename it, or set METIER_SKILL_OVERRIDES={skill.id} if it should take that place"
        message = f"{skill.id!r} belongs to {str(skill.source.path)!r}, which stays in use"
        self._report("skill_shadowed", other, message, hint)

    def _refuse(self, skill: Skill, other: Skill) -> None:
        where = str(other.source.path)
        if other.id != skill.id:
            self._report_collision(skill, other)
        elif skill.id in self._in_root:
            self._report("skill_duplicate", skill, f"{skill.id!r} is also in {where!r}", "rename one of them")
        elif skill.source.trusted:
            hint = "rename one of them, or remove the override"
            self._report("skill_overridden", skill, f"{where!r} takes the place of {skill.id!r}", hint)
        else:
            self._report(
                "skill_shadowed", skill, f"{skill.id!r} is in {where!r} too, which stays in use", "rename one of them"
            )

    def _report_collision(self, skill: Skill, other: Skill) -> None:
        message = f"{skill.id!r} and {other.id!r} in {str(other.source.path)!r} are one name"
        self._report("name_collision", skill, message, "rename one of them")

    def _report(self, code: str, skill: Skill, message: str, hint: str) -> None:
        report = Report(skill.source.path)
        report.add(code, message, hint=hint)
        self.diagnostics.extend(report.diagnostics_for(skill.id))
