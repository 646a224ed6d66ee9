"""`metier lint`: everything that is wrong or could be better, for people, programs and code scanners."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli._output import JSON_OPTION, note, print_json, say
from metier.errors import InvalidSkill

if TYPE_CHECKING:
    from metier.settings import Settings


def lint_command(
    path: Path = typer.Argument(..., help="A skills folder, one skill, or an archive."),
    format_: str = typer.Option("text", "--format", "-f", help="text, json or sarif."),
    fix: bool = typer.Option(False, "--fix", help="Mend what is safe to mend, then lint."),
    known_tools: list[str] | None = typer.Option(None, "--tool", help="A tool that exists elsewhere (repeat)."),
    trusted: bool = typer.Option(False, "--trusted", help="Judge the folder as one you vouch for."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Lint skills. Exit code 5 when there is an error."""
    import metier.skills.lint as linter
    from metier.settings import load_settings

    wanted = "json" if as_json else format_
    if wanted not in ("text", "json", "sarif"):
        raise typer.BadParameter("one of text, json, sarif", param_hint="--format")
    if fix:
        for fixed in linter.fix(path):
            note(f"fixed {fixed.path}: {fixed.description} [{fixed.code}]")
    settings = load_settings()
    known = (*(known_tools or ()), *_provided(settings))
    report = linter.lint(path, known_tools=known, trusted=trusted, allowed_tools_mode=settings.allowed_tools_mode)
    base = path if path.is_dir() else path.parent
    if wanted == "text":
        say(linter.to_text(report, base=base))
    else:
        print_json(linter.to_json(report) if wanted == "json" else linter.to_sarif(report, base=base))
    if not report.ok:
        raise typer.Exit(InvalidSkill.exit_code)


def _provided(settings: "Settings") -> tuple[str, ...]:
    """The tools that a skill need not declare: they are always there."""
    from metier.tools import CONTROL_TOOLS
    from metier.tools.builtin import builtin_tools, config_from

    return (*(tool.spec.name for tool in builtin_tools(config_from(settings))), *sorted(CONTROL_TOOLS))
