"""How tools reach a model: by setting, by provider, or by asking its endpoint once, at the first call."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages.ai import add_ai_message_chunks

from metier.agent.models import Capabilities, CapabilityStore, Endpoint, ModelConfig, RetryPolicy, load_model
from metier.agent.models._tool_modes import AskedToolModel, wrap_by_mode
from metier.agent.models.decoding import Dialect
from metier.errors import InvalidSettings
from metier.langchain import NativeToolModel, TextToolModel
from metier.testing import FakeModel
from tests.agent.models.decoding_server import DecodingServer, OwnedApi, find_schema
from tests.agent.support import Toolbox, both_ways
from tests.providers.anthropic_api import AnthropicApi
from tests.providers.openai_api import OpenAIApi
from tests.providers.server import KEY, MODEL, Ability, Call, ModelServer, Reply

HOME = "http://localhost:8000/v1"
ONCE = RetryPolicy(attempts=1)
PROBED = Reply(text=('{"code": "k7-0452"}',))
ANSWER = Reply(text=('{"answer": "All ', 'is well."}'))

CHOSEN = [
    pytest.param("text", "openai", HOME, TextToolModel, id="text"),
    pytest.param("native", "openai", HOME, NativeToolModel, id="native"),
    pytest.param("schema", "openai", "", AskedToolModel, id="schema"),
    pytest.param("auto", "openai", HOME, AskedToolModel, id="a server of one's own"),
    pytest.param("auto", "ollama", "", AskedToolModel, id="Ollama"),
    pytest.param("auto", "openai", "", NativeToolModel, id="OpenAI"),
    pytest.param("auto", "anthropic", "", NativeToolModel, id="Anthropic"),
    pytest.param("auto", "google_genai", "", NativeToolModel, id="another service"),
]


@pytest.mark.parametrize(("setting", "provider", "url", "kind"), CHOSEN)
def test_the_setting_and_the_provider_say_how_tools_are_called(
    setting: Any, provider: str, url: str, kind: type[BaseChatModel]
) -> None:
    made = wrap_by_mode(FakeModel(), setting, Endpoint(provider, "m", url), CapabilityStore())
    assert type(made) is kind


@pytest.mark.parametrize(
    ("provider", "url", "strict"),
    [("openai", "", "strict"), ("anthropic", "", "claude"), ("groq", "", None), ("anthropic", HOME, None)],
)
def test_services_with_strict_tools_get_them(provider: str, url: str, strict: str | None) -> None:
    made = wrap_by_mode(FakeModel(), "auto", Endpoint(provider, "m", url), CapabilityStore())
    assert isinstance(made, NativeToolModel)
    assert made.strict == strict


def load(server: ModelServer, store: CapabilityStore | None = None, **more: Any) -> BaseChatModel:
    config = ModelConfig(MODEL, base_url=server.url, api_key=KEY, tools=more.pop("tools", "auto"))
    return load_model(config, retries=ONCE, capabilities=store or CapabilityStore())


async def say(way: str, model: BaseChatModel) -> list[Any]:
    bound = model.bind_tools(Toolbox().tools())
    return list(bound.stream("go")) if way == "sync" else [chunk async for chunk in bound.astream("go")]


def calls_of(chunks: list[Any]) -> list[tuple[str, Any]]:
    whole = add_ai_message_chunks(chunks[0], *chunks[1:])
    return [(call["name"], call["args"]) for call in whole.tool_calls]


def text_of(chunks: list[Any]) -> str:
    return "".join(chunk.text for chunk in chunks)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(OwnedApi("vllm"), Ability(schemas=True)) as server:
        yield server


@both_ways
async def test_an_endpoint_is_asked_at_the_first_call_and_never_before_or_again(
    way: str, server: ModelServer, tmp_path: Path
) -> None:
    model = load(server, CapabilityStore(tmp_path))
    model.bind_tools(Toolbox().tools())
    assert server.requests == []
    server.reply(PROBED, ANSWER, ANSWER, ANSWER)
    assert text_of(await say(way, model)) == "All is well."
    assert text_of(await say(way, model)) == "All is well."
    assert text_of(await say(way, load(server, CapabilityStore(tmp_path)))) == "All is well."
    assert [find_schema(body) is not None for body in server.asked] == [True] * 4
    assert len(server.requests) == 5  # the list of models, the question, and three calls


async def test_turns_that_begin_together_ask_once(server: ModelServer) -> None:
    server.reply(PROBED, *(ANSWER for _ in range(8)))
    model = load(server)
    told = await asyncio.gather(*(say("async", model) for _ in range(8)))
    assert [text_of(chunks) for chunks in told] == ["All is well."] * 8
    assert len(server.asked) == 9


@both_ways
async def test_an_endpoint_without_schemas_is_asked_natively(way: str, server: ModelServer) -> None:
    server.reset(Ability(schemas=False))
    server.reply(Reply(calls=(Call("web_search", '{"query": "5G"}'),)), Reply(text=("Fine.",)))
    model = load(server)
    chunks = await say(way, model)
    assert calls_of(chunks) == [("web_search", {"query": "5G"})]
    assert text_of(await say(way, model)) == "Fine."
    assert all("tools" in body for body in server.asked[-2:])


@both_ways
async def test_an_endpoint_that_refuses_tools_gets_them_as_text_from_then_on(way: str, server: ModelServer) -> None:
    server.reset(Ability(schemas=False, tools=False))
    server.reply(Reply(text=('{"name": "web_search", "arguments": {"query": "5G"}}',)), Reply(text=("Fine.",)))
    store = CapabilityStore()
    model = load(server, store)
    chunks = await say(way, model)
    assert calls_of(chunks) == [("web_search", {"query": "5G"})]
    assert text_of(await say(way, model)) == "Fine."
    assert [bool(body.get("tools")) for body in server.asked][-3:] == [True, False, False]


@both_ways
async def test_an_endpoint_that_no_longer_takes_schemas_is_asked_natively_in_the_same_call(
    way: str, server: ModelServer
) -> None:
    store = CapabilityStore()
    server.reply(PROBED, ANSWER)
    model = load(server, store)
    await say(way, model)
    server.reset(Ability(schemas=False))
    server.reply(Reply(text=("Fine.",)))
    assert text_of(await say(way, model)) == "Fine."
    assert store.get(Endpoint("openai", MODEL, server.url)) is not None


async def test_a_schema_that_was_demanded_and_cannot_be_had_is_a_wrong_setting(server: ModelServer) -> None:
    server.reset(Ability(schemas=False))
    with pytest.raises(InvalidSettings) as caught:
        await say("async", load(server, tools="schema"))
    assert "does not hold replies to a JSON Schema" in caught.value.message
    assert caught.value.hint == "set METIER_MODEL_TOOLS=auto, native or text"


async def test_other_errors_are_not_taken_for_a_lack_of_abilities(server: ModelServer) -> None:
    store = CapabilityStore()
    server.reply(PROBED, Reply(status=400, text=("the prompt is too long",)))
    with pytest.raises(Exception, match="prompt"):
        await say("async", load(server, store))
    known = store.get(Endpoint("openai", MODEL, server.url))
    assert known is not None
    assert known.schema == "response_format"


async def test_a_whole_run_at_random_on_an_endpoint_that_was_asked() -> None:
    with DecodingServer(["shell"], owner="llamacpp") as decoding:
        model = load(decoding)
        for _ in range(10):
            for chunk in await say("async", model):
                assert {call["name"] for call in chunk.tool_calls} <= {"web_search", "delete_file"}


@pytest.mark.parametrize(
    ("api", "dialect", "where"),
    [(OpenAIApi(), "strict", "parameters"), (AnthropicApi(), "claude", "input_schema")],
    ids=["OpenAI", "Anthropic"],
)
async def test_strict_tools_are_sent_as_the_provider_wants_them_and_read_back(
    api: Any, dialect: Dialect, where: str
) -> None:
    search = {
        "type": "object",
        "properties": {"query": {"type": "string", "pattern": "^5"}, "top_k": {"type": "integer", "minimum": 1}},
        "required": ["query"],
    }
    tool = {"type": "function", "function": {"name": "web_search", "description": "Search.", "parameters": search}}
    free = {"type": "function", "function": {"name": "free", "description": "", "parameters": {"type": "object"}}}
    given = '{"query": "5G", "top_k": null}' if dialect == "strict" else '{"query": "5G"}'
    with ModelServer(api) as server:
        server.reply(*(Reply(calls=(Call("web_search", given),)) for _ in range(2)))
        config = ModelConfig(f"{api.provider}:{MODEL}", base_url=server.url, api_key=KEY)
        (native,) = load_model(config, retries=ONCE).models  # type: ignore[attr-defined]
        bound = NativeToolModel(model=native.model, strict=dialect).bind_tools([tool, free])
        whole = await bound.ainvoke("go")
        chunks = [chunk async for chunk in bound.astream("go")]
        sent = [one.get("function", one) for one in server.asked[0]["tools"]]
    assert [one.get("strict") for one in sent] == [True, None]
    assert sent[0][where]["additionalProperties"] is False
    assert "minimum" not in str(sent[0])
    assert [call["args"] for call in whole.tool_calls] == [{"query": "5G"}]
    assert calls_of(chunks) == [("web_search", {"query": "5G"})]


def test_capabilities_say_how_they_would_be_used() -> None:
    assert Capabilities(engine="vllm", schema="response_format").mode == "schema"
