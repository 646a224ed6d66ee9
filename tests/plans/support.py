"""Small doors for the tests of plans: a skill from steps, tools from a few words, a driver that plays a run out."""

from collections.abc import Callable, Mapping
from pathlib import Path

from metier.json_values import JsonObject, JsonValue
from metier.plans import (
    AskUser,
    CallModel,
    CallTool,
    CheckContext,
    CheckMilestone,
    Done,
    Move,
    Plan,
    PlanRun,
    Stop,
    check_milestone,
    next_move,
    plan_from_json,
)
from metier.skills import DeclaredTool, Skill, SkillLibrary, Source
from metier.tools import SideEffect, ToolSpec

SKILLS = Path(__file__).with_name("skills")
MOST_MOVES = 2_000


def telecom_skill() -> Skill:
    """The six steps of a coverage analysis, read from a file."""
    found = SkillLibrary.from_folders(SKILLS).catalog().get("coverage_rounds")
    assert found is not None
    return found


def skill(*steps: JsonObject, milestones: tuple[JsonObject, ...] = (), tools: tuple[str, ...] = ()) -> Skill:
    """A skill with this SOP."""
    declared = tuple(DeclaredTool(name) for name in tools)
    source = Source(Path("SKILL.md"), Path(), "agent-skill")
    return Skill("demo", "演示", "d", source, "0", sop=steps, milestones=milestones, tools=declared)


def plan(*steps: JsonObject, milestones: tuple[JsonObject, ...] = (), **more: JsonValue) -> Plan:
    """A valid plan of these steps."""
    return plan_from_json({"goal": "g", "steps": list(steps), "milestones": list(milestones), **more})


def spec(name: str, *required: str, optional: tuple[str, ...] = (), effects: tuple[SideEffect, ...] = ()) -> ToolSpec:
    """A tool that takes texts."""
    properties = {argument: {"type": "string"} for argument in (*required, *optional)}
    parameters: JsonObject = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return ToolSpec(name, name, parameters, effects=frozenset(effects))


def specs(*tools: ToolSpec) -> Mapping[str, ToolSpec]:
    return {tool.name: tool for tool in tools}


def step(run: PlanRun, move: Move, give: Callable[[Move], JsonValue], context: CheckContext | None = None) -> PlanRun:
    """The run after this move; `give` says what a tool, a user or the model brought (None: the tool failed)."""
    if isinstance(move, CheckMilestone):
        return run.record_check(move.milestone.name, check_milestone(move.milestone, run, context or CheckContext()))
    if isinstance(move, AskUser):
        return run.record_answer(move.step.id, give(move))
    if isinstance(move, CallModel) and move.purpose == "replan":
        return run.replace_plan(run.plan)
    assert isinstance(move, CallTool | CallModel)
    assert move.step is not None
    if isinstance(move, CallModel) and move.purpose == "fill":
        found = give(move)
        return run.supply_arguments(move.step.id, found if isinstance(found, Mapping) else {})
    result = give(move)
    return run.record_failure(move.step.id, "no luck") if result is None else run.record_result(move.step.id, result)


def play(
    run: PlanRun,
    give: Callable[[Move], JsonValue],
    tools: Mapping[str, ToolSpec] | None = None,
    context: CheckContext | None = None,
) -> tuple[PlanRun, list[Move]]:
    """Play a run to its end; the moves made, the last of which is `Done` or `Stop`."""
    moves: list[Move] = []
    while len(moves) < MOST_MOVES:
        move = next_move(run, tools or {})
        moves.append(move)
        if isinstance(move, Done | Stop):
            return run, moves
        run = step(run, move, give, context)
    raise AssertionError(f"no end after {MOST_MOVES} moves")
