"""`metier bench`: measure the benchmark figures on this machine, or score a pack's cases."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from metier.cli.terminal import JSON_OPTION, print_json, print_line, print_note, print_table, say

if TYPE_CHECKING:
    from metier.bench import Figure


def bench_command(
    suites: list[str] | None = typer.Argument(
        None,
        metavar="[SUITE]...",
        help="skills, routing, tools, context, turn, store, server, cli, start, models (default: all of these), "
        "or a suite of an installed pack (see --list).",
    ),
    out: Path = typer.Option(Path("bench-results"), "--out", help="Folder for the results."),
    data: Path | None = typer.Option(None, "--data", help="Folder of public records for the figures of a pack."),
    page: Path | None = typer.Option(
        None, "--page", help="Also write the page of the suite (models, dispatch), as Markdown."
    ),
    pack: str | None = typer.Option(None, "--pack", "-p", metavar="ID", help="Run this pack's own cases instead."),
    model: str | None = typer.Option(
        None, "--model", "-m", help="On which model --pack runs; for dispatch: also run it live."
    ),
    live: bool = typer.Option(
        False, "--live", help="For models: also ask the configured model; its answers are kept below --out."
    ),
    minutes: float | None = typer.Option(
        None, "--minutes", min=0, help="With --live: stop asking after this time; the next run goes on."
    ),
    seeds: int | None = typer.Option(None, "--seeds", min=1, help="Seeds of the simulated model of dispatch (1)."),
    cases: list[str] | None = typer.Option(None, "--case", metavar="ID", help="Only this case of --pack; repeatable."),
    lists: bool = typer.Option(False, "--list", help="List all suites, also those of installed packs, and end."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Measure the figures Metier promises. Takes minutes, prints and saves them; or scores a pack's conversations."""
    from metier.bench import list_suites, run_suites, save, write_models_page

    if lists:
        found = list_suites()
        if as_json:
            print_json(found)
        else:
            print_table(("suite", "of"), list(found.items()))
        return
    if pack is not None:
        _bench_pack(pack, model, cases or (), as_json=as_json)  # exits the program
    asked = {"live": out / "live-models", "minutes": minutes, "say": print_note} if live else {}
    given = {"seeds": seeds, "model": model, "page": page, **asked}
    options = {name: value for name, value in given.items() if value is not None}
    run = run_suites(suites or (), data=data, options=options, say=print_note)
    saved = save(run, out)
    if as_json:
        print_json(run.to_json())
    else:
        _print_figures(run.figures)
    if page is not None and (not suites or "models" in suites):
        write_models_page(page, options)
    print_note(f"saved {saved}" + (f" and {page}" if page else ""))


def _print_figures(figures: Sequence["Figure"]) -> None:
    from metier.bench import columns_of, pivot

    plain = [figure.row for figure in figures if not figure.column]
    if plain:
        print_table(("suite", "figure", "measured", "target", "", "against the raw library"), plain)
    for suite in dict.fromkeys(figure.suite for figure in figures if figure.column):
        shown = [figure for figure in figures if figure.column and figure.suite == suite]
        columns = columns_of(shown)
        print_table((suite, *columns, "target"), pivot(shown, columns))


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
            say(
                "pack_scored",
                pack=score.pack,
                model=score.model,
                passed=score.passed,
                count=len(score.cases),
                checks=f"{score.checks:.1%}",
            )
        )
    raise typer.Exit(0 if score.passed == len(score.cases) else 1)
