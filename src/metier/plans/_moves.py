"""Determines the next move of a run: by the plan where it is determined, else by the user or the model."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from metier.errors import TooManySteps
from metier.json_values import JsonObject, JsonValue
from metier.plans._arguments import MissingArgument, build_form_schema, resolve_arguments
from metier.plans._expressions import is_expression, look_up
from metier.plans._plan import Choice, Constraints, Milestone, Step
from metier.plans._reasons import PlanReason
from metier.plans._run import PlanRun, Stop
from metier.plans._values import resolve_template
from metier.tools import ToolSpec

Purpose = Literal["act", "fill", "replan"]

MAX_FILLS: Final = 3
NO_TOOLS: Final[Mapping[str, ToolSpec]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CallTool:
    """Run this tool with these arguments; no model is needed."""

    step: Step
    tool: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class AskUser:
    """Ask the user this sentence verbatim and wait for the answer; `show` is data to display beside it."""

    step: Step
    sentence: str
    schema: JsonObject
    choices: tuple[Choice, ...] = ()
    show: JsonValue = None


@dataclass(frozen=True, slots=True)
class CallModel:
    """Call the model: do the step, fill in arguments, or write a new plan.

    The model may use only `tools`. For `fill`, `missing` lists the arguments without a value, `known` holds the others,
    and `schema` describes a form for the missing ones, used when there is no model.
    """

    purpose: Purpose
    step: Step | None
    tools: tuple[str, ...] = ()
    missing: tuple[MissingArgument, ...] = ()
    known: JsonObject = field(default_factory=dict)
    schema: JsonObject | None = None
    why: PlanReason | None = None


@dataclass(frozen=True, slots=True)
class CheckMilestone:
    """Check this milestone now and record the result in the run."""

    milestone: Milestone


@dataclass(frozen=True, slots=True)
class Done:
    """The plan is finished; lists the steps by outcome."""

    done: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


Move: TypeAlias = CallTool | AskUser | CallModel | CheckMilestone | Done | Stop


def next_move(run: PlanRun, tools: Mapping[str, ToolSpec] = NO_TOOLS, denied: Collection[str] = frozenset()) -> Move:
    """Determine the next move. Pure: the same run and tools give the same move.

    With `tools`, an unknown tool and one that exists but may not be used here (`denied`) stop the run, optional
    arguments without a value are left out, and required ones are asked for; without `tools`, every argument
    without a value is asked for.
    """
    if run.stopped is not None:
        return run.stopped
    if run.replan is not None:
        return _build_replan_move(run, run.replan, tools)
    if (milestone := run.due_milestone) is not None:
        return CheckMilestone(milestone)
    step = run.current_step
    if step is None:
        return _build_done_move(run)
    try:
        return _build_step_move(run, step, tools, denied)
    except TooManySteps:
        return Stop(PlanReason.of("too_many_steps", step=step.id), step.id)


def _build_step_move(run: PlanRun, step: Step, tools: Mapping[str, ToolSpec], denied: Collection[str]) -> Move:
    if step.ask is not None:
        return AskUser(step, step.ask, step.answer_schema, step.choices, resolve_template(step.show, run.data).value)
    if step.call is None:
        return CallModel("act", step, _offered_tools(step, tools, run.plan.constraints))
    return _build_call_move(run, step, step.call, tools, denied)


def _build_replan_move(run: PlanRun, end: Stop, tools: Iterable[str]) -> CallModel:
    return CallModel("replan", run.plan.find_step(end.step), _permitted_tools(tools, run.plan.constraints), why=end.why)


def _build_done_move(run: PlanRun) -> Done:
    ids = [(step.id, run.get_step_progress(step.id).state) for step in run.plan.steps]
    done, skipped, failed = (
        tuple(step_id for step_id, state in ids if state == wanted) for wanted in ("done", "skipped", "failed")
    )
    return Done(done, skipped, failed)


def _offered_tools(step: Step, tools: Iterable[str], constraints: Constraints) -> tuple[str, ...]:
    permitted = _permitted_tools(tools, constraints)
    return permitted if step.tools is None else tuple(name for name in permitted if name in step.tools)


def _permitted_tools(tools: Iterable[str], constraints: Constraints) -> tuple[str, ...]:
    names = tuple(tools) or constraints.allowed or ()
    return tuple(sorted(name for name in names if constraints.permits(name)))


def _build_call_move(
    run: PlanRun, step: Step, call: str, tools: Mapping[str, ToolSpec], denied: Collection[str]
) -> Move:
    tool = look_up(call, run.data) if is_expression(call) else call
    if not isinstance(tool, str):
        return CallModel("act", step, _offered_tools(step, tools, run.plan.constraints))
    if not run.plan.constraints.permits(tool):
        return Stop(PlanReason.of("tool_not_allowed", tool=tool), step.id)
    if tools and tool not in tools:
        return Stop(PlanReason.of("tool_denied" if tool in denied else "tool_unknown", tool=tool), step.id)
    progress = run.get_step_progress(step.id)
    schema = tools[tool].parameters if tool in tools else None
    known, missing = resolve_arguments(step, run.data, progress.supplied, schema)
    if not missing:
        return CallTool(step, tool, known)
    if progress.fills >= MAX_FILLS:
        names = ", ".join(gap.argument for gap in missing)
        return Stop(PlanReason.of("arguments_missing", tool=tool, names=names, times=str(progress.fills)), step.id)
    return CallModel("fill", step, (tool,), missing, known, build_form_schema(missing, schema))
