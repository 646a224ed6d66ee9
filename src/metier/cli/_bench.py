"""`metier bench`: the figures, measured here and now."""

from pathlib import Path

import typer

from metier.cli._output import JSON_OPTION, note, print_json, print_table


def bench_command(
    suites: list[str] | None = typer.Argument(
        None, metavar="[SUITE]...", help="skills, routing, store, cli; default: all."
    ),
    data: Path | None = typer.Option(None, "--data", help="Folder of labelled sets to measure the router on as well."),
    out: Path = typer.Option(Path("bench-results"), "--out", help="Folder for the JSON results."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Measure the figures Metier promises, print them and save them as JSON."""
    from metier.bench import run_suites, save

    run = run_suites(suites or (), data=data)
    path = save(run, out)
    if as_json:
        print_json(run.to_json())
    else:
        heads = ("suite", "figure", "measured", "target", "", "against the raw library")
        print_table(heads, [figure.row for figure in run.figures])
    note(f"saved {path}")
