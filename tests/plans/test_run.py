"""Transitions: what moves a run, what does not, and what follows a failure."""

import pytest

from metier.errors import InvalidInput, UsageError
from metier.json_values import JsonObject, JsonValue
from metier.plans import (
    CallModel,
    CallTool,
    CheckMilestone,
    CheckResult,
    Done,
    Move,
    Plan,
    PlanReason,
    PlanRun,
    Stop,
    next_move,
    plan_from_json,
)
from tests.plans.support import plan, play

A: JsonObject = {"id": "a", "call": "look"}
B: JsonObject = {"id": "b", "call": "look", "with": {"q": "$.a.id"}}
NO = CheckResult(False, "no", "try", PlanReason("expression_false", {"expr": "$.a"}))
YES = CheckResult(True, "", "", PlanReason("check_passed"))


def _milestone(on_fail: JsonValue, name: str = "m", after: str = "a") -> JsonObject:
    return {"name": name, "after": after, "check": {"kind": "expr", "expr": "$.a.id"}, "on_fail": on_fail}


def _failing(move: Move) -> JsonValue:
    return None


def test_results_are_kept_under_save_or_the_id() -> None:
    run = PlanRun.start(plan({**A, "save": "found"}, {"id": "b", "call": "look"}))
    run = run.record_result("a", {"id": 1}).record_result("b", [2])
    assert run.data == {"found": {"id": 1}, "b": [2]}
    assert next_move(run) == Done(("a", "b"))


def test_a_run_is_never_changed() -> None:
    run = PlanRun.start(plan(A, B))
    run.record_result("a", {"id": 1})
    assert run == PlanRun.start(plan(A, B))


WRONG_TURNS = {
    "a step that is not there": lambda run: run.record_result("zz", 1),
    "a step before its turn": lambda run: run.record_result("b", 1),
    "an answer to a call": lambda run: run.record_answer("a", "yes"),
    "a milestone that is not due": lambda run: run.record_check("m", YES),
    "a plan nobody asked for": lambda run: run.replace_plan(run.plan),
    "a result after the end": lambda run: run.stop("enough").record_result("a", 1),
    "a doubled result": lambda run: run.record_result("a", {"id": 1}).record_result("a", {"id": 1}),
    "a result while a milestone is due": lambda run: run.record_result("a", {}).record_result("b", {}),
}


@pytest.mark.parametrize("turn", WRONG_TURNS.values(), ids=WRONG_TURNS.keys())
def test_what_is_not_due_does_not_move_the_run(turn: "object") -> None:
    run = PlanRun.start(plan(A, B, milestones=(_milestone("stop"),)))
    with pytest.raises(UsageError):
        turn(run)  # type: ignore[operator]


def test_arguments_for_a_question_are_refused() -> None:
    with pytest.raises(UsageError, match="calls nothing"):
        PlanRun.start(plan({"id": "a", "ask": "?"})).supply_arguments("a", {"q": 1})


def test_a_run_starts_with_known_data_only() -> None:
    with pytest.raises(UsageError, match="'secret'"):
        PlanRun.start(plan(A), {"secret": 1})
    with pytest.raises(InvalidInput, match="not JSON"):
        PlanRun.start(plan(A), {"message": float("inf")})


def test_a_result_that_is_not_json_is_refused_and_loses_nothing() -> None:
    run = PlanRun.start(plan(A))
    with pytest.raises(InvalidInput, match="result of step 'a'"):
        run.record_result("a", {"x": {1, 2}})  # type: ignore[dict-item]
    assert isinstance(next_move(run), CallTool)


def test_an_unexpected_result_is_a_failure() -> None:
    run = PlanRun.start(plan({**A, "expects": {"type": "object", "required": ["id"]}})).record_result("a", {"name": 1})
    end = next_move(run)
    assert isinstance(end, Stop)
    assert end.why.code == "unexpected_result"
    assert run.data == {}


FAILURES: dict[str, tuple[JsonValue, int, str]] = {
    "stop": ("stop", 1, "tool_failed"),
    "retry once": ("retry", 2, "tool_failed"),
    "retry three times": ({"retry": 3}, 4, "tool_failed"),
    "retry, then go on": ({"retry": 1, "then": "continue"}, 2, "done"),
    "continue": ("continue", 1, "done"),
    "replan twice": ("replan", 3, "replans_used_up"),
    "retry, then replan twice": ({"retry": 1, "then": "replan"}, 6, "replans_used_up"),
}


@pytest.mark.parametrize(("on_fail", "calls", "end"), FAILURES.values(), ids=FAILURES.keys())
def test_a_failing_step_does_what_its_plan_says(on_fail: JsonValue, calls: int, end: str) -> None:
    _, moves = play(PlanRun.start(plan({**A, "on_fail": on_fail})), _failing)
    assert sum(isinstance(move, CallTool) for move in moves) == calls
    last = moves[-1]
    assert (last.why.code if isinstance(last, Stop) else "done") == end


@pytest.mark.parametrize(("on_fail", "calls", "end"), FAILURES.values(), ids=FAILURES.keys())
def test_a_failing_milestone_does_what_its_plan_says(on_fail: JsonValue, calls: int, end: str) -> None:
    _, moves = play(PlanRun.start(plan(A, milestones=(_milestone(on_fail),))), lambda move: {"id": None})
    assert sum(isinstance(move, CallTool) for move in moves) == calls
    last = moves[-1]
    assert (last.why.code if isinstance(last, Stop) else "done").replace("expression_false", "tool_failed") == end


