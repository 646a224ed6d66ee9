"""Spans, as a real OTLP receiver reads them: the tree, the times and the names of the conventions."""

import builtins
from collections.abc import Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.proto.trace.v1.trace_pb2 import Status as OtlpStatus
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes

from metier.agent import Runtime, TurnRequest
from metier.errors import InvalidSettings, MissingExtra
from metier.store import Event
from metier.telemetry import open_telemetry
from metier.telemetry._otlp import open_otlp
from metier.testing import FakeModel
from tests.e2e.support import Desk, settings_in
from tests.telemetry.support import NOW, TURN, Receiver, receiver, turn_of


def _value(value: AnyValue) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [_value(item) for item in value.array_value.values]
    return getattr(value, str(kind))


def _attributes(pairs: Iterable[KeyValue]) -> Mapping[str, Any]:
    return {pair.key: _value(pair.value) for pair in pairs}


def _spans(found: Receiver) -> list[Span]:
    spans = []
    for path, kind, body in found.bodies:
        assert (path, kind) == ("/v1/traces", "application/x-protobuf")
        request = ExportTraceServiceRequest.FromString(body)
        (resource,) = request.resource_spans
        assert _attributes(resource.resource.attributes)["service.name"] == "metier"
        spans += [span for scope in resource.scope_spans for span in scope.spans]
    return spans


def _exported(tmp_path: Path, events: list[Event], **more: Any) -> dict[str, Span]:
    """The spans of these events by name, through the settings and a real server."""
    with receiver() as found:
        given = {"storage_dir": tmp_path, "telemetry_mode": "off", "otlp_endpoint": found.url, **more}
        with open_telemetry(settings_in(tmp_path, **given)) as telemetry:
            (observe,) = telemetry.observers
            for event in events:
                observe(event)
            assert telemetry.flush(60)
        spans = _spans(found)
    assert len({span.span_id for span in spans}) == len(spans)
    return {span.name: span for span in spans}


_TURN = turn_of(
    ("turn.started", 0, {"message": "东城弱覆盖", "skill": None}),
    (
        "skill.routed",
        5,
        {
            "verdict": "auto",
            "skill": "weak-coverage",
            "candidates": [
                {"skill": "weak-coverage", "score": 0.9, "trigger_hits": []},
                {"skill": "shop-order", "score": 0.3, "trigger_hits": []},
            ],
            "elapsed_ms": 2.0,
        },
    ),
    (
        "skill.activated",
        5,
        {"skill": "weak-coverage", "title": "弱覆盖", "version": "1.2", "digest": "d1", "why": "sure"},
    ),
    ("usage", 805, {"input_tokens": 100, "output_tokens": 9, "elapsed_ms": 800.0}),
    ("tool.called", 806, {"call": "c1", "tool": "match_scene", "arguments": {"region": "东城"}, "step": "scene"}),
    ("tool.result", 856, {"call": "c1", "tool": "match_scene", "ok": True, "state": "done", "data": {"id": "S-7"}}),
    (
        "tool.violation",
        860,
        {"call": "c2", "tool": "shell", "code": "not_allowed", "layer": "skill", "reason": "no", "allowed": ["a", "b"]},
    ),
    ("tool.result", 860, {"call": "c2", "tool": "shell", "ok": False, "state": "refused", "content": "no"}),
    ("tool.called", 870, {"call": "c3", "tool": "query_cause", "arguments": {}}),
    (
        "tool.result",
        880,
        {"call": "c3", "tool": "query_cause", "ok": False, "state": "failed", "error": {"code": "timeout"}},
    ),
    ("text.done", 900, {"text": "下压天线"}),
    ("turn.done", 900, {"model_calls": 1, "input_tokens": 100, "output_tokens": 9, "refusals": 1}),
)


def test_a_turn_is_one_trace_with_the_model_and_the_tools_below_it(tmp_path: Path) -> None:
    spans = _exported(tmp_path, _TURN, model="openai:gpt-5")
    root = spans["invoke_agent metier"]
    children = {name: span for name, span in spans.items() if span is not root}
    assert children.keys() == {
        "chat gpt-5",
        "execute_tool match_scene",
        "execute_tool shell",
        "execute_tool query_cause",
    }
    assert {span.trace_id.hex() for span in spans.values()} == {TURN}
    assert not root.parent_span_id
    assert {span.parent_span_id for span in children.values()} == {root.span_id}
    assert root.end_time_unix_nano - root.start_time_unix_nano == 900_000_000
    assert root.start_time_unix_nano == int(NOW.timestamp()) * 10**9


