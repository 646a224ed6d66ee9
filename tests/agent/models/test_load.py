"""Models by name: who serves them, what is missing, and what they are wrapped in."""

import sys
from types import ModuleType
from typing import Any

import pytest
from langchain.chat_models.base import _get_chat_model_creator
from langchain_core.language_models.chat_models import BaseChatModel

from metier.agent import ModelConfig, NativeToolModel, TextToolModel, load_model
from metier.agent.models import model_name
from metier.agent.models.providers import ResilientModel
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
OPENAI = {**PLAIN, "stream_usage": True}
HOME = "http://127.0.0.1:8000/v1"
ROOT = "http://127.0.0.1:11434"

NAMED: list[Any] = [
    pytest.param(
        ModelConfig("anthropic:claude-x"), {"model": "claude-x", "model_provider": "anthropic", **PLAIN}, id="provider"
    ),
    pytest.param(
        ModelConfig("ollama:qwen2.5:7b"),
        {
            "model": "qwen2.5:7b",
            "model_provider": "ollama",
            "client_kwargs": {"timeout": 120.0, "follow_redirects": False},
        },
        id="with a tag",
    ),
    pytest.param(
        ModelConfig("ollama:qwen3", base_url=ROOT, api_key="k", options={"client_kwargs": {"verify": False}}),
        {
            "model": "qwen3",
            "model_provider": "ollama",
            "base_url": ROOT,
            "client_kwargs": {
                "timeout": 120.0,
                "follow_redirects": False,
                "headers": {"Authorization": "Bearer k"},
                "verify": False,
            },
        },
        id="ollama elsewhere",
    ),
    pytest.param(
        ModelConfig("openai:gpt-x", api_key="k"),
        {"model": "gpt-x", "model_provider": "openai", "api_key": "k", **OPENAI},
        id="openai",
    ),
    pytest.param(
        ModelConfig("qwen:7b", base_url=HOME),
        {
            "model": "qwen:7b",
            "model_provider": "openai",
            "base_url": HOME,
            "api_key": "none",
            "use_responses_api": False,
            **OPENAI,
        },
        id="a server of one's own",
    ),
    pytest.param(
        ModelConfig("groq:llama", base_url=HOME, api_key="k"),
        {"model": "llama", "model_provider": "groq", "base_url": HOME, "api_key": "k", **PLAIN},
        id="any provider at another address",
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


@pytest.mark.parametrize(
    ("fallback", "second"),
    [
        ("openai:b", {"base_url": HOME, "api_key": "k"}),
        ("b", {"base_url": HOME, "api_key": "k"}),
        ("anthropic:b", {}),
    ],
)
def test_a_fallback_of_another_provider_does_not_get_the_first_ones_key(fallback: str, second: dict[str, str]) -> None:
    maker = Maker()
    load_model(ModelConfig("openai:a", base_url=HOME, api_key="k", fallback=fallback), make=maker)
    assert {key: value for key, value in maker.made[1].items() if key in ("base_url", "api_key")} == second


def test_a_model_without_tool_calls_gets_the_text_protocol() -> None:
    model = load_model(ModelConfig("ollama:tiny", tools="text"), make=Maker())
    assert isinstance(model, ResilientModel)
    assert isinstance(model.models[0], TextToolModel)
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
    _get_chat_model_creator.cache_clear()  # it remembers clients that another test used
    for client in ("_anthropic_client", "_ollama_client", "_openai_client"):
        monkeypatch.delitem(sys.modules, f"metier.agent.models.providers.{client}", raising=False)
    with pytest.raises(MissingExtra) as caught:
        load_model(ModelConfig(name, api_key="k"))
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("openai:a", "OPENAI_API_KEY"),
        ("anthropic:a", "ANTHROPIC_API_KEY"),
        ("google_genai:a", "GOOGLE_API_KEY or GEMINI_API_KEY"),
    ],
)
def test_a_missing_key_names_the_variables(name: str, variables: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in variables.split(" or "):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(InvalidSettings) as caught:
        load_model(ModelConfig(name))
    assert caught.value.message == f"model {name!r} needs a key"
    assert caught.value.hint == f"set METIER_API_KEY or {variables}"


def test_a_setting_that_the_client_does_not_take_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class ChatBedrock(FakeModel):
        model: str

    package = ModuleType("langchain_aws")
    package.__dict__["ChatBedrock"] = ChatBedrock
    monkeypatch.setitem(sys.modules, "langchain_aws", package)
    with pytest.raises(InvalidSettings) as caught:
        load_model(ModelConfig("bedrock:nova", base_url=HOME))
    assert caught.value.message == "model 'bedrock:nova' takes no METIER_BASE_URL"


def test_whatever_a_client_refuses_is_a_wrong_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    class LoginError(RuntimeError):
        pass

    def refuse(**_: object) -> BaseChatModel:
        raise LoginError("no profile 'default'")

    package = ModuleType("langchain_aws")
    package.__dict__["ChatBedrockConverse"] = refuse
    monkeypatch.setitem(sys.modules, "langchain_aws", package)
    with pytest.raises(InvalidSettings, match="cannot be made: no profile 'default'"):
        load_model(ModelConfig("bedrock_converse:nova"))


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
    monkeypatch.setenv("GROQ_API_KEY", "k")
    loaded = load_model(ModelConfig("groq:llama-x", timeout_s=9))
    assert isinstance(loaded, ResilientModel)
    (native,) = loaded.models
    assert isinstance(native, NativeToolModel)
    made = native.model
    assert isinstance(made, ChatGroq)
    assert (made.model, made.timeout, made.max_retries) == ("llama-x", 9, 0)


def test_a_key_is_not_printed() -> None:
    assert "secret" not in repr(ModelConfig("openai:a", api_key="secret"))


def test_fallbacks_are_tried_in_turn_and_the_one_that_answered_is_named() -> None:
    chain = [ModelConfig("openai:b"), ModelConfig("x", base_url=HOME, label="mine")]
    broken = [FakeModel().fail(ValueError("no")), FakeModel().fail(ValueError("no")), FakeModel().say("hello")]
    model = load_model(ModelConfig("openai:a"), fallbacks=chain, make=lambda name, **options: broken.pop(0))
    reply = model.invoke("hi")
    assert (reply.text, model_name(model, reply)) == ("hello", "mine")


def test_each_model_of_a_chain_calls_tools_in_its_own_way() -> None:
    model = load_model(ModelConfig("openai:a"), fallbacks=[ModelConfig("ollama:b", tools="text")], make=Maker())
    assert isinstance(model, ResilientModel)
    assert [type(one) for one in model.models] == [NativeToolModel, TextToolModel]


OPTIONS: list[Any] = [
    pytest.param("openai:m", "temprature", "did you mean 'temperature'?; fields of the service's own", id="typo"),
    pytest.param("anthropic:m", "zzzz", "see the class ChatAnthropic", id="strange"),
    pytest.param("ollama:m", "max_tokens", "see the class ChatOllama", id="of another provider"),
]


@pytest.mark.parametrize(("model", "option", "hint"), OPTIONS)
def test_an_option_that_a_client_does_not_have_is_refused(model: str, option: str, hint: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        load_model(ModelConfig(model, api_key="k", options={option: 1}))
    assert f"has no option {option!r}" in caught.value.message
    assert hint in caught.value.hint


def test_an_option_that_a_client_has_reaches_it() -> None:
    options: Any = {"temperature": 0.3, "extra_body": {"top_k": 1}, "reasoning_effort": "low", "max_tokens": 7}
    loaded = load_model(ModelConfig("openai:m", api_key="k", options=options))
    assert isinstance(loaded, ResilientModel)
    made: Any = loaded.models[0].model  # type: ignore[attr-defined]
    assert (made.temperature, made.extra_body, made.reasoning_effort, made.max_tokens) == (0.3, {"top_k": 1}, "low", 7)


def test_the_timeout_also_holds_between_two_chunks_of_a_stream() -> None:
    loaded = load_model(ModelConfig("slow", base_url="http://127.0.0.1:9/v1", timeout_s=900))
    assert isinstance(loaded, ResilientModel)
    made: Any = loaded.models[0].model  # type: ignore[attr-defined]
    assert made.stream_chunk_timeout == 900
