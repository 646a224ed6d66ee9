"""Delegation of seed 000 §3.4: a skill says `delegates: true`, and its model may hand work over."""

from pathlib import Path

from metier.testing import FakeModel
from tests.e2e.support import RESEARCH_SKILLS, Desk, opened, said, written


async def test_a_skill_that_says_delegates_true_may_hand_work_over(tmp_path: Path) -> None:
    text = RESEARCH_SKILLS["research"].replace("delegates: [reader]", "delegates: true")
    desk, model = Desk(), FakeModel().call("task", description="查一下 RSRP")
    model.call("find_terms", query="RSRP").say("RSRP 是信号强度。").say("结论：信号弱。")
    async with opened(tmp_path, desk, model, skills_dir=(written(tmp_path, research=text),)) as runtime:
        turn = await said(runtime, "/research 做一个专题研究")
    assert "task" in model.prompts[0].tools
    assert desk.names == ["find_terms"]
    assert turn.text == "结论：信号弱。"
