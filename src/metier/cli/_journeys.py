"""`metier journeys`: run the conversations of a pack that must hold, and look for dead ends in what it offers."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from metier.cli.terminal import JSON_OPTION, print_json, print_line, print_note, say
from metier.errors import InvalidInput

if TYPE_CHECKING:
    from metier.pack import Pack
    from metier.settings import Settings
    from metier.testing.journeys import Journey

app = typer.Typer(help="Run journeys of a pack, look for dead ends.", no_args_is_help=True)

_MODEL_OPTION = typer.Option("builtin", "--model", "-m", help="On which model; default: the built-in one.")
_WHERE = typer.Argument(..., metavar="FOLDER|PACK", help="A pack's id, a pack's folder, or a folder with YAML files.")
_LANGUAGE_OPTION = typer.Option(None, "--language", "-l", help="Only examples in this language: zh or en.")


@app.command("run")
def run_command(
    where: str = _WHERE,
    names: list[str] | None = typer.Option(None, "--journey", "-j", metavar="ID", help="Only this one; repeatable."),
    model: str = _MODEL_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Run journeys, conversations as data. Says which step failed and why; exit code 1 if one fails."""
    import asyncio

    from metier.testing.journeys import JourneyHost, run_journeys

    settings = _load_settings(model)
    packs, folder = _find_packs(where, settings)
    journeys = _read(folder, names or ())

    async def run() -> bool:
        async with JourneyHost.open(settings, packs) as host:
            results = await run_journeys(host, journeys, say=None if as_json else print_line)
        if as_json:
            print_json({"journeys": [one.to_json() for one in results]})
        else:
            held = sum(one.passed for one in results)
            print_note(say("journeys_held", held=held, count=len(results), model=settings.model))
        return all(one.passed for one in results)

    raise typer.Exit(0 if asyncio.run(run()) else 1)


@app.command("crawl")
def crawl_command(
    where: str = _WHERE,
    depth: int = typer.Option(3, "--depth", "-d", min=0, max=6, help="How many steps deep."),
    max_steps: int = typer.Option(600, "--max-steps", min=1, help="How many offers to follow at most."),
    examples: int | None = typer.Option(None, "--examples", min=1, help="Only the first examples of each language."),
    language: str | None = _LANGUAGE_OPTION,
    any_language: bool = typer.Option(False, "--any-language", help="Accept texts in the other language."),
    model: str = _MODEL_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Look for dead ends. Follows all that a pack offers from its examples; exit code 1 if there is one."""
    import asyncio

    from metier.testing.journeys import JourneyHost, crawl, list_examples

    settings = _load_settings(model)
    packs, _ = _find_packs(where, settings)
    if not packs:
        raise InvalidInput(f"{where!r} is no pack", hint="only a pack has examples to start from")
    languages = [one for one in ("zh", "en") if language in (None, one)]
    if not languages:
        raise InvalidInput(f"there is no language {language!r}", hint="zh or en")
    starts = [one for one in list_examples(packs[-1], limit=examples) if one.language in languages]

    async def run() -> bool:
        async with JourneyHost.open(settings, packs) as host:
            report = await crawl(
                host,
                starts,
                depth=depth,
                max_steps=max_steps,
                checks_language=not any_language,
                say=None if as_json else print_line,
            )
        if as_json:
            print_json(report.to_json())
        else:
            print_note(report.describe())
        return not report.findings

    raise typer.Exit(0 if asyncio.run(run()) else 1)


def _load_settings(model: str) -> "Settings":
    from metier.settings import load_settings

    return load_settings({"model": model})


def _find_packs(where: str, settings: "Settings") -> "tuple[Sequence[Pack], Path]":
    """Packs to load and the folder of the journeys; a folder without a pack runs on the packs of the settings."""
    from metier.pack import PACK_FILE, read_pack, select_packs

    folder = Path(where)
    if not folder.is_dir():
        packs = select_packs(settings, [where]).found
    elif (folder / PACK_FILE).is_file():
        pack = read_pack(folder)
        packs = (*select_packs(settings, pack.requires).found, pack) if pack.requires else (pack,)
    else:
        return select_packs(settings, all_by_default=True).found, folder
    return packs, packs[-1].journeys or packs[-1].folder / "journeys"


def _read(folder: Path, names: Sequence[str]) -> "Sequence[Journey]":
    from metier.names import suggest
    from metier.testing.journeys import read_journeys

    found = read_journeys(folder)
    ids = [one.id for one in found]
    unknown = next((name for name in names if name not in ids), None)
    if unknown is not None:
        raise InvalidInput(f"there is no journey {unknown!r}", hint=suggest(unknown, ids))
    return [one for one in found if not names or one.id in names]
