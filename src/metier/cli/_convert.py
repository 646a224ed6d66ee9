"""`metier convert`: convert skills of any layout to the open Agent Skills standard."""

from pathlib import Path

import typer

from metier.cli.terminal import JSON_OPTION, print_json, print_line, print_note
from metier.errors import InvalidSkill


def convert_command(
    source: Path = typer.Argument(..., metavar="SRC", help="A skills folder, one skill, or an archive."),
    target: Path = typer.Argument(..., metavar="DST", help="The folder to write the converted skills to."),
    overwrite: bool = typer.Option(False, "--overwrite", help="Replace skills that are already there."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Convert skills to the open Agent Skills layout. Nothing is half-written. Exit code 5 when one was refused."""
    from metier.skills import convert

    done, refused = convert(source, target, overwrite=overwrite)
    if as_json:
        print_json({"converted": [one.to_json() for one in done], "refused": [one.to_json() for one in refused]})
    else:
        for one in done:
            print_line(f"{one.skill}: {one.target}")
            for line in one.notes:
                print_note(f"    {line}")
    for other in refused:
        print_note(f"✗ {other.skill}: {other.message}")
        print_note(f"    {other.hint}")
    if refused:
        raise typer.Exit(InvalidSkill.exit_code)
