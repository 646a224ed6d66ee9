"""Proof that a forbidden tool cannot be uttered: replies decoded at random, under the stage's schema and without it."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import PrivateAttr

from metier.agent.models.decoding import Dialect, SchemaMethod, count_uttered_calls
from metier.langchain import GateMiddleware, NativeToolModel, SchemaToolModel, TextToolModel
from metier.testing import FakeModel
from tests.agent.models.decoding.random_json import write_anything, write_under
from tests.agent.models.decoding_server import DecodingServer, find_schema, names_in
from tests.agent.support import Toolbox, asked
from tests.providers.server import KEY, MODEL

KNOWN = ("web_search", "delete_file", "shell", "apply_parameters")
REPLIES = 400


class RandomModel(FakeModel):
    """A model that is nothing but its decoder."""

    extra_body: dict[str, Any] | None = None
    _rng: random.Random = PrivateAttr(default_factory=lambda: random.Random(7))
    _said: list[str] = PrivateAttr(default_factory=list)

    @property
    def said(self) -> list[str]:
        return self._said

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        schema = find_schema({**kwargs, **(kwargs.get("extra_body") or {})})
        text = write_under(schema, self._rng) if schema else write_anything(self._rng, KNOWN)
        self._said.append(text)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])


@pytest.mark.parametrize("dialect", ["strict", "open", "claude"])
def test_hundreds_of_random_replies_under_the_schema_name_no_forbidden_tool(dialect: Dialect) -> None:
    model = RandomModel()
    allowed = Toolbox().tools()[:1]
    held = SchemaToolModel(model=model, dialect=dialect, repairs=0).bind_tools(allowed, parallel_tool_calls=True)
    calls = [call["name"] for _ in range(REPLIES) for call in held.invoke("go").tool_calls]
    said = [name for text in model.said for name in names_in(text)]
    assert set(said) == set(calls) == {"web_search"}
    assert len(calls) > REPLIES // 4


def test_the_same_decoder_without_the_schema_names_them() -> None:
    model = RandomModel()
    text = TextToolModel(model=model, repairs=0).bind_tools(Toolbox().tools()[:1])
    called = {call["name"] for _ in range(REPLIES) for call in text.invoke("go").tool_calls}
    assert called > {"web_search"}  # the gate refuses and records the others
    native = NativeToolModel(model=model, repairs=0).bind_tools(Toolbox().tools()[:1])
    assert {call["name"] for _ in range(REPLIES) for call in native.invoke("go").tool_calls} == {"web_search"}


@pytest.fixture
def server() -> Iterator[DecodingServer]:
    with DecodingServer(KNOWN) as server:
        yield server


@pytest.mark.parametrize("method", ["response_format", "structured_outputs", "guided_json", "json_schema"])
async def test_the_real_client_sends_the_schema_and_no_reply_names_a_forbidden_tool(
    server: DecodingServer, method: SchemaMethod
) -> None:
    from langchain_openai import ChatOpenAI

    client = ChatOpenAI(model=MODEL, base_url=server.url, api_key=KEY, max_retries=0, extra_body={"top_k": 3})
    held = SchemaToolModel(model=client, method=method, dialect="open", repairs=0).bind_tools(Toolbox().tools()[:1])
    for _ in range(10):
        whole = await held.ainvoke("go")
        chunks = [chunk async for chunk in held.astream("go")]
        for call in (*whole.tool_calls, *(call for chunk in chunks for call in chunk.tool_calls)):
            assert call["name"] == "web_search"
    assert {name for text in server.said for name in names_in(text)} == {"web_search"}
    assert all(find_schema(body) is not None and body["top_k"] == 3 for body in server.asked)


async def test_the_gate_has_nothing_to_refuse_under_the_schema_and_much_without_it(server: DecodingServer) -> None:
    from langchain_openai import ChatOpenAI

    client = ChatOpenAI(model=MODEL, base_url=server.url, api_key=KEY, max_retries=0)
    refused = {}
    for name, model in (("on", SchemaToolModel(model=client, dialect="open")), ("off", TextToolModel(model=client))):
        box = Toolbox()
        agent: Any = create_agent(model, box.tools(), middleware=[GateMiddleware(allowed=["web_search"])])
        violations: list[Any] = []
        for _ in range(10):
            result = await agent.ainvoke(asked(), {"recursion_limit": 200})
            violations += result.get("violations") or []
        refused[name] = {one["tool"] for one in violations}
        assert set(box.names) <= {"web_search"}
    assert refused["on"] == set()
    assert refused["off"] & {"delete_file", "shell", "apply_parameters"}


async def test_both_ways_of_decoding_can_be_counted_and_compared() -> None:
    function = {"name": "web_search", "description": "", "parameters": {"type": "object", "properties": {}}}
    search: dict[str, Any] = {"type": "function", "function": function}
    questions = ["go"] * 200
    on = await count_uttered_calls(SchemaToolModel(model=RandomModel(), repairs=0), [search], questions)
    off = await count_uttered_calls(TextToolModel(model=RandomModel(), repairs=0), [search], questions)
    assert (on.replies, on.forbidden) == (200, 0)
    assert off.forbidden > 20
