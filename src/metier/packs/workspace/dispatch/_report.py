"""Suite `dispatch` of `metier bench`: runs the arms, gives the figures and writes the page."""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from metier.bench import Figure, list_error_weights
from metier.packs.workspace.dispatch._arms import ARMS, BARE, FULL, Arm
from metier.packs.workspace.dispatch._asked import ReplayModel, has_recordings, replay_request
from metier.packs.workspace.dispatch._measures import MEASURES, Measured, measure
from metier.packs.workspace.dispatch._run import RunOutcome, run_task
from metier.packs.workspace.dispatch._simulated import SimulatedModel
from metier.packs.workspace.dispatch._skill_match import SkillMatch, match_skills
from metier.packs.workspace.dispatch._taped import RunKey, TapedModel
from metier.packs.workspace.dispatch._tasks import DispatchTask, load_tasks
from metier.packs.workspace.dispatch._world import open_world

SUITE: Final = "dispatch"
# At this rate of errors the bare loop attempts about 60 % of its calls rightly, as the original system did.
BARE_RATE: Final = 0.4
RATES: Final = (0.0, 0.2, 0.4, 0.6)
DEFAULT_SEEDS: Final = 1
_SWEEP_SEEDS: Final = 5


@dataclass(frozen=True, slots=True)
class DispatchRun:
    """Outcomes by arm at the rate of the targets, by rate for the bare loop and all layers, and the skill match."""

    seeds: int
    by_arm: dict[str, list[RunOutcome]]
    by_rate: dict[tuple[str, float], list[RunOutcome]]
    match: SkillMatch
    asked: dict[str, dict[str, list[RunOutcome]]]


def measure_dispatch(
    data: Path | None = None, *, seeds: int | None = None, model: str | None = None, page: Path | None = None
) -> Iterator[Figure]:
    """Measure all arms on the simulated model, on recordings and, if one is named, on a live model.

    `data` is not used. `page` is where the results are written as Markdown.
    """
    run = run_bench(seeds or DEFAULT_SEEDS, model)
    if page is not None:
        from metier.packs.workspace.dispatch._page import render_page

        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(render_page(run), "utf-8")
    yield from list_figures(run)


def run_bench(seeds: int, model: str | None = None, tasks: Sequence[DispatchTask] = ()) -> DispatchRun:
    """Run all arms with this many seeds, and the sweep of rates with at most five of them."""
    chosen, model_of = tuple(tasks) or load_tasks(), SimulatedModel(weights=tuple(list_error_weights()))
    sweep = range(min(seeds, _SWEEP_SEEDS))
    by_arm: dict[str, list[RunOutcome]] = {}
    by_rate: dict[tuple[str, float], list[RunOutcome]] = {}
    for arm in ARMS:
        keys = [RunKey(task, seed, BARE_RATE) for seed in range(seeds) for task in chosen]
        if arm in (BARE, FULL):
            keys += [
                RunKey(task, seed, rate) for rate in RATES if rate != BARE_RATE for seed in sweep for task in chosen
            ]
        outcomes = list(zip(keys, asyncio.run(_run_all(arm, model_of, keys)), strict=True))
        by_arm[arm.name] = [one for key, one in outcomes if key.rate == BARE_RATE]
        for rate in RATES if arm in (BARE, FULL) else ():
            by_rate[arm.name, rate] = [one for key, one in outcomes if key.rate == rate and key.seed in sweep]
    asked = {}
    if has_recordings():
        asked["recorded"] = {arm.name: _run_asked(arm, chosen, ReplayModel(ask=replay_request)) for arm in (BARE, FULL)}
    if model is not None:
        asked["live"] = {arm.name: _run_asked(arm, chosen, model) for arm in (BARE, FULL)}
    return DispatchRun(seeds, by_arm, by_rate, match_skills(chosen), asked)


def list_figures(run: DispatchRun) -> Iterator[Figure]:
    """The figures with targets, for the bare loop and for all layers, and the skill match."""
    targets = {
        "calls executed right": (90.0, True),
        "deviation": (15.0, False),
        "right calls refused": (2.0, False),
        "iterations": (6.0, False),
    }
    columns = {"simulated": run.by_arm, **run.asked}
    for column, arms in columns.items():
        for arm in (BARE, FULL):
            outcomes = arms[arm.name]
            for name in MEASURES:
                value = MEASURES[name](outcomes)
                if value is None:
                    continue
                unit = "" if is_count(name) else "%"
                target, more = (
                    targets.get(name, (None, False)) if arm is FULL and column == "simulated" else (None, False)
                )
                shown = value if is_count(name) else 100 * value
                yield Figure(
                    SUITE, f"{arm.name}: {name}", shown, target, len(outcomes), unit=unit, more=more, column=column
                )
    match = run.match
    for name, right in (("router", match.by_router), ("keywords of the original", match.by_keywords)):
        share = 100 * right / match.total
        yield Figure(SUITE, f"skill match: {name}", share, None, match.total, unit="%", column="simulated")


def is_count(name: str) -> bool:
    """Whether a measure is a number per run and no share."""
    return name in ("iterations", "questions a run")


def measure_all(outcomes: Sequence[RunOutcome]) -> dict[str, Measured]:
    """Every measure with its interval."""
    return {name: measure(name, outcomes) for name in MEASURES}


def _run_asked(arm: Arm, tasks: Sequence[DispatchTask], model: TapedModel | str) -> list[RunOutcome]:
    """Runs of a real model, one of each task; a run with a request that was not recorded is not measured."""
    outcomes = asyncio.run(_run_all(arm, model, [RunKey(task) for task in tasks]))
    return [one for one in outcomes if one.iterations]


async def _run_all(arm: Arm, model: TapedModel | str, keys: Sequence[RunKey]) -> list[RunOutcome]:
    with tempfile.TemporaryDirectory() as folder:
        async with open_world(arm, model, Path(folder, "world")) as world:
            taped = None if isinstance(model, str) else model
            return [await run_task(world, arm.name, key, taped) for key in keys]
