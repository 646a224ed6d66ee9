"""Plans written by a model: the JSON Schema they are asked for in, and the rules they must hold before anything runs.

The schema is short because every prompt that offers it pays for it.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from metier.errors import InvalidInput
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.language import Language, Sentences
from metier.plans._dependencies import check_links, find_check_reads, find_dependencies, find_step_reads, sort_steps
from metier.plans._expressions import ALL_DATA, is_expression
from metier.plans._plan import UNCONSTRAINED, Constraints, Plan, Step
from metier.plans._problems import PlanProblem, ProblemCollector, suggest_name
from metier.plans._read import read_plan_fields
from metier.plans._tool_rules import check_tools
from metier.plans._values import read_json_object
from metier.tools import ToolSpec

MAX_MODEL_STEPS: Final = 12
_TEXT: JsonObject = {"type": "string"}
_TEXTS: JsonObject = {"type": "array", "items": {"type": "string"}}
_EXPRESSION: JsonObject = {"type": "string", "pattern": r"^\$(\.|$)"}
_CHECKS: tuple[str, ...] = ("contains", "regex", "json_schema", "expr", "file_exists", "url_contains", "tool_output")
_CHECKS += ("file_valid", "sources", "exit_code")
_DESCRIPTIONS: Final = Sentences(
    {
        "with": (
            "arguments; '$.<id>.path' is a result, '$.message' the user's",
            "参数；'$.<id>.path' 是某步的结果，'$.message' 是用户的消息",
        ),
        "ask": ("question to the user", "向用户提的问题"),
        "needs": ("ids of steps it uses", "用到的步骤的 id"),
        "check": (
            "plus text, pattern, schema, expr, path or tool by kind; of: '$.<id>'",
            "按 kind 另加 text、pattern、schema、expr、path 或 tool；of 写 '$.<id>'",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """A valid plan, or the problems to return to the model; `dropped` lists removed steps that had no use."""

    plan: Plan | None
    problems: tuple[PlanProblem, ...] = ()
    dropped: tuple[str, ...] = ()


def validate_model_plan(
    value: JsonValue,
    *,
    tools: Mapping[str, ToolSpec],
    constraints: Constraints = UNCONSTRAINED,
    given: Collection[str] = (),
    denied: Collection[str] = (),
    max_steps: int = MAX_MODEL_STEPS,
) -> ModelPlan:
    """Validate a model's plan, given as JSON or text: 1 to 12 steps, known and permitted tools, no cycles.

    Steps are sorted into an order that works. If the last step says what it uses, steps that neither contribute to it
    nor have side effects are dropped. `given` names results of earlier plans that the plan may read, `denied` tools
    that exist and may not be used here. `max_steps` may be lower for tasks whose shortest way is known.
    """
    found = ProblemCollector()
    item = _parse_plan(value, found)
    plan = None if item is None else _read_fields(item, given, found, max_steps)
    if plan is None or found.problems:
        return ModelPlan(None, tuple(found.problems))
    check_links(plan, found, as_written=False)
    _check_calls(plan, tools, found)
    check_tools(plan, constraints, found, frozenset(tools), denied)
    bound = _narrow_constraints(plan.constraints, constraints, found.enter("constraints"))
    if found.problems:
        return ModelPlan(None, tuple(found.problems))
    steps = sort_steps(plan.steps)
    kept = _drop_unused_steps(replace(plan, steps=steps), tools)
    dropped = tuple(step.id for step in steps if step not in kept)
    return ModelPlan(replace(plan, steps=kept, constraints=bound), (), dropped)


def _parse_plan(value: JsonValue, found: ProblemCollector) -> JsonObject | None:
    try:
        return read_json_object(load_json(value) if isinstance(value, str) else value, "the plan")
    except JsonInvalid as error:
        found.add("value_invalid", f"the plan is not JSON: {error}", "answer with one JSON object and nothing else")
    except InvalidInput as error:
        found.add("value_invalid", error.message, error.hint)
    return None


def _read_fields(item: JsonObject, given: Collection[str], found: ProblemCollector, max_steps: int) -> Plan | None:
    goal, steps = item.get("goal"), item.get("steps")
    if not isinstance(goal, str) or not goal.strip():
        found.enter("goal").add("value_missing", "the plan names no goal", "one sentence: what the user wants")
    if not isinstance(steps, list) or not steps:
        found.enter("steps").add("plan_empty", "the plan has no steps", f"1 to {max_steps} steps")
    elif len(steps) > max_steps:
        message = f"the plan has {len(steps)} steps; the most is {max_steps}"
        found.enter("steps").add("plan_too_long", message, "take the shortest way to the goal")
    if found.problems:
        return None
    own = {key: each for key, each in item.items() if key not in ("version", "source", "given")}
    return read_plan_fields({**own, "source": "model", "given": list(given)}, found)


def _check_calls(plan: Plan, tools: Mapping[str, ToolSpec], found: ProblemCollector) -> None:
    """A model must name its tools literally and pass only arguments they accept."""
    for number, step in enumerate(plan.steps):
        here = found.enter("steps", number, step=step.id)
        if step.call is None:
            continue
        if is_expression(step.call):
            here.enter("call").add("tool_unknown", "the tool must be named, not looked up")
        elif step.call in tools:
            takes = _find_accepted_arguments(tools[step.call].parameters)
            for name in () if takes is None else sorted(step.arguments.keys() - takes):
                here.enter("with", name).add(
                    "unknown_key", f"{step.call} takes no {name!r}", suggest_name(name, takes or ())
                )


def _find_accepted_arguments(schema: JsonObject) -> frozenset[str] | None:
    properties = schema.get("properties")
    if schema.get("additionalProperties") is not False or not isinstance(properties, Mapping):
        return None
    return frozenset(properties)


def _narrow_constraints(own: Constraints, above: Constraints, found: ProblemCollector) -> Constraints:
    """Combine the plan's constraints with those above it: a plan may give up tools, but not grant itself any."""
    for tool in own.allowed or ():
        if not above.permits(tool):
            found.enter("allowed").add(
                "tool_not_allowed", f"the plan allows itself {tool!r}, which is not its to allow"
            )
    if own == UNCONSTRAINED:
        return above
    allowed = above.allowed if own.allowed is None else own.allowed
    forbidden = tuple(dict.fromkeys((*above.forbidden, *own.forbidden)))
    return Constraints(allowed, forbidden, "plan")


