"""`metier skills`: list, show, create, connect, evaluate, approve and remove skills."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from metier.cli._library import PACK_OPTION, SKILLS_OPTION, open_library, open_packs
from metier.cli._skill_trust import add_command, approve_command, pin_command, remove_command, verify_command
from metier.cli.advice import eval_command
from metier.cli.terminal import (
    JSON_OPTION,
    find_language,
    print_diagnostics,
    print_json,
    print_line,
    print_note,
    print_table,
    say,
    translate_value,
)

if TYPE_CHECKING:
    from metier.language import Language

app = typer.Typer(help="List, show, make, evaluate, approve and remove skills.", no_args_is_help=True)
app.command("add")(add_command)
app.command("pin")(pin_command)
app.command("approve")(approve_command)
app.command("remove")(remove_command)
app.command("verify")(verify_command)
app.command("eval")(eval_command)


@app.command("list")
def list_command(
    folders: list[Path] | None = SKILLS_OPTION, packs: list[str] | None = PACK_OPTION, as_json: bool = JSON_OPTION
) -> None:
    """List every loaded skill, and say what was refused or repaired."""
    from metier.skills import skill_summary

    catalog = open_library(folders, open_packs(packs)).catalog()
    if as_json:
        print_json(
            {
                "digest": catalog.digest,
                "skills": [skill_summary(skill) for skill in catalog],
                "diagnostics": [found.to_json() for found in catalog.diagnostics],
                "waiting": [{"id": one.id, "digest": one.skill.digest} for one in catalog.waiting],
            },
        )
        return
    print_diagnostics(catalog.diagnostics)
    if not len(catalog):
        print_note(say("no_skills"))
        return
    language = find_language()
    rows = [
        (
            skill.id,
            skill.title_in(language),
            translate_value(skill.source.layout),
            str(skill.priority),
            ", ".join(skill.triggers[:4]),
        )
        for skill in catalog
    ]
    print_table(("id", "title", "layout", "priority", "triggers"), rows)


@app.command("show")
def show_command(
    skill_id: str = typer.Argument(..., metavar="ID", help="The skill's id."),
    folders: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = PACK_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Show one skill. Its fields, its instructions, and what was noticed while it was read."""
    from metier.skills import Skill, skill_to_json

    catalog = open_library(folders, open_packs(packs)).catalog()
    skill = catalog[skill_id]
    found = [one for one in catalog.diagnostics if one.skill == skill_id]
    whole = skill_to_json(skill)
    if as_json:
        print_json({"skill": whole, "diagnostics": [one.to_json() for one in found]})
        return
    print_diagnostics(found)
    usual = skill_to_json(Skill("", "", "", skill.source, ""))
    said = {name: value for name, value in whole.items() if value != usual[name] and name != "instructions"}
    place = {"layout": skill.source.layout, "path": str(skill.source.path)}
    print_table(("field", "value"), [(name, _format_value(value)) for name, value in {**said, **place}.items()])
    print_line("\n" + skill.instructions)


def _format_value(value: object, joint: str = "\n") -> str:
    """Format a value for people: text in their language, of a schema its fields, things in a list by their names."""
    if isinstance(value, list):
        return (joint if any(isinstance(item, dict) for item in value) else ", ").join(map(_format_item, value))
    if not isinstance(value, dict):
        return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    if value.keys() <= {"zh", "en"}:
        return str(value.get(find_language()) or next(iter(value.values()), ""))
    if isinstance(fields := value.get("properties"), dict):
        return ", ".join(fields)
    parts = ((name, _format_value(part, "; ")) for name, part in value.items())
    return joint.join(f"{name}: {part}" for name, part in parts if part)


def _format_item(item: object) -> str:
    """Format one of a list: what names it, and what it is for; the whole is in `--json`."""
    if not isinstance(item, dict):
        return _format_value(item)
    said = [_format_value(item.get(key)) for key in ("name", "path", "title", "id", "description")]
    named = list(filter(None, said))
    about = f": {said[-1]}" if said[-1] and named[0] != said[-1] else ""
    return f"{named[0]}{about}" if named else _format_value(item, ", ")


@app.command("new")
def new_command(
    name: str = typer.Argument(..., help="The new skill's id, such as weekly-report."),
    folder: Path = typer.Option(Path("skills"), "--dir", "-d", help="The skills folder to write to."),
    layout: str = typer.Option("agent-skill", help="agent-skill, flat, manifest or bare."),
    title: str = typer.Option("", help="The name people see."),
    language: str = typer.Option("en", help="Language of the scaffold: en or zh."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Write a new skill, ready to be filled in. It loads; all but a bare one, which has no description, lint clean."""
    from metier.skills import scaffold

    path = scaffold(folder, name, layout=_parse_layout(layout), title=title, language=_parse_language(language))
    if as_json:
        print_json({"skill": name, "path": str(path)})
    else:
        print_line(say("skill_made", path=path, folder=folder))


def _parse_layout(text: str) -> Literal["agent-skill", "flat", "manifest", "bare"]:
    match text:
        case "agent-skill" | "flat" | "manifest" | "bare":
            return text
    raise typer.BadParameter("one of agent-skill, flat, manifest, bare", param_hint="--layout")


def _parse_language(text: str) -> "Language":
    match text:
        case "en" | "zh":
            return text
    raise typer.BadParameter("en or zh", param_hint="--language")


@app.command("graph")
def graph_command(folders: list[Path] | None = SKILLS_OPTION, as_json: bool = JSON_OPTION) -> None:
    """Print how skills follow and need each other. As Mermaid or JSON; problems go to stderr."""
    from metier.skills import SkillGraph

    graph = SkillGraph.from_skills(open_library(folders).catalog())
    for problem in graph.find_problems():
        print_note(f"✗ {problem.message} [{problem.code}]")
    if as_json:
        print_json(graph.to_json())
    else:
        print_line(graph.to_mermaid())


@app.command("schema")
def schema_command(as_json: bool = JSON_OPTION) -> None:
    """Print the JSON Schema of skill.json. It is the very file that checks manifests."""
    from metier.skills import manifest_schema_text

    typer.echo(manifest_schema_text().rstrip())
