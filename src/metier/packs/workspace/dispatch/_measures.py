"""Measures over runs, as defined in docs/benchmarks/dispatch.md, with intervals by bootstrap over tasks."""

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from types import MappingProxyType
from typing import Final

from metier.packs.workspace.dispatch._run import RunOutcome

TRIES: Final = 4
_RESAMPLES: Final = 200
_BY_TASK: Final = "all of 4 tries"
Runs = Sequence[RunOutcome]


@dataclass(frozen=True, slots=True)
class Measured:
    """A value with the interval that holds 95 % of the resampled ones; None where there was nothing to measure."""

    value: float | None
    low: float | None = None
    high: float | None = None


def share_attempted_right(runs: Runs) -> float | None:
    """Of the model's own calls, those that belong to the way to the goal."""
    return _ratio(sum(map(sum, (one.attempted for one in runs))), sum(len(one.attempted) for one in runs))


def share_executed_right(runs: Runs) -> float | None:
    """Of the calls that ran, those that belong to the way and are no repeats."""
    ran = [call for one in runs for call in one.calls if call.is_executed]
    return _ratio(sum(call.is_right for call in ran), len(ran))


def share_model_executed_right(runs: Runs) -> float | None:
    """As `share_executed_right`, without the calls that a plan made."""
    ran = [call for one in runs for call in one.calls if call.is_executed and not call.by_plan]
    return _ratio(sum(call.is_right for call in ran), len(ran))


def share_right_refused(runs: Runs) -> float | None:
    """Of the right calls, those that were refused or whose tool was never on offer."""
    right = [call for one in runs for call in one.calls if call.is_right]
    withheld = sum(one.withheld for one in runs)
    return _ratio(sum(call.state == "refused" for call in right) + withheld, len(right) + withheld)


def share_deviating(runs: Runs) -> float | None:
    """Calls that ran outside the way and calls of the way that never ran, of all calls that ran or should have."""
    ran = [call for one in runs for call in one.calls if call.is_executed]
    missing = sum(one.missing for one in runs)
    return _ratio(sum(not call.is_right for call in ran) + missing, len(ran) + missing)


def share_deviating_runs(runs: Runs) -> float | None:
    """Runs with at least one such call."""
    off = [one.missing or any(call.is_executed and not call.is_right for call in one.calls) for one in runs]
    return _ratio(sum(map(bool, off)), len(off))


def mean_iterations(runs: Runs) -> float | None:
    """Passes of the loop per run: replies of the model, and calls that a plan makes by itself."""
    return _ratio(sum(one.iterations for one in runs), len(runs))


def share_done(runs: Runs) -> float | None:
    """Runs after which the state is the one that the task asks for."""
    return _ratio(sum(one.done for one in runs), len(runs))


def share_done_every_try(runs: Runs) -> float | None:
    """Chance that four tries of a task all succeed, over tasks; None with fewer tries."""
    tries: dict[str, list[bool]] = defaultdict(list)
    for one in runs:
        tries[one.task].append(one.done)
    if not tries or min(map(len, tries.values())) < TRIES:
        return None
    return _ratio(sum(comb(sum(done), TRIES) / comb(len(done), TRIES) for done in tries.values()), len(tries))


def mean_questions(runs: Runs) -> float | None:
    """Forms and questions put to the person per run; approvals do not count."""
    return _ratio(sum(one.questions for one in runs), len(runs))


def share_done_alone(runs: Runs) -> float | None:
    """Runs that reached the goal without a question to the person."""
    return _ratio(sum(one.done and not one.questions for one in runs), len(runs))


def share_clear_steps(runs: Runs) -> float | None:
    """Steps of plans that name a tool, an expected output and a check; None without plans."""
    steps = [step for one in runs for step in one.plan_steps]
    return _ratio(sum(steps), len(steps))


MEASURES: Final[Mapping[str, Callable[[Runs], float | None]]] = MappingProxyType(
    {
        "calls attempted right": share_attempted_right,
        "calls executed right": share_executed_right,
        "of those the model's own": share_model_executed_right,
        "right calls refused": share_right_refused,
        "deviation": share_deviating,
        "runs that deviate": share_deviating_runs,
        "iterations": mean_iterations,
        "tasks done": share_done,
        _BY_TASK: share_done_every_try,
        "done without a question": share_done_alone,
        "questions a run": mean_questions,
        "plan clarity": share_clear_steps,
    }
)


def measure(name: str, runs: Runs, *, resamples: int = _RESAMPLES) -> Measured:
    """Value and interval. Tasks are resampled with all their runs: runs of one task are not independent."""
    compute, value = MEASURES[name], MEASURES[name](runs)
    by_task: dict[str, list[RunOutcome]] = defaultdict(list)
    for one in runs:
        by_task[one.task].append(one)
    if value is None or len(by_task) < 2:
        return Measured(value)
    chance, groups = random.Random(name), list(by_task.values())  # noqa: S311 - repeatable
    drawn = []
    for _ in range(resamples):
        picked = chance.choices(range(len(groups)), k=len(groups))
        sample = [one for number in picked for one in groups[number]]
        if name == _BY_TASK:  # a task that was drawn twice counts as two tasks
            sample = [replace(one, task=str(copy)) for copy, number in enumerate(picked) for one in groups[number]]
        found = compute(sample)
        if found is not None:
            drawn.append(found)
    drawn.sort()
    last = len(drawn) - 1
    return Measured(value, drawn[round(last * 0.025)], drawn[round(last * 0.975)]) if drawn else Measured(value)


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
