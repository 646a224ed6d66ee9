"""`metier lint`: errors and possible improvements of skills and packs, as text, JSON or SARIF."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import typer

from metier.cli.terminal import JSON_OPTION, parse_language, print_json, print_line, print_note, say, translate_text
from metier.errors import InvalidSkill, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from metier.settings import Settings
    from metier.skills import Diagnostic, Skill

    SkillCheck: TypeAlias = Callable[[Skill], Iterator[Diagnostic]]


def lint_command(
    path: Path | None = typer.Argument(None, help="A skills folder, one skill, an archive, or a pack's folder."),
    format_: str = typer.Option("text", "--format", "-f", help="text, json or sarif."),
    fix: bool = typer.Option(False, "--fix", help="Repair what is safe to repair, then lint."),
    known_tools: list[str] | None = typer.Option(None, "--tool", help="A tool that exists elsewhere (repeat)."),
    trusted: bool = typer.Option(False, "--trusted", help="Judge the folder as one you vouch for."),
    pack: str | None = typer.Option(None, "--pack", "-p", metavar="ID", help="Lint this installed pack instead."),
    self_test: bool = typer.Option(False, "--self-test", help="Try the linter on known bad skills instead."),
    language: str | None = typer.Option(None, "--language", help="zh or en; default: as set, else the system's."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Lint skills, or a pack with its tools and skills. Exit code 5 when there is an error."""
    import metier.skills.lint as linter
    from metier.settings import load_settings

    if self_test:
        _run_self_test(as_json=as_json or format_ == "json")
        return
    if (path is None) == (pack is None):
        raise UsageError("give a path or --pack, and not both", hint="metier lint skills")

    wanted = "json" if as_json else format_
    if wanted not in ("text", "json", "sarif"):
        raise typer.BadParameter("one of text, json, sarif", param_hint="--format")
    settings = load_settings()
    path, brought = _resolve_target(path, pack, settings)
    if fix:
        for fixed in linter.fix(path):
            print_note(say("fixed", path=fixed.path, what=translate_text(fixed.description), code=fixed.code))
    known = (*(known_tools or ()), *_list_provided_tools(settings), *brought)
    vouched = trusted or bool(pack)
    checks: list[SkillCheck] = [_check_steps, partial(_check_model, settings)]
    checks += _list_pack_checks(settings, vouched=vouched)
    mode = settings.allowed_tools_mode
    report = linter.lint(path, known_tools=known, trusted=vouched, allowed_tools_mode=mode, checks=checks)
    base = path if path.is_dir() else path.parent
    if wanted == "text":
        print_line(linter.to_text(report, base=base, language=parse_language(language, settings.language)))
    else:
        print_json(linter.to_json(report) if wanted == "json" else linter.to_sarif(report, base=base))
    if not report.ok:
        raise typer.Exit(InvalidSkill.exit_code)


def _run_self_test(*, as_json: bool) -> None:
    """Say which known bad skills this linter does not find; exit code 1 if there is one."""
    from metier.skills.lint import run_self_test

    result = run_self_test()
    if as_json:
        print_json(result.to_json())
    else:
        for name, found in result.failures.items():
            print_line(say("skill_misjudged", name=name, found=", ".join(found) or "–"))
        print_line(say("skills_judged", right=result.tried - len(result.failures), count=result.tried))
    if not result.ok:
        raise typer.Exit(1)


def _resolve_target(path: Path | None, pack: str | None, settings: "Settings") -> tuple[Path, tuple[str, ...]]:
    """Resolve what to lint and the tools that a pack provides; raises if the pack itself is invalid."""
    from metier.pack import PACK_FILE, PackContext, find_installed_packs, read_pack

    if pack is not None:
        found = find_installed_packs().select([pack])[-1]
    elif path is not None and (path / PACK_FILE).is_file():
        found = read_pack(path)
    else:
        return path or Path(), ()
    found.read_synonyms()
    context = PackContext(settings, settings.storage_dir / "packs" / found.id)
    operators = [str(getattr(one, "op_name", "")) for one in found.load_operators(context)]
    return found.skills or found.folder, (*(tool.spec.name for tool in found.load_tools(context)), *operators)


def _list_pack_checks(settings: "Settings", *, vouched: bool) -> "list[SkillCheck]":
    """Check of ids that skills of installed packs have; none for a folder that is trusted."""
    from metier.pack import find_installed_packs, pack_skill_roots
    from metier.skills import SkillLibrary

    if vouched:
        return []
    brought = SkillLibrary(pack_skill_roots(find_installed_packs().found)).catalog()
    taken = {skill.id: skill.source.path for skill in brought if skill.id not in settings.skill_overrides}
    return [partial(_check_pack_ids, taken)]


def _check_pack_ids(taken: "Mapping[str, Path]", skill: "Skill") -> "Iterator[Diagnostic]":
    """A skill with the id of a pack's skill is loaded only without that pack."""
    from metier.skills import Diagnostic

    if skill.id in taken:
        told = f"{skill.id!r} belongs to {taken[skill.id]}; with that pack this skill is not loaded"
        hint = f"rename it, or set METIER_SKILL_OVERRIDES={skill.id}"
        yield Diagnostic("skill_shadowed", "warning", "noted", told, hint, skill.source.path, skill=skill.id)


def _check_steps(skill: "Skill") -> "Iterator[Diagnostic]":
    """Check the skill's SOP steps. This is a callback because `metier.skills` may not import `metier.plans`."""
    from metier.plans import read_sop
    from metier.skills import Diagnostic

    for problem in read_sop(skill).problems:
        message = f"{problem.path or '/sop'}: {problem.message} ({problem.code})"
        yield Diagnostic("sop_invalid", "error", "noted", message, problem.hint, skill.source.path, skill=skill.id)


def _check_model(settings: "Settings", skill: "Skill") -> "Iterator[Diagnostic]":
    """Check the model that the skill asks for against the configured ones."""
    from metier.names import suggest
    from metier.skills import Diagnostic

    wanted = skill.metadata.get("model")
    where = skill.source.path
    if wanted is None or wanted == "":
        return
    if not isinstance(wanted, str):
        told = f"metadata.model is {wanted!r}, not a name"
        yield Diagnostic("model_invalid", "error", "noted", told, "write model: strong", where, skill=skill.id)
    elif wanted not in (*settings.models, settings.model):
        known = ", ".join((settings.model, *settings.models))
        hint = suggest(wanted, settings.models, f"configured: {known}; see METIER_MODELS")
        told = f"metadata.model names {wanted!r}, which is not configured"
        yield Diagnostic("model_unknown", "warning", "noted", told, hint, where, skill=skill.id)


def _list_provided_tools(settings: "Settings") -> tuple[str, ...]:
    """List the tools that are always available, so that a skill need not declare them."""
    from metier.tools import CONTROL_TOOLS, load_tools

    return (*(tool.spec.name for tool in load_tools(settings)), *sorted(CONTROL_TOOLS))
