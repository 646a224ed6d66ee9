"""Checkpoints of interrupted runs: from memory into a pause and back."""

from typing import Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, BaseMessage
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from metier.agent.loop._checkpoints import RunCheckpoints
from metier.errors import InvalidInput
from metier.json_values import JsonObject

CONFIG: Any = {"configurable": {"thread_id": "talk"}}


class State(TypedDict):
    messages: list[BaseMessage]
    answer: str


def build(checkpoints: RunCheckpoints) -> Any:
    """A graph that asks one question."""

    async def ask(state: State) -> dict[str, str]:
        return {"answer": interrupt("which word?")}

    graph = StateGraph(State)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph.compile(checkpointer=checkpoints)


async def interrupted() -> JsonObject:
    checkpoints = RunCheckpoints()
    given = {"messages": [AIMessage("hello")], "answer": ""}
    await build(checkpoints).ainvoke(given, CONFIG, durability="exit")
    return checkpoints.dump("talk")


async def test_a_run_is_resumed_by_another_process_with_the_state_it_had() -> None:
    checkpoints = RunCheckpoints()
    checkpoints.load("talk", await interrupted())
    ended = await build(checkpoints).ainvoke(Command(resume="RSRP"), CONFIG, durability="exit")
    assert ended == {"messages": [AIMessage("hello")], "answer": "RSRP"}


async def test_nothing_is_kept_of_a_run_that_is_forgotten() -> None:
    checkpoints = RunCheckpoints()
    checkpoints.load("talk", await interrupted())
    checkpoints.forget("talk")
    assert await checkpoints.aget_tuple(CONFIG) is None


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"format": "msgpack", "data": "no base64!"},
        {"format": "msgpack", "data": "AAAA"},
        {"format": "x", "data": ""},
    ],
    ids=["empty", "no base64", "no checkpoint", "unknown format"],
)
def test_a_stored_run_that_cannot_be_read_is_an_error_with_a_hint(stored: JsonObject) -> None:
    with pytest.raises(InvalidInput, match="cannot be read") as caught:
        RunCheckpoints().load("talk", stored)
    assert caught.value.hint
