"""A turn's events become telemetry with the names that were promised, with times and without words."""

import json

import pytest

from metier.json_values import JsonObject, JsonValue
from metier.store import EVENT_KINDS, Event
from metier.telemetry import EVENT_NAMES, TelemetryEvent
from metier.telemetry._envelope import make_span_id, make_trace_id
from tests.telemetry.support import TURN, runtime_event, translated, turn_of

_ROUTED: JsonObject = {
    "verdict": "auto",
    "route": "search",
    "skill": "weak-coverage",
    "skills": ["weak-coverage"],
    "candidates": [
        {"skill": "weak-coverage", "score": 0.91, "trigger_hits": ["弱覆盖"]},
        {"skill": "shop-order", "score": 0.31, "trigger_hits": []},
    ],
    "notes": [],
    "vectors": True,
    "elapsed_ms": 4.0,
}
_TURN = turn_of(
    ("turn.started", 0, {"message": "东城弱覆盖怎么办", "skill": None}),
    ("skill.routed", 10, _ROUTED),
    ("skill.activated", 10, {"skill": "weak-coverage", "title": "弱覆盖", "why": "the router is sure", "digest": "d1"}),
    (
        "context.built",
        900,
        {"phase": "work", "skill": "weak-coverage", "tokens": 500, "limit_tokens": 6000, "sections": [], "offered": []},
    ),
    ("usage", 900, {"input_tokens": 500, "output_tokens": 20}),
    ("tool.called", 900, {"call": "c1", "tool": "match_scene", "arguments": {"region": "东城"}}),
    ("tool.result", 950, {"call": "c1", "tool": "match_scene", "ok": True, "state": "done", "data": {"id": "S-7"}}),
    ("tool.violation", 960, {"call": "c2", "tool": "shell", "code": "not_allowed", "layer": "skill", "reason": "no"}),
    ("tool.result", 960, {"call": "c2", "tool": "shell", "ok": False, "state": "refused", "content": "no"}),
    (
        "context.built",
        1000,
        {"phase": "work", "skill": "weak-coverage", "tokens": 600, "limit_tokens": 6000, "sections": [], "offered": []},
    ),
    ("text.delta", 1000, {"text": "建议"}),
    ("text.delta", 1100, {"text": "下压天线"}),
    ("text.done", 1200, {"text": "建议下压天线"}),
    ("turn.done", 1200, {"skill": "weak-coverage", "plan": None, "model_calls": 2, "tool_calls": 1, "refusals": 1}),
)


def _one(events: list[TelemetryEvent], name: str) -> JsonObject:
    (found,) = [event.payload for event in events if event.event_name == name]
    return found


def test_a_turn_is_told_under_the_promised_names() -> None:
    names = [event.event_name for event in translated(_TURN)]
    assert names == [
        "chat.turn_start",
        "skills.selected",
        "skills.activated",
        "context.built",
        "chat.llm_call",
        "tool.called",
        "tool.done",
        "tool.violation",
        "tool.done",
        "context.built",
        "chat.llm_call",
        "skills.applied",
        "chat.turn_done",
    ]
    assert set(names) <= EVENT_NAMES.keys()


def test_no_word_of_the_user_the_model_or_a_tool_is_kept() -> None:
    kept = json.dumps([event.to_json() for event in translated(_TURN)], ensure_ascii=False)
    for word in ("怎么办", "东城", "下压天线", "S-7", "建议"):
        assert word not in kept
    said = json.dumps([event.to_json() for event in translated(_TURN, content=True)], ensure_ascii=False)
    for word in ("怎么办", "东城", "下压天线", "S-7"):
        assert word in said


def test_the_router_is_told_with_scores_and_margin() -> None:
    selected = _one(translated(_TURN), "skills.selected")
    assert selected["score"] == 0.91
    assert selected["margin"] == 0.6
    assert selected["elapsed_ms"] == 4.0
    assert selected["candidates"] == [
        {"skill": "weak-coverage", "score": 0.91, "trigger_hits": 1},
        {"skill": "shop-order", "score": 0.31, "trigger_hits": 0},
    ]


def test_the_end_of_a_turn_has_its_totals() -> None:
    done = _one(translated(_TURN), "chat.turn_done")
    assert done["ok"] is True
    assert done["outcome"] == "done"
    assert done["elapsed_ms"] == 1200
    assert done["first_token_ms"] == 1000
    assert done["tool_ms"] == 50
    assert done["model_calls"] == 2
    answer = done["answer"]
    assert isinstance(answer, dict)
    assert answer["chars"] == 6


