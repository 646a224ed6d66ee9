"""Asking an endpoint what it can do: real clients against servers that can, cannot, and only pretend."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from metier.agent.models.decoding import Capabilities, Endpoint, probe_endpoint
from tests.agent.models.decoding_server import DecodingServer, OwnedApi, find_schema
from tests.providers.ollama_api import OllamaApi
from tests.providers.server import KEY, MODEL, Ability, Api, ModelServer, Reply

CODE = '{"code": "k7-0452"}'


def endpoint_of(server: ModelServer, provider: str = "openai") -> Endpoint:
    return Endpoint(provider, MODEL, server.url, KEY)


def client_of(server: ModelServer) -> Any:
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model=MODEL, base_url=server.url, api_key=KEY, max_retries=0, stream_usage=True)


def probe(server: ModelServer) -> Capabilities:
    return probe_endpoint(client_of(server), endpoint_of(server))


@contextmanager
def scripted(*replies: Reply, api: Api | None = None, ability: Ability | None = None) -> Iterator[ModelServer]:
    with ModelServer(api or OwnedApi("us"), ability or Ability(schemas=True)) as server:
        yield server.reply(*replies)


@pytest.mark.parametrize(("owner", "engine"), [("vllm", "vllm"), ("llamacpp", "llamacpp"), ("us", "unknown")])
def test_an_endpoint_that_holds_replies_to_a_schema_is_recognised(owner: str, engine: str) -> None:
    with DecodingServer(["shell"], owner=owner) as server:
        found = probe(server)
    assert (found.engine, found.schema, found.mode, found.usage) == (engine, "response_format", "schema", True)
    assert found.window_tokens == 8192
    assert len(server.asked) == 1


def test_an_endpoint_that_ignores_schemas_is_not_believed() -> None:
    with DecodingServer(["shell"], holds=False) as server:
        found = probe(server)
        assert (found.schema, found.mode) == (None, "native")
    assert [find_schema(body) is not None for body in server.asked] == [True, True, True]


def test_a_model_that_may_think_first_is_recognised() -> None:
    with scripted(Reply(text=(f"hello, they say</think>{CODE}",))) as server:
        found = probe(server)
    assert (found.schema, found.thinking) == ("response_format", True)
    with scripted(Reply(text=(f"<think>hello</think>{CODE}",))) as server:
        found = probe(server)
    assert (found.schema, found.thinking) == ("response_format", False)


@pytest.mark.parametrize("status", [400, 422, 501])
def test_a_refused_schema_is_no_failure(status: int) -> None:
    with scripted(Reply(status=status, text=("response_format is not supported",))) as server:
        assert probe(server).schema is None


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
def test_an_endpoint_that_does_not_answer_is_a_failure(status: int) -> None:
    import openai

    with scripted(Reply(status=status, text=("no",))) as server, pytest.raises(openai.APIStatusError):
        probe(server)


class Propertied(OwnedApi):
    """A llama.cpp server, which tells its window on a page of its own."""

    def get(self, path: str) -> object:
        if path == "/props":
            return {"default_generation_settings": {"n_ctx": 4096}}
        found: Any = super().get(path)
        if isinstance(found, dict):
            found["data"][0].pop("max_model_len")
        return found


def test_llama_cpp_tells_its_window_on_its_own_page() -> None:
    with scripted(Reply(text=(CODE,)), api=Propertied("llamacpp")) as server:
        found = probe(server)
    assert (found.engine, found.window_tokens) == ("llamacpp", 4096)


class ShowingOllama(OllamaApi):
    """Ollama with a model that is loaded with a window of its own."""

    def is_chat(self, path: str) -> bool:
        return path == "/api/chat"

    def get(self, path: str) -> object:
        pages: dict[str, object] = {
            "/api/ps": {"models": [{"name": MODEL, "context_length": 2048}]},
            "/api/show": {"capabilities": ["completion"], "model_info": {"qwen2.context_length": 32768}},
        }
        return pages.get(path) or super().get(path)


def test_ollama_is_asked_with_its_own_format_and_for_the_window_it_really_uses() -> None:
    from langchain_ollama import ChatOllama

    with scripted(Reply(text=(CODE,)), api=ShowingOllama()) as server:
        headers = {"Authorization": f"Bearer {KEY}"}
        client = ChatOllama(model=MODEL, base_url=server.url, client_kwargs={"headers": headers})
        found = probe_endpoint(client, endpoint_of(server, "ollama"))
        assert (found.engine, found.schema, found.window_tokens, found.tools) == (
            "ollama",
            "ollama_format",
            2048,
            False,
        )
        assert server.asked[0]["format"]["properties"]["code"]["enum"] == ["k7-0452"]
        asked = {(request.method, request.path) for request in server.requests}
        assert {("GET", "/api/ps"), ("POST", "/api/show")} <= asked


def test_the_key_goes_to_the_endpoint_s_own_address_only() -> None:
    with scripted(Reply(text=(CODE,)), api=Propertied("llamacpp")) as server:
        probe(server)
        host = server.root.removeprefix("http://")
    seen = {(request.path, request.headers["host"], request.headers["authorization"]) for request in server.requests}
    assert seen == {(path, host, f"Bearer {KEY}") for path in ("/v1/models", "/props", "/v1/chat/completions")}
