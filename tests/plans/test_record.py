"""How far a turn strayed."""

from metier.plans import Call, Done, Model, PlanRecord, Run, next_move
from tests.plans.support import plan, spec, specs

TOOLS = specs(spec("look"), spec("查询"))


def test_a_turn_without_calls_does_not_stray() -> None:
    assert PlanRecord().deviation.share == 0.0


def test_calls_are_on_the_plan_when_the_move_names_or_offers_them() -> None:
    run = Run.start(plan({"id": "a", "call": "look"}, {"id": "b", "tools": ["查询"]}))
    first = next_move(run, TOOLS)
    second = next_move(run.succeeded("a", {}), TOOLS)
    assert isinstance(first, Call)
    assert isinstance(second, Model)
    record = PlanRecord().moved(first).tool_called("look", first).tool_called("查询", first)
    record = record.moved(second).model_called().tool_called("查询", second).tool_called("rm", second).model_called()
    record = record.moved(Done())
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
    assert PlanRecord().tool_called("anything", None).deviation.share == 0.0


def test_a_call_at_the_end_strays() -> None:
    assert PlanRecord().tool_called("look", Done()).deviation.share == 1.0


def test_a_new_plan_is_counted() -> None:
    run = Run.start(plan({"id": "a", "call": "look", "on_fail": "replan"})).failed("a", "no")
    assert PlanRecord().moved(next_move(run)).replans == 1