def test_the_turn_says_its_skill_the_scores_and_the_tokens(tmp_path: Path) -> None:
    root = _exported(tmp_path, _TURN)["invoke_agent metier"]
    said = _attributes(root.attributes)
    assert said["gen_ai.operation.name"] == "invoke_agent"
    assert said["gen_ai.agent.name"] == "metier"
    assert said["gen_ai.conversation.id"] == "talk"
    assert said["gen_ai.usage.input_tokens"] == 100
    skill = {name.removeprefix("gen_ai.skill."): value for name, value in said.items() if "skill" in name}
    assert skill == {
        "id": "weak-coverage",
        "name": "弱覆盖",
        "version": "1.2",
        "digest": "d1",
        "score": 0.9,
        "verdict": "auto",
        "margin": 0.6,
    }
    (routed,) = [event for event in root.events if event.name == "skills.selected"]
    candidates = _attributes(routed.attributes)
    assert candidates["gen_ai.skill.candidates"] == ["weak-coverage", "shop-order"]
    assert candidates["gen_ai.skill.candidate_scores"] == [0.9, 0.3]


def test_a_call_of_the_model_has_its_time_and_tokens(tmp_path: Path) -> None:
    chat = _exported(tmp_path, _TURN, model="openai:gpt-5")["chat gpt-5"]
    said = _attributes(chat.attributes)
    assert said["gen_ai.provider.name"] == "openai"
    assert said["gen_ai.request.model"] == "gpt-5"
    assert said["gen_ai.usage.output_tokens"] == 9
    assert chat.kind == Span.SPAN_KIND_CLIENT
    assert chat.end_time_unix_nano - chat.start_time_unix_nano == 800_000_000


def test_a_tool_says_how_it_ended(tmp_path: Path) -> None:
    spans = _exported(tmp_path, _TURN)
    done, failed = spans["execute_tool match_scene"], spans["execute_tool query_cause"]
    said = _attributes(done.attributes)
    assert said["gen_ai.tool.name"] == "match_scene"
    assert said["gen_ai.tool.call.id"] == "c1"
    assert said["metier.step"] == "scene"
    assert done.end_time_unix_nano - done.start_time_unix_nano == 50_000_000
    assert done.status.code == OtlpStatus.STATUS_CODE_UNSET
    assert failed.status.code == OtlpStatus.STATUS_CODE_ERROR
    assert _attributes(failed.attributes)["error.type"] == "timeout"


def test_a_refused_tool_carries_the_gates_verdict(tmp_path: Path) -> None:
    refused = _exported(tmp_path, _TURN)["execute_tool shell"]
    assert refused.status.code == OtlpStatus.STATUS_CODE_ERROR
    (verdict,) = refused.events
    assert _attributes(verdict.attributes) == {
        "metier.gate.verdict": "deny",
        "metier.gate.code": "not_allowed",
        "metier.gate.layer": "skill",
        "metier.gate.reason": "no",
        "metier.gate.allowed": ["a", "b"],
    }


def test_a_pause_ends_the_span_and_the_answer_begins_another_of_the_same_trace(tmp_path: Path) -> None:
    events = turn_of(
        ("turn.started", 0, {"message": "退款"}),
        ("tool.called", 10, {"call": "c1", "tool": "refund", "arguments": {}}),
        ("pause.opened", 20, {"pause": "p", "kind": "approval", "purpose": "approve"}),
        ("pause.answered", 90_000, {"pause": "p", "purpose": "approve", "answer": True}),
        ("turn.done", 90_050, {}),
    )
    with receiver() as found:
        settings = settings_in(tmp_path, telemetry_mode="off", otlp_endpoint=found.url)
        with open_telemetry(settings) as telemetry:
            for event in events:
                telemetry.observers[0](event)
            assert telemetry.flush(60)
        spans = sorted(_spans(found), key=lambda span: (span.start_time_unix_nano, span.name))
    first, last = [span for span in spans if span.name == "invoke_agent metier"]
    assert [_attributes(span.attributes)["metier.turn.outcome"] for span in (first, last)] == ["paused", "done"]
    assert first.trace_id == last.trace_id
    assert (last.start_time_unix_nano - first.end_time_unix_nano) / 1e6 == 89_980
    (held,) = [span for span in spans if span.name == "execute_tool refund"]
    assert held.parent_span_id == first.span_id
    assert held.end_time_unix_nano == first.end_time_unix_nano


