"""Clearing of old results spares knowledge and evidence (seed 000 §3.4: `exclude_tools` of search tools)."""

from pathlib import Path

from metier.agent import Runtime
from metier.pack import find_installed_packs
from metier.testing import FakeModel
from tests.e2e.support import Desk, opened, said, settings_in, written

MESSAGE = "帮我分析一下朝阳区的弱覆盖问题"
_SKILL = """---
name: reader
title: 读资料
description: 读资料并写结论
allowed_tools: [find_terms, match_scene]
metadata: {keep_results: [find_terms]}
---

# 读资料
"""


async def test_the_conclusion_of_the_telecom_flow_is_written_with_its_evidence_in_the_prompt(tmp_path: Path) -> None:
    packs = tuple(pack for pack in find_installed_packs().found if pack.id == "telecom")
    model = FakeModel().say("结论：见报告。")
    async with Runtime.open(settings_in(tmp_path, skills_dir=()), model=model, packs=packs) as runtime:
        turn = await said(runtime, MESSAGE)
        last = await said(runtime, "不需要", turn.conversation)
    assert last.kinds[-1] == "turn.done"
    evidence = model.prompts[-1].system + "".join(message.text for message in model.prompts[-1].messages)
    assert "cleared" not in evidence
    missing = [word for word in ("RSRP", "根因", "MR覆盖率", "查术语", "查流程") if word not in evidence]
    assert missing == []
    assert {"search_terminology", "search_design_doc"} <= set(packs[0].keep_results)


async def test_results_that_a_skill_keeps_stay_whole_while_others_shrink(tmp_path: Path) -> None:
    desk, long = Desk(), [f"术语 {number} 的说明，写得很长很长" for number in range(120)]

    def find_terms(query: str) -> dict[str, list[str]]:
        """Find terms."""
        return {"names": [f"知识 {query}", *long]}

    def match_scene(region: str) -> dict[str, list[str]]:
        """Find the scene of a region."""
        return {"rows": [f"场景 {region}", *long]}

    desk.instead = {"find_terms": find_terms, "match_scene": match_scene}
    model = FakeModel().call("find_terms", query="甲")
    for region in ("一", "二", "三", "四"):
        model.call("match_scene", region=region)
    model.say("好")
    async with opened(tmp_path, desk, model, skills_dir=(written(tmp_path, reader=_SKILL),)) as runtime:
        await said(runtime, "/reader 读一下")
    results = [message.text for message in model.prompts[-1].messages if message.type == "tool"]
    assert long[-1] in results[0]
    assert long[-1] not in results[1]


_STEPS = """---
name: reader
title: 读资料
description: 读资料并写结论
allowed_tools: [find_terms, match_scene]
%s
sop:
  - {id: terms, title: 查术语, call: find_terms, with: {query: 弱覆盖}}
  - {id: scene, title: 查场景, call: match_scene, with: {region: 东城}}
---

# 读资料
"""


async def test_the_conclusion_of_steps_without_a_report_has_their_evidence(tmp_path: Path) -> None:
    terms = [f"术语{number}说明写得很长很长" for number in range(60)]
    scenes = [f"场景{number}说明写得很长很长" for number in range(30)]

    def find_terms(query: str) -> dict[str, list[str]]:
        """Find terms."""
        return {"names": terms}

    def match_scene(region: str) -> dict[str, list[str]]:
        """Find the scene of a region."""
        return {"rows": scenes}

    shown: dict[str, str] = {}
    for name, key in {"none": "", "kept": "keep_results: [find_terms]\nmetadata: {report: '# 结论'}"}.items():
        desk, model = Desk(), FakeModel().say("结论")
        desk.instead = {"find_terms": find_terms, "match_scene": match_scene}
        folder = tmp_path / name
        async with opened(folder, desk, model, skills_dir=(written(folder, reader=_STEPS % key),)) as runtime:
            await said(runtime, "/reader 读一下")
        shown[name] = model.prompts[-1].system + "".join(one.text for one in model.prompts[-1].messages)
    assert [one for one in (*terms[:40], *scenes) if one not in shown["none"]] == []
    assert [one for one in terms if one not in shown["kept"]] == []
    assert scenes[-1] not in shown["kept"]
