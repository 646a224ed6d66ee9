"""`metier packs`: list installed packs, show one, and check files written for one."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from metier.cli.terminal import (
    JSON_OPTION,
    find_language,
    keep_sentences,
    print_json,
    print_line,
    print_note,
    print_table,
    say,
)
from metier.errors import InvalidInput
from metier.language import Language, Sentences, join_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from metier.json_values import JsonObject
    from metier.pack import Pack, Packs
    from metier.skills import Catalog

_SENTENCES: Final = Sentences(
    {
        "fits": ("Not in use, and fits: {packs}.", "适合但尚未启用的领域包：{packs}。"),
        "installed": ("Packs that are installed and not in use: {packs}.", "已安装但未启用的领域包：{packs}。"),
        "use": ("Use it with: {command}", "启用命令：{command}"),
    }
)

# A skill counts beside the likeliest one if it is at least this share as likely.
_CLOSE_SHARE: Final = 0.5

app = typer.Typer(help="List and show packs, and check files written for one.", invoke_without_command=True)


@app.callback()
def packs_command(context: typer.Context, as_json: bool = JSON_OPTION) -> None:
    """List installed packs, and say why one cannot be used."""
    if context.invoked_subcommand is None:
        _print_packs(as_json=as_json)


@app.command("list")
def list_command(as_json: bool = JSON_OPTION) -> None:
    """List installed packs, and say why one cannot be used. The word `list` may be left out."""
    _print_packs(as_json=as_json)


@app.command("show")
def show_command(
    pack_id: str = typer.Argument(..., metavar="ID", help="The pack's id."), as_json: bool = JSON_OPTION
) -> None:
    """Show one pack. Its skills, its tools, what to try first, and what was noticed while it was read."""
    from metier.pack import find_installed_packs

    pack = find_installed_packs().select([pack_id])[-1]
    catalog = _load_catalog(pack)
    tools, problem = _load_tools(pack)
    if as_json:
        findings = [one.to_json() for one in catalog.diagnostics]
        skills = [{"id": one.id, "title": one.title, "description": one.description} for one in catalog]
        print_json({**pack.to_json(), "skills": skills, "tools": tools, "findings": findings, "problem": problem})
        return
    language = find_language()
    print_line(f"{pack.title.text(language)}  {pack.version}\n{pack.description.text(language)}\n")
    print_table(
        ("skill", "title", "what for"),
        [(one.id, one.title_in(language), one.summary_in(language)) for one in catalog],
    )
    print_line("")
    print_table(
        ("tool", "what for"), [(str(one["name"]), keep_sentences(str(one["description"]), language)) for one in tools]
    )
    print_line("")
    print_table(("try",), [(one.text(language),) for one in pack.examples])
    for finding in catalog.diagnostics:
        print_note(f"! {finding.path}: {finding.text(language)} [{finding.code}]")
    if problem:
        print_note(f"! {problem}")


@app.command("check")
def check_command(
    pack_id: str = typer.Argument(..., metavar="ID", help="The pack's id."),
    files: list[Path] = typer.Argument(..., metavar="FILE...", help="Files written for this pack."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Check files that a pack reads, such as a scenario. Each fault has place, code and hint. Exit code 5 for one."""
    from metier.pack import find_installed_packs

    pack = find_installed_packs().select([pack_id])[-1]
    found = {str(file): pack.check(file) for file in files}
    if as_json:
        print_json({"files": {name: [one.to_json() for one in listed] for name, listed in found.items()}})
    else:
        for name, listed in found.items():
            for one in listed:
                print_line(say("file_finding", file=name, place=one.place, message=one.message, code=one.code))
                if one.hint:
                    print_line(say("file_hint", hint=one.hint))
            errors = sum(one.severity == "error" for one in listed)
            print_line(say("file_checked", file=name, errors=errors, findings=len(listed)))
    if any(one.severity == "error" for listed in found.values() for one in listed):
        raise typer.Exit(InvalidInput.exit_code)


