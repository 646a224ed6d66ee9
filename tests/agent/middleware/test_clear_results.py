"""Old tool results leave the prompt, whole, with a line in their place; the run keeps them."""

from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool

from metier.agent import EditingMiddleware
from metier.agent.middleware._clear_results import clear_results
from metier.context import ClearingPolicy
from metier.testing import FakeModel
from tests.agent.support import answers, asked, both_ways, run

LONG = "小区数据 " * 200


def results(*tools: str, text: str = LONG) -> list[AnyMessage]:
    made: list[AnyMessage] = [HumanMessage("go")]
    for number, tool in enumerate(tools):
        made.append(AIMessage("", tool_calls=[{"name": tool, "args": {}, "id": f"c{number}", "type": "tool_call"}]))
        made.append(ToolMessage(text, tool_call_id=f"c{number}"))
    return made


def gone(messages: list[AnyMessage] | None) -> list[int]:
    told = [one for one in messages or [] if isinstance(one, ToolMessage)]
    return [at for at, one in enumerate(told) if "were cleared" in one.text]


def test_below_the_trigger_nothing_is_touched() -> None:
    assert clear_results(results("a", "b", "c"), ClearingPolicy(10_000), len) is None


def test_the_oldest_go_first_and_only_as_many_as_needed() -> None:
    messages = results("a", "b", "c", "d")
    assert gone(clear_results(messages, ClearingPolicy(3 * len(LONG) + 100), len)) == [0]
    assert gone(clear_results(messages, ClearingPolicy(1), len)) == [0, 1]


def test_what_skills_and_knowledge_said_stays() -> None:
    messages = results("use_skill", "search_knowledge", "load_rule", "query", "x", "y")
    assert gone(clear_results(messages, ClearingPolicy(1), len)) == [3]


def test_a_short_result_is_not_worth_clearing() -> None:
    assert gone(clear_results(results("a", "b", "c", text="ok " * 20), ClearingPolicy(1), len)) == []


def test_the_line_says_what_was_there_and_calls_stay_paired() -> None:
    edited = clear_results(results("query", "b", "c"), ClearingPolicy(1), len)
    assert edited is not None
    assert edited[2].text == f"[{len(LONG)} tokens of query were cleared; call it again if they are needed]"
    assert [one.tool_call_id for one in edited if isinstance(one, ToolMessage)] == ["c0", "c1", "c2"]


@both_ways
async def test_the_model_reads_the_line_and_the_run_keeps_the_result(way: str) -> None:
    def query(n: int) -> str:
        """Query."""
        return f"{n} {LONG}"

    model = FakeModel()
    for n in range(4):
        model.call("query", n=n)
    model.say("Done.")
    middleware = EditingMiddleware(ClearingPolicy(2 * len(LONG)), count=len)
    agent: Any = create_agent(model, [StructuredTool.from_function(query)], middleware=[middleware])
    result = await run(way, agent, asked())
    assert [answer.text[0] for answer in answers(result)] == ["0", "1", "2", "3"]
    seen = [one.text for one in model.prompts[-1].messages if isinstance(one, ToolMessage)]
    assert [text.startswith("[") for text in seen] == [True, True, False, False]


def test_the_default_counts_real_tokens() -> None:
    middleware = EditingMiddleware(ClearingPolicy(trigger_tokens=1))
    assert middleware._count("弱覆盖") < len("弱覆盖".encode())
