"""Lint rules across skills: shared triggers and problems of the skill graph."""

from collections.abc import Iterator
from itertools import combinations

from metier.skills.checks import fold
from metier.skills.lint._loaded_skill import LoadedSkill
from metier.skills.model import Catalog, Diagnostic, Report, Skill, SkillGraph

_MAX_SHOWN = 5
_MAX_CLAIMANTS = 20


def find_overlaps(subjects: list[LoadedSkill]) -> Iterator[Diagnostic]:
    """One finding per pair of skills with a common trigger that can be candidates for the same message."""
    claims: dict[str, list[LoadedSkill]] = {}
    for subject in subjects:
        if subject.skill.enabled:
            for trigger in {fold(trigger): trigger for trigger in subject.skill.triggers}:
                claims.setdefault(trigger, []).append(subject)
    shared: dict[tuple[str, str], tuple[LoadedSkill, LoadedSkill, list[str]]] = {}
    for trigger, claimants in claims.items():
        # A trigger shared by a thousand skills makes half a million pairs, and nobody reads past the first ones.
        for first, second in combinations(sorted(claimants, key=lambda one: one.skill.id)[:_MAX_CLAIMANTS], 2):
            if _can_compete(first.skill, second.skill):
                key = (first.skill.id, second.skill.id)
                shared.setdefault(key, (first, second, []))[2].append(trigger)
    for first, second, triggers in shared.values():
        yield _overlap_diagnostic(first, second, triggers)


def _can_compete(one: Skill, other: Skill) -> bool:
    """Whether both can be candidates for the same message: compatible hosts, and not in the same exclusive group."""
    same_group = bool(one.group) and one.group == other.group
    hosts_meet = not one.hosts or not other.hosts or bool({*map(fold, one.hosts)} & {*map(fold, other.hosts)})
    return hosts_meet and not same_group


def _overlap_diagnostic(first: LoadedSkill, second: LoadedSkill, triggers: list[str]) -> Diagnostic:
    shown = ", ".join(map(repr, triggers[:_MAX_SHOWN])) + (" …" if len(triggers) > _MAX_SHOWN else "")
    report = Report(second.skill.source.path, second.skill.source.trusted)
    report.add(
        "trigger_overlap",
        f"{second.skill.id!r} and {first.skill.id!r} share {len(triggers)} trigger(s): {shown}",
        hint="keep each trigger in one skill, or put both skills in one 'group'",
        line=second.find_line("triggers"),
    )
    return report.diagnostics_for(second.skill.id)[0]


def find_graph_problems(catalog: Catalog, subjects: list[LoadedSkill], *, alone: bool) -> Iterator[Diagnostic]:
    """Problems of the skill graph. If a single skill is linted (`alone`), unknown skills are not reported."""
    by_id = {subject.skill.id: subject for subject in subjects}
    for problem in SkillGraph.from_skills(catalog).find_problems():
        if alone and problem.code == "graph_unknown_skill":
            continue
        subject = by_id[problem.skill]
        report = Report(subject.skill.source.path, subject.skill.source.trusted)
        line = subject.find_line("next") or subject.find_line("requires")
        report.add(problem.code, problem.message, hint=problem.hint, line=line)
        yield from report.diagnostics_for(problem.skill)
