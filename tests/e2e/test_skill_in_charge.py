"""Who may leave a skill: a person always, the model never what a person chose, and any other skill once in a turn."""

from pathlib import Path

import pytest

from metier.agent import TurnRequest
from metier.testing import FakeModel
from tests.e2e.support import Desk, opened, said, told, written

LEAVING = [
    pytest.param("leave_skill", {}, id="leaves it"),
    pytest.param("use_skill", {"skill": ""}, id="chooses nothing"),
    pytest.param("use_skill", {"skill": "none"}, id="chooses none"),
    pytest.param("use_skill", {"skill": "shop-order"}, id="chooses another"),
]


@pytest.mark.parametrize(("tool", "arguments"), LEAVING)
@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(TurnRequest("谢谢", skill="birth-chart"), id="named by the caller"),
        pytest.param(TurnRequest("/birth-chart 谢谢"), id="named by the user"),
    ],
)
async def test_the_model_cannot_leave_a_skill_that_a_person_named(
    tmp_path: Path, request_: TurnRequest, tool: str, arguments: dict[str, str]
) -> None:
    desk = Desk()
    model = FakeModel().call(tool, **arguments).call("find_order", number=7).say("好")
    async with opened(tmp_path, desk, model=model) as runtime:
        turn = await told(runtime.turn(request_))
        kept = await runtime.store.conversations.get(turn.conversation)
        recorded = await runtime.store.violations.list(conversation=turn.conversation)
    assert desk.names == []
    assert kept.skill == "birth-chart"
    codes = [event.data["code"] for event in turn.events if event.kind == "tool.violation"]
    assert codes == ["skill_is_bound", "not_allowed_by_skill"]
    assert len(recorded) == 2
    assert not {"leave_skill", "use_skill"} & {name for prompt in model.prompts for name in prompt.tools}


async def test_the_skill_stays_bound_at_the_next_message_and_after_a_restart(tmp_path: Path) -> None:
    model = FakeModel().say("好").call("leave_skill").say("还在")
    async with opened(tmp_path, model=model) as runtime:
        first = await said(runtime, "谢谢", skill="birth-chart")
    async with opened(tmp_path, model=model) as runtime:
        second = await said(runtime, "继续", first.conversation)
    assert second.one("tool.violation")["code"] == "skill_is_bound"
    assert second.one("turn.done")["skill"] == "birth-chart"


async def test_a_skill_chosen_by_button_is_a_persons_choice(tmp_path: Path) -> None:
    async with opened(tmp_path) as runtime:
        made = await runtime.store.conversations.create("local")
        await runtime.store.conversations.set_skill(made.id, "birth-chart", by="user")
    model = FakeModel().call("leave_skill").say("好")
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "谢谢", made.id)
    assert turn.one("tool.violation")["code"] == "skill_is_bound"


async def test_naming_the_skill_in_use_binds_it(tmp_path: Path) -> None:
    model = FakeModel().call("use_skill", skill="birth-chart").say("好").call("leave_skill").say("还在")
    async with opened(tmp_path, model=model) as runtime:
        first = await said(runtime, "我有件事想请教")
        second = await said(runtime, "/birth-chart 接着说", first.conversation)
    assert first.one("skill.activated")["by"] == "model"
    assert second.one("tool.violation")["code"] == "skill_is_bound"


async def test_a_person_can_leave_what_a_person_named(tmp_path: Path) -> None:
    model = FakeModel().say("好")
    async with opened(tmp_path, model=model) as runtime:
        first = await said(runtime, "谢谢", skill="birth-chart")
        second = await said(runtime, "退出", first.conversation)
    assert second.one("skill.left")["by"] == "user"
    assert second.one("turn.done")["skill"] is None


async def test_the_model_may_leave_its_own_choice_once_and_it_is_on_record(tmp_path: Path) -> None:
    model = FakeModel().call("use_skill", skill="birth-chart").call("leave_skill").say("不用技能也行。")
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "我有件事想请教")
    assert turn.one("skill.left")["by"] == "model"
    assert "tool.violation" not in turn.kinds
    assert turn.one("turn.done")["skill"] is None


async def test_a_second_time_in_one_turn_is_refused(tmp_path: Path) -> None:
    model = (
        FakeModel()
        .call("use_skill", skill="birth-chart")
        .call("leave_skill")
        .call("use_skill", skill="birth-chart")
        .call("leave_skill")
        .say("好")
    )
    async with opened(tmp_path, model=model) as runtime:
        turn = await said(runtime, "我有件事想请教")
    assert [event.data["by"] for event in turn.events if event.kind == "skill.left"] == ["model"]
    assert turn.one("tool.violation")["code"] == "skill_was_left"
    assert turn.one("turn.done")["skill"] == "birth-chart"
    assert "leave_skill" not in model.prompts[-1].tools


async def test_between_two_skills_the_other_layers_hold(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('forbidden = ["find_terms"]\n', "utf-8")
    desk = Desk()
    model = (
        FakeModel().call("use_skill", skill="birth-chart").call("leave_skill").call("find_terms", query="x").say("好")
    )
    async with opened(tmp_path, desk, model=model, policy_file=policy) as runtime:
        turn = await said(runtime, "我有件事想请教")
    assert desk.names == []
    assert turn.one("tool.violation")["layer"] == "operator"


async def test_a_script_of_a_skill_that_was_left_does_not_run(tmp_path: Path) -> None:
    bound = "---\nname: bound\ndescription: 温和的命理师\nallowed_tools: [find_terms]\n---\n\nDo it.\n"
    desk = Desk()
    model = FakeModel().call("use_skill", skill="none").call("find_order", number=1).say("好")
    async with opened(tmp_path, desk, model=model, skills_dir=(written(tmp_path, bound=bound),)) as runtime:
        turn = await said(runtime, "hello", skill="bound")
    assert desk.names == []
    assert turn.one("turn.done")["skill"] == "bound"
