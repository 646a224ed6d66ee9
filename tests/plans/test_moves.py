"""The next move: whose it is and what it carries."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from metier.json_values import JsonObject, JsonValue
from metier.limits import MAX_STEPS, _steps
from metier.plans import AskUser, CallModel, CallTool, Done, MissingArgument, PlanRun, Stop, next_move
from metier.tools import ToolSpec
from tests.plans.support import plan, spec, specs

TOOLS = specs(spec("look", "q", optional=("limit",)), spec("查询"), spec("rm"))


def test_a_plan_without_steps_is_done() -> None:
    assert next_move(PlanRun.start(plan())) == Done()


def test_a_step_without_call_or_question_is_the_models_within_the_plan() -> None:
    run = PlanRun.start(plan({"id": "think"}, constraints={"forbidden": ["rm"]}))
    assert next_move(run, TOOLS) == CallModel("act", run.plan.steps[0], ("look", "查询"))


def test_a_step_of_the_model_may_narrow_the_tools() -> None:
    run = PlanRun.start(plan({"id": "think", "tools": ["look", "rm"]}, constraints={"forbidden": ["rm"]}))
    move = next_move(run, TOOLS)
    assert isinstance(move, CallModel)
    assert move.tools == ("look",)


def test_a_question_is_never_filled_in() -> None:
    run = PlanRun.start(plan({"id": "a", "ask": "$.message {x} {{ 7*7 }}"}), {"message": "secret"})
    move = next_move(run)
    assert isinstance(move, AskUser)
    assert move.sentence == "$.message {x} {{ 7*7 }}"


def _call(arguments: JsonObject) -> PlanRun:
    return PlanRun.start(
        plan({"id": "a", "call": "look", "with": arguments}), {"message": "弱覆盖", "inputs": {"n": 3}}
    )


MISSING: dict[str, tuple[JsonObject, tuple[MissingArgument, ...]]] = {
    "found nothing": ({"q": "$.inputs.region"}, (MissingArgument("q", "q", "$.inputs.region"),)),
    "not written": ({}, (MissingArgument("q", "q"),)),
    "written as nothing": ({"q": None}, (MissingArgument("q", "q"),)),
    "a hole inside": ({"q": ["a", "$.profile.x"]}, (MissingArgument("q", "q.1", "$.profile.x"),)),
}


@pytest.mark.parametrize(("arguments", "missing"), MISSING.values(), ids=MISSING.keys())
def test_a_required_argument_without_a_value_is_asked_for(
    arguments: JsonObject, missing: tuple[MissingArgument, ...]
) -> None:
    move = next_move(_call(arguments), TOOLS)
    assert isinstance(move, CallModel)
    assert (move.purpose, move.tools, move.missing) == ("fill", ("look",), missing)


def test_without_the_tools_schema_every_hole_is_asked_for() -> None:
    move = next_move(_call({"q": "$.message", "limit": "$.inputs.none"}))
    assert isinstance(move, CallModel)
    assert [gap.argument for gap in move.missing] == ["limit"]
    assert move.known == {"q": "弱覆盖"}


NESTED: JsonObject = {
    "type": "object",
    "required": ["filter"],
    "properties": {
        "filter": {
            "type": "object",
            "required": ["cell"],
            "properties": {"cell": {"type": ["string", "null"]}, "grain": {"type": "string"}},
        }
    },
}


def test_an_optional_key_inside_is_left_out_and_null_stays_where_null_is_a_value() -> None:
    move = next_move(
        _call({"filter": {"cell": "$.inputs.cell", "grain": "$.inputs.grain"}}),
        {"look": ToolSpec("look", "", NESTED)},
    )
    assert isinstance(move, CallTool)
    assert move.arguments == {"filter": {"cell": None}}


MODES: JsonObject = {"type": "string", "enum": ["direct", "tracked"]}


@pytest.mark.parametrize(
    ("mode", "required", "arguments"),
    [
        ("$.inputs.said", [], {}),
        ("$.message", [], {"mode": "弱覆盖"}),
        ("", [], {"mode": ""}),
        ("$.inputs.said", ["mode"], {"mode": ""}),
    ],
    ids=["nothing was chosen", "something was", "the author wrote it", "the tool must have it"],
)
def test_an_optional_choice_that_was_found_empty_is_left_to_the_tool(
    mode: str, required: list[JsonValue], arguments: JsonObject
) -> None:
    parameters: JsonObject = {"type": "object", "required": required, "properties": {"mode": MODES}}
    run = PlanRun.start(
        plan({"id": "a", "call": "look", "with": {"mode": mode}}), {"message": "弱覆盖", "inputs": {"said": ""}}
    )
    move = next_move(run, {"look": ToolSpec("look", "", parameters)})
    assert isinstance(move, CallTool)
    assert move.arguments == arguments


def test_supplied_arguments_fill_holes_and_do_not_replace_what_the_plan_says() -> None:
    run = _call({"q": "$.inputs.region", "limit": "$.inputs.n"}).supply_arguments("a", {"q": "朝阳", "limit": 99})
    move = next_move(run, TOOLS)
    assert isinstance(move, CallTool)
    assert move.arguments == {"q": "朝阳", "limit": 3}


def test_a_supplied_argument_stands_in_for_a_hole_that_stays() -> None:
    run = _call({"q": ["$.profile.region"]}).supply_arguments("a", {"q": "朝阳"})
    move = next_move(run, TOOLS)
    assert isinstance(move, CallTool)
    assert move.arguments == {"q": "朝阳"}
    assert run.data == _call({}).data


def test_inputs_that_are_no_object_are_left_alone() -> None:
    run = PlanRun.start(plan({"id": "a", "call": "look", "with": {"q": "$.inputs.region"}}), {"inputs": [1]})
    filled = run.supply_arguments("a", {"q": "朝阳"})
    assert filled.data == {"inputs": [1]}
    assert isinstance(next_move(filled, TOOLS), CallTool)


def test_a_required_argument_without_a_described_schema_is_asked_for() -> None:
    bare = ToolSpec("look", "", {"type": "object", "properties": {"q": True}, "required": ["q"]})
    assert isinstance(next_move(_call({"q": "$.profile.x"}), {"look": bare}), CallModel)


@pytest.mark.parametrize("useless", [{}, {"q": None}, {"other": 1}], ids=["nothing", "null", "something else"])
def test_useless_arguments_end_the_run_after_three_attempts(useless: JsonObject) -> None:
    run = _call({"q": "$.profile.x"})
    for _ in range(3):
        assert isinstance(next_move(run, TOOLS), CallModel)
        run = run.supply_arguments("a", useless)
    end = next_move(run, TOOLS)
    assert isinstance(end, Stop)
    assert end.why.text() == "look still lacks q after 3 attempts"
    assert end.why.text("zh") == "look 补了 3 次参数仍缺少 q"


TOOL_NAMES: dict[str, tuple[JsonValue, str]] = {
    "known": ("查询", "call"),
    "unknown": ("nobody", "tool_unknown"),
    "forbidden": ("rm", "tool_not_allowed"),
    "not there": (None, "act"),
    "no name": (7, "act"),
}


@pytest.mark.parametrize(("name", "expected"), TOOL_NAMES.values(), ids=TOOL_NAMES.keys())
def test_a_tool_named_by_the_data_is_judged_when_it_is_called(name: JsonValue, expected: str) -> None:
    run = PlanRun.start(
        plan({"id": "a", "call": "$.inputs.tool"}, constraints={"forbidden": ["rm"]}), {"inputs": {"tool": name}}
    )
    move = next_move(run, TOOLS)
    found = move.why.code if isinstance(move, Stop) else move.purpose if isinstance(move, CallModel) else "call"
    assert found == expected


@contextmanager
def _few_steps() -> Iterator[None]:
    """A tenth of the steps, for a tenth of what a tool may give."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_steps, "MAX_STEPS", MAX_STEPS // 10)
        yield


