"""`metier route`: which skill a message means, and why."""

from pathlib import Path

import typer

from metier.cli._library import open_library
from metier.cli._output import JSON_OPTION, print_json, say

_SKILLS_OPTION = typer.Option(None, "--skills", "--dir", "-d", help="Skills folder (repeat); default: the settings'.")


def route_command(
    message: str = typer.Argument(..., help="What a user would write."),
    folders: list[Path] | None = _SKILLS_OPTION,
    host: str | None = typer.Option(None, "--host", help="Where the message comes from: writer, et, wpp …"),
    active: str | None = typer.Option(None, "--active", help="The skill in use when the message arrives."),
    explain: bool = typer.Option(False, "--explain", help="Say why, feature by feature."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Find the skill for a message: auto, suggest or none."""
    from metier.routing import open_router
    from metier.settings import load_settings

    catalog = open_library(folders).catalog()
    decision = open_router(load_settings()).route(message, catalog=catalog, host=host, active=active)
    if as_json:
        print_json(decision.to_json())
        return
    lines = decision.explain()
    for line in lines if explain else lines[:1]:
        say(line)
