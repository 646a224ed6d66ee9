"""Parses a plan from JSON: everything is checked before anything runs, and all problems are reported at once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, cast, get_args

from metier.errors import InvalidInput
from metier.facts import FactSpec, is_fact_name
from metier.json_values import JsonObject, JsonValue
from metier.plans._dependencies import check_links
from metier.plans._fields import (
    check_keys,
    read_expression,
    read_name,
    read_names,
    read_object,
    read_objects,
    read_schema,
    read_template,
    read_text,
)
from metier.plans._kinds import read_check
from metier.plans._plan import (
    DEFAULT_ON_FAIL,
    PLAN_VERSION,
    UNCONSTRAINED,
    Choice,
    Constraints,
    ConstraintSource,
    LastAction,
    Milestone,
    OnFail,
    Plan,
    PlanSource,
    Step,
)
from metier.plans._problems import PlanProblem, ProblemCollector
from metier.plans._schemas import find_misfit
from metier.plans._values import read_json

MAX_STEPS: Final = 50
MAX_RETRIES: Final = 5
_PLAN_KEYS: Final = ("version", "goal", "source", "task_type", "steps", "constraints", "milestones", "given")
_STEP_KEYS: Final = (
    *("id", "title", "call", "with", "arguments", "say", "ask", "choices", "answer", "show"),
    *("when", "save", "facts", "expects", "needs", "tools", "on_fail"),
)
_FACT_KEYS: Final = ("value", "title", "label", "options", "source")
_KEY_OWNERS: Final = (
    *(("with", "call"), ("arguments", "call"), ("say", "call")),
    *(("choices", "ask"), ("answer", "ask"), ("show", "ask")),
)
_SIMPLE_ACTIONS: Final = get_args(LastAction)


@dataclass(frozen=True, slots=True)
class PlanReading:
    """A plan, or the problems that prevent it."""

    plan: Plan | None
    problems: tuple[PlanProblem, ...] = ()


def read_plan(value: JsonValue) -> PlanReading:
    """Parse a plan written by `to_json` or by hand; with any problem the plan is None."""
    found = ProblemCollector()
    try:
        item = read_object(read_json(value, "the plan"), found)
    except InvalidInput as error:
        found.add("value_invalid", error.message, error.hint)
        item = None
    plan = None if item is None else read_plan_fields(item, found)
    if plan is not None and not found.problems:
        check_links(plan, found)
    return PlanReading(None if found.problems else plan, tuple(found.problems))


def plan_from_json(value: JsonValue) -> Plan:
    """Parse a plan; `InvalidInput` names the first problem and counts the others."""
    reading = read_plan(value)
    if reading.plan is None:
        raise InvalidInput(summarise_problems(reading.problems), hint=reading.problems[0].hint)
    return reading.plan


def summarise_problems(problems: tuple[PlanProblem, ...]) -> str:
    """The first problem as a sentence, and how many more there are."""
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{problems[0].path or '/'}: {problems[0].message}{more}"


def read_plan_fields(item: JsonObject, found: ProblemCollector) -> Plan | None:
    """Read each field separately; references between steps are checked by `check_links`."""
    check_keys(item, _PLAN_KEYS, found)
    if item.get("version", PLAN_VERSION) != PLAN_VERSION:
        hint = "update Metier, or plan again"
        found.enter("version").add("value_invalid", f"version {item['version']!r} is not {PLAN_VERSION}", hint)
    goal = item.get("goal", "")
    if not isinstance(goal, str) or not isinstance(item.get("task_type", ""), str):
        found.enter("goal").add("value_invalid", "'goal' and 'task_type' are texts")
    source = item.get("source", "none")
    if source not in get_args(PlanSource):
        found.enter("source").add(
            "value_invalid", f"{source!r} is no source", f"one of {', '.join(get_args(PlanSource))}"
        )
    steps = _read_steps(item.get("steps"), found.enter("steps"))
    milestones = _read_milestones(item.get("milestones"), steps, found.enter("milestones"))
    constraints = _read_constraints(item.get("constraints"), found.enter("constraints"))
    given = read_names(item, "given", found) or ()
    if found.problems:
        return None
    task_type = str(item.get("task_type", ""))
    return Plan(str(goal), cast("PlanSource", source), task_type, steps, constraints, milestones, given)


def _read_steps(value: JsonValue, found: ProblemCollector) -> tuple[Step, ...]:
    return tuple(
        _read_step(item, number, found.enter(number)) for number, item in read_objects(value, found, MAX_STEPS)
    )


def _read_step(item: JsonObject, number: int, found: ProblemCollector) -> Step:
    step_id = read_name(item, "id", found) or f"step_{number + 1}"
    found = found.enter(step=step_id)
    check_keys(item, _STEP_KEYS, found)
    return replace(
        _read_action(step_id, item, found),
        title=read_text(item, "title", found) or "",
        when=read_expression(item, "when", found),
        save=read_name(item, "save", found),
        facts=_read_facts(item.get("facts"), found.enter("facts")),
        expects=read_schema(item, "expects", found),
        needs=read_names(item, "needs", found) or (),
        on_fail=_read_on_fail(item.get("on_fail"), found.enter("on_fail")),
    )


def _read_action(step_id: str, item: JsonObject, found: ProblemCollector) -> Step:
    """Read what the step does: call a tool, ask the user, or neither."""
    call, ask = read_text(item, "call", found), read_text(item, "ask", found)
    if call is not None and call.startswith("$"):
        call = read_expression(item, "call", found)
    if item.get("call") is not None and item.get("ask") is not None:
        found.add("step_two_actions", "a step calls or asks, not both", "make it two steps")
    for key, owner in _KEY_OWNERS:
        if item.get(key) is not None and item.get(owner) is None:
            found.enter(key).add("step_incomplete", f"{key!r} belongs to {owner!r}, which this step lacks")
    if item.get("tools") is not None and (call or ask):
        found.enter("tools").add("step_incomplete", "'tools' narrows a step of the model; this one calls or asks")
    answer = read_schema(item, "answer", found)
    return Step(
        step_id,
        call=call,
        arguments=_read_arguments(item, found),
        say=read_name(item, "say", found),
        ask=ask,
        choices=_read_choices(item.get("choices"), answer, found.enter("choices")),
        answer=answer,
        show=read_template(item, "show", found),
        tools=read_names(item, "tools", found),
    )


def _read_facts(value: JsonValue, found: ProblemCollector) -> tuple[FactSpec, ...]:
    """Read `facts: {name: $.path}` or `facts: {name: {value: $.path, title: …, label: …, options: …, source: …}}`."""
    item = None if value is None else read_object(value, found)
    return tuple(_read_fact(name, one, found.enter(name)) for name, one in (item or {}).items())


def _read_fact(name: str, value: JsonValue, found: ProblemCollector) -> FactSpec:
    if not is_fact_name(name):
        found.add("name_invalid", f"{name!r} is no name of a fact", "letters of ASCII, digits and '_', at most 64")
    item = value if isinstance(value, Mapping) else {"value": value}
    check_keys(item, _FACT_KEYS, found)
    if item.get("value") is None:
        found.add("value_missing", f"the fact {name!r} has no 'value'", "write value: $.step.field")
    read = {key: read_template(item, key, found) for key in ("value", "label", "options", "source")}
    return FactSpec(name, title=read_text(item, "title", found, max_chars=40) or "", **read)


def _read_arguments(item: JsonObject, found: ProblemCollector) -> JsonObject:
    if item.get("with") is not None and item.get("arguments") is not None:
        found.add("name_taken", "'with' and 'arguments' are the same thing", "keep 'with'")
    key = "with" if item.get("arguments") is None else "arguments"
    value = read_template(item, key, found)
    if value is None:
        return {}
    return read_object(value, found.enter(key)) or {}


def _read_choices(value: JsonValue, answer: JsonObject | None, found: ProblemCollector) -> tuple[Choice, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not value:
        found.add("value_invalid", "'choices' is a list with at least one choice")
        return ()
    choices = [_read_choice(item, found.enter(number)) for number, item in enumerate(value)]
    texts = [choice.text for choice in choices]
    if len(set(texts)) != len(texts):
        found.add("name_taken", "two choices have the same words")
    for number, choice in enumerate(choices):
        if answer is not None and (problem := find_misfit(choice.value, answer)):
            found.enter(number).add("answer_invalid", f"choice {choice.text!r} does not fit 'answer': {problem}")
    return tuple(choices)


def _read_choice(item: JsonValue, found: ProblemCollector) -> Choice:
    if isinstance(item, str) and item.strip():
        return Choice(item, item)
    if isinstance(item, Mapping):
        check_keys(item, ("text", "value"), found)
        text = read_text(item, "text", found)
        if text is not None:
            return Choice(text, item.get("value", text))
    found.add("value_invalid", "a choice is a text, or has a 'text' and a 'value'", "quote words like 'yes' in YAML")
    return Choice("", None)


def _read_on_fail(value: JsonValue, found: ProblemCollector) -> OnFail:
    if value is None:
        return DEFAULT_ON_FAIL
    if value == "retry":
        return OnFail("retry", 1)
    if isinstance(value, str) and value in _SIMPLE_ACTIONS:
        return OnFail(cast("LastAction", value))
    if isinstance(value, Mapping) and "retry" in value:
        check_keys(value, ("retry", "then"), found)
        times, then = value["retry"], value.get("then", "stop")
        fits = isinstance(times, int) and not isinstance(times, bool) and 1 <= times <= MAX_RETRIES
        if fits and then in _SIMPLE_ACTIONS:
            return OnFail("retry", cast("int", times), cast("LastAction", then))
    hint = f"stop, continue, replan, retry, or {{retry: 1–{MAX_RETRIES}, then: stop}}"
    found.add("value_invalid", "'on_fail' is not understood", hint)
    return DEFAULT_ON_FAIL


def _read_milestones(value: JsonValue, steps: tuple[Step, ...], found: ProblemCollector) -> tuple[Milestone, ...]:
    read = [
        _read_milestone(item, number, steps, found.enter(number))
        for number, item in read_objects(value, found, 2 * MAX_STEPS)
    ]
    return tuple(milestone for milestone in read if milestone is not None)


def _read_milestone(
    item: JsonObject, number: int, steps: tuple[Step, ...], found: ProblemCollector
) -> Milestone | None:
    check_keys(item, ("name", "after", "check", "on_fail"), found)
    name = read_text(item, "name", found, max_chars=200) or f"milestone {number + 1}"
    after = read_text(item, "after", found) or (steps[-1].id if steps else "")
    on_fail = _read_on_fail(item.get("on_fail"), found.enter("on_fail"))
    if item.get("check") is None:
        found.add("value_missing", f"milestone {name!r} checks nothing", "add 'check' with a 'kind'")
        return None
    check = read_object(item["check"], found.enter("check"))
    read = None if check is None else read_check(check, found.enter("check"))
    return None if read is None else Milestone(name, after, read, on_fail)


def _read_constraints(value: JsonValue, found: ProblemCollector) -> Constraints:
    if value is None:
        return UNCONSTRAINED
    item = read_object(value, found)
    if item is None:
        return UNCONSTRAINED
    check_keys(item, ("allowed", "forbidden", "source"), found)
    source = item.get("source", "plan")
    if source not in get_args(ConstraintSource):
        hint = f"one of {', '.join(get_args(ConstraintSource))}"
        found.enter("source").add("value_invalid", f"{source!r} is no source", hint)
    allowed, forbidden = read_names(item, "allowed", found), read_names(item, "forbidden", found) or ()
    return Constraints(allowed, forbidden, cast("ConstraintSource", source))
