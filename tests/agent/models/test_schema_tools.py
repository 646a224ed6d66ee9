"""Tools for a model whose endpoint holds replies to a schema: prompt, schema, streams, and a whole agent."""

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.runnables import Runnable
from pydantic import PrivateAttr

from metier.langchain import GateMiddleware, SchemaToolModel
from metier.testing import FakeModel
from tests.agent.models.decoding_server import find_schema
from tests.agent.support import Toolbox, asked, both_ways, run

CALL = '{"tool": "web_search", "arguments": {"query": "5G"}}'


class Held(FakeModel):
    """A scripted model that remembers the schemas it was held to."""

    extra_body: dict[str, Any] | None = None
    _schemas: list[Any] = PrivateAttr(default_factory=list)

    @property
    def schemas(self) -> list[Any]:
        return self._schemas

    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        self._schemas.append(find_schema(kwargs.get("extra_body") or {}))
        return super()._generate(*args, **kwargs)

    def _stream(self, *args: Any, **kwargs: Any) -> Any:
        self._schemas.append(find_schema(kwargs.get("extra_body") or {}))
        return super()._stream(*args, **kwargs)

    async def _agenerate(self, *args: Any, **kwargs: Any) -> Any:
        return self._generate(*args, **kwargs)


def bound(fake: FakeModel, **options: Any) -> Runnable[Any, AIMessage]:
    return SchemaToolModel(model=fake, dialect="open").bind_tools(Toolbox().tools(), **options)


def offered(schema: Any) -> set[str]:
    """Tools that can be said under a schema."""
    branches = schema.get("anyOf", [schema])
    return {one["properties"]["tool"]["enum"][0] for one in branches if "tool" in one["properties"]}


async def ask(way: str, model: Runnable[Any, AIMessage], messages: Any = "look it up") -> AIMessage:
    return model.invoke(messages) if way == "sync" else await model.ainvoke(messages)


async def streamed(way: str, model: Runnable[Any, AIMessage]) -> list[Any]:
    return list(model.stream("go")) if way == "sync" else [chunk async for chunk in model.astream("go")]


@both_ways
async def test_a_whole_agent_works_under_a_schema(way: str) -> None:
    box = Toolbox()
    fake = Held().say(CALL).say('{"answer": "5G 覆盖正常。"}')
    agent = create_agent(SchemaToolModel(model=fake, dialect="open"), box.tools(), system_prompt="你是网优专家。")
    result = await run(way, agent, asked("查一下 5G"))
    assert box.ran == [("web_search", {"query": "5G"})]
    assert result["messages"][-1].text == "5G 覆盖正常。"
    assert fake.prompts[0].system.startswith("你是网优专家。\n\n# 回复格式\n")
    assert "- delete_file(path: string): Delete a file for good." in fake.prompts[0].system
    assert [(message.type, message.text) for message in fake.prompts[1].messages[1:]] == [
        ("human", "查一下 5G"),
        ("ai", '{"tool":"web_search","arguments":{"query":"5G"}}'),
        ("human", 'TOOL_RESULT: {"result":{"data":{"text":"found 5G"}}}'),
    ]


@both_ways
async def test_the_gate_is_compiled_into_the_schema(way: str) -> None:
    box = Toolbox()
    fake = Held().say('{"answer": "I cannot."}')
    model = SchemaToolModel(model=fake, dialect="open")
    agent = create_agent(model, box.tools(), middleware=[GateMiddleware(allowed=["web_search"])])
    await run(way, agent, asked())
    assert "delete_file" not in str(fake.schemas[0])
    assert "web_search" in offered(fake.schemas[0])


@both_ways
async def test_the_gate_still_holds_if_the_endpoint_does_not(way: str) -> None:
    """A call of a tool that was not offered goes back to the model; none is made."""
    fake = Held().say('{"tool": "shell", "arguments": {}}').say('{"answer": "No."}')
    message = await ask(way, bound(fake))
    assert (message.tool_calls, message.text) == ([], "No.")
    assert "there is no tool 'shell'" in fake.prompts[1].last


