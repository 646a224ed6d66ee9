"""Answers of a model are kept as they came, and give the same calls when they are read back."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from metier.agent import (
    CapabilityStore,
    KeptReplies,
    ModelConfig,
    RecordedReply,
    StageModel,
    record_model,
    replay_model,
)
from metier.agent.models import Capabilities, Endpoint
from metier.clock import utc_now
from metier.context import BuiltPrompt, ContextBuilder, ContextMessage, PromptOptions, ToolOffer
from metier.errors import UsageError
from metier.json_values import JsonObject
from tests.agent.models.decoding_server import DecodingServer
from tests.providers.server import KEY

SEARCH: JsonObject = {
    "type": "function",
    "function": {
        "name": "web_search",
        "description": "Search.\nThe web only.",
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
    },
}
NOW = utc_now().isoformat()
CALLS = {
    "native": RecordedReply("", (("web_search", '{"query": "5G"}'),), "tool_calls", 20, 5),
    "schema": RecordedReply('{"tool": "web_search", "arguments": {"query": "5G"}}'),
    "text": RecordedReply('{"name": "web_search", "arguments": {"query": "5G"}}'),
}


def build(stage: StageModel, *, tools: bool = True) -> BuiltPrompt:
    offers = (ToolOffer(SEARCH, required=True),) if tools else ()
    options = PromptOptions(tools=offers, tool_format=stage.tool_format("en"))
    return ContextBuilder(language="en").build_converse_prompt([ContextMessage("user", "look up 5G")], options)


def test_a_reply_is_the_same_after_json() -> None:
    for reply in CALLS.values():
        assert RecordedReply.from_json(dict(reply.to_json())) == reply


@pytest.mark.parametrize("mode", CALLS)
def test_a_recorded_call_is_read_in_its_mode(mode: str) -> None:
    stage = replay_model(mode, [CALLS[mode]])  # type: ignore[arg-type]
    reply = stage.ask(build(stage))
    assert reply.calls == (("web_search", {"query": "5G"}),)
    assert reply.raw == (CALLS[mode],)
    assert stage.recorded.replies_left == 0


def test_a_call_that_broke_off_is_no_call() -> None:
    cut = RecordedReply('{"tool": "web_search", "arguments": {"query": "5G"', end="length")
    stage = replay_model("schema", [cut] * 3)
    assert stage.ask(build(stage)).calls == ()


def test_tokens_and_the_end_are_those_of_the_recording() -> None:
    stage = replay_model("native", [CALLS["native"]])
    assert stage.ask(build(stage)).input_tokens == 20


def test_a_recording_that_is_used_up_says_so() -> None:
    stage = replay_model("native", [])
    with pytest.raises(UsageError, match="no more replies"):
        stage.ask(build(stage))


def test_whether_the_prompt_is_still_that_of_the_recording_is_known() -> None:
    stage = replay_model("schema", [CALLS["schema"]])
    stage.ask(build(stage))
    assert stage.recorded.same_prompts == 0


async def test_what_an_endpoint_answers_is_kept_and_read_back_alike() -> None:
    with DecodingServer(["web_search", "shell"], owner="llamacpp") as server:
        config = ModelConfig("m", base_url=server.url, api_key=KEY)
        live = await asyncio.to_thread(record_model, "schema", config)
        said = await asyncio.to_thread(live.ask, build(live))
    assert [one.text for one in said.raw] == server.said[1:]  # the first reply was to the probe
    assert {one.end for one in said.raw} == {"stop"}
    again = replay_model("schema", said.raw)
    assert again.ask(build(again)).calls == said.calls
    assert again.recorded.same_prompts == len(said.raw)


async def test_an_answer_of_an_earlier_run_is_not_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "live" / "replies.jsonl"
    with DecodingServer(["web_search", "shell"], owner="llamacpp") as server:
        config = ModelConfig("m", base_url=server.url, api_key=KEY)
        kept = KeptReplies(path)
        kept.question = "one"
        live = await asyncio.to_thread(partial(record_model, "schema", config, kept=kept))
        first = await asyncio.to_thread(live.ask, build(live))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"model": "m", "question": "tw')  # the run was killed while it wrote
    again = KeptReplies(path)
    assert (again.has_answer("m", "one"), again.has_answer("m", "two")) == (True, False)
    known = CapabilityStore()
    known.put(
        Endpoint("openai", "m", config.base_url, KEY), Capabilities("llamacpp", schema="response_format", asked_at=NOW)
    )
    later = record_model("schema", config, kept=again, capabilities=known)  # nobody listens at the address now
    second = await asyncio.to_thread(later.ask, build(later))
    assert (second.calls, second.text, second.raw) == (first.calls, first.text, first.raw)
    assert all(one.elapsed_ms is not None for one in second.raw)


def test_tools_are_counted_in_the_form_in_which_they_are_sent() -> None:
    counted = {}
    for mode, reply in CALLS.items():
        stage = replay_model(mode, [reply])  # type: ignore[arg-type]
        counted[mode] = build(stage).tokens - build(stage, tools=False).tokens
    assert len(set(counted.values())) == 3
