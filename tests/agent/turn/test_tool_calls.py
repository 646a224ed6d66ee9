"""What a call is told of the skill in use."""

import json
from pathlib import Path

import pytest

from metier.agent import Runtime
from metier.agent.turn._tool_calls import describe_delivery
from metier.json_values import JsonObject
from metier.skills import SkillLibrary, SkillRoot
from metier.testing import FakeModel
from metier.tools import ToolContext, ToolResult, function_tool
from tests.e2e.support import said, settings_in, written

NOTICES = """---
name: notices
description: Write notices
allowed_tools: [write_notice]
delivery: {default_writeback: compare_table}
---

Write a notice.
"""


@pytest.mark.parametrize(
    ("said", "delivery"),
    [
        ({}, {}),
        ({"delivery": {"default_writeback": "compare_table"}}, {"writeback": "compare_table"}),
        ({"capabilities": {"writeback": {"default_anchor": "end"}}}, {"anchor": "end"}),
        ({"output": {"styleSpecHints": {"fonts": {"eastAsia": "仿宋"}}}}, {"style": {"fonts": {"eastAsia": "仿宋"}}}),
    ],
)
def test_a_call_is_told_how_the_skill_wants_documents_written(
    said: JsonObject, delivery: JsonObject, tmp_path: Path
) -> None:
    meta = {"id": "notices", "name": "notices", "version": "1.0.0", "description": "notices"}
    manifest = {"schema_version": "ah32.skill.v1", "meta": meta, **said}
    folder = tmp_path / "notices"
    folder.mkdir()
    (folder / "skill.json").write_text(json.dumps(manifest), "utf-8")
    (folder / "SYSTEM.md").write_text("Write a notice.", "utf-8")
    skill = SkillLibrary((SkillRoot(tmp_path),)).catalog().get("notices")
    assert skill is not None
    assert describe_delivery(skill) == delivery


async def test_the_tool_of_a_skill_is_called_with_it(tmp_path: Path) -> None:
    def write_notice(context: ToolContext) -> ToolResult:
        """Write a notice."""
        return ToolResult({"delivery": context.delivery})

    folder = written(tmp_path, notices=NOTICES)
    model = FakeModel().call("write_notice").say("ok")
    settings = settings_in(tmp_path, skills_dir=(folder,))
    async with Runtime.open(settings, model=model, tools=(function_tool(write_notice),)) as runtime:
        told = await said(runtime, "write a notice", skill="notices")
    assert told.one("tool.result")["data"] == {"delivery": {"writeback": "compare_table"}}


def test_without_a_skill_nothing_is_told() -> None:
    assert describe_delivery(None) == {}
