"""Checkpoints of interrupted runs: from memory into a pause and back."""

import contextlib
from base64 import b64encode
from pathlib import Path
from typing import Any, TypedDict

import ormsgpack
import pytest
from langchain_core.messages import AIMessage, BaseMessage
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

from metier.agent.loop.callers import RunCheckpoints
from metier.errors import InvalidInput, UsageError
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


def test_a_stored_row_names_no_code_to_run(tmp_path: Path) -> None:
    """LangGraph's default serializer imports what a row names and calls it."""
    target = tmp_path / "made"
    row = ormsgpack.packb([ormsgpack.Ext(0, ormsgpack.packb(("os", "mkdir", str(target)))), {}, []])
    with contextlib.suppress(InvalidInput):
        RunCheckpoints().load("talk", {"format": "msgpack", "data": b64encode(row).decode()})
    assert not target.exists()


async def test_a_run_with_too_much_state_is_not_stored() -> None:
    checkpoints = RunCheckpoints()
    given = {"messages": [AIMessage("x" * 5_000_000)], "answer": ""}
    await build(checkpoints).ainvoke(given, CONFIG, durability="exit")
    with pytest.raises(UsageError, match="cannot be stored"):
        checkpoints.dump("talk")


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"format": "msgpack", "data": "no base64!"},
        {"format": "pickle", "data": "gASVBQAAAAAAAABLAS4="},
        {"format": "msgpack", "data": "AAAA"},
        {"format": "x", "data": ""},
    ],
    ids=["empty", "no base64", "another format that runs code", "no checkpoint", "unknown format"],
)
def test_a_stored_run_that_cannot_be_read_is_an_error_with_a_hint(stored: JsonObject) -> None:
    with pytest.raises(InvalidInput, match="cannot be read") as caught:
        RunCheckpoints().load("talk", stored)
    assert caught.value.hint
