"""`metier skills eval`: how well skills are found, and what would make them found."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli._library import PACK_OPTION, SKILLS_OPTION, open_library, open_packs
from metier.cli.terminal import JSON_OPTION, parse_language, print_json, print_line, print_note, print_table, say
from metier.errors import InvalidInput, MetierError

if TYPE_CHECKING:
    from metier.language import Language
    from metier.routing import CandidateMessage, Decision, EvalCase, EvalReport, Router, SkillEval
    from metier.routing.advice import Collision, Improvement
    from metier.settings import Settings
    from metier.skills import Catalog, Skill


@dataclass(slots=True)
class _Advice:
    """What the command has found besides the counts."""

    generated: "dict[str, EvalCase]" = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    collisions: "tuple[Collision, ...]" = ()
    improvements: "list[Improvement]" = field(default_factory=list)

    def to_json(self, language: "Language") -> dict[str, object]:
        return {
            "generated": {skill: case.to_json() for skill, case in self.generated.items()},
            "written": self.written,
            "collisions": [one.to_json(language) for one in self.collisions],
            "improvements": [one.to_json(language) for one in self.improvements],
        }


def eval_command(
    skill_id: str | None = typer.Argument(None, metavar="[ID]", help="One skill; default: all with eval queries."),
    folders: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = PACK_OPTION,
    min_f1: float | None = typer.Option(None, "--min-f1", help="Fail (exit 1) when a skill's F1 is below this."),
    generate: bool = typer.Option(
        False, "--generate", help="Make queries for skills that have none, and measure them."
    ),
    write: bool = typer.Option(False, "--write", help="Write the made queries into the skills' evals files."),
    suggest: bool = typer.Option(
        False, "--suggest", help="Say which skills collide and why, and which examples and sentences to add."
    ),
    use_model: bool = typer.Option(True, "--model/--no-model", help="Ask the configured model for messages too."),
    language: str | None = typer.Option(None, "--language", help="Advice in zh or en; default: the settings'."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Measure how well skills are found. Routes the messages of every evals/eval_queries.json among all skills.

    With --generate also skills without such a file; with --suggest the answer says what to change, each change tried.
    """
    from metier.pack import build_pack_glossary
    from metier.routing import open_router
    from metier.settings import load_settings

    settings = load_settings()
    tongue = parse_language(language, settings.language)
    chosen = open_packs(packs)
    catalog = open_library(folders, chosen).catalog()
    skills = [catalog[skill_id]] if skill_id else list(catalog)
    router = open_router(settings, glossary=build_pack_glossary(chosen))
    written_by_model = _ask_model(settings, skills) if use_model and (generate or write or suggest) else {}
    advice = _Advice()
    report = _measure(router, catalog, skills, written_by_model if generate or write else None, advice)
    if write:
        _write_queries(catalog, advice)
    if suggest:
        _add_suggestions(router, catalog, skills, written_by_model, advice)
    router.close()
    if as_json:
        print_json({**report.to_json(), **advice.to_json(tongue)})
    else:
        _print_report(report, advice, tongue)
    if min_f1 is not None and not report.passes(min_f1):
        print_note(say("below_f1", f1=f"{min_f1:g}"))
        raise typer.Exit(1)


Written = Mapping[str, "Sequence[CandidateMessage]"]


def _measure(
    router: "Router", catalog: "Catalog", skills: "Sequence[Skill]", written: Written | None, advice: _Advice
) -> "EvalReport":
    from metier.routing import EvalReport, evaluate, evaluate_queries, generate_evals

    def route(message: str) -> "Decision":
        return router.route(message, catalog=catalog)

    report = evaluate(route, skills)
    if written is None:
        return report
    made: list[SkillEval] = []
    for skill in report.unmeasured:
        case = generate_evals(router, catalog, catalog[skill], messages=written.get(skill, ()))
        if case.queries:
            advice.generated[skill] = case
            made.append(evaluate_queries(route, skill, case.queries))
    left = tuple(one for one in report.unmeasured if one not in advice.generated)
    return EvalReport((*report.skills, *made), left)


def _write_queries(catalog: "Catalog", advice: _Advice) -> None:
    for skill, case in advice.generated.items():
        place = catalog[skill].source.folder / case.file
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(json.dumps(case.to_json(), ensure_ascii=False, indent=1) + "\n", "utf-8")
        except OSError as error:
            raise InvalidInput(
                f"{str(place)!r} cannot be written: {error.strerror}", hint="copy the skill into a folder of your own"
            ) from error
        advice.written.append(str(place))


def _add_suggestions(
    router: "Router", catalog: "Catalog", skills: "Sequence[Skill]", written: Written, advice: _Advice
) -> None:
    from metier.routing import find_collisions
    from metier.routing.advice import suggest_improvement

    only = [one.id for one in skills] if len(skills) < len(catalog) else ()
    advice.collisions = find_collisions(router, catalog, skills=only)
    for skill in skills:
        if not (skill.enabled and skill.invocation.automatic):
            continue
        found = suggest_improvement(
            router, catalog, skill, collisions=advice.collisions, messages=written.get(skill.id, ())
        )
        if found.explain():
            advice.improvements.append(found)


def _ask_model(settings: "Settings", skills: "Sequence[Skill]") -> "dict[str, Sequence[CandidateMessage]]":
    """Messages that the configured model writes for each skill; empty without a model, or if it does not answer."""
    from metier.agent import ModelPool
    from metier.language import language_of
    from metier.routing.advice import build_prompt, read_messages

    pool = ModelPool.from_settings(settings)
    if pool.is_all_builtin:
        return {}
    found: dict[str, Sequence[CandidateMessage]] = {}
    for skill in skills:
        try:
            answer = asyncio.run(pool.write_text(build_prompt(skill, language_of(skill.description))))
        except MetierError as error:
            print_note(say("no_messages", why=error.message))
            return found
        found[skill.id] = read_messages(answer, skill)
    return found


def _print_report(report: "EvalReport", advice: _Advice, language: "Language") -> None:
    heads = ("skill", "queries", "precision", "recall", "F1", "confused with")
    print_table(heads, [_format_row(one, is_generated=one.skill in advice.generated) for one in report.skills])
    for place in advice.written:
        print_note(f"saved {place}")
    collisions = [one.explain(language) for one in advice.collisions]
    for lines in (*collisions, *(one.explain(language) for one in advice.improvements)):
        print_line("")
        print_line(lines[0])
        for line in lines[1:]:
            print_line(f"  {line}")


def _format_row(one: "SkillEval", *, is_generated: bool) -> tuple[str, ...]:
    counts = one.counts
    ratios = ("–" if value is None else f"{value:.2f}" for value in (counts.precision, counts.recall, counts.f1))
    confused = ", ".join(f"{found.winner or 'none'} ×{found.times}" for found in one.confusions)
    return one.skill, f"{counts.queries}{'*' if is_generated else ''}", *ratios, confused