def test_a_retry_forgets_the_result_and_judges_every_milestone_of_the_step_again() -> None:
    run = PlanRun.start(plan(A, milestones=(_milestone("continue", "one"), _milestone("retry", "two"))))
    run = run.record_result("a", {"id": 1}).record_check("one", YES).record_check("two", NO)
    assert run.data == {}
    assert isinstance(next_move(run), CallTool)
    again = next_move(run.record_result("a", {"id": 2}))
    assert isinstance(again, CheckMilestone)
    assert again.milestone.name == "one"


def test_a_milestone_of_a_step_that_did_not_run_is_skipped_with_a_reason() -> None:
    run = PlanRun.start(plan({**A, "when": "$.message"}, milestones=(_milestone("stop"),)))
    assert next_move(run) == Done((), ("a",))
    judged = run.get_milestone_progress("m")
    assert judged.state == "skipped"
    assert judged.why is not None
    assert judged.why.text("zh") == "步骤 'a' 已跳过"


def test_a_step_that_needs_a_failed_one_is_skipped() -> None:
    run = PlanRun.start(plan({**A, "on_fail": "continue"}, {**B, "needs": ["a"]})).record_failure("a", "gone")
    assert next_move(run) == Done((), ("b",), ("a",))
    why = run.get_step_progress("b").why
    assert why is not None
    assert why.text() == "a step that it needs failed"


def test_a_condition_is_judged_after_the_milestone_that_may_change_the_data() -> None:
    steps = (A, {**B, "when": "$.a.id"})
    run = PlanRun.start(plan(*steps, milestones=(_milestone("retry"),))).record_result("a", {})
    assert run.get_step_progress("b").state == "pending"
    run = run.record_check("m", NO).record_result("a", {"id": 1}).record_check("m", YES)
    move = next_move(run)
    assert isinstance(move, CallTool)
    assert move.step.id == "b"


def _replanned(new: Plan) -> PlanRun:
    steps: tuple[JsonObject, ...] = (A, {**B, "on_fail": "replan"})
    run = PlanRun.start(plan(*steps), {"message": "m"}).record_result("a", {"id": 1}).record_failure("b", "broken")
    move = next_move(run)
    assert isinstance(move, CallModel)
    assert move.purpose == "replan"
    assert move.step is not None
    assert (move.step.id, move.why) == ("b", run.get_step_progress("b").why)
    return run.replace_plan(new)


def test_a_new_plan_keeps_what_is_done_and_the_same() -> None:
    run = _replanned(plan(A, {"id": "c", "call": "other", "with": {"q": "$.a.id"}}))
    move = next_move(run)
    assert isinstance(move, CallTool)
    assert (move.tool, move.arguments) == ("other", {"q": 1})


def test_a_new_plan_runs_what_it_has_changed() -> None:
    move = next_move(_replanned(plan({**A, "call": "better"})))
    assert isinstance(move, CallTool)
    assert move.tool == "better"


def test_a_new_plan_reads_results_that_it_was_given() -> None:
    new = plan_from_json(
        {"steps": [{"id": "c", "call": "other", "with": {"q": "$.a.id", "m": "$.message"}}], "given": ["a"]}
    )
    move = next_move(_replanned(new))
    assert isinstance(move, CallTool)
    assert move.arguments == {"q": 1, "m": "m"}


def test_stopping_from_outside_keeps_the_first_reason() -> None:
    run = PlanRun.start(plan(A)).stop("用户取消").stop("again")
    assert next_move(run) == Stop(PlanReason("stopped", {"message": "用户取消"}), "a")


ANSWERS: dict[str, tuple[JsonObject, JsonValue, JsonValue]] = {
    "any text": ({}, "随便", "随便"),
    "the words of a choice": ({"choices": [{"text": "要", "value": 1}]}, "要", 1),
    "in full width and other case": ({"choices": [{"text": "OK", "value": 1}]}, " ｏｋ ", 1),
    "the value of a choice": ({"choices": [{"text": "要", "value": 1}]}, 1, 1),
    "what a schema takes": ({"answer": {"type": "integer"}}, 5, 5),
}


@pytest.mark.parametrize(("asked", "answer", "kept"), ANSWERS.values(), ids=ANSWERS.keys())
def test_an_answer_that_fits_is_kept(asked: JsonObject, answer: JsonValue, kept: JsonValue) -> None:
    assert PlanRun.start(plan({"id": "a", "ask": "?", **asked})).record_answer("a", answer).data == {"a": kept}


MISFITS: dict[str, tuple[JsonObject, JsonValue]] = {
    "nothing": ({}, ""),
    "no text": ({}, 5),
    "other words": ({"choices": ["要"]}, "不"),
    "another type": ({"answer": {"type": "integer"}}, "5"),
}


@pytest.mark.parametrize(("asked", "answer"), MISFITS.values(), ids=MISFITS.keys())
def test_an_answer_that_does_not_fit_is_refused(asked: JsonObject, answer: JsonValue) -> None:
    with pytest.raises(InvalidInput, match="does not fit"):
        PlanRun.start(plan({"id": "a", "ask": "?", **asked})).record_answer("a", answer)
