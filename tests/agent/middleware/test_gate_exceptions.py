"""`request_exception` in an agent of somebody else: a policy, a person, or nobody."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from metier.langchain import GateMiddleware
from metier.testing import FakeModel
from metier.tools import AskPerson, DenyAll, ExceptionPolicy, Gate, MemoryLedger, Rules, ToolSpec
from tests.agent.support import Toolbox, agent_of, asked, both_ways, run
from tests.policies import grant

TALK: Any = {"configurable": {"thread_id": "talk", "turn": "t-1"}}


def gate(ledger: MemoryLedger, policy: ExceptionPolicy) -> GateMiddleware:
    """A skill that allows searching and nothing else."""
    tools = {name: ToolSpec(name, name) for name in ("web_search", "delete_file")}
    rules = Rules("skill", "skill files", allowed=frozenset({"web_search"}))
    return GateMiddleware(Gate([rules], tools), exceptions=policy, ledger=ledger)


def scripted() -> FakeModel:
    model = FakeModel().call("delete_file", path="a").call("request_exception", tool="delete_file", reason="it is old")
    return model.call("delete_file", path="a").say("done")


@both_ways
@pytest.mark.parametrize(
    ("policy", "ran", "ruling"),
    [
        (grant("delete_file"), ["delete_file"], "granted"),
        (DenyAll(), [], "denied"),
        (AskPerson(), [], "denied"),
    ],
    ids=["granted", "denied", "nobody to ask"],
)
async def test_a_policy_decides(way: str, policy: ExceptionPolicy, ran: list[str], ruling: str) -> None:
    box, ledger, model = Toolbox(), MemoryLedger(), scripted()
    await run(way, agent_of(model, box, gate(ledger, policy)), asked())
    assert ["request_exception" in prompt.tools for prompt in model.prompts] == [False, True, True, True]
    assert box.names == ran
    assert [one.state for one in ledger.rulings.values()] == [ruling]


@both_ways
@pytest.mark.parametrize(("decision", "ran"), [("approve", ["delete_file"]), ("reject", [])])
async def test_a_person_decides_and_the_wish_is_recorded_once(way: str, decision: str, ran: list[str]) -> None:
    box, ledger = Toolbox(), MemoryLedger()
    agent = agent_of(scripted(), box, gate(ledger, AskPerson()), checkpointer=InMemorySaver())
    paused = await run(way, agent, asked(), TALK)
    (waiting,) = paused["__interrupt__"]
    assert (waiting.value["kind"], waiting.value["tool"]) == ("exception", "delete_file")
    await run(way, agent, Command(resume={"decision": decision}), TALK)
    assert box.names == ran
    assert [(ask.conversation, ask.turn) for ask in ledger.asks.values()] == [("talk", "t-1")]


async def test_an_exception_holds_for_this_turn_only() -> None:
    box, ledger = Toolbox(), MemoryLedger()
    model = scripted().call("delete_file", path="b").say("no")
    policy = grant("delete_file")
    agent = agent_of(model, box, gate(ledger, policy), checkpointer=InMemorySaver())
    await agent.ainvoke(asked(), TALK)
    await agent.ainvoke(asked("once more"), TALK)
    assert box.ran == [("delete_file", {"path": "a"})]


async def test_a_violation_carries_the_turn() -> None:
    ledger = MemoryLedger()
    model = FakeModel().call("delete_file", path="a").say("ok")
    await agent_of(model, Toolbox(), GateMiddleware(allowed=[], ledger=ledger)).ainvoke(asked(), TALK)
    assert [(one.conversation, one.turn) for one in ledger.violations] == [("talk", "t-1")]
