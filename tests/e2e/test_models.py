"""Several models in a turn: which one answers, who chose it, and what it costs."""

from pathlib import Path
from typing import Any

import pytest

from metier.errors import ModelNotFound
from metier.testing import FakeModel
from tests.e2e.support import Desk, Told, answered, opened, said, written

ADVISER = """---
name: adviser
title: 顾问
description: 就一个专题给出建议
triggers: [给个建议]
examples: [给个建议]
priority: 60
metadata: {{model: {model}}}
---

# 顾问

给出建议。
"""


def choices(turn: Told) -> list[tuple[Any, ...]]:
    return [tuple(one[key] for key in ("stage", "name", "chosen_by")) for one in turn.all("usage")]


async def test_a_small_model_chooses_and_a_strong_one_acts(tmp_path: Path) -> None:
    home = written(tmp_path, adviser=ADVISER.format(model="''"))
    small, strong = FakeModel().call("use_skill", skill="adviser"), FakeModel().say("先测一下。")
    models = {"small": small, "strong": strong}
    stages = {"choose": "small", "act": "strong"}
    async with opened(tmp_path, models=models, skills_dir=(home,), stage_models=stages) as runtime:
        turn = await said(runtime, "嗯，这事你怎么看")
    assert turn.text == "先测一下。"
    assert choices(turn) == [("choose", "small", "stage"), ("act", "strong", "stage")]
    assert small.prompts[0].tools == ("use_skill",)


async def test_a_model_that_only_chooses_does_not_talk_to_the_user(tmp_path: Path) -> None:
    home = written(tmp_path, adviser=ADVISER.format(model="''"))
    models = {
        "small": FakeModel().say("（小模型的话，很长的一句话，不该出现。）"),
        "strong": FakeModel().say("我来回答。"),
    }
    stages = {"choose": "small", "converse": "strong"}
    async with opened(tmp_path, models=models, skills_dir=(home,), stage_models=stages) as runtime:
        turn = await said(runtime, "嗯，这事你怎么看")
    assert turn.text == "我来回答。"
    assert "小模型" not in "".join(str(data["text"]) for data in turn.all("text.delta"))
    assert choices(turn) == [("choose", "small", "stage"), ("converse", "strong", "stage")]


async def test_words_of_the_model_that_chooses_stand_where_no_other_one_talks(tmp_path: Path) -> None:
    home = written(tmp_path, adviser=ADVISER.format(model="''"))
    models = {"small": FakeModel().say("我在听。")}
    async with opened(tmp_path, models=models, skills_dir=(home,), stage_models={"choose": "small"}) as runtime:
        turn = await said(runtime, "嗯，这事你怎么看")
    assert (turn.text, len(choices(turn))) == ("我在听。", 1)


async def test_the_request_wins_over_the_conversation_and_that_over_the_skill(tmp_path: Path) -> None:
    home = written(tmp_path, adviser=ADVISER.format(model="of-skill"))
    models = {name: FakeModel().say(name) for name in ("of-skill", "of-talk", "of-request")}
    async with opened(tmp_path, model=FakeModel(), models=models, skills_dir=(home,)) as runtime:
        first = await said(runtime, "给个建议")
        await runtime.store.conversations.set_model(first.conversation, "of-talk")
        second = await said(runtime, "给个建议", first.conversation)
        third = await said(runtime, "给个建议", first.conversation, model="of-request")
    assert [turn.text for turn in (first, second, third)] == ["of-skill", "of-talk", "of-request"]
    assert [choices(turn)[0][2] for turn in (first, second, third)] == ["skill", "conversation", "request"]
    assert third.one("turn.started")["model"] == "of-request"


async def test_a_skill_that_names_a_model_nobody_configured_works_with_the_default(tmp_path: Path) -> None:
    home = written(tmp_path, adviser=ADVISER.format(model="gone"))
    async with opened(tmp_path, model=FakeModel().say("好。"), skills_dir=(home,)) as runtime:
        turn = await said(runtime, "给个建议")
    assert choices(turn) == [("act", "given", "default")]
    assert turn.one("usage")["unknown"] == "gone"


async def test_a_request_for_a_model_nobody_configured_is_refused_before_anything_is_stored(tmp_path: Path) -> None:
    async with opened(tmp_path, model=FakeModel()) as runtime:
        with pytest.raises(ModelNotFound):
            await said(runtime, "你好", model="gone")
        assert await runtime.store.conversations.list("local") == ()


async def test_a_turn_that_waited_for_an_answer_goes_on_with_the_model_of_its_request(tmp_path: Path) -> None:
    home, desk = written(tmp_path, adviser=ADVISER.format(model="''")), Desk()
    mine = FakeModel().call("refund", number=7).say("已退款。")
    more: Any = {"model": FakeModel(), "models": {"mine": mine}, "skills_dir": (home,)}
    async with opened(tmp_path, desk, **more) as runtime:
        turn = await said(runtime, "给个建议", model="mine")
    async with opened(tmp_path, desk, **more) as runtime:
        rest = await answered(runtime, turn.pause, {"decision": "approve"})
    assert (rest.text, choices(rest)) == ("已退款。", [("act", "mine", "request")])


async def test_each_call_costs_what_its_model_costs(tmp_path: Path) -> None:
    tables = {
        "cheap": {"model": "openai:a", "price_input": 0, "price_output": 0},
        "dear": {"model": "openai:b", "price_input": 1000, "price_output": 1000},
    }
    models = {name: FakeModel().say("你好。") for name in tables}
    async with opened(tmp_path, settings_models=tables, models=models) as runtime:
        cheap, dear = [await said(runtime, "你好", model=name) for name in tables]
    assert "cost" not in cheap.one("turn.done")
    assert float(str(dear.one("usage")["cost"])) == dear.one("turn.done")["cost"] > 0  # type: ignore[operator]


async def test_a_conversation_can_leave_the_built_in_model(tmp_path: Path) -> None:
    real = FakeModel().say("我在。")
    async with opened(tmp_path, models={"real": real}) as runtime:
        plain = await said(runtime, "你好呀")
        turn = await said(runtime, "你好呀", plain.conversation, model="real")
    assert plain.all("usage") == []
    assert turn.text == "我在。"