def _large_run(**step: JsonValue) -> PlanRun:
    """Run of which the first step gave a tenth of what a tool may give."""
    run = PlanRun.start(plan({"id": "first", "call": "look", "with": {"q": "x"}}, {"id": "second", **step}))
    return run.record_result("first", {"rows": [{"id": n, "text": "x" * 20} for n in range(1_000)]})


TOO_LARGE: dict[str, dict[str, JsonValue]] = {
    "copies of the data": {"call": "look", "with": {"q": ["$.[@,@,@,@,@,@,@,@]"] * 30}},
    "a question that shows them": {"ask": "Which?", "show": ["$.first.rows[*].[@,@,@,@,@,@,@,@]"] * 30},
}


@pytest.mark.parametrize("step", TOO_LARGE.values(), ids=TOO_LARGE.keys())
def test_expressions_that_take_too_long_stop_the_plan(step: dict[str, JsonValue]) -> None:
    with _few_steps():
        move = next_move(_large_run(**step), TOOLS)
    assert isinstance(move, Stop)
    assert (move.why.code, move.step) == ("too_many_steps", "second")


def test_a_condition_that_takes_too_long_stops_the_plan_after_the_result_is_recorded() -> None:
    condition = "$.first.rows[*].[@,@,@,@,@,@,@,@][].[@,@,@,@,@,@,@] == `[]`"
    with _few_steps():
        run = _large_run(call="look", when=condition)
    assert run.stopped is not None
    assert run.stopped.why.code == "too_many_steps"
    assert run.get_step_progress("first").state == "done"
