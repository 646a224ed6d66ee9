"""`make faults`: run the fault suite, print every figure, and write the report if asked to."""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import httpx

from benchmarks.faults import _elsewhere, _pressure, _processes, _readers, _scenarios, _storage
from benchmarks.faults._databases import DatabaseKind, Databases, open_databases
from benchmarks.faults._figures import COLD_KILLS, kill_cold, measure_cold_start, measure_streams
from benchmarks.faults._kills import KILL_CASES, Ending, KillCase, KillResult, kill_at_point, kill_at_random
from benchmarks.faults._lane import Lane
from benchmarks.faults._load import run_turns
from benchmarks.faults._outcome import Outcome, judge
from benchmarks.faults._report import Report, print_line
from benchmarks.faults._servers import ServerDied, prepare_forks
from metier.errors import MetierError

_LANES: Final = 3
_RANDOM_KILLS: Final = 4
_STOPS: Final = 6
_MAX_REPEATS: Final = 3
_ENDINGS: Final[tuple[Ending, ...]] = ("kill", "term")
Job = tuple[KillCase | None, Ending]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the suite; 1 if a promise was broken or a target missed."""
    options = _parse(argv)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    print_line(f"seed {seed} (--seed {seed} repeats this run)")
    prepare_forks()
    kinds: list[DatabaseKind] = ["sqlite", "postgresql"] if options.database == "both" else [options.database]
    report = Report(seed, options.rounds, Path(options.report).resolve() if options.report else None)
    with (
        tempfile.TemporaryDirectory(prefix="metier-faults-", ignore_cleanup_errors=True) as folder,
        open_databases(Path(folder), postgres="postgresql" in kinds) as databases,
    ):
        asyncio.run(_run(databases, kinds, Path(folder), report, options))
    report.write()
    print_line(f"{len(report.outcomes)} figures, {len(report.missed)} missed")
    return 1 if report.missed else 0


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=main.__doc__)
    parser.add_argument("--rounds", type=int, default=1, help="how often every kill point is passed per database")
    parser.add_argument("--database", choices=("both", "sqlite", "postgresql"), default="both")
    parser.add_argument(
        "--parts", default="kills,faults,processes", help="kills, faults, processes, load, turns; with commas"
    )
    parser.add_argument(
        "--lease", type=float, default=1.0, help="seconds of a lease in the kills; 4 for a busy machine"
    )
    parser.add_argument("--turns", type=int, default=500, help="turns at once in the part 'load'")
    parser.add_argument("--races", type=int, default=50, help="messages sent to two servers at once; 5000 for F09")
    parser.add_argument("--seed", type=int, help="repeat a run")
    parser.add_argument("--report", help="folder whose pages get the figures, as docs")
    return parser.parse_args(argv)


async def _run(
    databases: Databases, kinds: list[DatabaseKind], folder: Path, report: Report, options: argparse.Namespace
) -> None:
    parts = frozenset(options.parts.split(","))
    if "kills" in parts:  # mostly waiting: both databases at once
        await asyncio.gather(
            *(_run_kills(databases, kind, folder / f"kills-{kind}", report, options) for kind in kinds)
        )
    for kind in kinds:
        if "faults" in parts:
            await _run_faults(databases, kind, folder / f"faults-{kind}", report)
    if "processes" in parts and "postgresql" in kinds:
        await _run_processes(databases, folder / "processes", report, options.races)
    if "load" in parts:
        report.add(await asyncio.to_thread(measure_cold_start))
        report.add(await asyncio.to_thread(measure_streams))
    if "turns" in parts:
        for kind in kinds:
            await _run_load(databases, kind, folder / f"load-{kind}", report, options.turns, freeze_s=6.0)
        if "postgresql" in kinds:
            await _run_load(databases, "postgresql", folder / "load-two", report, options.turns, servers=2)


async def _run_kills(
    databases: Databases, kind: DatabaseKind, folder: Path, report: Report, options: argparse.Namespace
) -> None:
    """Every kill point, by SIGKILL and by SIGTERM, some by SIGSTOP, and random moments; lanes work side by side."""
    chance, rounds = random.Random(report.seed), options.rounds  # noqa: S311 - kills that can be repeated
    jobs: list[Job] = [(case, ending) for _ in range(rounds) for case in KILL_CASES for ending in _ENDINGS]
    jobs += [(None, _ENDINGS[number % 2]) for number in range(_RANDOM_KILLS * rounds)]
    jobs += [(chance.choice(KILL_CASES), "stop") for _ in range(_STOPS * rounds)]
    chance.shuffle(jobs)
    lanes = [
        Lane(folder / str(number), databases.create(kind), report.seed + number, lease_s=options.lease)
        for number in range(_LANES)
    ]
    started = time.monotonic()
    done = await asyncio.gather(*(_run_lane(lane, jobs[number::_LANES]) for number, lane in enumerate(lanes)))
    results = [result for one in done for result in one]
    for outcome in _judge_kills(kind, results, time.monotonic() - started, options.lease):
        report.add(outcome)
    for lane in lanes[:1]:
        report.add(await _scenarios.check_database(lane, kind))
    urls = [databases.create(kind) for _ in range(COLD_KILLS)]
    report.add(await asyncio.to_thread(kill_cold, kind, folder / "cold", urls))


async def _run_lane(lane: Lane, jobs: Sequence[Job]) -> list[KillResult]:
    await lane.start()
    done: list[KillResult] = []
    for case, ending in jobs:
        done.append(await _run_job(lane, case, ending))
        for problem in done[-1].problems:
            print_line(f"  ! {problem}")
        print_line(f"  {lane.name}: {len(done)} of {len(jobs)}, {done[-1].case} ({ending})")
    await lane.running.stop()
    return done


async def _run_job(lane: Lane, case: KillCase | None, ending: Ending) -> KillResult:
    """One kill, again a few times if a starved database ended its turn before the point; no problem is forgotten."""
    problems: list[str] = []
    for repeats in range(_MAX_REPEATS + 1):
        try:
            result = await (kill_at_random(lane, ending) if case is None else kill_at_point(lane, case, ending))
        except (httpx.HTTPError, MetierError, ServerDied) as error:  # the others are still worth a report
            result = _fail_check(case, ending, error)
            await lane.running.kill()
            await lane.start()
        problems += result.settled.problems
        result.repeats = repeats
        if not result.is_starved:
            break
        print_line(f"  {lane.name}: {result.case} ({ending}): the database did not answer in time")
    else:
        problems.append(f"no kill in {_MAX_REPEATS + 1} tries: the database did not answer in time")
    result.settled.problems = problems
    return result


def _fail_check(case: KillCase | None, ending: Ending, error: Exception) -> KillResult:
    result = KillResult(case.name if case else "random", ending)
    result.settled.problems.append(f"could not be checked: {type(error).__name__}: {error}")
    return result


def _judge_kills(kind: str, results: Sequence[KillResult], elapsed_s: float, lease_s: float) -> list[Outcome]:
    problems = [problem for result in results for problem in result.problems]
    repeated = sum(one.repeats for one in results)
    results = [one for one in results if not one.is_starved]
    killed = [one for one in results if one.ending == "kill"]
    ways = Counter(one.ending for one in results)
    counts = f"{ways['kill']} SIGKILL + {ways['term']} SIGTERM, {ways['stop']} SIGSTOP in {elapsed_s:.0f} s"
    lost = [one for one in problems if "P1" in one or "P4" in one or "P5" in one]
    twice = [one for one in problems if "P3" in one or "P8" in one]
    stuck = [one for one in problems if "P2" in one]
    rest = [one for one in problems if one not in (*lost, *twice, *stuck)]
    in_flight = [one for one in results if one.case.startswith(("tool_running", "tool_done"))]
    unknown = sum(one.settled.asked_outcome for one in results)
    ready = max((one.ready_s for one in results), default=0.0)
    ready_cpu = max((one.ready_cpu_s for one in results), default=0.0)
    settle = max((one.settled.settle_s for one in killed), default=0.0)
    points = len({one.case.partition("@")[0] for one in results})
    what = f"{counts}, {points} places, lease {lease_s:g} s, {repeated} repeated"
    return [
        judge("F01", kind, what, "0 lost events, 0 gaps", f"{len(lost)} lost", ok=not lost, notes=lost),
        judge(
            "F02",
            kind,
            f"{len(in_flight)} of them in a tool",
            "0 double effects",
            f"{len(twice)} double; {unknown} times a person was asked",
            ok=not twice,
            notes=twice,
        ),
        judge("F01", kind, what, "0 stuck turns", f"{len(stuck)} stuck", ok=not stuck, notes=stuck),
        judge("F30", kind, what, "exit 0 on SIGTERM", f"{len(rest)} other problems", ok=not rest, notes=rest),
        judge(
            "F01",
            kind,
            "ready after a start (forked)",
            "≤ 3 s",
            f"{ready:.1f} s at most, {ready_cpu:.2f} s of CPU",
            ok=ready <= 3.0,
        ),
        judge(
            "F01",
            kind,
            "settled after SIGKILL and a start",
            "≤ 5 s",
            f"{settle:.1f} s at most",
            ok=settle <= 5.0,
        ),
    ]


async def _run_faults(databases: Databases, kind: DatabaseKind, folder: Path, report: Report) -> None:
    lane = Lane(folder / "lane", databases.create(kind), report.seed)
    await lane.start()
    for scenario in (
        _scenarios.send_many_to_one_conversation,
        _scenarios.send_one_key_often,
        _scenarios.reconnect_often,
        _scenarios.answer_in_a_race,
        _scenarios.stop_slow_model,
        _scenarios.reload_under_load,
        _pressure.hold_database,
        _readers.stall_readers,
    ):
        report.add(await scenario(lane, kind))
    report.add(await _elsewhere.kill_during_branch(lane, kind))
    if kind == "sqlite":
        report.add(await _elsewhere.kill_during_reload(lane))
        report.add(await _elsewhere.kill_at_close(lane))
        report.add(await _elsewhere.back_up_during_writes(lane))
        report.add(await _storage.fill_disk(folder / "full", report.seed))
        report.add(await _storage.damage_database(folder / "damage", report.seed))
        report.add(await asyncio.to_thread(_pressure.route_many_skills, folder / "thousand"))
    await lane.running.stop()
    report.add(await _elsewhere.kill_during_migration(databases, kind, folder / "migration", report.seed))


async def _run_processes(databases: Databases, folder: Path, report: Report, races: int) -> None:
    report.add(await _processes.race_two_servers(databases, folder / "race", report.seed, races))
    outcome, report.take_over = await _processes.take_over(databases, folder / "take-over", report.seed)
    report.add(outcome)
    report.add(await _pressure.silence_postgres(databases, folder / "silent", report.seed))
    report.add(await _processes.restart_postgres(databases, folder / "restart", report.seed))
    report.workers = await _processes.measure_workers(databases, folder / "workers", report.seed)


async def _run_load(
    databases: Databases,
    kind: DatabaseKind,
    folder: Path,
    report: Report,
    turns: int,
    *,
    servers: int = 1,
    freeze_s: float = 0.0,
) -> None:
    """Many turns at once: on one server that freezes for longer than a lease, or on two that could take turns over."""
    url = databases.create(kind)
    lanes = [Lane(folder, url, report.seed + number, lease_s=4.0) for number in range(servers)]
    for lane in lanes:
        await lane.start()
    result = await run_turns(lanes, turns, "/clerk talk hold=0.2", freeze_s=freeze_s)
    for lane in lanes:
        await lane.running.stop()
    ok = result.finished == turns and not (result.taken_over or result.double_effects or result.problems)
    measured = (
        f"{result.finished} finished, {result.taken_over} taken over, {result.double_effects} double effects, "
        f"{result.elapsed_s:.0f} s"
    )
    frozen = f", stopped for {freeze_s:g} s" if freeze_s else ""
    what = f"{turns} turns at once on {servers} server{'s' if servers > 1 else ''}{frozen}, lease 4 s"
    report.add(
        judge("item 5", kind, what, "0 false take-overs", measured, ok=ok, notes=[*result.problems, *result.failures])
    )


if __name__ == "__main__":
    sys.exit(main())
