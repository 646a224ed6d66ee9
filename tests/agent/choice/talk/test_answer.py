"""What is said about models holds for every one that is connected, and "is it safe?" is about what is there."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from metier.agent.choice.talk import answer_talk
from metier.agent.models import ModelPool, ModelWishes
from metier.model_settings import StageName
from metier.settings import Settings
from tests.context.support import skill

if TYPE_CHECKING:
    from metier.agent.turn import TurnState

_CLOUD = {"model": "openai:gpt-4o", "api_key": "k"}
_OWN = {"model": "qwen", "base_url": "http://127.0.0.1:9999/v1"}
_STORED = "stored on the server"


class _State(SimpleNamespace):
    def choose_model(self, stage: StageName) -> object:
        return self.resources.models.choose(stage, ModelWishes())

    def uses_builtin_model(self, stage: StageName) -> bool:
        return bool(self.resources.models.is_builtin(self.choose_model(stage)))

    def queue_reply(self, text: str) -> None:
        self.told.append(text)

    def get_spec(self, _: str) -> None:
        return None


async def _ask(
    message: str, *, active: bool = False, asked: str = "", skill_model: str = "", **settings: object
) -> str:
    models = ModelPool.from_settings(Settings.model_validate({"model": "builtin", **settings}))
    own = skill("optimize", metadata={"model": skill_model} if skill_model else {})
    pause = SimpleNamespace(kind="question", payload={"text": asked}, id="p1") if asked else None
    state = _State(
        told=[],
        resources=SimpleNamespace(models=models),
        request=SimpleNamespace(message=message, language="en", catalog=(own,)),
        skill=SimpleNamespace(active=own if active else None),
        calls=SimpleNamespace(pending_pause=pause, offers=[]),
    )
    await answer_talk(cast("TurnState", state))
    return "\n".join(state.told)


@pytest.mark.parametrize("stage", ["choose", "fill", "act", "report", "converse"])
@pytest.mark.parametrize("message", ["is my data safe?", "is it safe?"])
async def test_a_model_of_any_stage_is_named_where_data_go(stage: str, message: str) -> None:
    told = await _ask(message, models={"cloud": _CLOUD}, stage_models={stage: "cloud"})
    if message == "is my data safe?" or stage != "converse":
        assert "“cloud”" in told
    assert "No language model" not in told


@pytest.mark.parametrize("message", ["is my data safe?", "are you a person?", "is it free?"])
async def test_no_answer_denies_a_model_that_is_connected(message: str) -> None:
    cloud = {"cloud": _CLOUD, "own": {**_OWN, "fallback": ["cloud"]}}
    for settings in ({"stage_models": {"act": "cloud"}}, {"stage_models": {"report": "own"}}, {"skill_model": "cloud"}):
        told = await _ask(message, models=cloud, **settings)
        assert "“cloud”" in told
        assert "No language model" not in told


async def test_a_configured_model_that_nothing_uses_is_sent_nothing_and_one_of_ones_own_is_told_as_such() -> None:
    assert "No language model is connected" in await _ask("is my data safe?", models={"cloud": _CLOUD})
    told = await _ask("is my data safe?", models={"own": _OWN}, stage_models={"act": "own"})
    assert "server of one's own" in told
    assert "“own”" not in told


@pytest.mark.parametrize("message", ["is it safe?", "安全吗", "这安全吗", "is that really safe?"])
async def test_whether_it_is_safe_is_about_the_question_or_the_result_that_is_there(message: str) -> None:
    assert _STORED not in await _ask(message, active=True)
    assert "cannot promise" in await _ask(message, active=True)
    told = await _ask(message, active=True, asked="Simulate it?")
    assert "Nothing is done before you answer" in told
    assert "Simulate it?" in told
    assert _STORED in await _ask(message)


@pytest.mark.parametrize("message", ["is my data safe?", "我的数据安全吗", "is it confidential?", "保密吗"])
async def test_a_question_about_data_is_one_wherever_it_is_asked(message: str) -> None:
    assert _STORED in await _ask(message, active=True)


@pytest.mark.parametrize("message", ["随你", "不反对", "都行", "whatever", "keep it", "ok later", "no worries", "好不"])
async def test_half_an_answer_is_told_and_leaves_the_question_open(message: str) -> None:
    told = await _ask(message, active=True, asked="Simulate it?")
    assert "cannot tell whether that is a yes or a no" in told
    assert "Simulate it?" in told
    assert await _ask(message, active=True) == ""


@pytest.mark.parametrize("message", ["收费吗", "is it free?", "要多久"])
async def test_a_question_about_the_program_leaves_an_open_question_open(message: str) -> None:
    told = await _ask(message, active=True, asked="Simulate it?")
    assert "Simulate it?" in told


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("等一下", "the question waits"),
        ("hold on", "the question waits"),
        ("start over", "cannot go back"),
        ("上一步", "cannot go back"),
        ("what do you mean?", "in your own words"),
        ("I don't know", "in your own words"),
    ],
)
async def test_words_about_going_on_are_answered_and_leave_the_question_open(message: str, reply: str) -> None:
    told = await _ask(message, active=True, asked="What is the smallest step?")
    assert reply in told
    assert "What is the smallest step?" in told
    assert await _ask(message, active=True) == ""
