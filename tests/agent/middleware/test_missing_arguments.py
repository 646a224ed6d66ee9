"""Missing arguments: a form from the tool's schema, a call from the form, and an honest word when it is put away."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from metier.agent import Form, ParametersMiddleware, form_for
from metier.agent.adapters import arguments_from, missing_arguments, read_decision, to_openai
from metier.agent.adapters._forms import strip_ui_hints
from metier.agent.middleware._missing_arguments import read_params_request
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.testing import FakeModel
from metier.tools import ToolCall, ToolSpec, check_parameters
from tests.agent.support import answers, asked, both_ways, run

SCHEMA: JsonObject = {
    "type": "object",
    "x-ui": {"title": {"en": "Root cause", "zh": "根因分析"}},
    "properties": {
        "scene": {
            "type": "string",
            "x-ui": {"title": {"en": "Scene", "zh": "场景"}, "placeholder": {"zh": "例如 DT01"}},
        },
        "level": {
            "enum": ["cell", "grid"],
            "x-ui": {"labels": {"cell": {"en": "Cell", "zh": "小区级"}, "grid": {"en": "Grid", "zh": "栅格级"}}},
        },
        "indicators": {"type": "array", "items": {"$ref": "#/$defs/indicator"}, "minItems": 1},
        "top": {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        "since": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
        "window": {"type": "array", "items": {"type": "string", "format": "date-time"}, "minItems": 2, "maxItems": 2},
        "note": {"type": "string", "maxLength": 2000},
        "deep": {"type": "boolean"},
        "area": {"enum": ["a", "b", "c", "d", "e"]},
        "ids": {"type": "array", "items": {"type": "integer"}},
        "extra": {"type": "object"},
        "share": {
            "type": ["number", "null"],
            "x-ui": {"unit": "%", "widget": "percent", "section": "M", "max": 100},
        },
    },
    "required": ["scene", "level", "indicators"],
    "additionalProperties": False,
    "$defs": {"indicator": {"enum": ["RSRP", "SINR"]}},
}
SPEC = ToolSpec("root_cause", "Query the root cause.", SCHEMA)

WIDGETS = {
    "scene": "text",
    "level": "radio",
    "indicators": "multiselect",
    "top": "slider",
    "since": "date",
    "window": "range",
    "note": "textarea",
    "deep": "switch",
    "area": "select",
    "ids": "list",
    "extra": "json",
    "share": "percent",
}


def fields(form: Form) -> Mapping[str, JsonObject]:
    return {str(field["name"]): field for field in form.fields}


def test_a_form_asks_for_what_is_missing_first_and_knows_the_rest() -> None:
    form = form_for(SPEC, {"level": "cell", "top": 5}, language="zh")
    assert (form.title, form.missing) == ("根因分析", ("scene", "indicators"))
    assert [field["name"] for field in form.fields][:3] == ["scene", "indicators", "level"]
    assert form.given == {"level": "cell", "top": 5}
    assert [field["missing"] for field in form.fields][:3] == [True, True, False]


def test_every_type_has_its_widget() -> None:
    assert {name: field["widget"] for name, field in fields(form_for(SPEC, {})).items()} == WIDGETS


@pytest.mark.parametrize(("language", "title", "label"), [("en", "Scene", "Cell"), ("zh", "场景", "小区级")])
def test_a_form_speaks_the_users_language(language: Any, title: str, label: str) -> None:
    shown = fields(form_for(SPEC, {}, language=language))
    assert shown["scene"]["title"] == title
    assert shown["level"]["options"] == [{"value": "cell", "label": label}, shown["level"]["options"][1]]  # type: ignore[index]


def test_a_description_in_both_languages_is_shown_in_one() -> None:
    schema: JsonObject = {"type": "object", "properties": {"rpm": {"description": "转速 · shaft speed in rpm"}}}
    described = [fields(form_for(ToolSpec("spin", "", schema), {}, language=one))["rpm"] for one in ("en", "zh")]
    assert [one["description"] for one in described] == ["shaft speed in rpm", "转速"]


def test_ranges_units_and_defaults_reach_the_form() -> None:
    shown = fields(form_for(SPEC, {}))
    assert (shown["top"]["min"], shown["top"]["max"], shown["top"]["default"]) == (1, 50, 10)
    assert (shown["share"]["unit"], shown["share"]["section"], shown["share"]["max"]) == ("%", "M", 100)
    assert shown["indicators"]["options"] == [{"value": one, "label": one} for one in ("RSRP", "SINR")]
    assert (shown["window"]["min_items"], shown["window"]["max_items"]) == (2, 2)


def test_a_value_that_does_not_fit_is_asked_for_again() -> None:
    form = form_for(SPEC, {"scene": "DT01", "level": "galaxy", "top": "many", "indicators": ["RSRP"]})
    assert form.missing == ("level", "top")
    assert form.given == {"scene": "DT01", "indicators": ["RSRP"]}


MISSING: list[Any] = [
    pytest.param({}, ("scene", "level", "indicators"), id="all"),
    pytest.param({"scene": None, "level": "cell", "indicators": ["RSRP"]}, ("scene",), id="null"),
    pytest.param({"scene": "", "level": "cell", "indicators": []}, (), id="empty is a value"),
]


@pytest.mark.parametrize(("known", "names"), MISSING)
def test_missing_is_what_is_required_and_not_there(known: JsonObject, names: tuple[str, ...]) -> None:
    assert missing_arguments(SPEC, known) == names


def test_null_is_a_value_where_the_tool_takes_null() -> None:
    spec = ToolSpec("t", "", {"properties": {"a": {"type": ["string", "null"]}}, "required": ["a", "b"]})
    assert missing_arguments(spec, {"a": None}) == ("b",)
    assert missing_arguments(spec, {}) == ("a", "b")


def test_a_sent_form_gives_the_arguments() -> None:
    form = form_for(SPEC, {"level": "cell", "note": "x"})
    sent: JsonValue = {"decision": "submit", "arguments": {"scene": "DT01", "indicators": ["SINR"], "note": ""}}
    assert arguments_from(form, sent) == {"level": "cell", "scene": "DT01", "indicators": ["SINR"]}


BAD_ANSWERS: list[Any] = [
    pytest.param("yes", "the answer has no decision", id="text"),
    pytest.param({"decision": "maybe"}, "the answer has no decision", id="decision"),
    pytest.param({"decision": "cancel"}, "the form was not sent with arguments", id="cancelled"),
    pytest.param({"decision": "submit", "arguments": [1]}, "the form was not sent with arguments", id="list"),
    pytest.param(
        {"decision": "submit", "arguments": {"scene": "x", "indicators": ["RSRQ"], "level": "cell"}},
        "the form does not fit: $.indicators[0]",
        id="enum",
    ),
    pytest.param({"decision": "submit", "arguments": {"sudo": 1}}, "the form does not fit:", id="unknown and missing"),
]


@pytest.mark.parametrize(("answer", "message"), BAD_ANSWERS)
def test_a_wrong_answer_says_what_is_wrong(answer: JsonValue, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        arguments_from(form_for(SPEC, {}), answer)
    assert caught.value.message.startswith(message)


def test_the_hints_stay_out_of_the_prompt_and_the_schema_stays_a_schema() -> None:
    plain = strip_ui_hints(SCHEMA)
    assert "x-ui" not in str(plain)
    assert plain["required"] == SCHEMA["required"]
    check_parameters(SCHEMA)
    check_parameters(plain)
    check_parameters(form_for(SPEC, {}).answer_schema)


values = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text())


@given(st.dictionaries(st.sampled_from([*WIDGETS, "unknown"]), values))
def test_a_form_never_fills_in_what_the_tool_would_refuse(known: dict[str, JsonValue]) -> None:
    form = form_for(SPEC, known)
    answer: JsonValue = {"decision": "submit", "arguments": {"scene": "s", "level": "grid", "indicators": ["RSRP"]}}
    assert read_decision(answer) == "submit"
    for name in form.missing:
        assert name not in form.given
    assert set(arguments_from(form, answer)) >= {"scene", "level", "indicators"}


class Desk:
    """A tool with two required arguments, and what it was called with."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, str]] = []

    def tool(self) -> StructuredTool:
        def root_cause(scene: str, level: str) -> str:
            """Query the root cause."""
            self.ran.append((scene, level))
            return f"{scene} {level}"

        return StructuredTool.from_function(root_cause)