def test_the_work_of_a_second_agent_stands_below_the_call_that_handed_it_over(tmp_path: Path) -> None:
    events = turn_of(
        ("turn.started", 0, {"message": "调研"}),
        ("tool.called", 1, {"call": "c1", "tool": "task", "arguments": {}}),
        ("tool.called", 2, {"call": "c2", "tool": "web_search", "arguments": {}, "parent": "c1", "depth": 1}),
        ("tool.result", 3, {"call": "c2", "tool": "web_search", "status": "success", "text": "ok", "parent": "c1"}),
        ("tool.result", 4, {"call": "c1", "tool": "task", "ok": True, "state": "done", "data": {}}),
        ("turn.done", 5, {}),
    )
    spans = _exported(tmp_path, events)
    assert spans["execute_tool web_search"].parent_span_id == spans["execute_tool task"].span_id
    assert spans["execute_tool task"].parent_span_id == spans["invoke_agent metier"].span_id
    assert spans["execute_tool web_search"].status.code == OtlpStatus.STATUS_CODE_UNSET


def test_words_are_exported_only_where_content_is_on(tmp_path: Path) -> None:
    silent = _exported(tmp_path, _TURN)
    assert not any("东城" in str(span) or "下压天线" in str(span) for span in silent.values())
    spans = _exported(tmp_path, _TURN, telemetry_content="on")
    root = _attributes(spans["invoke_agent metier"].attributes)
    assert root["gen_ai.input.messages"] == '[{"role": "user", "parts": [{"type": "text", "content": "东城弱覆盖"}]}]'
    assert "下压天线" in root["gen_ai.output.messages"]
    tool = _attributes(spans["execute_tool match_scene"].attributes)
    assert (tool["gen_ai.tool.call.arguments"], tool["gen_ai.tool.call.result"]) == (
        '{"region": "东城"}',
        '{"id": "S-7"}',
    )


def test_the_names_are_those_of_the_installed_conventions(tmp_path: Path) -> None:
    known = {value for name, value in vars(gen_ai_attributes).items() if name.startswith("GEN_AI_")}
    spans = _exported(tmp_path, _TURN, telemetry_content="on").values()
    used = {name for span in spans for name in _attributes(span.attributes) if name.startswith("gen_ai.")}
    assert {name for name in used if not name.startswith("gen_ai.skill.")} <= known


def test_other_variables_decide_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-secret=1")
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with receiver() as found:
        with open_telemetry(settings_in(tmp_path, otlp_endpoint=f"{found.url}/v1/traces")) as telemetry:
            for event in _TURN:
                telemetry.observers[0](event)
            assert telemetry.flush(60)
        assert "invoke_agent metier" in {span.name for span in _spans(found)}
        assert "x-secret" not in found.headers[0]
    with open_telemetry(settings_in(tmp_path, telemetry_mode="off")) as telemetry:
        assert telemetry.observers == ()


async def test_a_real_turn_makes_the_same_tree(tmp_path: Path) -> None:
    model = FakeModel().call("shell", cmd="ls").call("find_order", number=5).say("订单已发出。")
    with receiver() as found:
        settings = settings_in(tmp_path, otlp_endpoint=found.url)
        async with (
            open_telemetry(settings) as telemetry,
            Runtime.open(settings, model=model, tools=Desk().tools(), observers=telemetry.observers) as runtime,
        ):
            events = [event async for event in runtime.turn(TurnRequest("who are you"))]
            assert telemetry.flush(60)
        spans = _spans(found)
    (root,) = [span for span in spans if not span.parent_span_id]
    names = sorted(span.name.split()[0] + " " + span.name.split()[-1] for span in spans if span is not root)
    assert names == [*["chat metier-fake"] * 3, "execute_tool find_order", "execute_tool shell"]
    assert {span.parent_span_id for span in spans if span is not root} == {root.span_id}
    turn = events[0].turn
    assert turn is not None
    assert root.trace_id.hex() == turn
    lasted = timedelta(microseconds=(root.end_time_unix_nano - root.start_time_unix_nano) // 1000)
    assert lasted == events[-1].at - events[0].at


@pytest.mark.parametrize("endpoint", ["localhost:4318", "grpc://host:4317"])
def test_an_endpoint_that_is_no_address_is_refused(endpoint: str) -> None:
    with pytest.raises(InvalidSettings):
        open_otlp(endpoint)


def test_without_the_sdk_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("opentelemetry"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra) as caught:
        open_otlp("http://127.0.0.1:4318")
    assert "metier[telemetry]" in caught.value.hint
