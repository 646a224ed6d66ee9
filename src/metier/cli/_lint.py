"""`metier lint`: everything that is wrong or could be better, for people, programs and code scanners."""

from pathlib import Path

import typer

from metier.cli._output import JSON_OPTION, note, print_json, say
from metier.errors import InvalidSkill


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
    mode = load_settings().allowed_tools_mode
    report = linter.lint(path, known_tools=known_tools or (), trusted=trusted, allowed_tools_mode=mode)
    base = path if path.is_dir() else path.parent
    if wanted == "text":
        say(linter.to_text(report, base=base))
    else:
        print_json(linter.to_json(report) if wanted == "json" else linter.to_sarif(report, base=base))
    if not report.ok:
        raise typer.Exit(InvalidSkill.exit_code)
