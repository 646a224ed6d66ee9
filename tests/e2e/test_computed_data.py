"""A tool keeps its result as the user's data, and a skill that computes first has no other tools before."""

from pathlib import Path
from typing import Any

from metier.agent import Runtime
from metier.store import Store
from metier.testing import FakeModel
from metier.tools import ToolContext, ToolResult, function_tool
from tests.e2e.support import answered, said, settings_in, written

CHART = """---
name: chart
title: 命盘
description: 先排盘，再解读
triggers: [排盘]
examples: [帮我排盘]
priority: 60
requires_birth_info: true
requires_compute: true
compute_type: chart
compute_tool: compute_chart
profile_fields: [birth_info, skill_data.chart]
allowed_tools: [compute_chart, read_chart, keep_elsewhere]
---

# 命盘

先排盘。
"""


def compute_chart(context: ToolContext) -> ToolResult:
    """Compute the chart of the birth info."""
    profile = context.user_data["profile"]
    assert isinstance(profile, dict)
    year = str(profile["birth_info"]["date"])[:4]
    return ToolResult({"year": year}, keep={"skill_data.chart.pillars": {"year": year}})


def read_chart(context: ToolContext) -> ToolResult:
    """Read the chart."""
    data = context.user_data["skill_data"]
    assert isinstance(data, dict)
    return ToolResult({"read": data["chart"]["pillars"]["year"], "user": context.user})


def keep_elsewhere() -> ToolResult:
    """Keep what the skill does not declare."""
    return ToolResult({"done": True}, keep={"income": 1})


TOOLS = (function_tool(compute_chart), function_tool(read_chart), function_tool(keep_elsewhere))


async def _read_kept(store: Store) -> tuple[object, int]:
    kept = await store.skill_data.get("local", "chart")
    return kept.data.get("pillars"), kept.version


async def test_all_other_tools_are_closed_until_the_chart_is_that_of_the_present_birth_info(tmp_path: Path) -> None:
    model = FakeModel()
    model.call("read_chart").call("compute_chart").call("read_chart").say("好")
    model.call("read_chart").say("还在")
    model.call("read_chart").call("compute_chart").call("read_chart").say("改好了")
    folder = written(tmp_path, chart=CHART)
    async with Runtime.open(settings_in(tmp_path, skills_dir=(folder,)), model=model, tools=TOOLS) as runtime:
        await runtime.store.profiles.set("local", {"birth_info": {"date": "1990-05-01"}})
        first = await said(runtime, "帮我排盘")
        assert [one["ok"] for one in first.all("tool.result")] == [False, True, True]
        assert first.all("tool.violation")[0]["allowed"] == ["compute_chart"]
        assert first.all("tool.result")[1]["kept"] == ["skill_data.chart.pillars"]
        kept, version = await _read_kept(runtime.store)
        assert kept == {"year": "1990"}
        second = await said(runtime, "再看一遍", first.conversation)
        assert [one["ok"] for one in second.all("tool.result")] == [True]
        await runtime.store.profiles.merge("local", {"birth_info": {"date": "1991-05-01"}})
        third = await said(runtime, "生日改了", first.conversation)
        assert [one["ok"] for one in third.all("tool.result")] == [False, True, True]
        assert third.all("tool.result")[-1]["data"] == {"read": "1991", "user": "local"}
        again, later = await _read_kept(runtime.store)
        assert again == {"year": "1991"}
        assert later > version


async def test_a_tool_keeps_only_what_the_skill_declares(tmp_path: Path) -> None:
    model = FakeModel().call("compute_chart").call("keep_elsewhere").say("好")
    folder = written(tmp_path, chart=CHART)
    async with Runtime.open(settings_in(tmp_path, skills_dir=(folder,)), model=model, tools=TOOLS) as runtime:
        first = await said(runtime, "帮我排盘")
        done = await answered(runtime, first.pause, {"birth_info.date": "1990-05-01"})
        failed: Any = done.all("tool.result")[-1]
        assert (failed["ok"], failed["error"]["code"]) == (False, "data_not_declared")
        assert await runtime.store.profiles.get("local") == {"birth_info": {"date": "1990-05-01"}}
