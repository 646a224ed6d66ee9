"""Limits of one turn: each ends the run with a sentence and figures, and nothing found so far is lost."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain.agents.middleware import wrap_model_call
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from metier.agent import Limits, LimitsMiddleware, Price
from metier.agent.adapters import ReachedLimit, UsageTotals, compare_with_limits
from metier.agent.models import cut_text
from metier.agent.models._output_guard import find_loop
from metier.store import EventDraft
from metier.testing import FakeModel
from tests.agent.support import answers, asked, both_ways, run

NONE = Limits(steps=None, model_calls=None, tokens=None, wall_s=None)


class Clock:
    """Time that moves when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class PricedModel(FakeModel):
    """A fake model that says what it took."""

    def _generate(self, *arguments: Any, **options: Any) -> ChatResult:
        made = super()._generate(*arguments, **options).generations[0].message
        usage = {"input_tokens": 1000, "output_tokens": 10, "total_tokens": 1010}
        return ChatResult(generations=[ChatGeneration(message=made.model_copy(update={"usage_metadata": usage}))])


def words(text: str) -> int:
    return len(text.split())


def agent_of(model: FakeModel, limits: Limits, events: list[EventDraft], **options: Any) -> Any:
    def look(n: int) -> str:
        """Look at one thing."""
        return f"saw {n}"

    middleware = LimitsMiddleware(limits, on_event=events.append, count=words, **options)
    return create_agent(model, [StructuredTool.from_function(look)], middleware=[middleware])


def looking(model: FakeModel, times: int = 5) -> FakeModel:
    for n in range(times):
        model.call("look", n=n)
    return model.say("Done.")


ENDS: list[Any] = [
    pytest.param(Limits(model_calls=2), "model_calls", 2, 2, id="model calls"),
    pytest.param(Limits(steps=3), "steps", 3, 3, id="steps"),
    pytest.param(Limits(tokens=2000), "tokens", 2020, 2000, id="tokens"),
    pytest.param(Limits(cost=0.003), "cost", 0.00315, 0.003, id="cost"),
]


@both_ways
@pytest.mark.parametrize(("limits", "name", "used", "most"), ENDS)
async def test_a_limit_ends_the_run_with_its_figures(
    way: str, limits: Limits, name: str, used: float, most: float
) -> None:
    events: list[EventDraft] = []
    agent = agent_of(looking(PricedModel()), limits, events, price=Price(1.0, 5.0))
    result = await run(way, agent, asked())
    last = result["messages"][-1]
    figures = {"limit": name, "used": used, "most": most}
    assert last.response_metadata["metier"] == {"ended": "limit_reached", **figures}
    assert last.text.startswith("I stopped here: this turn may use")
    *usages, error = events
    assert (error.kind, error.data["code"]) == ("error", "limit_reached")
    assert {key: error.data[key] for key in figures} == figures
    assert [one.kind for one in usages] == ["usage"] * len(answers(result))
    told = [{**one.data, "elapsed_ms": 0} for one in usages]
    spent = {"input_tokens": 1000, "output_tokens": 10, "cost": 0.00105}
    assert all(one == {**spent, "model": "metier-fake", "elapsed_ms": 0} for one in told)
    assert [answer.text for answer in answers(result)] == [f"saw {n}" for n in range(len(answers(result)))]


@both_ways
async def test_time_ends_a_run_and_waiting_for_a_person_does_not_count(way: str) -> None:
    clock, events = Clock(), list[EventDraft]()

    def slow() -> str:
        """Take a while."""
        clock.now += 40
        return interrupt("go on?") and "done"

    limits = Limits(wall_s=100)
    model = FakeModel().call("slow").call("slow").call("slow").say("Done.")
    agent: Any = create_agent(
        model,
        [StructuredTool.from_function(slow)],
        middleware=[LimitsMiddleware(limits, on_event=events.append, clock=clock, count=words)],
        checkpointer=InMemorySaver(),
    )
    config = {"configurable": {"thread_id": "t"}}
    result = await run(way, agent, asked("慢慢来"), config)
    while "__interrupt__" in result:
        clock.now += 3600
        result = await run(way, agent, Command(resume="yes", update={"paused_s": 3640.0}), config)
    assert result["messages"][-1].response_metadata["metier"]["limit"] == "wall_s"
    assert result["messages"][-1].text == "本轮已停止：秒数达到上限（已用 120，上限 100）。已有的结果仍然保留。"
    assert len(answers(result)) == 3


@both_ways
async def test_the_next_turn_of_a_thread_starts_from_nothing(way: str) -> None:
    model = looking(FakeModel(), 2)
    looking(model, 2)
    agent: Any = create_agent(
        model,
        [StructuredTool.from_function(lambda n: "ok", name="look", description="Look.", args_schema=_look_schema())],
        middleware=[LimitsMiddleware(Limits(model_calls=4, steps=3), count=words)],
        checkpointer=InMemorySaver(),
    )
    config = {"configurable": {"thread_id": "t"}}
    for _ in range(2):
        assert (await run(way, agent, asked(), config))["messages"][-1].text == "Done."


