"""`metier bench`: measure the benchmark figures on this machine, or score a pack's cases."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from metier.cli.terminal import JSON_OPTION, print_json, print_line, print_note, print_table

if TYPE_CHECKING:
    from metier.bench import BenchRun, ComparisonOptions


def bench_command(
    suites: list[str] | None = typer.Argument(
        None, metavar="[SUITE]...", help="skills, routing, tools, context, turn, store, server, cli; default: all."
    ),
    data: Path | None = typer.Option(None, "--data", help="Folder of labelled sets to compare routers on as well."),
    out: Path = typer.Option(Path("bench-results"), "--out", help="Folder for the results."),
    sets: list[str] | None = typer.Option(None, "--set", metavar="NAME", help="Only this labelled set; repeatable."),
    draws: int = typer.Option(2, "--draws", min=1, help="Draws of examples from each labelled set."),
    messages: int = typer.Option(200, "--messages", min=2, help="Messages asked in each draw."),
    peers: bool = typer.Option(False, "--peers", help="Compare with other routers, as far as they are installed."),
    own_skills: Path = typer.Option(
        Path("tests/routing/skills"), "--own-skills", help="The skills our own messages are about."
    ),
    own_test: bool = typer.Option(False, "--own-test", help="Report the test half of our own messages too."),
    pack: str | None = typer.Option(None, "--pack", "-p", metavar="ID", help="Run this pack's own cases instead."),
    model: str | None = typer.Option(None, "--model", "-m", help="On which model --pack runs; default: the settings'."),
    cases: list[str] | None = typer.Option(None, "--case", metavar="ID", help="Only this case of --pack; repeatable."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Measure the figures Metier promises, print them and save them as JSON; or score a pack's conversations."""
    from metier.bench import ComparisonOptions, run_suites, save

    if pack is not None:
        _bench_pack(pack, model, cases or (), as_json=as_json)  # exits the program
    if data is None:
        run = run_suites(suites or ())
        saved: tuple[Path, ...] = (save(run, out),)
    else:
        contest = ComparisonOptions(
            data, tuple(sets or ()), draws, messages, peers=peers, own_skills=own_skills, own_test=own_test
        )
        run, saved = _compare(contest, suites or (), out)
    if as_json:
        print_json(run.to_json())
    else:
        heads = ("suite", "figure", "measured", "target", "", "against the raw library")
        print_table(heads, [figure.row for figure in run.figures])
    for path in saved:
        print_note(f"saved {path}")


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


def _compare(contest: "ComparisonOptions", suites: Sequence[str], out: Path) -> tuple["BenchRun", tuple[Path, ...]]:
    """Run the other requested suites, then compare the routers."""
    from metier.bench import SUITES, BenchRun, compare_routers, run_suites, save, save_comparison

    others = [name for name in suites or SUITES if name != "routing"]
    before = run_suites(others) if others else None
    comparison = compare_routers(contest, say=print_note)
    saved = save_comparison(comparison, out)
    if before is None:
        return BenchRun(comparison.at, dict(comparison.machine), comparison.figures), saved
    run = replace(before, figures=(*before.figures, *comparison.figures))
    return run, (*saved, save(run, out))
