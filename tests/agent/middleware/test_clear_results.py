"""Old tool results leave the prompt with a line in their place; the agent's state keeps them."""

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import StructuredTool

from metier.agent.middleware import clear_results_middleware, count_message_tokens
from metier.context import DigestPolicy
from metier.testing import FakeModel
from tests.agent.support import answers, asked, both_ways, run

LONG = "小区数据 " * 200


async def prompt_after_four_calls(way: str, policy: DigestPolicy, tool: str) -> tuple[list[str], list[str]]:
    """Results in the last prompt, and in the state."""

    def query(n: int) -> str:
        """Query."""
        return f"{n} {LONG}"

    model = FakeModel()
    for n in range(4):
        model.call(tool, n=n)
    model.say("Done.")
    tools = [StructuredTool.from_function(query, name=tool)]
    agent: Any = create_agent(model, tools, middleware=[clear_results_middleware(policy)])
    result = await run(way, agent, asked())
    seen = [str(one.text) for one in model.prompts[-1].messages if isinstance(one, ToolMessage)]
    return seen, [str(answer.text) for answer in answers(result)]


@both_ways
async def test_the_model_reads_a_line_and_the_state_keeps_the_result(way: str) -> None:
    seen, kept = await prompt_after_four_calls(way, DigestPolicy(trigger_tokens=1000), "query")
    assert ["cleared" in text for text in seen] == [True, True, False, False]
    assert [text[0] for text in kept] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("policy", "tool"),
    [(DigestPolicy(trigger_tokens=100_000), "query"), (DigestPolicy(trigger_tokens=1), "search_knowledge")],
    ids=["below the trigger", "knowledge is kept"],
)
async def test_what_is_needed_stays_whole(policy: DigestPolicy, tool: str) -> None:
    seen, kept = await prompt_after_four_calls("async", policy, tool)
    assert seen == kept


def test_chinese_text_and_calls_are_counted_in_real_tokens() -> None:
    call = {"name": "query", "args": {"region": "海淀"}, "id": "c", "type": "tool_call"}
    text, silent = HumanMessage("弱覆盖" * 100), AIMessage("", tool_calls=[call])
    assert 150 < count_message_tokens([text]) < len(text.text.encode())
    assert count_message_tokens([text, silent]) > count_message_tokens([text])
