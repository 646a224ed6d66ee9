"""Benchmark of a turn without the model's time: milliseconds, database queries, model calls for fixed steps."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from sqlalchemy import Engine, event

from metier.agent import Runtime, TurnRequest
from metier.bench._figures import Figure
from metier.settings import Settings
from metier.store import Conversation, MessageDraft
from metier.testing import FakeModel
from metier.tools import Tool, function_tool

TURNS = 40
STORED_MESSAGES = 200
_WARM_UP = 5
_TARGET_MS = 12
_USER = "bench"
_SKILL = """---
name: weekly-figures
title: 周报数据
description: 汇总一周的数据并给出结论
triggers: [周报数据]
examples: [汇总这周的周报数据, 看一下周报数据, 周报数据出一版]
allowed_tools: [figure]
sop:
  - {id: one, call: figure, with: {number: 1}}
  - {id: two, call: figure, with: {number: $.one.number}}
  - {id: three, call: figure, with: {number: $.two.number}}
  - {id: four, call: figure, with: {number: $.three.number}}
  - {id: five, call: figure, with: {number: $.four.number}}
  - {id: six, call: figure, with: {number: $.five.number}}
---

汇总数据，先给结论。
"""


def measure_turn() -> Iterator[Figure]:
    """Measure a short answer after 200 messages, and a skill of six fixed steps with and without a model."""
    with tempfile.TemporaryDirectory() as temporary:
        skills = Path(temporary, "skills")
        skills.mkdir()
        (skills / "weekly-figures.md").write_text(_SKILL, "utf-8")
        settings = Settings(skills_dir=(skills,), storage_dir=Path(temporary, "storage"), embedder="none")
        yield from asyncio.run(_measure_all(settings))


async def _measure_all(settings: Settings) -> list[Figure]:
    taken, queries = await _time_short_turns(settings)
    calls = await _count_model_calls(settings, FakeModel().say("三条结论。"))
    without = await _count_model_calls(settings, None)
    return [
        Figure(
            "turn",
            f"own cost after {STORED_MESSAGES} messages, p50",
            median(taken),
            _TARGET_MS,
            len(taken),
            await _time_bare_agent(),
            "LangChain's agent without a store",
        ),
        Figure("turn", "database queries", median(queries), 60, len(queries), unit="queries"),
        Figure("turn", "model calls, six determined steps", calls, 3, 1, unit="calls"),
        Figure("turn", "model calls, the same without a model", without, 1, 1, unit="calls"),
    ]


async def _time_short_turns(settings: Settings) -> tuple[list[float], list[int]]:
    model = FakeModel()
    for _ in range(TURNS + _WARM_UP):
        model.say("好的。")
    counted = _QueryCounter()
    taken: list[float] = []
    queries: list[int] = []
    async with Runtime.open(settings, model=model, tools=_build_tools()) as runtime:
        conversation = await _fill_conversation(runtime)
        for number in range(TURNS + _WARM_UP):
            before = counted.count
            started = perf_counter()
            await _run_turn(runtime, TurnRequest(f"第{number}句：谢谢", conversation=conversation.id, user=_USER))
            if number >= _WARM_UP:
                taken.append((perf_counter() - started) * 1000)
                queries.append(counted.count - before)
    counted.stop()
    return taken, queries


async def _time_bare_agent() -> float:
    """Milliseconds (p50) in which LangChain's own agent, without middleware and store, asks the same model."""
    from langchain.agents import create_agent
    from langchain_core.messages import AIMessage, HumanMessage

    model = FakeModel()
    for _ in range(TURNS + _WARM_UP):
        model.say("好的。")
    agent = create_agent(model, [])
    pairs = [(HumanMessage("和昨天的一样吗？"), AIMessage("一样。")) for _ in range(STORED_MESSAGES // 2)]
    earlier = [message for pair in pairs for message in pair]
    taken: list[float] = []
    for number in range(TURNS + _WARM_UP):
        started = perf_counter()
        await agent.ainvoke({"messages": [*earlier, HumanMessage(f"第{number}句：谢谢")]})
        taken.append((perf_counter() - started) * 1000)
    return median(taken[_WARM_UP:])


async def _fill_conversation(runtime: Runtime) -> Conversation:
    conversation = await runtime.store.conversations.create(user=_USER)
    for number in range(STORED_MESSAGES // 2):
        await runtime.store.messages.append(
            conversation.id, MessageDraft("user", f"第{number}个问题，和昨天的一样吗？")
        )
        await runtime.store.messages.append(conversation.id, MessageDraft("assistant", "一样，只有两处数字不同。"))
    return conversation


async def _count_model_calls(settings: Settings, model: FakeModel | None) -> float:
    async with Runtime.open(settings, model=model, tools=_build_tools()) as runtime:
        kinds = await _run_turn(runtime, TurnRequest("汇总这周的周报数据", user=_USER))
    if kinds.count("step.done") != 6 or kinds[-1] != "turn.done":
        raise RuntimeError(f"the six steps did not run to the end: {kinds}")
    return float(len(model.prompts)) if model else 0.0


async def _run_turn(runtime: Runtime, request: TurnRequest) -> list[str]:
    return [found.kind async for found in runtime.turn(request)]


def _build_tools() -> tuple[Tool, ...]:
    def figure(number: int) -> dict[str, int]:
        """Give the figure of this number."""
        return {"number": number}

    return (function_tool(figure, idempotent=True),)


class _QueryCounter:
    """Counts the statements SQLAlchemy sends on any engine."""

    def __init__(self) -> None:
        self.count = 0
        event.listen(Engine, "before_cursor_execute", self._add)

    def stop(self) -> None:
        event.remove(Engine, "before_cursor_execute", self._add)

    def _add(self, *_: object) -> None:
        self.count += 1
