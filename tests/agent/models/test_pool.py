"""The pool of models: only configured names, each loaded once and when needed, chosen in a fixed order."""

import asyncio
from typing import Any

import pytest

from metier.agent import ModelConfig
from metier.agent.models import BuiltinModel, ModelChoice, ModelEntry, ModelPool, ModelWishes, ResilientModel
from metier.agent.models._pool import load_entry
from metier.errors import InvalidSettings, ModelNotFound
from metier.settings import Settings
from metier.testing import FakeModel


def pool(*names: str, **stages: str) -> ModelPool:
    entries = [ModelEntry(name, ModelConfig(f"openai:{name}")) for name in names]
    return ModelPool(entries, names[0], stages, load=lambda entry: FakeModel())  # type: ignore[arg-type]


ORDER: list[Any] = [
    pytest.param(ModelWishes("a", "b", "c"), ModelChoice("a", "request"), id="request"),
    pytest.param(ModelWishes(None, "b", "c"), ModelChoice("b", "conversation"), id="conversation"),
    pytest.param(ModelWishes(None, None, "c"), ModelChoice("c", "skill"), id="skill"),
    pytest.param(ModelWishes(), ModelChoice("d", "stage"), id="stage"),
    pytest.param(ModelWishes(None, "gone", "c"), ModelChoice("c", "skill", "gone"), id="a name that is gone"),
]


@pytest.mark.parametrize(("wishes", "choice"), ORDER)
def test_the_nearest_to_the_message_decides(wishes: ModelWishes, choice: ModelChoice) -> None:
    assert pool("default", "a", "b", "c", "d", act="d").choose("act", wishes) == choice


def test_a_stage_without_a_model_uses_the_default() -> None:
    found = pool("default", "small", choose="small")
    assert found.choose("report", ModelWishes()) == ModelChoice("default", "default")
    assert found.choose("choose", ModelWishes()) == ModelChoice("small", "stage")


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(ModelNotFound) as caught:
        pool("strong", "small")["stong"]
    assert caught.value.message == "there is no model 'stong'"
    assert caught.value.hint == "did you mean 'strong'? configured: strong, small"
    with pytest.raises(InvalidSettings, match="stage 'act' cannot use model 'stong'"):
        pool("strong", act="stong")


async def test_a_model_is_loaded_once_even_if_many_turns_ask_at_once() -> None:
    made: list[str] = []

    def load(entry: ModelEntry) -> FakeModel:
        made.append(entry.name)
        return FakeModel()

    found = ModelPool([ModelEntry("a", ModelConfig("x:a")), ModelEntry("b", ModelConfig("x:b"))], "a", load=load)
    first, *others = await asyncio.gather(*(found.load("b") for _ in range(5)))
    assert made == ["b"]
    assert all(other is first for other in others)


def test_a_model_object_of_the_caller_is_the_default() -> None:
    mine, other = FakeModel(), FakeModel()
    found = ModelPool.from_settings(Settings(), model=mine, models={"other": other})
    assert [entry.name for entry in found] == ["other", "given"]
    loaded = [found.get(name) for name in (found.default, "other")]
    assert [one.models for one in loaded if isinstance(one, ResilientModel)] == [(mine,), (other,)]


def test_which_model_is_the_built_in_one_is_known_without_loading() -> None:
    settings = Settings(models={"real": {"model": "openai:m"}})
    found = ModelPool.from_settings(settings)
    assert [found.is_builtin(ModelChoice(name, "default")) for name in ("builtin", "real")] == [True, False]
    assert not found.is_all_builtin
    assert ModelPool.from_settings(Settings(), model=BuiltinModel()).is_all_builtin


def test_a_model_that_needs_a_key_and_has_none_says_so() -> None:
    entry = ModelEntry("a", ModelConfig("openai:m", label="openai:m"), missing_key="set METIER_API_KEY")
    with pytest.raises(InvalidSettings) as caught:
        load_entry(entry)
    assert (caught.value.message, caught.value.hint) == ("model 'openai:m' needs a key", "set METIER_API_KEY")
