"""What a conversation has settled is known to every skill of it, and a person can change it."""

from pathlib import Path

import pytest

from metier.agent import change_fact, remove_fact
from metier.errors import InvalidInput, RecordNotFound
from metier.store import Principal
from tests.e2e.support import Desk, answered, opened, said, written

ME = Principal("local", "page")
_LOOK = """---
name: look
title: 看场景
description: 看一个区域的场景
triggers: [看场景]
allowed_tools: [match_scene, query_simulation]
sop:
  - id: scene
    call: match_scene
    with: {region: $.facts.region}
    facts:
      scene: {value: $.scene.id, title: {zh: 场景, en: Scene}, label: $.scene.region}
  - {id: sure, ask: "仿真吗？", choices: [{text: 要, value: true}, {text: 不, value: false}]}
  - {id: simulated, when: $.sure, call: query_simulation, with: {scene: $.facts.scene}}
---

看场景。
"""
_PAY = """---
name: pay
title: 退款
description: 退款
triggers: [退款]
allowed_tools: [match_scene, refund]
sop:
  - {id: scene, call: match_scene, with: {region: $.facts.region}}
  - {id: paid, call: refund, with: {number: 7}}
---

退款。
"""


async def test_a_form_and_a_step_settle_facts_and_the_next_skill_asks_no_more_even_after_a_restart(
    tmp_path: Path,
) -> None:
    desk, skills = Desk(), written(tmp_path, look=_LOOK, pay=_PAY)
    async with opened(tmp_path, desk, skills_dir=(skills,)) as runtime:
        first = await said(runtime, "看场景")
        second = await answered(runtime, first.pause, {"region": "东\u200b城"})
        saved = [(one["name"], one["value"], one["label"], one["source"]) for one in second.all("fact.saved")]
        assert saved == [("region", "东城", "东城", "form"), ("scene", "S-7", "东城", "step")]
    async with opened(tmp_path, desk, skills_dir=(skills,)) as runtime:
        third = await answered(runtime, second.pause, True)
        assert third.all("fact.saved") == []
        last = await said(runtime, "退款", first.conversation)
        assert last.one("pause.opened")["kind"] == "approval"
    assert desk.calls[-1] == ("match_scene", {"region": "东城"})
    assert desk.calls[1] == ("query_simulation", {"scene": "S-7"})


async def test_a_change_puts_away_the_question_that_waits_on_the_old_value(tmp_path: Path) -> None:
    desk, skills = Desk(), written(tmp_path, look=_LOOK, pay=_PAY)
    async with opened(tmp_path, desk, skills_dir=(skills,)) as runtime:
        first = await said(runtime, "看场景")
        await answered(runtime, first.pause, {"region": "东城"})
        talk, store = first.conversation, runtime.store
        saved, cancelled = await change_fact(store, talk, "region", "西城\u202e", ME)
        assert (saved.data["value"], saved.data["by"], cancelled.data["cancelled"]) == ("西城", ME.to_json(), True)
        assert await store.pauses.list_open(talk) == ()
        assert await change_fact(store, talk, "region", "西城", ME) == ()
        again = await said(runtime, "看场景", talk)
        assert again.one("pause.opened")["text"] == "仿真吗？"
        await remove_fact(store, talk, "region", ME)
        asked = await said(runtime, "看场景", talk)
        assert asked.one("pause.opened")["missing"] == ["region"]
        with pytest.raises(RecordNotFound) as unknown:
            await change_fact(store, talk, "regoin", "x", ME)
        for wrong in (7, "字" * 3000, ""):
            with pytest.raises(InvalidInput):
                await change_fact(store, talk, "scene", wrong, ME)
    assert unknown.value.hint == "its facts: scene"
    assert [arguments["region"] for name, arguments in desk.calls if name == "match_scene"] == ["东城", "西城"]
