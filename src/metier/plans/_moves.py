"""Determines the next move of a run: by the plan where it is determined, else by the user or the model."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from metier.jsons import JsonObject, JsonValue
from metier.plans._arguments import Missing, arguments_of, form_for
from metier.plans._expressions import is_expression, look_up
from metier.plans._plan import Choice, Constraints, Milestone, Step
from metier.plans._reasons import Reason, reason
from metier.plans._run import Run, Stop
from metier.plans._values import resolve
from metier.tools import ToolSpec

Purpose = Literal["act", "fill", "replan"]

MOST_FILLS: Final = 3
NO_TOOLS: Final[Mapping[str, ToolSpec]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Call:
    """Run this tool with these arguments; no model is needed."""

    step: Step
    tool: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the user this sentence verbatim and wait for the answer; `show` is data to display beside it."""

    step: Step
    sentence: str
    schema: JsonObject
    choices: tuple[Choice, ...] = ()
    show: JsonValue = None


@dataclass(frozen=True, slots=True)
class Model:
    """Call the model: do the step, fill in arguments, or write a new plan.

    The model may use only `tools`. For `fill`, `missing` lists the arguments without a value, `known` holds the others,
    and `schema` describes a form for the missing ones, used when there is no model.
    """

    purpose: Purpose
    step: Step | None
    tools: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()
    known: JsonObject = field(default_factory=dict)
    schema: JsonObject | None = None
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Check this milestone now and record the result in the run."""

    milestone: Milestone


@dataclass(frozen=True, slots=True)
class Done:
    """The plan is finished; lists the steps by outcome."""

    done: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


Move: TypeAlias = Call | Ask | Model | Check | Done | Stop


def next_move(run: Run, tools: Mapping[str, ToolSpec] = NO_TOOLS) -> Move:
    """Determine the next move. Pure: the same run and tools give the same move.

    With `tools`, an unknown tool stops the run, optional arguments without a value are left out, and required ones are
    asked for; without `tools`, every argument without a value is asked for.
    """
    if run.stopped is not None:
        return run.stopped
    if run.replan is not None:
        return _replan(run, run.replan, tools)
    if (milestone := run.due) is not None:
        return Check(milestone)
    step = run.current
    if step is None:
        return _done(run)
    if step.ask is not None:
        return Ask(step, step.ask, step.answer_schema, step.choices, resolve(step.show, run.data).value)
    if step.call is None:
        return Model("act", step, _offered(step, tools, run.plan.constraints))
    return _call(run, step, step.call, tools)


def _replan(run: Run, end: Stop, tools: Iterable[str]) -> Model:
    return Model("replan", run.plan.step(end.step), _permitted(tools, run.plan.constraints), why=end.why)


def _done(run: Run) -> Done:
    ids = [(step.id, run.progress(step.id).state) for step in run.plan.steps]
    done, skipped, failed = (
        tuple(step_id for step_id, state in ids if state == wanted) for wanted in ("done", "skipped", "failed")
    )
    return Done(done, skipped, failed)


def _offered(step: Step, tools: Iterable[str], constraints: Constraints) -> tuple[str, ...]:
    permitted = _permitted(tools, constraints)
    return permitted if step.tools is None else tuple(name for name in permitted if name in step.tools)


def _permitted(tools: Iterable[str], constraints: Constraints) -> tuple[str, ...]:
    names = tuple(tools) or constraints.allowed or ()
    return tuple(sorted(name for name in names if constraints.permits(name)))


def _call(run: Run, step: Step, call: str, tools: Mapping[str, ToolSpec]) -> Move:
    tool = look_up(call, run.data) if is_expression(call) else call
    if not isinstance(tool, str):
        return Model("act", step, _offered(step, tools, run.plan.constraints))
    if not run.plan.constraints.permits(tool):
        return Stop(reason("tool_not_allowed", tool=tool), step.id)
    if tools and tool not in tools:
        return Stop(reason("tool_unknown", tool=tool), step.id)
    progress = run.progress(step.id)
    schema = tools[tool].parameters if tool in tools else None
    known, missing = arguments_of(step, run.data, progress.supplied, schema)
    if not missing:
        return Call(step, tool, known)
    if progress.fills >= MOST_FILLS:
        names = ", ".join(gap.argument for gap in missing)
        return Stop(reason("arguments_missing", tool=tool, names=names, times=str(progress.fills)), step.id)
    return Model("fill", step, (tool,), missing, known, form_for(missing, schema))
