"""`metier serve`: run the HTTP server with the web page."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.background import pause_collection
from metier.cli._library import SKILLS_OPTION
from metier.cli._run import ALL_PACKS_OPTION, MODEL_OPTION
from metier.cli.terminal import print_note, say
from metier.errors import InvalidSettings, MissingExtra, PathNotFound

if TYPE_CHECKING:
    from metier.settings import Settings


def serve_command(
    host: str | None = typer.Option(None, "--host", help="Where to listen; default: 127.0.0.1."),
    port: int | None = typer.Option(None, "--port", min=0, max=65_535, help="The port; 0 takes a free one."),
    skills: list[Path] | None = SKILLS_OPTION,
    packs: list[str] | None = ALL_PACKS_OPTION,
    model: str | None = MODEL_OPTION,
    dev: bool = typer.Option(False, "--dev", help="Also serve queries over telemetry, under /dev."),
    unsafe: bool = typer.Option(
        False, "--unsafe-no-auth", help="Listen elsewhere without API keys: whoever reaches the port may use it."
    ),
) -> None:
    """Serve the page and the API until Ctrl+C. Turns that were cut off go on when it starts again.

    Told to stop, it waits METIER_DRAIN_S seconds for running turns; a second Ctrl+C ends the wait.
    """
    pause_collection()  # until the server is prepared
    try:
        from metier.server import check_binding, create_app, serve
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"the server needs the {error.name!r} package, which is not installed", hint="pip install 'metier[server]'"
        ) from error
    from metier.pack import select_packs

    settings = _load_serve_settings(host, port, skills, model, dev=dev)
    try:
        check_binding(settings.host, settings.api_keys, unsafe=unsafe)
    except InvalidSettings:
        if not asyncio.run(_is_any_key_made()):
            raise
    chosen = select_packs(settings, packs or (), all_by_default=True)
    for problem in chosen.problems:
        print_note(say("pack_problem", pack=problem.pack, message=problem.message))
    app = create_app(settings, packs=chosen)
    serve(
        app,
        settings.host,
        settings.port,
        lambda address: print_note(say("serving", address=address)),
        connections_max=settings.connections_max,
        ends_process=True,
    )


async def _is_any_key_made() -> bool:
    from metier.cli.terminal import open_store

    async with open_store() as store:
        return await store.keys.is_any_made()


def _load_serve_settings(
    host: str | None, port: int | None, skills: list[Path] | None, model: str | None, *, dev: bool
) -> "Settings":
    from metier.settings import load_settings

    for folder in skills or ():
        if not folder.is_dir():
            raise PathNotFound(f"no folder {str(folder)!r}", hint="check the path after --skills")
    given: dict[str, object] = {
        "host": host,
        "port": port,
        "skills_dir": tuple(skills) if skills else None,
        "model": model,
        "dev_routes": True if dev else None,
    }
    return load_settings({name: value for name, value in given.items() if value is not None})