CONFIG = {"configurable": {"thread_id": "t"}}


@both_ways
async def test_a_call_without_its_arguments_waits_for_the_form_and_runs_with_the_answer(way: str) -> None:
    desk, model = Desk(), FakeModel().call("root_cause", level="cell").say("Done.")
    agent: Any = create_agent(model, [desk.tool()], middleware=[ParametersMiddleware()], checkpointer=InMemorySaver())
    paused = await run(way, agent, asked("分析一下"), CONFIG)
    (question,) = paused["__interrupt__"]
    assert (question.value["kind"], question.value["call"]) == ("parameters", "call-1")
    assert question.value["form"]["missing"] == ["scene"]
    assert question.value["form"]["given"] == {"level": "cell"}
    again = await run(way, agent, Command(resume={"decision": "submit", "arguments": {"scene": 7}}), CONFIG)
    assert again["__interrupt__"][0].value["problem"].startswith("the form does not fit: $.scene")
    assert desk.ran == []
    done = await run(way, agent, Command(resume={"decision": "submit", "arguments": {"scene": "DT01"}}), CONFIG)
    assert desk.ran == [("DT01", "cell")]
    assert answers(done)[0].tool_call_id == "call-1"
    assert len(model.prompts) == 2


@both_ways
async def test_a_form_that_is_put_away_is_told_to_the_model(way: str) -> None:
    desk, model = Desk(), FakeModel().call("root_cause").say("好的。")
    agent: Any = create_agent(model, [desk.tool()], middleware=[ParametersMiddleware()], checkpointer=InMemorySaver())
    await run(way, agent, asked("分析一下"), CONFIG)
    done = await run(way, agent, Command(resume={"decision": "cancel", "note": "不知道编号"}), CONFIG)
    (answer,) = answers(done)
    assert answer.status == "error"
    assert "用户取消了工具 'root_cause' 的参数填写：不知道编号" in answer.text
    assert desk.ran == []


