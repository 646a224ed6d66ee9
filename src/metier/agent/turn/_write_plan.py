"""`write_plan`: a plan written by the model is validated, then run like the steps of a skill."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from langchain_core.messages import ToolMessage

from metier.agent.adapters import control_message
from metier.agent.turn._enter_skill import initial_run_data
from metier.agent.turn._plan_runner import PlanRunner
from metier.agent.turn._state import TurnState
from metier.agent.turn._user_data import ensure_user_data
from metier.faults import fault_point
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences
from metier.limits import run_limited
from metier.plans import (
    Constraints,
    ModelPlan,
    Plan,
    PlanRun,
    build_plan_schema,
    choose_max_steps,
    complete_plan,
    plan_by_rules,
    validate_model_plan,
)
from metier.tools import ToolCall, ToolSpec

WRITE_PLAN: Final = "write_plan"
MAX_PLANS: Final = 3
_MAX_PROBLEMS: Final = 5
_MIN_TOOLS: Final = 2
_OFFERS: Final = Sentences(
    {
        "first": (
            "Plan work of several tool calls, the shortest way; steps whose arguments are known run by themselves. "
            "Not for one call.",
            "需要多次调用工具时先写计划，步骤越少越好；参数已知的步骤会自动执行。只调用一次工具时不用。",
        ),
        "changed": ("Write the new plan.", "写出新计划。"),
    }
)


def list_plan_tools(state: TurnState) -> list[dict[str, Any]]:
    """The `write_plan` tool, if no tool was called yet and the message may need a plan."""
    fresh = (
        state.plan.runner is None
        and not state.plan.todos
        and not state.calls.usage.tool_calls
        and state.plan.refused_count < MAX_PLANS
    )
    tools = tuple(state.open_gate.specs) if fresh and _is_plannable(state) else ()
    if len(tools) < _MIN_TOOLS:
        return []
    return [make_plan_tool(tools, state.request.language)]


def make_plan_tool(tools: tuple[str, ...], language: Language, *, is_changed: bool = False) -> dict[str, Any]:
    """`write_plan` in the OpenAI format, in the language of the turn, with the plan schema limited to these tools.

    `is_changed` if the plan takes the place of one that did not work.
    """
    schema = json.loads(json.dumps(build_plan_schema(tools, language), default=dict))
    description = _OFFERS.render("changed" if is_changed else "first", language)
    return {"type": "function", "function": {"name": WRITE_PLAN, "description": description, "parameters": schema}}


async def write_plan(state: TurnState, call: ToolCall) -> ToolMessage:
    """Start the model's plan, or return its problems."""
    if state.plan.runner is not None and not state.plan.runner.is_over:
        return control_message(call, {"status": "plan_knows", "message": state.plan.runner.outline()}, ok=False)
    made = await run_limited(lambda: validate_plan(state, call.arguments, state.open_gate.specs))
    if made.plan is None:
        state.plan.refused_count += 1
        made = replace(made, plan=_plan_by_rules(state) if state.plan.refused_count >= MAX_PLANS else None)
    if made.plan is None:
        problems: list[JsonValue] = [one.to_json() for one in made.problems[:_MAX_PROBLEMS]]
        return control_message(call, {"status": "invalid_plan", "problems": problems}, ok=False)
    await ensure_user_data(state)
    run = PlanRun.start(made.plan, await initial_run_data(state))
    owner = state.skill.active.id if state.skill.active else ""
    folder = state.resources.workspace(state.conversation)
    state.plan.runner = PlanRunner(run, skill=owner, language=state.request.language, workspace=folder)
    await state.journal.record(state.plan.runner.created_event(made.dropped), plan=state.plan_snapshot())
    fault_point("plan_stored")
    told: JsonObject = {"status": "planned", "steps": len(made.plan.steps), "dropped": list(made.dropped)}
    return control_message(call, told)


def validate_plan(
    state: TurnState, written: JsonObject, specs: Mapping[str, ToolSpec], given: tuple[str, ...] = ()
) -> ModelPlan:
    """Validate a model's plan against the tools in `specs`, which the gate has already filtered.

    Steps without a check get the one that fits their tool. What is found out and then written has at most four steps.
    """
    made = validate_model_plan(
        written,
        tools=specs,
        constraints=_bind(state, specs),
        given=given,
        denied=state.open_gate.denied,
        max_steps=choose_max_steps(state.analyze_task().types),
    )
    return made if made.plan is None else replace(made, plan=complete_plan(made.plan, state.request.language))


def _bind(state: TurnState, specs: Mapping[str, ToolSpec]) -> Constraints:
    """Constraints of the skill in use, or of the task type, whatever the model writes."""
    return Constraints(tuple(sorted(specs)), source="task_type" if state.skill.active is None else "skill")


def _plan_by_rules(state: TurnState) -> Plan | None:
    """The plan for the task types of the message, once the model has used up its attempts."""
    specs = state.open_gate.specs
    return plan_by_rules(
        state.request.message,
        state.analyze_task().types,
        tools=specs,
        constraints=_bind(state, specs),
        language=state.request.language,
    )


def _is_plannable(state: TurnState) -> bool:
    """Whether the skill has no steps of its own or the message matches a task type; a greeting does neither."""
    if state.skill.active is not None:
        return not state.skill.active.sop
    return state.task_type is not None
