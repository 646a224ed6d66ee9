"""The schema of what may be said now: nothing else can be decoded under it."""

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from metier.agent.models.decoding import Dialect, StageSchema, StageStream, compile_stage
from metier.json_values import to_plain_json
from metier.tools import ReadingRules, TextReply, ToolSpec
from tests.agent.models.decoding.random_json import write_under

SEARCH = ToolSpec(
    "web_search",
    "Search the web.",
    {
        "type": "object",
        "properties": {"query": {"type": "string"}, "top_k": {"type": "integer", "minimum": 1, "maximum": 5}},
        "required": ["query"],
    },
)
NOW = ToolSpec("now", "The time.")
USE_SKILL = ToolSpec(
    "use_skill",
    "Choose.",
    {"type": "object", "properties": {"skill": {"enum": ["coverage", "traffic", "none"]}}, "required": ["skill"]},
)
DIALECTS: tuple[Dialect, ...] = ("strict", "open", "claude")


def plain(stage: StageSchema) -> Any:
    return json.loads(json.dumps(to_plain_json(stage.schema)))


def accepts(stage: StageSchema, value: object) -> bool:
    wrapped = {"reply": value} if list(plain(stage).get("properties", ())) == ["reply"] else value
    return bool(Draft202012Validator(plain(stage)).is_valid(wrapped))


def read(stage: StageSchema, text: str, tools: list[ToolSpec]) -> TextReply:
    stream = StageStream(stage, ReadingRules({tool.name: tool for tool in tools}, "prose", several=True))
    stream.add(text)
    return stream.finish()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_calls_of_offered_tools_and_answers_can_be_said_and_nothing_else(dialect: Dialect) -> None:
    stage = compile_stage([SEARCH, NOW], dialect=dialect)
    top_k = {"top_k": None} if dialect == "strict" else {}
    assert accepts(stage, {"tool": "web_search", "arguments": {"query": "5G", **top_k}})
    assert accepts(stage, {"tool": "now", "arguments": {}})
    assert accepts(stage, {"answer": "Hi."})
    assert not accepts(stage, {"tool": "shell", "arguments": {}})
    assert not accepts(stage, {"tool": "now", "arguments": {"query": "5G"}})
    assert not accepts(stage, {"tool": "now", "arguments": {}, "answer": "both"})
    assert not accepts(stage, {"calls": [{"tool": "now", "arguments": {}}]})


def test_where_any_call_is_demanded_no_answer_can_be_said() -> None:
    stage = compile_stage([SEARCH, NOW], must="")
    assert not accepts(stage, {"answer": "Hi."})
    assert accepts(stage, {"tool": "now", "arguments": {}})
    assert accepts(stage, {"tool": "web_search", "arguments": {"query": "5G"}})


@pytest.mark.parametrize("dialect", DIALECTS)
def test_where_one_call_is_demanded_the_reply_is_its_arguments(dialect: Dialect) -> None:
    stage = compile_stage([SEARCH, NOW], must="web_search", dialect=dialect)
    given = {"query": "5G", **({"top_k": None} if dialect == "strict" else {})}
    assert accepts(stage, given)
    assert not accepts(stage, {"answer": "Hi."})
    assert not accepts(stage, {"tool": "now", "arguments": {}})
    (call,) = read(stage, json.dumps(given), [SEARCH, NOW]).calls
    assert (call.name, call.arguments) == ("web_search", {"query": "5G"})


@pytest.mark.parametrize(
    "text",
    ['{"tool": "web_search", "arguments": {"query": "5G"}}', '```json\n{"query": "5G"}\n```'],
    ids=["as a call", "in a fence"],
)
def test_an_endpoint_that_ignores_the_demand_is_understood_all_the_same(text: str) -> None:
    (call,) = read(compile_stage([SEARCH, NOW], must="web_search"), text, [SEARCH, NOW]).calls
    assert (call.name, call.arguments) == ("web_search", {"query": "5G"})


def test_an_answer_where_a_call_is_demanded_is_no_call() -> None:
    reply = read(compile_stage([SEARCH, NOW], must="web_search"), '{"answer": "Hi."}', [SEARCH, NOW])
    assert (reply.calls, reply.text) == ((), "Hi.")


def test_a_choice_is_one_of_the_menu_or_none() -> None:
    stage = compile_stage([USE_SKILL], must="use_skill")
    said = {write_under(plain(stage), random.Random(seed)) for seed in range(200)}
    assert {json.loads(text)["skill"] for text in said} == {"coverage", "traffic", "none"}


def test_several_calls_come_as_a_list_where_they_are_allowed() -> None:
    stage = compile_stage([SEARCH, NOW], max_calls=2)
    calls = [{"tool": "now", "arguments": {}}, {"tool": "web_search", "arguments": {"query": "5G"}}]
    assert accepts(stage, {"calls": calls})
    assert not accepts(stage, {"calls": [*calls, *calls]})
    assert not accepts(stage, {"calls": []})
    assert [call.name for call in read(stage, json.dumps({"calls": calls}), [SEARCH, NOW]).calls] == [
        "now",
        "web_search",
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_root_is_an_object_where_a_service_wants_one(dialect: Dialect) -> None:
    root = plain(compile_stage([SEARCH, NOW], dialect=dialect))
    assert ("anyOf" in root) is (dialect == "open")


NAMES = st.text(min_size=1, max_size=8)


@given(
    offered=st.lists(NAMES, min_size=1, max_size=4, unique=True),
    dialect=st.sampled_from(DIALECTS),
    max_calls=st.integers(1, 3),
    seed=st.integers(0, 2**32),
)
def test_whatever_is_decoded_calls_an_offered_tool_or_answers(
    offered: list[str], dialect: Dialect, max_calls: int, seed: int
) -> None:
    tools = [ToolSpec(name, "", {"type": "object", "properties": {"a": {"type": "string"}}}) for name in offered]
    stage = compile_stage(tools, max_calls=max_calls, dialect=dialect)
    reply = read(stage, write_under(plain(stage), random.Random(seed)), tools)
    assert {call.name for call in reply.calls} <= set(offered)
    assert reply.problem is None or reply.problem.code in ("empty_reply", "invented_result")
    assert len(reply.calls) <= 3
