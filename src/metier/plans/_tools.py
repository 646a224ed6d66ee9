"""Checks that the tools named by a plan may be used."""

from collections.abc import Iterator

from metier.plans._expressions import is_expression
from metier.plans._plan import Constraints, Plan, Step
from metier.plans._problems import Findings
from metier.tools import Rules


def check_tools(plan: Plan, constraints: Constraints, found: Findings, known: frozenset[str] | None = None) -> None:
    """Check that every tool named by a step is known and permitted; tools named by data are checked when called."""
    for number, step in enumerate(plan.steps):
        here = found.at("steps", number, step=step.id)
        for key, tool in _named(step):
            if known is not None and tool not in known:
                here.at(key).add("tool_unknown", f"there is no tool {tool!r}", _listed(known))
            elif not constraints.permits(tool):
                who = {"skill": "the skill", "task_type": "the task type"}.get(constraints.source, "the plan")
                here.at(key).add("tool_not_allowed", f"{who} does not allow the tool {tool!r}", _hint(constraints))


def plan_rules(plan: Plan) -> Rules:
    """Gate rules for the plan's layer."""
    allowed = plan.constraints.allowed
    forbidden = frozenset(plan.constraints.forbidden)
    return Rules("plan", f"plan {plan.goal[:80]!r}", None if allowed is None else frozenset(allowed), forbidden)


def _named(step: Step) -> Iterator[tuple[str, str]]:
    if step.call is not None and not is_expression(step.call):
        yield "call", step.call
    for tool in step.tools or ():
        yield "tools", tool


def _hint(constraints: Constraints) -> str:
    if constraints.allowed is None:
        return f"forbidden: {', '.join(sorted(constraints.forbidden))}"
    return _listed(frozenset(tool for tool in constraints.allowed if constraints.permits(tool)))


def _listed(names: frozenset[str]) -> str:
    return f"allowed: {', '.join(sorted(names)[:30]) or 'none'}"
