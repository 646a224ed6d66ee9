"""Linter entry point: the reader's diagnostics plus all lint rules."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from metier.skills.lint._across_skills import find_graph_problems, find_overlaps
from metier.skills.lint._body import check_template, check_texts
from metier.skills.lint._inputs import LintInput, open_input, resolve_path
from metier.skills.lint._loaded_skill import LoadedSkill
from metier.skills.lint._report import LintReport
from metier.skills.lint._scripts import check_scripts
from metier.skills.lint._standard import check_standard
from metier.skills.lint._tools import check_tools
from metier.skills.model import Diagnostic, Report, Skill
from metier.skills.read import AllowedToolsMode, SkillCandidate

SkillCheck: TypeAlias = Callable[[Skill], Iterable[Diagnostic]]

# Warnings of the reader by the error of the open standard that says the same of the same line.
_SAID_BY_STANDARD: Final[Mapping[str, str]] = MappingProxyType(
    {
        "description_missing": "standard_description",
        "name_missing": "standard_name",
        "name_not_folder": "standard_name",
        "name_not_standard": "standard_name",
    }
)


def lint(
    path: Path,
    *,
    known_tools: Collection[str] = (),
    trusted: bool = False,
    allowed_tools_mode: AllowedToolsMode = "preapprove",
    checks: Iterable[SkillCheck] = (),
) -> LintReport:
    """Lint a skills folder, one skill, a flat file or an archive.

    `known_tools` exist without being declared by a skill. `checks` are additional rules that run on every loaded
    skill, for knowledge that this package does not have. Nothing is unpacked, run or changed.
    """
    there = resolve_path(path)
    target = open_input(there, trusted=trusted, mode=allowed_tools_mode)
    standard: dict[str, bool] = {}
    found = [
        *target.catalog.diagnostics,
        *_find_standard_problems(target, standard),
        *_find_skill_problems(target, frozenset(known_tools)),
        *(found for check in checks for skill in target.catalog for found in check(skill)),
    ]
    findings = tuple(sorted(dict.fromkeys(_leave_out_repeated(found)), key=_sort_key))
    return LintReport(there, tuple(sorted(target.catalog.skills)), findings, MappingProxyType(standard))


def _leave_out_repeated(found: list[Diagnostic]) -> Iterator[Diagnostic]:
    """All findings, each matter once: not a warning of what the standard refuses on the same line."""
    said = {(one.path, one.line, one.code) for one in found}
    return (one for one in found if (one.path, one.line, _SAID_BY_STANDARD.get(one.code)) not in said)


def _sort_key(found: Diagnostic) -> tuple[str, int, str, str]:
    return str(found.path), found.line or 0, found.code, found.message


def _find_standard_problems(target: LintInput, verdicts: dict[str, bool]) -> Iterator[Diagnostic]:
    """Check every folder with a SKILL.md against the open standard, including those that were not loaded."""
    ids = {skill.source.folder: skill.id for skill in target.catalog}
    for candidate in target.candidates:
        if candidate.layout != "agent-skill":
            continue
        report = Report(candidate.folder / candidate.main_file, candidate.trusted)
        skill_id = ids.get(candidate.folder, candidate.folder.name)
        verdict = check_standard(candidate.folder, _file_names(candidate), report)
        verdicts[skill_id] = verdicts.get(skill_id, True) and verdict
        yield from report.diagnostics_for(skill_id)


def _find_skill_problems(target: LintInput, known_tools: frozenset[str]) -> Iterator[Diagnostic]:
    files = {candidate.folder / candidate.main_file: _file_names(candidate) for candidate in target.candidates}
    subjects = [LoadedSkill(skill, files.get(skill.source.path, frozenset())) for skill in target.catalog]
    tools = known_tools | {tool.name for skill in target.catalog for tool in skill.tools}
    for subject in subjects:
        report = Report(subject.skill.source.path, subject.skill.source.trusted)
        check_texts(subject, report)
        check_template(subject, report)
        check_tools(subject, tools, report)
        check_scripts(subject, known_tools, report)
        yield from report.diagnostics_for(subject.skill.id)
    yield from find_overlaps(subjects)
    yield from find_graph_problems(target.catalog, subjects, alone=target.is_single_skill)


def _file_names(candidate: SkillCandidate) -> frozenset[str]:
    return frozenset(seen.name for seen in candidate.files)