def test_a_call_of_the_model_counts_from_what_was_stored_before_it() -> None:
    first, second = [event.payload for event in translated(_TURN) if event.event_name == "chat.llm_call"]
    assert first == {
        "model": "openai:gpt-5",
        "input_tokens": 500,
        "output_tokens": 20,
        "elapsed_ms": 890,
        "timing": "events",
    }
    assert second == {"model": "openai:gpt-5", "elapsed_ms": 240, "timing": "events"}  # it does not say what it used


def test_reasoning_is_part_of_the_models_call_and_not_kept() -> None:
    thinking = turn_of(
        ("context.built", 0, {"phase": "work", "tokens": 5, "limit_tokens": 6, "sections": [], "offered": []}),
        ("reasoning.delta", 300, {"text": "秘密"}),
        ("reasoning.done", 400, {"text": "秘密", "elapsed_ms": 100.0}),
        ("usage", 900, {"input_tokens": 5, "output_tokens": 2}),
    )
    told = translated(thinking)
    assert [event.event_name for event in told] == ["context.built", "chat.llm_call"]
    assert _one(told, "chat.llm_call")["elapsed_ms"] == 900
    assert "秘密" not in json.dumps([event.payload for event in told], ensure_ascii=False, default=dict)


def test_a_measured_time_wins() -> None:
    events = turn_of(
        ("turn.started", 0, {"message": "hi"}),
        ("usage", 700, {"input_tokens": 1, "output_tokens": 1, "elapsed_ms": 650.5, "model": "ollama:qwen3"}),
    )
    call = _one(translated(events), "chat.llm_call")
    assert call["elapsed_ms"] == 650.5
    assert call["timing"] == "measured"
    assert call["model"] == "ollama:qwen3"


@pytest.mark.parametrize(
    ("last", "outcome", "code"),
    [
        (("turn.failed", 50, {"code": "model_failed", "message": "timeout"}), "failed", "model_failed"),
        (("error", 50, {"code": "interrupted", "message": "gone"}), "interrupted", "interrupted"),
        (("error", 50, {"code": "stopped", "message": "已停止"}), "stopped", "stopped"),
    ],
    ids=["failed", "interrupted", "stopped"],
)
def test_a_turn_that_did_not_end_well_is_told_as_ended(last: tuple[object, ...], outcome: str, code: str) -> None:
    events = turn_of(("turn.started", 0, {"message": "hi"}), last)  # type: ignore[arg-type]
    done = _one(translated(events), "chat.turn_done")
    assert (done["ok"], done["outcome"], done["code"], done["elapsed_ms"]) == (False, outcome, code, 50)


def test_an_error_that_ends_nothing_stays_an_error() -> None:
    events = turn_of(("turn.started", 0, {"message": "hi"}), ("error", 1, {"code": "no_answer", "message": "…"}))
    assert [event.event_name for event in translated(events)] == ["chat.turn_start", "error"]


def test_a_pause_ends_what_is_measured_and_the_answer_begins_anew() -> None:
    events = turn_of(
        ("turn.started", 0, {"message": "退款"}),
        ("pause.opened", 100, {"pause": "p", "kind": "approval", "purpose": "approve", "text": "同意吗"}),
        ("pause.answered", 90_000, {"pause": "p", "purpose": "approve", "answer": {"decision": "approve"}}),
        ("turn.done", 90_020, {"model_calls": 0}),
    )
    made = translated(events)
    assert [event.payload.get("elapsed_ms") for event in made] == [None, 100, 0, 20]
    assert made[0].span_id == made[1].span_id != made[2].span_id == made[3].span_id
    assert len({event.trace_id for event in made}) == 1


def test_a_search_is_told_as_retrieval() -> None:
    web: JsonObject = {"retrieved": "web"}
    found: JsonObject = {"source": "local", "query": "弱覆盖", "results": [{}, {}]}
    events = turn_of(
        ("tool.called", 0, {"call": "c", "tool": "web_search", "arguments": {"query": "弱覆盖"}}),
        ("tool.result", 5, {"call": "c", "tool": "web_search", "ok": True, "data": found, "elapsed_ms": 4.5, **web}),
    )
    retrieved = _one(translated(events), "rag.retrieve")
    assert (retrieved["hits"], retrieved["source"], retrieved["elapsed_ms"]) == (2, "local", 4.5)


