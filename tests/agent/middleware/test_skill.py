"""Skills in an agent of somebody else: no store, no runtime, both ways of asking."""

import json
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import TodoListMiddleware
from langchain_core.tools import BaseTool
from langgraph.checkpoint.memory import InMemorySaver

from metier.langchain import GateMiddleware, SkillMiddleware
from metier.routing import Router
from metier.testing import FakeModel
from tests.agent.support import Toolbox, answers, asked, both_ways, run

SKILLS = Path(__file__).resolve().parents[2] / "e2e" / "skills"


def agent_with(model: FakeModel, tools: list[BaseTool], *, middleware: list[Any], **options: Any) -> Any:
    return create_agent(model, tools, middleware=middleware, **options)


@both_ways
async def test_five_lines_give_an_agent_skills(way: str) -> None:
    model = FakeModel().call("use_skill", skill="birth-chart").say("好")
    agent = agent_with(model, Toolbox().tools(), system_prompt="Be kind.", middleware=[SkillMiddleware(SKILLS)])
    result = await run(way, agent, asked("我有件事想请教"))
    first, second = model.prompts
    assert "use_skill" in first.tools
    assert "温和的命理师" not in first.system
    assert second.system.startswith("Be kind.")
    assert "温和的命理师" in second.system
    assert "use_skill" not in second.tools
    assert result["active_skill"] == "birth-chart"
    assert json.loads(answers(result)[0].text)["status"] == "activated"


@both_ways
@pytest.mark.parametrize(("name", "status"), [("none", "default"), ("", "default"), ("nope", "unknown")])
async def test_no_skill_and_an_unknown_one_are_answered(way: str, name: str, status: str) -> None:
    model = FakeModel().call("use_skill", skill=name).say("好")
    agent = agent_with(model, [], middleware=[SkillMiddleware(SKILLS)])
    result = await run(way, agent, asked("你好"))
    told = json.loads(answers(result)[0].text)
    assert told["status"] == status
    assert result.get("active_skill") is None


@both_ways
async def test_each_thread_keeps_its_own_skill(way: str) -> None:
    model = FakeModel().call("use_skill", skill="birth-chart").say("一").say("二").say("三")
    agent = agent_with(model, [], middleware=[SkillMiddleware(SKILLS)], checkpointer=InMemorySaver())
    one: Any = {"configurable": {"thread_id": "one"}}
    two: Any = {"configurable": {"thread_id": "two"}}
    await run(way, agent, asked("我有件事想请教"), one)
    await run(way, agent, asked("继续"), one)
    await run(way, agent, asked("继续"), two)
    assert "温和的命理师" in model.prompts[2].system
    assert "温和的命理师" not in model.prompts[3].system


@pytest.mark.parametrize(("status", "may_choose"), [("in_progress", False), ("completed", True)])
async def test_there_is_no_choice_while_the_skill_has_unfinished_todos(status: str, may_choose: bool) -> None:
    todos: Any = [{"content": "x", "status": status}]
    model = FakeModel().call("use_skill", skill="birth-chart").call("write_todos", todos=todos).say("好").say("好")
    parts = [SkillMiddleware(SKILLS), TodoListMiddleware()]
    agent = agent_with(model, [], middleware=parts, checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "one"}}
    await agent.ainvoke(asked("我有件事想请教"), thread)
    await agent.ainvoke(asked("继续"), thread)
    assert ("use_skill" in model.prompts[-1].tools) is may_choose


async def test_a_rule_that_was_chosen_is_shown_and_another_name_is_ignored(tmp_path: Path) -> None:
    folder = tmp_path / "tea"
    (folder / "rules").mkdir(parents=True)
    front = "---\nname: tea\ntitle: Tea\ndescription: Make tea in many ways\n---\n\nBoil water.\n"
    (folder / "SKILL.md").write_text(front, "utf-8")
    (folder / "rules" / "green.md").write_text("---\ntitle: Green tea\n---\n\nEighty degrees, not more.\n", "utf-8")
    model = FakeModel().call("use_skill", skill="tea", scenario="green").say("ok")
    agent = agent_with(model, [], middleware=[SkillMiddleware(tmp_path)])
    result = await agent.ainvoke(asked("make tea"))
    assert result["scenario"] == "green"
    assert "Eighty degrees" in model.prompts[1].system


async def test_a_router_puts_the_likeliest_skill_first() -> None:
    model = FakeModel().say("好")
    agent = agent_with(model, [], middleware=[SkillMiddleware(SKILLS, router=Router())])
    await agent.ainvoke(asked("refund my order please"))
    assert model.prompts[0].tools == ("use_skill",)


async def test_an_edited_skill_holds_at_the_next_question(tmp_path: Path) -> None:
    folder = tmp_path / "greet"
    folder.mkdir()
    front = "---\nname: greet\ntitle: Greet\ndescription: Say hello to people\n---\n\n"
    (folder / "SKILL.md").write_text(front + "Say hello.", "utf-8")
    model = FakeModel().say("hello").say("bonjour")
    agent = agent_with(model, [], middleware=[SkillMiddleware(tmp_path)])
    await agent.ainvoke({**asked("hi"), "active_skill": "greet"})
    (folder / "SKILL.md").write_text(front + "Say bonjour instead.", "utf-8")
    await agent.ainvoke({**asked("hi"), "active_skill": "greet"})
    assert "Say hello." in model.prompts[0].system
    assert "Say bonjour instead." in model.prompts[1].system


@both_ways
async def test_skills_and_the_gate_go_together(way: str) -> None:
    box = Toolbox()
    model = FakeModel().call("use_skill", skill="birth-chart").call("delete_file", path="/x").say("好")
    gate = GateMiddleware(allowed=["web_search"])
    agent = agent_with(model, box.tools(), middleware=[SkillMiddleware(SKILLS), gate])
    result = await run(way, agent, asked("我有件事想请教"))
    assert box.names == []
    assert [one["tool"] for one in result["violations"]] == ["delete_file"]
    assert result["active_skill"] == "birth-chart"
