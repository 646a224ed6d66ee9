"""`write_plan`: a plan written by the model is validated, then run like the steps of a skill."""

import json
from collections.abc import Mapping
from typing import Any, Final

from langchain_core.messages import ToolMessage

from metier.agent._paired import control_message
from metier.agent._plan_desk import PlanDesk
from metier.agent._starting import load_data, start_data
from metier.agent._work import Work
from metier.jsons import JsonObject, JsonValue
from metier.plans import Constraints, ModelPlan, Run, plan_schema, validate_model_plan
from metier.tools import ToolCall, ToolSpec

WRITE_PLAN: Final = "write_plan"
MOST_PLANS: Final = 3
_MOST_PROBLEMS: Final = 5
_LEAST_TOOLS: Final = 2
_DESCRIPTION: Final = (
    "Plan work of several tool calls, the shortest way; steps whose arguments are known run by themselves. "
    "Not for one call. 需要多次调用工具时先写计划。"
)


def plan_offers(work: Work) -> list[dict[str, Any]]:
    """The `write_plan` tool, if no tool was called yet and the message may need a plan."""
    fresh = work.plan is None and not work.todos and not work.counts.tool_calls and work.plans_refused < MOST_PLANS
    tools = tuple(work.opened.specs) if fresh and _has_substance(work) else ()
    if len(tools) < _LEAST_TOOLS:
        return []
    return [plan_tool(tools, _DESCRIPTION)]


def plan_tool(tools: tuple[str, ...], description: str) -> dict[str, Any]:
    """`write_plan` in the OpenAI format, with the plan schema limited to these tools."""
    schema = json.loads(json.dumps(plan_schema(tools), default=dict))
    return {"type": "function", "function": {"name": WRITE_PLAN, "description": description, "parameters": schema}}


async def write_plan(work: Work, call: ToolCall) -> ToolMessage:
    """Start the model's plan, or return its problems."""
    if work.plan is not None and not work.plan.over:
        return control_message(call, {"status": "plan_knows", "message": work.plan.outline()}, ok=False)
    made = judged(work, call.arguments, work.opened.specs)
    if made.plan is None:
        work.plans_refused += 1
        problems: list[JsonValue] = [one.to_json() for one in made.problems[:_MOST_PROBLEMS]]
        return control_message(call, {"status": "invalid_plan", "problems": problems}, ok=False)
    if work.material is None and work.skill is not None:
        work.material = await load_data(work, work.skill)
    run = Run.start(made.plan, start_data(work))
    owner = work.skill.id if work.skill else ""
    folder = work.kit.workspace(work.conversation)
    work.plan = PlanDesk(run, skill=owner, language=work.language, workspace=folder)
    await work.journal.record(work.plan.created(made.dropped), saved=work.saved())
    told: JsonObject = {"status": "planned", "steps": len(made.plan.steps), "dropped": list(made.dropped)}
    return control_message(call, told)


def judged(work: Work, written: JsonObject, specs: Mapping[str, ToolSpec], given: tuple[str, ...] = ()) -> ModelPlan:
    """Validate a model's plan against the tools in `specs`, which the gate has already filtered."""
    bound = Constraints(tuple(sorted(specs)), source="task_type" if work.skill is None else "skill")
    return validate_model_plan(written, tools=specs, constraints=bound, given=given)


def _has_substance(work: Work) -> bool:
    """Whether the skill has no steps of its own or the message matches a task type; a greeting does neither."""
    if work.skill is not None:
        return not work.skill.sop
    return work.task_type is not None