def _look_schema() -> dict[str, Any]:
    return {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@both_ways
async def test_calls_beyond_the_steps_are_answered_and_not_run(way: str) -> None:
    model = FakeModel().calls(*[("look", {"n": n}) for n in range(100)]).say("never")
    result = await run(way, agent_of(model, Limits(steps=3), []), asked())
    told = answers(result)
    assert len(told) == 100
    assert [one.text for one in told if one.status == "success"] == ["saw 0", "saw 1", "saw 2"]
    assert result["messages"][-1].response_metadata["metier"]["limit"] == "steps"


async def test_what_never_reached_the_model_is_no_model_call() -> None:
    @wrap_model_call
    async def planned(request: Any, handler: Any) -> Any:
        return AIMessage("from the plan")

    events: list[EventDraft] = []
    limits: Any = LimitsMiddleware(NONE, on_event=events.append, count=words)
    agent: Any = create_agent(FakeModel(), [], middleware=[planned, limits])
    await run("async", agent, asked())
    assert events == []


@both_ways
async def test_a_model_that_says_nothing_about_tokens_is_counted(way: str) -> None:
    events: list[EventDraft] = []
    await run(way, agent_of(FakeModel().say("one two three"), NONE, events), asked("four five"))
    (usage,) = events
    counted = {"input_tokens": 2, "output_tokens": 3, "estimated": True, "model": "metier-fake"}
    assert usage.data == {**counted, "elapsed_ms": usage.data["elapsed_ms"]}


@both_ways
@pytest.mark.parametrize("text", ["", " \n "], ids=["empty", "whitespace"])
async def test_an_empty_reply_is_a_reply(way: str, text: str) -> None:
    result = await run(way, agent_of(FakeModel().say(text), NONE, []), asked())
    assert result["messages"][-1].text == text


@cache
def _count_far() -> str:
    return "".join(f"{n} " for n in range(1_500_000))


@both_ways
async def test_ten_megabytes_of_reply_are_cut_and_said_to_be(way: str) -> None:
    text = _count_far()
    result = await run(way, agent_of(FakeModel().say(text), NONE, []), asked())
    last = result["messages"][-1]
    assert last.text.endswith(f"[cut: it was too long; {len(text) - 200_000} characters are left out]")
    assert last.response_metadata["metier"] == {"cut": "length", "lost_chars": len(text) - 200_000}


@both_ways
async def test_a_reply_that_goes_in_circles_is_cut(way: str) -> None:
    result = await run(way, agent_of(FakeModel().say("结论：" + "的的" * 5000), NONE, []), asked("总结"))
    last = result["messages"][-1]
    assert last.text == "结论：的的\n[内容开始循环重复，已截断 9998 个字符]"


@both_ways
async def test_a_tools_flood_is_cut_and_half_characters_are_marked(way: str) -> None:
    def flood() -> str:
        """Say far too much."""
        return "\ud83d" + "".join(map(str, range(300_000)))

    model = FakeModel().call("flood").say("Done.")
    limits = LimitsMiddleware(NONE, count=words)
    agent: Any = create_agent(model, [StructuredTool.from_function(flood)], middleware=[limits])
    (answer,) = answers(await run(way, agent, asked()))
    assert answer.text.startswith("\ufffd01")
    assert len(answer.text) < 200_100
    assert "characters are left out]" in answer.text


LOOPS: list[Any] = [
    pytest.param("intro " + "ab" * 2000, (6, 2), id="two letters"),
    pytest.param("x" * 5000, (0, 1), id="one letter"),
    pytest.param("start\n" + "我再想一想。" * 400, (6, 6), id="chinese"),
    pytest.param("a b c " * 50, None, id="short"),
    pytest.param("-" * 900, None, id="a ruled line"),
    pytest.param("".join(f"row {n} is like the others\n" for n in range(500)), None, id="rows that differ"),
    pytest.param("loop " * 500 + "and then it ended.", None, id="came out again"),
    pytest.param("", None, id="empty"),
]


@pytest.mark.parametrize(("text", "found"), LOOPS)
def test_a_loop_is_found_where_it_begins(text: str, found: tuple[int, int] | None) -> None:
    assert find_loop(text) == found


@given(st.text(max_size=50), st.text(min_size=1, max_size=80))
def test_any_unit_repeated_for_long_is_a_loop_and_the_beginning_stays(head: str, unit: str) -> None:
    text = head + unit * (4000 // len(unit))
    cut = cut_text(text)
    assert cut.reason == "loop"
    assert text.startswith(cut.text)
    assert len(cut.text) + cut.lost_chars == len(text)
    assert len(cut.text) <= len(head) + 2 * len(unit)


@both_ways
async def test_a_call_that_comes_too_late_is_answered_and_not_run(way: str) -> None:
    clock = Clock()
    ran: list[int] = []

    def slow(n: int) -> str:
        """Take a while."""
        ran.append(n)
        clock.now += 60
        return "ok"

    model = FakeModel().call("slow", n=1).call("slow", n=2).say("never")

    class Late(FakeModel):
        """A model that thinks for a minute."""

        def _next_reply(self, messages: Any, options: Any) -> Any:
            clock.now += 60
            return super()._next_reply(messages, options)

    late = Late()
    late._script = model._script
    agent: Any = create_agent(
        late,
        [StructuredTool.from_function(slow)],
        middleware=[LimitsMiddleware(Limits(wall_s=150), clock=clock, count=words)],
    )
    result = await run(way, agent, asked())
    assert ran == [1]
    assert [answer.status for answer in answers(result)] == ["success", "error"]
    assert result["messages"][-1].response_metadata["metier"] == {
        "ended": "limit_reached",
        "limit": "wall_s",
        "used": 180.0,
        "most": 150,
    }


def test_no_limit_means_no_end() -> None:
    assert compare_with_limits(UsageTotals(10**6, 10**6, 10**9, 10**9, 1e9, 1e9), NONE) is None


def test_the_sentence_of_a_limit_writes_large_numbers_in_full() -> None:
    tokens = ReachedLimit("tokens", 1_234_567, 400_000).text("en")
    assert ("1,234,567" in tokens, "400,000" in tokens) == (True, True)
    assert "0.00315" in ReachedLimit("cost", 0.00315, 0.003).text("zh")