def _drop_unused_steps(plan: Plan, tools: Mapping[str, ToolSpec]) -> tuple[Step, ...]:
    last = plan.steps[-1]
    if not last.needs and not find_step_reads(last):
        return plan.steps  # the plan does not say what the answer uses: it may use everything
    used = {last.id, *_find_checked_steps(plan), *(step.id for step in plan.steps if _has_effect(step, tools))}
    waits = find_dependencies(plan.steps)
    for step in reversed(plan.steps):
        if step.id in used:
            used |= _steps_before(step, plan.steps) if ALL_DATA in find_step_reads(step) else waits[step.id]
    return tuple(step for step in plan.steps if step.id in used)


def _find_checked_steps(plan: Plan) -> Iterable[str]:
    giver = {step.saved_as: step.id for step in plan.steps}
    for milestone in plan.milestones:
        yield milestone.after
        yield from (giver[name] for name in find_check_reads(milestone.check) if name in giver)


def _steps_before(step: Step, steps: tuple[Step, ...]) -> set[str]:
    return {each.id for each in steps[: steps.index(step)]}


def _has_effect(step: Step, tools: Mapping[str, ToolSpec]) -> bool:
    """Whether the step asks the user or calls a tool that does more than read or use the network idempotently."""
    if step.ask is not None:
        return True
    if step.call is None:
        return False
    spec = tools[step.call]
    return not (spec.effects <= {"reads"} or (spec.effects <= {"reads", "network"} and spec.idempotent))


def build_plan_schema(tools: Iterable[str] = (), language: Language = "en") -> JsonObject:
    """Build the schema of a model's plan, limited to `tools` if given, its descriptions in `language`.

    `validate_model_plan` checks the rest.
    """
    steps: JsonObject = {
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_MODEL_STEPS,
        "items": _build_step_schema(sorted(tools), language),
    }
    milestones: JsonObject = {"type": "array", "items": _build_milestone_schema(language)}
    plan = _build_object_schema("goal", "steps", goal=dict(_TEXT), steps=steps, milestones=milestones)
    return {**plan, "additionalProperties": False}


def _build_step_schema(tools: list[str], language: Language) -> JsonObject:
    call: JsonObject = {"enum": list(tools)} if tools else _TEXT
    given: JsonObject = {"type": "object", "description": _DESCRIPTIONS.render("with", language)}
    return _build_object_schema(
        "id",
        "title",
        id=dict(_TEXT),
        title=dict(_TEXT),
        call=dict(call),
        **{"with": given},
        ask={**_TEXT, "description": _DESCRIPTIONS.render("ask", language)},
        choices=dict(_TEXTS),
        when=dict(_EXPRESSION),
        save=dict(_TEXT),
        needs={**_TEXTS, "description": _DESCRIPTIONS.render("needs", language)},
    )


def _build_milestone_schema(language: Language) -> JsonObject:
    """One shape for all checks: one per kind (seven) costs 400 tokens, and checks are validated later anyway."""
    check = _build_object_schema("kind", kind={"enum": list(_CHECKS)})
    check = {**check, "description": _DESCRIPTIONS.render("check", language)}
    on_fail: JsonObject = {"enum": ["stop", "retry", "replan", "continue"]}
    return _build_object_schema(
        "name", "after", "check", name=dict(_TEXT), after=dict(_TEXT), check=check, on_fail=on_fail
    )


def _build_object_schema(*required: str, **properties: JsonValue) -> JsonObject:
    return {"type": "object", "required": list(required), "properties": properties}