def test_every_result_of_a_retriever_is_told_whatever_its_keys_are() -> None:
    cases: dict[str, tuple[str, JsonValue, int | None]] = {
        "own key": ("knowledge", {"chapters": [1, 2, 3]}, 3),
        "counted": ("knowledge", {"found": 7, "material": [1, 2]}, 7),
        "documents": ("web", {"documents": 4, "options": [1, 2]}, 4),
        "nothing": ("knowledge", {"found": False, "answer": "?"}, 0),
        "empty list beside columns": ("knowledge", {"columns": ["a", "b", "c"], "rows": []}, 0),
        "total beside results": ("web", {"total": 812, "results": [1, 2]}, 2),
        "total alone": ("web", {"total": 812}, 812),
        "nothing in words": ("knowledge", {"answer": "Nothing was found for it."}, 0),
        "nothing in a text": ("knowledge", "没有找到相关内容。", 0),
        "text": ("knowledge", "a passage", 1),
        "list": ("cases", ["a", "b"], 2),
        "memory kept": ("memory", {"id": "m", "new": True}, None),
        "memory recalled": ("memory", {"memories": []}, 0),
    }
    for name, (retriever, data, hits) in cases.items():
        result: JsonObject = {"call": "c", "tool": "x", "ok": True, "data": data, "retrieved": retriever}
        told = [one.payload for one in translated(turn_of(("tool.result", 5, result)))]
        found = [one["hits"] for one in told if "retriever" in one]
        assert found == ([] if hits is None else [hits]), name


def test_a_plan_that_another_process_began_counts_as_applied_after_the_answer() -> None:
    events = turn_of(
        ("pause.answered", 0, {"pause": "p", "purpose": "ask", "answer": False}),
        ("text.done", 5, {"text": "好的"}),
        ("turn.done", 9, {"skill": "coverage", "plan": {"state": "done"}, "model_calls": 0}),
    )
    assert _one(translated(events), "skills.applied")["skill"] == "coverage"


def test_steps_and_milestones_are_told() -> None:
    events = turn_of(
        ("step.started", 0, {"step": "find", "title": "查找"}),
        ("step.done", 30, {"step": "find", "title": "查找", "state": "done", "why": ""}),
        ("milestone.failed", 31, {"milestone": "found", "step": "find", "reason": "no row"}),
    )
    made = [(event.event_name, event.payload) for event in translated(events)]
    assert made[1] == ("plan.step", {"phase": "done", "step": "find", "state": "done", "elapsed_ms": 30})
    assert made[2][1]["passed"] is False


@pytest.mark.parametrize("kind", sorted(EVENT_KINDS))
@pytest.mark.parametrize(
    "data",
    [{}, {"candidates": 5, "sections": "x", "arguments": [1], "plan": 1, "error": "x", "elapsed_ms": "x", "text": 1}],
    ids=["empty", "odd"],
)
def test_no_kind_of_event_makes_it_stumble(kind: str, data: JsonObject) -> None:
    made = translated([Event("talk", None, 1, runtime_event("error").at, kind, data)])  # type: ignore[arg-type]
    assert {event.event_name for event in made} <= EVENT_NAMES.keys()


def test_ids_follow_from_the_turn_alone() -> None:
    again = [event.event_id for event in translated(_TURN)]
    assert [event.event_id for event in translated(_TURN)] == again
    assert len(set(again)) == len(again)
    assert make_trace_id(TURN) == TURN
    assert len(make_trace_id("a turn with its own name")) == 32
    assert make_trace_id("0" * 32) != "0" * 32  # a trace of zeros is none
    assert make_span_id(TURN, "a") != make_span_id(TURN, "b")


def test_a_written_plan_is_told_by_its_counts_and_the_skill_by_what_was_written() -> None:
    execution: JsonObject = {
        "host_app": "wps",
        "mode": "tracked",
        "plan": "plan-1",
        "skill": "contract-review",
        "ok": True,
        "applied": 3,
        "skipped": 1,
        "repairs": 0,
        "elapsed_ms": 12.5,
        "operations": {"add_comment": 3, "定金": "x"},
    }
    result: JsonObject = {"summary": "定金超过百分之二十", "execution": execution}
    events = translated(
        turn_of(
            ("tool.called", 0, {"call": "c1", "tool": "write_document", "arguments": {}}),
            ("tool.result", 9, {"call": "c1", "tool": "write_document", "ok": True, "state": "done", "data": result}),
            ("turn.done", 10, {"skill": "contract-review"}),
        )
    )
    assert _one(events, "macro.exec_start")["host_app"] == "wps"
    done = _one(events, "macro.exec_done")
    assert (done["applied"], done["skipped"], done["operations"]) == (3, 1, {"add_comment": 3})
    assert _one(events, "skills.applied") == {"skill": "contract-review", "written": 3}
    assert "百分之二十" not in json.dumps([event.payload for event in events], ensure_ascii=False)
