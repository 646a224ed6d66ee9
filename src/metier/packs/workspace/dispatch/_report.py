"""Suite `dispatch` of `metier bench`: runs the arms, gives the figures and writes the page."""

import asyncio
import os
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from metier.bench import Figure, list_error_weights
from metier.packs.workspace.dispatch._arms import ARMS, BARE, FULL, Arm
from metier.packs.workspace.dispatch._asked import ReplayModel, has_recordings, replay_request
from metier.packs.workspace.dispatch._measures import MEASURES
from metier.packs.workspace.dispatch._run import RunOutcome, run_task
from metier.packs.workspace.dispatch._simulated import SimulatedModel
from metier.packs.workspace.dispatch._skill_match import SkillMatch, match_skills
from metier.packs.workspace.dispatch._taped import RunKey, TapedModel
from metier.packs.workspace.dispatch._tasks import DispatchTask, load_tasks
from metier.packs.workspace.dispatch._world import open_world

SUITE: Final = "dispatch"
# At this rate of errors the bare loop attempts about 60 % of its calls rightly, as the original system did.
BARE_RATE: Final = 0.45
RATES: Final = (0.0, 0.2, 0.45, 0.6)
DEFAULT_SEEDS: Final = 1
# Seeds of the arms without targets, and of the sweep: the intervals that count are those of the bare loop and of all.
_OTHER_SEEDS: Final = 5
_SWEEP_SEEDS: Final = 2
_WORKERS: Final = 2
_MAX_CHUNK: Final = 350
_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder in memory spares the bench the waiting for a disk


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
    """Run the bare loop and all layers with this many seeds, the other arms and the sweep with a few of them."""
    chosen, weights = tuple(tasks) or load_tasks(), tuple(list_error_weights())
    sweep = range(min(seeds, _SWEEP_SEEDS))
    by_arm: dict[str, list[RunOutcome]] = {}
    by_rate: dict[tuple[str, float], list[RunOutcome]] = {}
    asked_of: dict[Arm, list[RunKey]] = {}
    for arm in ARMS:
        count = seeds if arm in (BARE, FULL) else min(seeds, _OTHER_SEEDS)
        asked_of[arm] = [RunKey(task, seed, BARE_RATE) for seed in range(count) for task in chosen]
        if arm in (BARE, FULL):
            others = [rate for rate in RATES if rate != BARE_RATE]
            asked_of[arm] += [RunKey(task, seed, rate) for rate in others for seed in sweep for task in chosen]
    found = _run_simulated(asked_of, weights)
    for arm, keys in asked_of.items():
        outcomes = list(zip(keys, found[arm], strict=True))
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


def _run_simulated(keys: dict[Arm, list[RunKey]], weights: tuple[float, ...]) -> dict[Arm, list[RunOutcome]]:
    """Outcomes of every arm in the order of its keys; a few processes share the work if there is much of it."""
    chunks = [
        (arm, many[start : start + _MAX_CHUNK])
        for arm, many in keys.items()
        for start in range(0, len(many), _MAX_CHUNK)
    ]
    if len(chunks) <= len(keys):
        return {arm: _run_chunk(arm, many, weights) for arm, many in keys.items()}
    found: dict[Arm, list[RunOutcome]] = {arm: [] for arm in keys}
    with ProcessPoolExecutor(min(_WORKERS, os.cpu_count() or 1), get_context("spawn")) as pool:
        waiting = [(arm, pool.submit(_run_chunk, arm, many, weights)) for arm, many in chunks]
        for arm, one in waiting:
            found[arm] += one.result()
    return found


def _run_chunk(arm: Arm, keys: Sequence[RunKey], weights: tuple[float, ...]) -> list[RunOutcome]:
    return asyncio.run(_run_all(arm, SimulatedModel(weights=weights), keys))


def _run_asked(arm: Arm, tasks: Sequence[DispatchTask], model: TapedModel | str) -> list[RunOutcome]:
    """Runs of a real model, one of each task; a run with a request that was not recorded is not measured."""
    outcomes = asyncio.run(_run_all(arm, model, [RunKey(task) for task in tasks]))
    return [one for one in outcomes if one.iterations]


async def _run_all(arm: Arm, model: TapedModel | str, keys: Sequence[RunKey]) -> list[RunOutcome]:
    with tempfile.TemporaryDirectory(dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None) as folder:
        async with open_world(arm, model, Path(folder, "world")) as world:
            taped = None if isinstance(model, str) else model
            return [await run_task(world, arm.name, key, taped) for key in keys]