@pytest.mark.parametrize(
    ("choice", "tools", "answer"),
    [
        pytest.param(None, {"web_search", "delete_file"}, True, id="auto"),
        pytest.param("any", {"web_search", "delete_file"}, False, id="any"),
    ],
)
async def test_a_demanded_call_is_demanded_by_the_schema(choice: str | None, tools: set[str], answer: bool) -> None:
    fake = Held().say(CALL)
    await bound(fake, tool_choice=choice).ainvoke("go")
    assert offered(fake.schemas[0]) == tools
    assert ("'answer'" in str(fake.schemas[0])) is answer
    assert ('{"answer":"..."}' in fake.prompts[0].system) is answer


async def test_for_one_demanded_tool_the_reply_is_its_arguments() -> None:
    fake = Held().say('{"query": "5G"}')
    message = await bound(fake, tool_choice="web_search").ainvoke("go")
    assert [(call["name"], call["args"]) for call in message.tool_calls] == [("web_search", {"query": "5G"})]
    assert set(fake.schemas[0]["properties"]) == {"query"}
    assert "delete_file" not in fake.prompts[0].system


async def test_several_calls_at_once_are_offered_where_the_agent_wants_them() -> None:
    fake = Held().say(f'{{"calls": [{CALL}, {CALL}]}}')
    message = await bound(fake, parallel_tool_calls=True).ainvoke("go")
    assert [call["name"] for call in message.tool_calls] == ["web_search", "web_search"]
    assert len({call["id"] for call in message.tool_calls}) == 2
    assert '"calls"' in fake.prompts[0].system


async def test_without_tools_there_is_no_schema_and_the_answer_is_plain() -> None:
    fake = Held().say("<think>hm</think>Fine.")
    call: Any = {"name": "web_search", "args": {"query": "a"}, "id": "1", "type": "tool_call"}
    history = [HumanMessage("go"), AIMessage("", tool_calls=[call]), ToolMessage("found", tool_call_id="1")]
    message = await SchemaToolModel(model=fake).ainvoke(history)
    assert fake.schemas == [None]
    assert (message.text, message.additional_kwargs["reasoning_content"]) == ("Fine.", "hm")
    assert [one.type for one in fake.prompts[0].messages] == ["human", "ai", "human"]


STREAMS = [
    pytest.param(('{"ans', 'wer": "Hel', "lo \\u4f60", '好."}'), ["Hel", "lo 你", "好."], [], id="an answer"),
    pytest.param((CALL[:9], CALL[9:]), [], ["web_search"], id="a call"),
    pytest.param(("<think>h", "m</think>", '{"answer": "Yes."}'), ["Yes."], [], id="thoughts first"),
    pytest.param(("Plain ", "words."), ["Plain ", "words."], [], id="no JSON"),
]


@both_ways
@pytest.mark.parametrize(("pieces", "shown", "calls"), STREAMS)
async def test_a_stream_shows_the_answer_as_it_is_decoded(
    way: str, pieces: tuple[str, ...], shown: list[str], calls: list[str]
) -> None:
    chunks = await streamed(way, bound(Held().say(*pieces)))
    assert [chunk.text for chunk in chunks if chunk.text] == shown
    whole = AIMessageChunk(content="")
    for chunk in chunks:
        whole += chunk
    assert whole.text == "".join(shown)
    assert [call["name"] for call in whole.tool_calls] == calls


@both_ways
async def test_half_a_call_is_asked_for_again_and_never_made(way: str) -> None:
    fake = Held().say(CALL[:-4]).say(CALL)
    chunks = await streamed(way, bound(fake))
    assert [call["args"] for chunk in chunks for call in chunk.tool_calls] == [{"query": "5G"}]
    assert "half_json" in fake.prompts[1].last
    given_up = await streamed(way, bound(Held().say(CALL[:-4]).say(CALL[:-4]).say(CALL[:-4])))
    assert [call for chunk in given_up for call in chunk.tool_calls] == []