@both_ways
async def test_where_nobody_can_be_asked_the_model_is_told_what_is_missing(way: str) -> None:
    desk, model = Desk(), FakeModel().call("root_cause", level=None).say("Which scene?")
    agent: Any = create_agent(model, [desk.tool()], middleware=[ParametersMiddleware()])
    (answer,) = answers(await run(way, agent, asked()))
    assert answer.text == "Tool 'root_cause' was not run: scene, level missing. Ask the user."
    assert desk.ran == []


@both_ways
async def test_a_caller_may_answer_in_its_own_way(way: str) -> None:
    desk, seen = Desk(), list[tuple[ToolCall, Form]]()

    def on_missing(call: ToolCall, form: Form) -> JsonObject | ToolMessage:
        seen.append((call, form))
        if call.arguments:
            return {"decision": "submit", "arguments": {"level": "grid"}}
        return ToolMessage("later", tool_call_id=call.id)

    model = FakeModel().calls(("root_cause", {"scene": "DT02"}), ("root_cause", {})).say("Done.")
    agent: Any = create_agent(model, [desk.tool()], middleware=[ParametersMiddleware(on_missing)])
    result = await run(way, agent, asked())
    assert [answer.text for answer in answers(result)] == ["DT02 grid", "later"]
    assert {form.missing for _, form in seen} == {("level",), ("scene", "level")}


@both_ways
async def test_a_caller_may_have_to_be_awaited(way: str) -> None:
    async def on_missing(call: ToolCall, form: Form) -> JsonObject:
        return {"decision": "submit", "arguments": {"scene": "DT01", "level": "cell"}}

    desk, model = Desk(), FakeModel().call("root_cause").say("Done.")
    agent: Any = create_agent(model, [desk.tool()], middleware=[ParametersMiddleware(on_missing)])
    await run(way, agent, asked())
    assert desk.ran == [("DT01", "cell")]


async def test_no_form_is_shown_for_a_call_that_may_not_run() -> None:
    desk, model = Desk(), FakeModel().call("root_cause").say("Done.")
    middleware = ParametersMiddleware(lambda call, form: {"decision": "cancel"}, may_ask=lambda call: False)
    agent: Any = create_agent(model, [desk.tool()], middleware=[middleware])
    (answer,) = answers(await run("async", agent, asked()))
    assert "Field required" in answer.text  # LangChain's own answer: the call went on to whoever judges it


@both_ways
async def test_a_params_request_block_becomes_the_call(way: str) -> None:
    desk = Desk()
    wanted = '{"tool_name": "root_cause", "known_params": {"level": "cell"}, "missing_params": ["scene"]}'
    text = f"请补充：\n```params_request\n{wanted}\n```"
    model = FakeModel().say(text).say("完成。")
    agent: Any = create_agent(model, [desk.tool()], middleware=[ParametersMiddleware()], checkpointer=InMemorySaver())
    paused = await run(way, agent, asked("分析一下"), CONFIG)
    assert paused["__interrupt__"][0].value["form"]["missing"] == ["scene"]
    assert paused["messages"][-1].text == "请补充："
    done = await run(way, agent, Command(resume={"decision": "submit", "arguments": {"scene": "DT03"}}), CONFIG)
    assert desk.ran == [("DT03", "cell")]
    assert done["messages"][-1].text == "完成。"


async def test_a_params_request_block_of_a_user_is_text() -> None:
    desk = Desk()
    text = '```params_request\n{"tool_name": "root_cause", "known_params": {"scene": "x", "level": "y"}}\n```'
    agent: Any = create_agent(FakeModel().say("Hm."), [desk.tool()], middleware=[ParametersMiddleware()])
    result = await run("async", agent, asked(text))
    assert result["messages"][0].text == text
    assert desk.ran == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```params_request\n{}\n```", id="no tool"),
        pytest.param('```params_request\n{"tool_name": 1}\n```', id="no name"),
        pytest.param('```params_request\n{"tool_name": "a", "known_params": [1]}\n```', id="no object"),
        pytest.param('```params_request\n{"tool_name": "a", "known_par', id="half"),
        pytest.param("```params_request\n[]\n```", id="list"),
    ],
)
def test_a_block_that_asks_for_nothing_is_text(text: str) -> None:
    assert read_params_request(text) is None


def test_a_model_is_shown_a_tool_without_the_hints_for_its_form() -> None:
    assert "x-ui" in json.dumps(SCHEMA, default=dict)
    shown = to_openai(ToolSpec("plan", "Plan.", SCHEMA))
    assert "x-ui" not in json.dumps(shown)
