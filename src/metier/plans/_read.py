"""Parses a plan from JSON: everything is checked before anything runs, and all problems are reported at once."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, cast, get_args

from metier.errors import InvalidInput
from metier.jsons import JsonObject, JsonValue
from metier.plans._fields import (
    expression_of,
    known_keys,
    name_of,
    names_of,
    object_of,
    objects_of,
    schema_of,
    template_of,
    text_of,
)
from metier.plans._kinds import read_check
from metier.plans._links import check_links
from metier.plans._plain import plain
from metier.plans._plan import (
    FREE,
    PLAN_VERSION,
    STOP,
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
from metier.plans._problems import Findings, Problem
from metier.plans._schemas import misfit

MOST_STEPS: Final = 50
MOST_TIMES: Final = 5
_PLAN_KEYS: Final = ("version", "goal", "source", "task_type", "steps", "constraints", "milestones", "given")
_STEP_KEYS: Final = (
    *("id", "title", "call", "with", "arguments", "ask", "choices", "answer", "show"),
    *("when", "save", "expects", "needs", "tools", "on_fail"),
)
_OWNERS: Final = (("with", "call"), ("arguments", "call"), ("choices", "ask"), ("answer", "ask"), ("show", "ask"))
_SIMPLE_ACTIONS: Final = get_args(LastAction)


@dataclass(frozen=True, slots=True)
class PlanReading:
    """A plan, or the problems that prevent it."""

    plan: Plan | None
    problems: tuple[Problem, ...] = ()


def read_plan(value: JsonValue) -> PlanReading:
    """Parse a plan written by `to_json` or by hand; with any problem the plan is None."""
    found = Findings()
    try:
        item = object_of(plain(value, "the plan"), found)
    except InvalidInput as error:
        found.add("value_invalid", error.message, error.hint)
        item = None
    plan = None if item is None else shape_of(item, found)
    if plan is not None and not found.problems:
        check_links(plan, found)
    return PlanReading(None if found.problems else plan, tuple(found.problems))


def plan_from_json(value: JsonValue) -> Plan:
    """Parse a plan; `InvalidInput` names the first problem and counts the others."""
    reading = read_plan(value)
    if reading.plan is None:
        raise InvalidInput(summary(reading.problems), hint=reading.problems[0].hint)
    return reading.plan


def summary(problems: tuple[Problem, ...]) -> str:
    """The first problem as a sentence, and how many more there are."""
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{problems[0].path or '/'}: {problems[0].message}{more}"


def shape_of(item: JsonObject, found: Findings) -> Plan | None:
    """Read each field separately; references between steps are checked by `check_links`."""
    known_keys(item, _PLAN_KEYS, found)
    if item.get("version", PLAN_VERSION) != PLAN_VERSION:
        hint = "update Metier, or plan again"
        found.at("version").add("value_invalid", f"version {item['version']!r} is not {PLAN_VERSION}", hint)
    goal = item.get("goal", "")
    if not isinstance(goal, str) or not isinstance(item.get("task_type", ""), str):
        found.at("goal").add("value_invalid", "'goal' and 'task_type' are texts")
    source = item.get("source", "none")
    if source not in get_args(PlanSource):
        found.at("source").add("value_invalid", f"{source!r} is no source", f"one of {', '.join(get_args(PlanSource))}")
    steps = _steps(item.get("steps"), found.at("steps"))
    milestones = _milestones(item.get("milestones"), steps, found.at("milestones"))
    constraints = _constraints(item.get("constraints"), found.at("constraints"))
    given = names_of(item, "given", found) or ()
    if found.problems:
        return None
    task_type = str(item.get("task_type", ""))
    return Plan(str(goal), cast("PlanSource", source), task_type, steps, constraints, milestones, given)


def _steps(value: JsonValue, found: Findings) -> tuple[Step, ...]:
    return tuple(_step(item, number, found.at(number)) for number, item in objects_of(value, found, MOST_STEPS))


def _step(item: JsonObject, number: int, found: Findings) -> Step:
    step_id = name_of(item, "id", found) or f"step_{number + 1}"
    found = found.at(step=step_id)
    known_keys(item, _STEP_KEYS, found)
    return replace(
        _action(step_id, item, found),
        title=text_of(item, "title", found) or "",
        when=expression_of(item, "when", found),
        save=name_of(item, "save", found),
        expects=schema_of(item, "expects", found),
        needs=names_of(item, "needs", found) or (),
        on_fail=_on_fail(item.get("on_fail"), found.at("on_fail")),
    )


def _action(step_id: str, item: JsonObject, found: Findings) -> Step:
    """Read what the step does: call a tool, ask the user, or neither."""
    call, ask = text_of(item, "call", found), text_of(item, "ask", found)
    if call is not None and call.startswith("$"):
        call = expression_of(item, "call", found)
    if item.get("call") is not None and item.get("ask") is not None:
        found.add("step_two_actions", "a step calls or asks, not both", "make it two steps")
    for key, owner in _OWNERS:
        if item.get(key) is not None and item.get(owner) is None:
            found.at(key).add("step_incomplete", f"{key!r} belongs to {owner!r}, which this step lacks")
    if item.get("tools") is not None and (call or ask):
        found.at("tools").add("step_incomplete", "'tools' narrows a step of the model; this one calls or asks")
    answer = schema_of(item, "answer", found)
    return Step(
        step_id,
        call=call,
        arguments=_arguments(item, found),
        ask=ask,
        choices=_choices(item.get("choices"), answer, found.at("choices")),
        answer=answer,
        show=template_of(item, "show", found),
        tools=names_of(item, "tools", found),
    )


def _arguments(item: JsonObject, found: Findings) -> JsonObject:
    if item.get("with") is not None and item.get("arguments") is not None:
        found.add("name_taken", "'with' and 'arguments' are the same thing", "keep 'with'")
    key = "with" if item.get("arguments") is None else "arguments"
    value = template_of(item, key, found)
    if value is None:
        return {}
    return object_of(value, found.at(key)) or {}


def _choices(value: JsonValue, answer: JsonObject | None, found: Findings) -> tuple[Choice, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not value:
        found.add("value_invalid", "'choices' is a list with at least one choice")
        return ()
    choices = [_choice(item, found.at(number)) for number, item in enumerate(value)]
    texts = [choice.text for choice in choices]
    if len(set(texts)) != len(texts):
        found.add("name_taken", "two choices have the same words")
    for number, choice in enumerate(choices):
        if answer is not None and (problem := misfit(choice.value, answer)):
            found.at(number).add("answer_invalid", f"choice {choice.text!r} does not fit 'answer': {problem}")
    return tuple(choices)


def _choice(item: JsonValue, found: Findings) -> Choice:
    if isinstance(item, str) and item.strip():
        return Choice(item, item)
    if isinstance(item, Mapping):
        known_keys(item, ("text", "value"), found)
        text = text_of(item, "text", found)
        if text is not None:
            return Choice(text, item.get("value", text))
    found.add("value_invalid", "a choice is a text, or has a 'text' and a 'value'", "quote words like 'yes' in YAML")
    return Choice("", None)


def _on_fail(value: JsonValue, found: Findings) -> OnFail:
    if value is None:
        return STOP
    if value == "retry":
        return OnFail("retry", 1)
    if isinstance(value, str) and value in _SIMPLE_ACTIONS:
        return OnFail(cast("LastAction", value))
    if isinstance(value, Mapping) and "retry" in value:
        known_keys(value, ("retry", "then"), found)
        times, then = value["retry"], value.get("then", "stop")
        fits = isinstance(times, int) and not isinstance(times, bool) and 1 <= times <= MOST_TIMES
        if fits and then in _SIMPLE_ACTIONS:
            return OnFail("retry", cast("int", times), cast("LastAction", then))
    hint = f"stop, continue, replan, retry, or {{retry: 1–{MOST_TIMES}, then: stop}}"
    found.add("value_invalid", "'on_fail' is not understood", hint)
    return STOP


def _milestones(value: JsonValue, steps: tuple[Step, ...], found: Findings) -> tuple[Milestone, ...]:
    read = [
        _milestone(item, number, steps, found.at(number)) for number, item in objects_of(value, found, 2 * MOST_STEPS)
    ]
    return tuple(milestone for milestone in read if milestone is not None)


def _milestone(item: JsonObject, number: int, steps: tuple[Step, ...], found: Findings) -> Milestone | None:
    known_keys(item, ("name", "after", "check", "on_fail"), found)
    name = text_of(item, "name", found, most=200) or f"milestone {number + 1}"
    after = text_of(item, "after", found) or (steps[-1].id if steps else "")
    on_fail = _on_fail(item.get("on_fail"), found.at("on_fail"))
    if item.get("check") is None:
        found.add("value_missing", f"milestone {name!r} checks nothing", "add 'check' with a 'kind'")
        return None
    check = object_of(item["check"], found.at("check"))
    read = None if check is None else read_check(check, found.at("check"))
    return None if read is None else Milestone(name, after, read, on_fail)


def _constraints(value: JsonValue, found: Findings) -> Constraints:
    if value is None:
        return FREE
    item = object_of(value, found)
    if item is None:
        return FREE
    known_keys(item, ("allowed", "forbidden", "source"), found)
    source = item.get("source", "plan")
    if source not in get_args(ConstraintSource):
        hint = f"one of {', '.join(get_args(ConstraintSource))}"
        found.at("source").add("value_invalid", f"{source!r} is no source", hint)
    allowed, forbidden = names_of(item, "allowed", found), names_of(item, "forbidden", found) or ()
    return Constraints(allowed, forbidden, cast("ConstraintSource", source))
