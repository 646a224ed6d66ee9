"""Refusals inside a plan say that a tool is not allowed, not that it does not exist (seed 001 P1-2)."""

import json
from pathlib import Path
from typing import Any

from metier.testing import FakeModel
from tests.e2e.support import Desk, opened, said, written

_PLAIN = """---
name: helper
title: 资料整理
description: 查资料、核对并整理
allowed_tools: [find_terms, match_scene]
---

# 资料整理
"""
_STEPS = """---
name: steps
title: 固定步骤
description: 按固定步骤查术语
allowed_tools: [find_terms, match_scene]
sop:
  - {id: look, title: 查术语, call: find_terms, with: {query: RSRP}}
---

# 固定步骤
"""


async def test_a_plan_of_the_model_that_names_a_tool_which_is_not_allowed_is_told_so(tmp_path: Path) -> None:
    step: dict[str, Any] = {"id": "a", "title": "退", "call": "refund", "with": {"number": 1}}
    plan: dict[str, Any] = {"goal": "退款", "steps": [step]}
    model = FakeModel().call("write_plan", **plan).say("好")
    folder = written(tmp_path, helper=_PLAIN)
    async with opened(tmp_path, Desk(), model, skills_dir=(folder,)) as runtime:
        await said(runtime, "/helper 整理一下")
    answer = model.prompts[1].last
    (problem,) = json.loads(answer[answer.index("{") : answer.rindex("}") + 1])["problems"]
    assert problem["code"] == "tool_not_allowed"
    assert "not allowed here" in problem["message"]
    assert "find_terms" in problem["hint"]


async def test_a_step_whose_tool_the_operator_denies_says_so(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('forbidden = ["find_terms"]\n', "utf-8")
    folder = written(tmp_path, steps=_STEPS)
    async with opened(tmp_path, Desk(), skills_dir=(folder,), policy_file=policy) as runtime:
        turn = await said(runtime, "/steps 查一下")
    assert "这里不允许使用工具" in turn.text
