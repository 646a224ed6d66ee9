"""Checks that the tools named by a plan may be used."""

from collections.abc import Collection, Iterator

from metier.plans._expressions import is_expression
from metier.plans._plan import Constraints, Plan, Step
from metier.plans._problems import ProblemCollector
from metier.tools import Rules


def check_tools(
    plan: Plan,
    constraints: Constraints,
    found: ProblemCollector,
    known: frozenset[str] | None = None,
    denied: Collection[str] = (),
) -> None:
    """Check that every tool named by a step is known and permitted; tools named by data are checked when called.

    `denied` are tools that exist and may not be used here.
    """
    for number, step in enumerate(plan.steps):
        here = found.enter("steps", number, step=step.id)
        for key, tool in _iter_named_tools(step):
            if known is not None and tool in denied:
                here.enter(key).add("tool_not_allowed", f"the tool {tool!r} is not allowed here", _list_allowed(known))
            elif known is not None and tool not in known:
                here.enter(key).add("tool_unknown", f"there is no tool {tool!r}", _list_allowed(known))
            elif not constraints.permits(tool):
                who = {"skill": "the skill", "task_type": "the task type"}.get(constraints.source, "the plan")
                here.enter(key).add(
                    "tool_not_allowed", f"{who} does not allow the tool {tool!r}", _tools_hint(constraints)
                )


def rules_from_plan(plan: Plan) -> Rules:
    """Gate rules for the plan's layer."""
    allowed = plan.constraints.allowed
    forbidden = frozenset(plan.constraints.forbidden)
    return Rules("plan", f"plan {plan.goal[:80]!r}", None if allowed is None else frozenset(allowed), forbidden)


def _iter_named_tools(step: Step) -> Iterator[tuple[str, str]]:
    if step.call is not None and not is_expression(step.call):
        yield "call", step.call
    for tool in step.tools or ():
        yield "tools", tool


def _tools_hint(constraints: Constraints) -> str:
    if constraints.allowed is None:
        return f"forbidden: {', '.join(sorted(constraints.forbidden))}"
    return _list_allowed(frozenset(tool for tool in constraints.allowed if constraints.permits(tool)))


def _list_allowed(names: frozenset[str]) -> str:
    return f"allowed: {', '.join(sorted(names)[:30]) or 'none'}"
