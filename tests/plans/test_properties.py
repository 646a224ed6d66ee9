"""What holds for every plan and every result."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metier.json_values import JsonObject, JsonValue, load_json
from metier.plans import (
    AskUser,
    CallModel,
    CallTool,
    Done,
    Move,
    Plan,
    PlanRun,
    Stop,
    next_move,
    plan_from_json,
    read_plan,
    run_from_json,
    run_to_json,
    validate_model_plan,
)
from metier.plans._values import resolve_template
from tests.plans.strategies import NAMES, plan_jsons, plans, templates, values
from tests.plans.support import play, spec, specs, step

LENIENT = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
KNOWN = specs(spec("look", "q"), spec("查询"), spec("write_file", "region", optional=("q",)), spec("web.search", "q"))
DATA: JsonObject = {"message": "海淀弱覆盖", "inputs": {"id": 1, "rows": [{"id": 1, "x": 2}]}}


def _text(value: JsonObject) -> JsonValue:
    """Through real JSON text, as a store would keep it."""
    return load_json(json.dumps(value, ensure_ascii=False))


class Giver:
    """Gives the drawn results over and over; answers to questions always fit."""

    def __init__(self, results: list[JsonValue]) -> None:
        self._results, self._next = results, 0

    def __call__(self, move: Move) -> JsonValue:
        if isinstance(move, AskUser):
            return move.choices[0].value if move.choices else "好"
        self._next += 1
        return self._results[self._next % len(self._results)]


@LENIENT
@given(plans)
def test_every_plan_comes_back_from_its_json(plan: Plan) -> None:
    assert plan_from_json(_text(plan.to_json())) == plan


@LENIENT
@given(plans, st.lists(values, min_size=1, max_size=8), st.booleans())
def test_every_run_ends(plan: Plan, results: list[JsonValue], with_tools: bool) -> None:
    _, moves = play(PlanRun.start(plan, DATA), Giver(results), KNOWN if with_tools else {})
    assert isinstance(moves[-1], Done | Stop)
    # A plan is taken up three times at most, a step fails six times at most and fills three arguments each time.
    assert len(moves) <= 3 * (len(plan.steps) + len(plan.milestones) + 1) * 6 * 5


@LENIENT
@given(plans, st.lists(values, min_size=1, max_size=8))
def test_a_run_resumed_at_any_point_makes_the_same_moves(plan: Plan, results: list[JsonValue]) -> None:
    one, other = Giver(results), Giver(results)
    run = PlanRun.start(plan, DATA)
    resumed = run
    for _ in range(200):
        resumed = run_from_json(_text(run_to_json(resumed)))
        assert resumed == run
        move = next_move(run, KNOWN)
        assert next_move(resumed, KNOWN) == move
        if isinstance(move, Done | Stop):
            break
        run, resumed = step(run, move, one), step(resumed, move, other)


@LENIENT
@given(plans, st.lists(values, min_size=1, max_size=8))
def test_a_call_is_permitted_and_has_every_argument_it_requires(plan: Plan, results: list[JsonValue]) -> None:
    for move in play(PlanRun.start(plan, DATA), Giver(results), KNOWN)[1]:
        if isinstance(move, CallTool):
            assert plan.constraints.permits(move.tool)
            required = KNOWN[move.tool].parameters["required"]
            assert isinstance(required, list)
            assert all(move.arguments.get(str(name)) is not None for name in required)
        if isinstance(move, CallModel):
            assert all(plan.constraints.permits(tool) for tool in move.tools)


@LENIENT
@given(templates(2), st.dictionaries(st.sampled_from(["message", *NAMES[:2]]), values))
def test_resolving_never_raises_and_gives_json(template: JsonValue, data: dict[str, JsonValue]) -> None:
    found = resolve_template(template, data)
    assert load_json(json.dumps(found.value, ensure_ascii=False, allow_nan=False)) == found.value


@LENIENT
@given(st.text(max_size=40), values)
def test_any_text_after_the_dollar_is_refused_or_harmless(text: str, data: JsonValue) -> None:
    reading = read_plan({"steps": [{"id": "a", "call": "look", "with": {"q": f"$.{text}"}}]})
    if reading.plan is not None:
        found = next_move(PlanRun.start(reading.plan, {"message": data}))
        assert isinstance(found, CallTool | CallModel)
    else:
        assert {problem.code for problem in reading.problems} <= {"expression_invalid", "unknown_name", "plan_cycle"}


@given(st.integers(1, 8), st.data())
def test_a_circle_is_always_refused(size: int, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(size)))
    ids = [f"s{number}" for number in order]
    by_reading = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    steps: list[JsonObject] = []
    for number, step_id in enumerate(ids):
        before = ids[number - 1]  # the first waits for the last
        reads = {"with": {"q": f"$.{before}.id"}} if by_reading[number] else {"needs": [before]}
        steps.append({"id": step_id, "title": "t", "call": "look", **reads})
    steps = data.draw(st.permutations(steps))
    written: JsonObject = {"goal": "g", "steps": steps}
    assert "plan_cycle" in {problem.code for problem in read_plan(written).problems}
    assert "plan_cycle" in {problem.code for problem in validate_model_plan(written, tools=KNOWN).problems}


@LENIENT
@given(values)
def test_no_json_makes_a_reader_raise(value: JsonValue) -> None:
    assert (read_plan(value).plan is None) == bool(read_plan(value).problems)
    found = validate_model_plan({"goal": "g", "steps": value}, tools=KNOWN)
    assert (found.plan is None) == bool(found.problems)


@LENIENT
@given(plan_jsons(), st.data())
def test_a_broken_plan_is_told_and_not_raised(written: JsonObject, data: st.DataObject) -> None:
    steps = [dict(each) for each in written["steps"] if isinstance(each, dict)]  # type: ignore[union-attr]
    if not steps:
        return
    broken = data.draw(st.sampled_from(steps))
    broken[data.draw(st.sampled_from([*broken, "wehn"]))] = data.draw(values)
    found = read_plan({**written, "steps": steps})
    assert (found.plan is None) == bool(found.problems)


@LENIENT
@given(plan_jsons())
def test_a_models_plan_keeps_every_step_that_something_waits_for(written: JsonObject) -> None:
    found = validate_model_plan({**written, "milestones": []}, tools=KNOWN)
    if found.plan is None:
        return
    kept = {step.id for step in found.plan.steps}
    assert kept.isdisjoint(found.dropped)
    assert all(set(step.needs) <= kept for step in found.plan.steps)
    assert plan_from_json(_text(found.plan.to_json())) == found.plan
