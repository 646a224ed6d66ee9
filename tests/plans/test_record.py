"""How far a turn strayed."""

from metier.plans import CallModel, CallTool, Done, PlanRecord, PlanRun, next_move
from tests.plans.support import plan, spec, specs

TOOLS = specs(spec("look"), spec("查询"))


def test_a_turn_without_calls_does_not_stray() -> None:
    assert PlanRecord().deviation.share == 0.0


def test_calls_are_on_the_plan_when_the_move_names_or_offers_them() -> None:
    run = PlanRun.start(plan({"id": "a", "call": "look"}, {"id": "b", "tools": ["查询"]}))
    first = next_move(run, TOOLS)
    second = next_move(run.record_result("a", {}), TOOLS)
    assert isinstance(first, CallTool)
    assert isinstance(second, CallModel)
    record = PlanRecord().record_move(first).record_tool_call("look", first).record_tool_call("查询", first)
    record = (
        record.record_move(second)
        .record_model_call()
        .record_tool_call("查询", second)
        .record_tool_call("rm", second)
        .record_model_call()
    )
    record = record.record_move(Done())
    assert record.to_json() == {
        "share": 0.5,
        "tool_calls": 4,
        "off_plan": 2,
        "iterations": 2,
        "model_calls": 2,
        "asks": 0,
        "replans": 0,
        "strayed_to": {"rm": 1, "查询": 1},
    }


def test_without_a_plan_there_is_nothing_to_stray_from() -> None:
    assert PlanRecord().record_tool_call("anything", None).deviation.share == 0.0


def test_a_call_at_the_end_strays() -> None:
    assert PlanRecord().record_tool_call("look", Done()).deviation.share == 1.0


def test_a_new_plan_is_counted() -> None:
    run = PlanRun.start(plan({"id": "a", "call": "look", "on_fail": "replan"})).record_failure("a", "no")
    assert PlanRecord().record_move(next_move(run)).replans == 1
