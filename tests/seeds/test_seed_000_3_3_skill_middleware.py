"""`SkillMiddleware(skills_dir=…, base_prompt_template=…)` as seed 000 §3.3 writes it, on its own files."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import ModelRequest, wrap_model_call

from metier.errors import UsageError
from metier.langchain import SkillMiddleware
from metier.testing import FakeModel
from tests.agent.support import Toolbox, answers, asked, both_ways, run

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

DATA = Path(__file__).with_name("data") / "seed_000"
BASE_SYSTEM_PROMPT = (DATA / "base_prompt.j2").read_text("utf-8")
MESSAGE = "帮我分析一下 A 区域的弱覆盖问题"


@both_ways
async def test_the_template_is_rendered_with_the_skill_that_the_model_selects(way: str) -> None:
    model = FakeModel().call("select_skill", skill_name="network_optimization").say("根因分析完成。")
    skill_mw = SkillMiddleware(skills_dir=str(DATA / "Skills"), base_prompt_template=BASE_SYSTEM_PROMPT)
    all_tools: list[BaseTool] = [*Toolbox().tools(), *skill_mw.tools]
    agent = create_agent(model, all_tools, system_prompt=BASE_SYSTEM_PROMPT, middleware=[skill_mw])
    result = await run(way, agent, asked(MESSAGE))
    first, second = model.prompts
    assert "select_skill" in first.tools
    assert "select_skill" not in second.tools
    assert not any("{%" in one.system or "{{" in one.system for one in model.prompts)
    assert "当前任务指南" not in first.system
    assert "## 当前任务指南" in second.system
    assert "步骤 4：固定提示（必须遵守）" in second.system
    assert second.system.count("你是 WINS Agent 工作台的智能助手") == 1
    assert json.loads(answers(result)[0].text)["status"] == "activated"
    assert result["active_skill"] == "network_optimization"
    assert "步骤 4：固定提示（必须遵守）" in result["skill_content"]
    assert "triggers:" not in result["skill_content"]


async def test_the_state_has_the_authors_names_and_default_mode_empties_them() -> None:
    model = FakeModel().call("select_skill", skill_name="none").say("你好")
    skill_mw = SkillMiddleware(skills_dir=DATA / "Skills", base_prompt_template=BASE_SYSTEM_PROMPT)
    given = {**asked("你好"), "active_skill": "coverage_analysis", "skill_content": "旧"}
    result = await run("async", create_agent(model, [], middleware=[skill_mw]), given)
    assert "覆盖" in model.prompts[0].system  # the caller's own state is followed
    assert "当前任务指南" in model.prompts[0].system
    assert "当前任务指南" not in model.prompts[1].system
    assert (result["active_skill"], result["skill_content"]) == (None, None)


async def test_without_a_router_the_whole_catalogue_is_offered(tmp_path: Path) -> None:
    for number in range(30):
        text = f"---\nname: skill-{number}\ntitle: 技能 {number}\ndescription: 做第 {number} 件事\n---\n\n正文\n"
        (tmp_path / f"skill-{number}.md").write_text(text, "utf-8")
    model = FakeModel().call("select_skill", skill_name="").say("你好")
    skill_mw = SkillMiddleware(skills_dir=tmp_path, base_prompt_template=BASE_SYSTEM_PROMPT)
    offered: list[Any] = []

    @wrap_model_call
    async def look(request: ModelRequest[Any], handler: Any) -> Any:
        offered.append(request.tools)
        return await handler(request)

    parts: list[Any] = [skill_mw, look]
    result = await run("async", create_agent(model, [], middleware=parts), asked("你好"))
    listed = offered[0][0]["function"]["parameters"]["properties"]["skill"]["enum"]
    assert set(listed) == {f"skill-{number}" for number in range(30)} | {"none"}
    assert json.loads(answers(result)[0].text)["status"] == "default"


async def test_a_template_of_any_author_is_rendered_as_it_is() -> None:
    model = FakeModel().call("select_skill", skill_name="coverage_analysis").say("好")
    template = (
        "{% set who = company|default('本公司')|upper %}你是{{ who }}的助手。{{ today }}\n{{ skill_content | trim }}"
    )
    skill_mw = SkillMiddleware(skills_dir=DATA / "Skills", base_prompt_template=template)
    await run("async", create_agent(model, [], middleware=[skill_mw]), asked(MESSAGE))
    assert [one.system.startswith("你是本公司的助手。") for one in model.prompts] == [True, True]
    assert model.prompts[1].system.count("RSRP < -110 dBm") == 1


async def test_a_template_that_cannot_be_rendered_is_used_without_the_skill_which_follows() -> None:
    model = FakeModel().call("select_skill", skill_name="coverage_analysis").say("好")
    template = "你是网优助手。{{ open('/etc/passwd') }}{% if skill_content %}{{ skill_content }}{% endif %}"
    skill_mw = SkillMiddleware(skills_dir=DATA / "Skills", base_prompt_template=template)
    await run("async", create_agent(model, [], middleware=[skill_mw]), asked(MESSAGE))
    assert [one.system.startswith("你是网优助手。") for one in model.prompts] == [True, True]
    assert model.prompts[1].system.count("RSRP < -110 dBm") == 1
    assert "use_skill" not in "".join(one.system for one in model.prompts)


def test_skills_come_from_one_place() -> None:
    with pytest.raises(UsageError):
        SkillMiddleware()
    with pytest.raises(UsageError):
        SkillMiddleware("skills", skills_dir="skills")
