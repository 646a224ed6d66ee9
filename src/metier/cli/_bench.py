"""`metier bench`: measure the benchmark figures on this machine, or score a pack's cases."""

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import typer

from metier.cli.terminal import JSON_OPTION, print_json, print_line, print_note, print_table


def bench_command(
    suites: list[str] | None = typer.Argument(
        None,
        metavar="[SUITE]...",
        help="skills, routing, tools, context, turn, store, server, cli, start; default: all.",
    ),
    out: Path = typer.Option(Path("bench-results"), "--out", help="Folder for the results."),
    pack: str | None = typer.Option(None, "--pack", "-p", metavar="ID", help="Run this pack's own cases instead."),
    model: str | None = typer.Option(None, "--model", "-m", help="On which model --pack runs; default: the settings'."),
    cases: list[str] | None = typer.Option(None, "--case", metavar="ID", help="Only this case of --pack; repeatable."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Measure the figures Metier promises. Takes minutes, prints and saves them; or scores a pack's conversations."""
    from metier.bench import run_suites, save

    if pack is not None:
        _bench_pack(pack, model, cases or (), as_json=as_json)  # exits the program
    run = run_suites(suites or (), say=print_note)
    saved = save(run, out)
    if as_json:
        print_json(run.to_json())
    else:
        heads = ("suite", "figure", "measured", "target", "", "against the raw library")
        print_table(heads, [figure.row for figure in run.figures])
    print_note(f"saved {saved}")


def _bench_pack(pack: str, model: str | None, cases: Sequence[str], *, as_json: bool) -> NoReturn:
    """Run a pack's cases; exit 1 if one fails."""
    import asyncio

    from metier.bench import run_cases
    from metier.pack import select_packs
    from metier.settings import load_settings

    settings = load_settings({"model": model} if model else {})
    packs = select_packs(settings, [pack]).found
    score = asyncio.run(run_cases(packs, settings, only=cases, say=print_note))
    if as_json:
        print_json(score.to_json())
    else:
        print_line(
            f"{score.pack} on {score.model}: {score.passed} of {len(score.cases)} cases, {score.checks:.1%} of checks"
        )
    raise typer.Exit(0 if score.passed == len(score.cases) else 1)