def suggest_packs(
    message: str, chosen: "Iterable[Pack]", language: Language, command: str, *, list_all: bool
) -> tuple[str, ...]:
    """Lines that name the packs which are not in use and fit the message, with the command to use the first of them.

    If none fits: nothing, or with `list_all` every installed pack. `command` has `{pack}` where the option belongs.
    """
    from metier.pack import find_installed_packs

    used = {pack.id for pack in chosen}
    idle = [pack for pack in find_installed_packs().found if pack.id not in used]
    fitting = _find_fitting(idle, message) if message and idle else []
    named = fitting or (idle if list_all else [])
    if not named:
        return ()
    packs = join_names((f"{pack.id} ({pack.title.text(language)})" for pack in named), language)
    full = command.replace("{pack}", f"--pack {shlex.quote(named[0].id)} ").rstrip()
    return (
        _SENTENCES.render("fits" if fitting else "installed", language, packs=packs),
        _SENTENCES.render("use", language, command=full),
    )


def _find_fitting(packs: "list[Pack]", message: str) -> "list[Pack]":
    """Packs whose skills would take the message among those of all these packs, by words alone; best first."""
    from metier.pack import build_pack_glossary
    from metier.routing import Router
    from metier.skills import Catalog

    found = [(skill, pack) for pack in packs for skill in _load_catalog(pack)]
    catalog = Catalog.from_skills(skill for skill, _ in found)
    decision = Router(glossary=build_pack_glossary(packs)).route(message, catalog=catalog)
    if decision.verdict == "none":
        return []
    close = [one for one in decision.candidates if one.score >= decision.candidates[0].score * _CLOSE_SHARE]
    taken = [decision.skill] if decision.verdict == "auto" else [one.skill for one in close]
    owners = {skill.id: pack for skill, pack in found}
    return list({owners[one].id: owners[one] for one in taken if one is not None}.values())


def _print_packs(*, as_json: bool) -> None:
    from metier.pack import find_installed_packs

    packs = find_installed_packs()
    if as_json:
        print_json({"packs": [_pack_to_json(one) for one in packs.found], "problems": _problems_to_json(packs)})
        return
    rows = [_format_row(one) for one in packs.found]
    print_table(("pack", "title", "version", "skills", "tools", "requires"), rows)
    for problem in packs.problems:
        print_note(say("pack_problem", pack=problem.pack, message=f"{problem.message} [{problem.code}]"))
        if problem.hint:
            print_note(f"    {problem.hint}")


def _problems_to_json(packs: "Packs") -> "list[JsonObject]":
    return [one.to_json() for one in packs.problems]


def _pack_to_json(pack: "Pack") -> "dict[str, object]":
    catalog = _load_catalog(pack)
    tools, problem = _load_tools(pack)
    findings = [one.to_json() for one in catalog.diagnostics]
    names = {"skills": [one.id for one in catalog], "tools": [one["name"] for one in tools]}
    return {**pack.to_json(), **names, "findings": findings, "problem": problem}


def _format_row(pack: "Pack") -> tuple[str, ...]:
    tools, problem = _load_tools(pack)
    told = problem or str(len(tools))
    return (
        pack.id,
        pack.title.text(find_language()),
        pack.version,
        str(len(_load_catalog(pack))),
        told,
        ", ".join(pack.requires),
    )


def _load_catalog(pack: "Pack") -> "Catalog":
    from metier.pack import pack_skill_roots
    from metier.skills import SkillLibrary

    return SkillLibrary(pack_skill_roots([pack])).catalog()


def _load_tools(pack: "Pack") -> tuple[list[dict[str, str]], str]:
    """Load the pack's tools, or return why they cannot be loaded."""
    from metier.errors import MetierError
    from metier.pack import PackContext
    from metier.settings import load_settings

    settings = load_settings()
    try:
        made = pack.load_tools(PackContext(settings, settings.storage_dir / "packs" / pack.id))
    except MetierError as error:
        return [], error.message
    return [{"name": one.spec.name, "description": one.spec.description} for one in made], ""
