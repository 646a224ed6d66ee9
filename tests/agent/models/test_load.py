"""Models by name: who serves them, what is missing, and what they are wrapped in."""

import sys
from types import ModuleType
from typing import Any

import pytest
from langchain_core.language_models.chat_models import BaseChatModel

from metier.agent import ModelConfig, TextToolModel, load_model
from metier.agent.models._resilient import ResilientModel
from metier.errors import InvalidSettings, MissingExtra, UsageError
from metier.testing import FakeModel


class Maker:
    """Makes fake models, and remembers with what."""

    def __init__(self) -> None:
        self.made: list[dict[str, Any]] = []

    def __call__(self, model: str, **options: Any) -> BaseChatModel:
        self.made.append({"model": model, **options})
        return FakeModel().say(f"I am {model}")


PLAIN = {"timeout": 120.0, "max_retries": 0}
HOME = "http://127.0.0.1:8000/v1"

NAMED: list[Any] = [
    pytest.param(
        ModelConfig("anthropic:claude-x"), {"model": "claude-x", "model_provider": "anthropic", **PLAIN}, id="provider"
    ),
    pytest.param(
        ModelConfig("ollama:qwen2.5:7b"), {"model": "qwen2.5:7b", "model_provider": "ollama", **PLAIN}, id="with a tag"
    ),
    pytest.param(
        ModelConfig("openai:gpt-x", api_key="k"),
        {"model": "gpt-x", "model_provider": "openai", "api_key": "k", **PLAIN},
        id="openai",
    ),
    pytest.param(
        ModelConfig("qwen:7b", base_url=HOME),
        {"model": "qwen:7b", "model_provider": "openai", "base_url": HOME, "api_key": "none", **PLAIN},
        id="a server of one's own",
    ),
    pytest.param(
        ModelConfig("groq:llama", base_url=HOME, api_key="k"),
        {"model": "llama", "model_provider": "groq", **PLAIN},
        id="the address is not another provider's",
    ),
    pytest.param(
        ModelConfig("xai:grok", timeout_s=5, options={"temperature": 0.2}),
        {"model": "grok", "model_provider": "xai", "temperature": 0.2, "timeout": 5, "max_retries": 0},
        id="options",
    ),
]


@pytest.mark.parametrize(("config", "options"), NAMED)
def test_a_name_says_who_serves_the_model(config: ModelConfig, options: dict[str, Any]) -> None:
    maker = Maker()
    model = load_model(config, make=maker)
    assert maker.made == [options]
    assert isinstance(model, ResilientModel)
    assert (model.retries.attempts, model.retries.timeout_s) == (3, config.timeout_s)


def test_a_fallback_is_a_second_model() -> None:
    maker = Maker()
    model = load_model(ModelConfig("openai:a", fallback="anthropic:b"), make=maker)
    assert isinstance(model, ResilientModel)
    assert [one["model"] for one in maker.made] == ["a", "b"]
    assert model.names == ("openai:a", "anthropic:b")


def test_a_model_without_tool_calls_gets_the_text_protocol() -> None:
    model = load_model(ModelConfig("ollama:tiny", tools="text"), make=Maker())
    assert isinstance(model, TextToolModel)
    assert isinstance(model.model, ResilientModel)
    assert model.invoke("hi").text == "I am tiny"


def test_the_built_in_model_is_the_callers() -> None:
    made = FakeModel()
    assert load_model(ModelConfig(), builtin=lambda: made) is made
    with pytest.raises(UsageError, match="no built-in model was given"):
        load_model(ModelConfig())


WRONG: list[Any] = [
    pytest.param(ModelConfig("gpt-x"), "nobody knows who serves model 'gpt-x'", id="no provider"),
    pytest.param(ModelConfig("openai:"), "model 'openai:' has no name", id="no name"),
    pytest.param(ModelConfig("  "), "model '  ' has no name", id="blank"),
    pytest.param(ModelConfig("a", base_url="localhost:8000"), "'localhost:8000' is no address", id="address"),
    pytest.param(ModelConfig("a", base_url="file:///etc/passwd"), "'file:///etc/passwd' is no address", id="file"),
    pytest.param(ModelConfig("openai:a", fallback="builtin"), "the fallback cannot be 'builtin'", id="fallback"),
]


@pytest.mark.parametrize(("config", "message"), WRONG)
def test_a_wrong_setting_says_what_is_wrong(config: ModelConfig, message: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        load_model(config, make=Maker())
    assert caught.value.message == message


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mistralai:small", "pip install langchain-mistralai"),
        ("openai:small", "pip install 'metier[openai]'"),
        ("anthropic:small", "pip install 'metier[anthropic]'"),
        ("ollama:small", "pip install 'metier[ollama]'"),
        ("google_genai:small", "pip install 'metier[google]'"),
    ],
)
def test_a_provider_that_is_not_installed_comes_with_the_install_line(
    name: str, hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, f"langchain_{name.partition(':')[0]}", None)
    with pytest.raises(MissingExtra) as caught:
        load_model(ModelConfig(name))
    assert caught.value.hint == hint


def test_a_provider_that_nobody_knows_is_a_wrong_setting() -> None:
    with pytest.raises(InvalidSettings, match="model 'nobody:small' cannot be made"):
        load_model(ModelConfig("nobody:small"))


def test_a_provider_that_is_installed_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class ChatGroq(FakeModel):
        model: str
        timeout: float
        max_retries: int

    package = ModuleType("langchain_groq")
    package.__dict__["ChatGroq"] = ChatGroq
    monkeypatch.setitem(sys.modules, "langchain_groq", package)
    loaded = load_model(ModelConfig("groq:llama-x", timeout_s=9))
    assert isinstance(loaded, ResilientModel)
    (made,) = loaded.models
    assert isinstance(made, ChatGroq)
    assert (made.model, made.timeout, made.max_retries) == ("llama-x", 9, 0)


def test_a_key_is_not_printed() -> None:
    assert "secret" not in repr(ModelConfig("openai:a", api_key="secret"))
