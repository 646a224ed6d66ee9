"""The scripted model that users test their agents with."""

import re
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, SystemMessage
from langchain_core.tools import tool

from metier.errors import UsageError
from metier.testing import FakeModel


@tool
def search(q: str) -> str:
    """Search."""
    return q


async def test_replies_come_in_the_order_of_the_script_by_both_doors() -> None:
    model = FakeModel().say("你好").call("search", q="x").calls(("a", {"n": 1}), ("b", {}), text="Both:")
    first = model.invoke("hi")
    second = await model.ainvoke("go")
    third = model.invoke("more")
    assert first.text == "你好"
    assert [(call["name"], call["args"], call["id"]) for call in second.tool_calls] == [
        ("search", {"q": "x"}, "call-1")
    ]
    assert third.text == "Both:"
    assert [(call["name"], call["id"]) for call in third.tool_calls] == [("a", "call-2"), ("b", "call-3")]
    assert model.replies_left == 0


async def test_prompts_are_remembered_with_the_tools_that_were_bound() -> None:
    model = FakeModel().say("a").say("b")
    bound = model.bind_tools([search], tool_choice="any")
    await bound.ainvoke([SystemMessage("Be brief."), HumanMessage("hi")])
    model.invoke("plain")
    assert [prompt.tools for prompt in model.prompts] == [("search",), ()]
    assert model.prompts[0].tool_choice == "any"
    assert (model.prompts[0].system, model.prompts[0].last) == ("Be brief.", "hi")


def test_an_empty_script_says_what_was_asked() -> None:
    with pytest.raises(UsageError, match="no reply left; it was asked 'hi'") as caught:
        FakeModel().invoke("hi")
    assert ".say(" in caught.value.hint


async def test_a_scripted_error_is_raised_and_the_script_goes_on() -> None:
    model = FakeModel().fail(TimeoutError("provider is down")).say("back")
    with pytest.raises(TimeoutError, match="provider is down"):
        await model.ainvoke("hi")
    assert model.invoke("hi").text == "back"


async def test_pieces_are_streamed_one_by_one_and_calls_arrive_whole() -> None:
    model = FakeModel().say("你", "好").say("你", "好").call("search", q="覆盖")
    assert [chunk.text for chunk in model.stream("hi") if chunk.text] == ["你", "好"]
    assert [chunk.text async for chunk in model.astream("hi") if chunk.text] == ["你", "好"]
    whole = AIMessageChunk(content="")
    async for chunk in model.astream("hi"):
        assert isinstance(chunk, AIMessageChunk)
        whole += chunk
    assert isinstance(whole, AIMessage)
    assert whole.tool_calls[0]["args"] == {"q": "覆盖"}


def test_the_code_of_the_guide_works() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs/guides/testing.md").read_text("utf-8")
    block = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)[0]

    @tool
    def web_search(query: str) -> str:
        """Search the web."""
        return query

    exec(block, {"web_search": web_search})


def test_reasoning_comes_before_the_reply_and_is_no_part_of_its_text() -> None:
    model = FakeModel().think("Hm, ", "so.").say("Yes.").think("Again.").call("search", q="x").say("No.")
    first, second, third = (model.invoke("hi") for _ in range(3))
    assert [one.additional_kwargs.get("reasoning_content") for one in (first, second, third)] == [
        "Hm, so.",
        "Again.",
        None,
    ]
    assert (first.text, second.text, third.text) == ("Yes.", "", "No.")
    streamed = list(FakeModel().think("Hm, ", "so.").say("Yes.").stream("hi"))
    assert [one.additional_kwargs.get("reasoning_content", one.text) for one in streamed[:3]] == ["Hm, ", "so.", "Yes."]
