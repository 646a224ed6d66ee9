"""Serialises a run to JSON and back, so that another process can resume it."""

from collections.abc import Mapping
from typing import Final, cast, get_args

from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.plans._read import plan_from_json
from metier.plans._reasons import reason_from_json
from metier.plans._run import MilestoneProgress, MilestoneState, PlanRun, StepProgress, StepState, Stop
from metier.plans._values import read_json_object

RUN_VERSION: Final = 1


def run_to_json(run: PlanRun) -> JsonObject:
    """Serialise the run, including its plan."""
    return {
        "version": RUN_VERSION,
        "plan": run.plan.to_json(),
        "data": run.data,
        "steps": {step_id: _step_json(progress) for step_id, progress in run.steps.items()},
        "milestones": {name: _milestone_json(progress) for name, progress in run.milestones.items()},
        "replans": run.replans,
        "replan": _stop_json(run.replan),
        "stopped": _stop_json(run.stopped),
    }


def run_from_json(value: JsonValue) -> PlanRun:
    """Restore a run from the output of `run_to_json`; anything else raises `InvalidInput`."""
    item = read_json_object(value, "the run")
    if item.get("version") != RUN_VERSION:
        raise InvalidInput(f"a run of version {item.get('version')!r} cannot be read", hint="start the turn again")
    plan = plan_from_json(item.get("plan"))
    ids = {step.id for step in plan.steps}
    names = {milestone.name for milestone in plan.milestones}
    return PlanRun(
        plan,
        _read_object(item, "data"),
        {key: _step_from_json(each) for key, each in _read_progress(item, "steps", ids)},
        {key: _milestone_from_json(each) for key, each in _read_progress(item, "milestones", names)},
        _read_count(item, "replans"),
        _stop_from_json(item.get("replan")),
        _stop_from_json(item.get("stopped")),
    )


def _step_json(progress: StepProgress) -> JsonObject:
    return {
        "state": progress.state,
        "failures": progress.failures,
        "fills": progress.fills,
        "supplied": progress.supplied,
        "why": None if progress.why is None else progress.why.to_json(),
    }


def _milestone_json(progress: MilestoneProgress) -> JsonObject:
    return {
        "state": progress.state,
        "failures": progress.failures,
        "why": None if progress.why is None else progress.why.to_json(),
    }


def _stop_json(end: Stop | None) -> JsonValue:
    return None if end is None else {"why": end.why.to_json(), "step": end.step, "milestone": end.milestone}


def _step_from_json(item: JsonObject) -> StepProgress:
    return StepProgress(
        cast("StepState", _read_state(item, get_args(StepState))),
        _read_count(item, "failures"),
        _read_count(item, "fills"),
        _read_object(item, "supplied"),
        reason_from_json(item.get("why")),
    )


def _milestone_from_json(item: JsonObject) -> MilestoneProgress:
    state = cast("MilestoneState", _read_state(item, get_args(MilestoneState)))
    return MilestoneProgress(state, _read_count(item, "failures"), reason_from_json(item.get("why")))


def _stop_from_json(value: JsonValue) -> Stop | None:
    if value is None:
        return None
    why = reason_from_json(value.get("why")) if isinstance(value, Mapping) else None
    if why is None or not isinstance(value, Mapping):
        raise _unreadable_error("the reason of a stop")
    return Stop(why, str(value.get("step", "")), str(value.get("milestone", "")))


def _read_progress(item: JsonObject, key: str, known: set[str]) -> list[tuple[str, JsonObject]]:
    found = _read_object(item, key)
    if not found.keys() <= known:
        raise _unreadable_error(f"{key!r}: it names what the plan does not have")
    return [(name, _read_object(found, name)) for name in found]


def _read_object(item: JsonObject, key: str) -> JsonObject:
    value = item.get(key)
    if not isinstance(value, Mapping):
        raise _unreadable_error(repr(key))
    return value


def _read_count(item: JsonObject, key: str) -> int:
    value = item.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _unreadable_error(repr(key))
    return value


def _read_state(item: JsonObject, known: tuple[str, ...]) -> str:
    value = item.get("state")
    if value not in known:
        raise _unreadable_error("'state'")
    return str(value)


def _unreadable_error(what: str) -> InvalidInput:
    return InvalidInput(f"the run cannot be read at {what}", hint="pass what run_to_json wrote, unchanged")
