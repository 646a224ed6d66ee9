"""The six steps of a coverage analysis, from a skill file to the last chart."""

from collections.abc import Callable, Mapping

import pytest

from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.plans import (
    AskUser,
    CallModel,
    CallTool,
    CheckMilestone,
    Done,
    Move,
    PlanRecord,
    PlanRun,
    Stop,
    compile_sop,
    next_move,
)
from metier.tools import ToolSpec
from tests.plans.support import play, spec, specs, step, telecom_skill

SENTENCE = "根因已经查清（见上表）。要不要为 {这个场景} 做一次优化仿真？ $.cause"
ROWS: JsonValue = [{"cell": "海淀-17", "rsrp": -117}]
RESULTS: Mapping[str, JsonObject] = {
    "search_terminology": {"items": [{"indicator": "RSRP"}, {"indicator": "MR覆盖率"}]},
    "search_design_doc": {"grain": "cell"},
    "match_scenario": {"matches": [{"id": "dt-42"}, {"id": "dt-7"}]},
    "query_root_cause_analysis": {"rows": ROWS},
    "query_simulation_results": {"rows": [{"cell": "海淀-17", "rsrp": -101}]},
    "compare_simulation_data": {"chart": "grouped_bar_chart"},
}
TOOLS = specs(
    spec("search_terminology", "query"),
    spec("search_design_doc", "query", optional=("limit",)),
    spec("match_scenario", "region", "problem"),
    ToolSpec("query_root_cause_analysis", "", {"type": "object", "required": ["digitaltwins_id"], "properties": {}}),
    spec("query_simulation_results", "digitaltwins_id"),
    spec("compare_simulation_data", "before", "after", "chart"),
)
KNOWN: JsonObject = {"message": "海淀这片信号差，看看弱覆盖", "inputs": {"region": "海淀", "problem": "弱覆盖"}}


def _give(answer: JsonValue, results: Mapping[str, JsonObject] = RESULTS) -> Callable[[Move], JsonValue]:
    def give(move: Move) -> JsonValue:
        return results[move.tool] if isinstance(move, CallTool) else answer

    return give


def _started(data: JsonObject = KNOWN) -> PlanRun:
    return PlanRun.start(compile_sop(telecom_skill()), data)


def test_the_whole_flow_runs_without_the_model_when_the_data_is_there() -> None:
    run, moves = play(_started(), _give("要"), TOOLS)
    assert not [move for move in moves if isinstance(move, CallModel)]
    assert moves[-1] == Done(("terms", "guide", "match", "cause", "confirm", "simulate", "compare"))
    assert run.data["compare"] == {"chart": "grouped_bar_chart"}
    assert (
        run.get_milestone_progress("根因表非空").state == run.get_milestone_progress("指标与覆盖有关").state == "passed"
    )


def test_arguments_come_from_the_steps_before_and_a_missing_optional_one_is_left_out() -> None:
    _, moves = play(_started(), _give("要"), TOOLS)
    calls = {move.step.id: move.arguments for move in moves if isinstance(move, CallTool)}
    assert calls["guide"] == {"query": KNOWN["message"]}
    assert calls["cause"] == {
        "digitaltwins_id": "dt-42",
        "indicators": ["RSRP", "MR覆盖率"],
        "filter": {"grain": "cell", "note": "$cell"},
    }
    assert calls["compare"]["before"] == ROWS


def test_the_question_is_asked_word_for_word_with_the_table_beside_it() -> None:
    run = _started()
    while not isinstance(move := next_move(run, TOOLS), AskUser):
        if isinstance(move, CheckMilestone):
            run = step(run, move, _give("要"))
        else:
            assert isinstance(move, CallTool)
            run = run.record_result(move.step.id, RESULTS[move.tool])
    assert move.sentence == SENTENCE
    assert move.show == {"table": ROWS}
    assert [choice.text for choice in move.choices] == ["要", "不用了"]
    assert move.schema == {"enum": [True, False]}
    with pytest.raises(InvalidInput, match="confirm"):
        run.record_answer("confirm", "随便")
    assert next_move(run, TOOLS) == move


@pytest.mark.parametrize("answer", [False, "不用了", " 不用了 "], ids=["a value", "words", "words with spaces"])
def test_a_no_skips_what_depends_on_it_and_keeps_the_reason(answer: JsonValue) -> None:
    run, moves = play(_started(), _give(answer), TOOLS)
    assert moves[-1] == Done(("terms", "guide", "match", "cause", "confirm"), ("simulate", "compare"))
    why = run.get_step_progress("simulate").why
    assert why is not None
    assert (why.text(), why.text("zh")) == ("not needed this time", "本次不需要")
    needed = run.get_step_progress("compare").why
    assert needed is not None
    assert needed.text("zh") == "它依赖的一步这次没有做"


def test_a_region_nobody_named_is_asked_for_once_with_a_form() -> None:
    run = _started({"message": "信号差", "inputs": {"problem": "弱覆盖"}})
    for step_id, tool in (("terms", "search_terminology"), ("guide", "search_design_doc")):
        run = run.record_result(step_id, RESULTS[tool])
        if isinstance(due := next_move(run, TOOLS), CheckMilestone):
            run = step(run, due, _give("要"))
    move = next_move(run, TOOLS)
    assert isinstance(move, CallModel)
    assert (move.purpose, move.tools, move.known) == ("fill", ("match_scenario",), {"problem": "弱覆盖"})
    assert [gap.to_json() for gap in move.missing] == [
        {"argument": "region", "path": "region", "expression": "$.inputs.region"}
    ]
    assert move.schema == {
        "type": "object",
        "properties": {"region": {"type": "string"}},
        "required": ["region"],
        "additionalProperties": False,
    }
    filled = run.supply_arguments("match", {"region": "朝阳"})
    called = next_move(filled, TOOLS)
    assert isinstance(called, CallTool)
    assert called.arguments == {"region": "朝阳", "problem": "弱覆盖"}
    assert filled.data["inputs"] == {"problem": "弱覆盖", "region": "朝阳"}


def test_an_empty_root_cause_is_looked_up_once_more_and_then_ends_the_run() -> None:
    results = {**RESULTS, "query_root_cause_analysis": {"rows": []}}
    _, moves = play(_started(), _give("要", results), TOOLS)
    assert [move.step.id for move in moves if isinstance(move, CallTool)][-2:] == ["cause", "cause"]
    assert isinstance(moves[-1], Stop)
    assert (moves[-1].step, moves[-1].milestone, moves[-1].why.code) == ("cause", "根因表非空", "expression_false")


def test_no_scenario_is_not_what_was_expected_and_ends_the_run() -> None:
    results = {**RESULTS, "match_scenario": {"matches": []}}
    _, moves = play(_started(), _give("要", results), TOOLS)
    assert isinstance(moves[-1], Stop)
    assert moves[-1].why.code == "unexpected_result"
    assert "matches" in moves[-1].why.text()


def test_a_run_on_the_plan_does_not_stray() -> None:
    record = PlanRecord()
    for move in play(_started(), _give("要"), TOOLS)[1]:
        record = record.record_move(move)
        if isinstance(move, CallTool):
            record = record.record_tool_call(move.tool, move)
    assert record.to_json() == {
        "share": 0.0,
        "tool_calls": 6,
        "off_plan": 0,
        "iterations": 7,
        "model_calls": 0,
        "asks": 1,
        "replans": 0,
        "strayed_to": {},
    }
