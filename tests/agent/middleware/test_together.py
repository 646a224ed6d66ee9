"""The parts together in one agent: each does its own work, in any order, for one run or for many at once."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import TodoListMiddleware
from langchain_core.tools import StructuredTool

from metier.agent import (
    ChartMiddleware,
    Limits,
    LimitsMiddleware,
    ParametersMiddleware,
    PerRun,
    SubAgentMiddleware,
    SubAgents,
    TableMiddleware,
)
from metier.agent.middleware import clear_results_middleware
from metier.events import find_event_problems
from metier.langchain import GateMiddleware
from metier.store import EVENT_KINDS, EventDraft
from metier.testing import FakeModel
from tests.agent.support import answers, asked, both_ways, run

ROWS = [{"day": day, "rsrp": -100 - day} for day in range(8)]


@dataclass
class Turn:
    """What belongs to one run."""

    events: list[EventDraft] = field(default_factory=list)

    async def emit(self, draft: EventDraft) -> None:
        self.events.append(draft)


def words(text: str) -> int:
    return len(text.split())


def everything(second: FakeModel, allowed: list[str]) -> list[Any]:
    """Our middleware and LangChain's, in the order that the guide names."""
    sink: PerRun[Any] = PerRun(lambda runtime: runtime.context.emit)
    return [
        TodoListMiddleware(),
        ParametersMiddleware(),
        GateMiddleware(allowed=allowed),
        LimitsMiddleware(Limits(), on_event=sink, count=words),
        TableMiddleware(on_event=sink),
        ChartMiddleware(on_event=sink),
        clear_results_middleware(),
        SubAgentMiddleware(SubAgents(second), on_event=sink),
    ]


def agent_of(model: FakeModel, second: FakeModel) -> Any:
    def query(region: str) -> dict[str, Any]:
        """Query the days of a region."""
        return {"table": {"title": region, "rows": ROWS}}

    parts = everything(second, ["query", "show_chart", "task", "write_todos"])
    return create_agent(model, [StructuredTool.from_function(query)], middleware=parts, context_schema=Turn)


@both_ways
async def test_all_parts_work_in_one_agent(way: str) -> None:
    model = FakeModel().call("write_todos", todos=[{"content": "查询", "status": "in_progress"}])
    model.calls(("query", {"region": "海淀"}), ("query", {}), ("rm", {}))
    model.call("show_chart", kind="line", title="趋势", rows=ROWS, x="day", y=["rsrp"])
    model.call("task", description="再核对一遍").say("好了。")
    turn, second = Turn(), FakeModel().say("没有问题")
    agent = agent_of(model, second)
    given: Any = asked("分析海淀")
    result = agent.invoke(given, context=turn) if way == "sync" else await agent.ainvoke(given, context=turn)
    statuses = [answer.status for answer in answers(result)]
    assert statuses == ["success", "success", "error", "error", "success", "success"]
    assert result["messages"][-1].text == "好了。"
    assert result["todos"][0]["content"] == "查询"
    assert [one["tool"] for one in result["violations"]] == ["rm"]
    kinds = [event.kind for event in turn.events]
    assert sorted(kinds) == ["chart", "table", *["usage"] * 6]
    assert set(kinds) <= EVENT_KINDS
    assert all(json.dumps(event.data, allow_nan=False) for event in turn.events)
    assert all(find_event_problems(event.kind, event.data) == () for event in turn.events)


async def test_runs_at_the_same_time_are_told_their_own_events() -> None:
    model = FakeModel()
    for _ in range(10):
        model.say("ok")
    agent, turns = agent_of(model, FakeModel()), [Turn() for _ in range(10)]
    await asyncio.gather(*[agent.ainvoke(asked(), context=turn) for turn in turns])
    assert [[event.kind for event in turn.events] for turn in turns] == [["usage"]] * 10


@both_ways
@pytest.mark.parametrize("reverse", [False, True], ids=["tables first", "charts first"])
async def test_tables_and_charts_take_their_own_in_any_order(way: str, reverse: bool) -> None:
    def compare() -> dict[str, Any]:
        """Compare."""
        return {"table": {"rows": ROWS}, "chart": {"kind": "line", "title": "t", "rows": ROWS, "x": "day", "y": "rsrp"}}

    events: list[EventDraft] = []
    parts = [TableMiddleware(on_event=events.append), ChartMiddleware(on_event=events.append)]
    model = FakeModel().call("compare").say("ok")
    tools = [StructuredTool.from_function(compare)]
    agent: Any = create_agent(model, tools, middleware=parts[::-1] if reverse else parts)
    (answer,) = answers(await run(way, agent, asked()))
    assert sorted(event.kind for event in events) == ["chart", "table"]
    assert set(json.loads(answer.text)) == {"table", "chart"}
    assert answer.artifact["metier"]["data"]["table"]["rows"] == ROWS
