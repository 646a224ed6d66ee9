"""Configured models: which service, which address, which key, which fallbacks."""

from collections.abc import Mapping
from typing import Any

import pytest

from metier.agent.adapters import Price
from metier.agent.models._entries import ModelEntry, entries_from_settings
from metier.errors import InvalidSettings
from metier.settings import Settings

KEYS: Mapping[str, str] = {"DEEPSEEK_API_KEY": "ds", "OPENAI_API_KEY": "oa", "VLLM_API_KEY": "vl", "MINE": "my"}


def entries(**settings: Any) -> Mapping[str, ModelEntry]:
    return entries_from_settings(Settings(**settings), lambda name: KEYS.get(name, ""))


def entry(**settings: Any) -> ModelEntry:
    return next(iter(entries(**settings).values()))


HOME = "http://127.0.0.1:9/v1"
SERVICES: list[Any] = [
    pytest.param({"model": "builtin"}, ("builtin", "", "", ""), id="none"),
    pytest.param({"model": "openai:gpt-x"}, ("openai:gpt-x", "", "oa", "OPENAI_API_KEY"), id="openai"),
    pytest.param(
        {"model": "deepseek:v4"}, ("openai:v4", "https://api.deepseek.com", "ds", "DEEPSEEK_API_KEY"), id="compatible"
    ),
    pytest.param(
        {"model": "qwen:qwen-plus", "api_key": "k"},
        ("openai:qwen-plus", "https://dashscope.aliyuncs.com/compatible-mode/v1", "k", "METIER_API_KEY"),
        id="alias",
    ),
    pytest.param({"model": "qwen:7b", "base_url": HOME}, ("qwen:7b", HOME, "", ""), id="a name with a tag"),
    pytest.param(
        {"model": "vllm:Qwen/Qwen3-8B"},
        ("openai:Qwen/Qwen3-8B", "http://127.0.0.1:8000/v1", "vl", "VLLM_API_KEY"),
        id="vllm",
    ),
    pytest.param(
        {"model": "vllm:m", "base_url": HOME}, ("openai:m", HOME, "vl", "VLLM_API_KEY"), id="own server, own key"
    ),
    pytest.param(
        {"model": "openai:m", "base_url": HOME}, ("openai:m", HOME, "", ""), id="another address gets no key of OpenAI"
    ),
    pytest.param(
        {"model": "deepseek:m", "base_url": "https://eu.deepseek.com"},
        ("openai:m", "https://eu.deepseek.com", "ds", "DEEPSEEK_API_KEY"),
        id="another address of the same service",
    ),
    pytest.param({"model": "groq:llama"}, ("groq:llama", "", "", ""), id="any provider of LangChain"),
    pytest.param(
        {"model": "a", "models": {"a": {"model": "v4", "preset": "deepseek", "api_key_env": "MINE"}}},
        ("openai:v4", "https://api.deepseek.com", "my", "MINE"),
        id="named, with a preset and a variable",
    ),
    pytest.param(
        {"model": "a", "api_key": "k", "base_url": HOME, "models": {"a": {"model": "deepseek:v4", "api_key": "mine"}}},
        ("openai:v4", "https://api.deepseek.com", "mine", "models.a.api_key"),
        id="a named model takes neither address nor key of another",
    ),
]


@pytest.mark.parametrize(("settings", "loaded"), SERVICES)
def test_the_settings_say_who_serves_a_model(settings: dict[str, Any], loaded: tuple[str, str, str, str]) -> None:
    made = entry(**settings)
    assert (made.config.name, made.config.base_url, made.config.api_key, made.key_source) == loaded
    assert made.missing_key == ""


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ({"model": "anthropic:c"}, "set METIER_API_KEY, or the variable ANTHROPIC_API_KEY"),
        (
            {"model": "a", "models": {"a": {"model": "google:g"}}},
            "set models.a.api_key, or the variable GOOGLE_API_KEY",
        ),
        ({"model": "a", "models": {"a": {"model": "x", "base_url": HOME, "api_key_env": "NO"}}}, "set the variable NO"),
    ],
)
def test_a_missing_key_says_where_to_put_it(settings: dict[str, Any], hint: str) -> None:
    assert entry(**settings).missing_key == hint


LIMITS: list[Any] = [
    pytest.param("openai:m", {"max_tokens": 500}, id="openai"),
    pytest.param("anthropic:m", {"max_tokens": 500}, id="anthropic"),
    pytest.param("google:m", {"max_output_tokens": 500}, id="google"),
    pytest.param("ollama:m", {"num_predict": 500, "num_ctx": 8000}, id="ollama"),
    pytest.param("deepseek:m", {"extra_body": {"max_tokens": 500}}, id="compatible"),
]


@pytest.mark.parametrize(("model", "options"), LIMITS)
def test_limits_go_to_the_client_under_its_own_names(model: str, options: dict[str, Any]) -> None:
    made = entry(model=model, model_max_output=500, model_window=8000)
    assert made.config.options == options
    assert made.window == 8000


def test_an_option_of_the_operator_wins_over_a_limit() -> None:
    options = {"extra_body": {"max_tokens": 9, "top_k": 1}, "temperature": 0}
    assert entry(model="vllm:m", model_max_output=500, model_options=options).config.options == options


def test_a_model_without_prices_has_those_of_the_settings() -> None:
    tables = {"a": {"model": "ollama:m", "price_input": 0, "price_output": 0}, "b": {"model": "openai:m"}}
    made = entries(model="a", models=tables, price_input=2, price_output=8)
    assert [(one.price.input_per_million, one.price.output_per_million) for one in made.values()] == [(0, 0), (2, 8)]


CHAIN: dict[str, dict[str, Any]] = {
    "strong": {"model": "deepseek:v4", "fallback": "small,deepseek:v3,openai:gpt-x"},
    "small": {"model": "qwen:7b", "base_url": HOME, "fallback": ["llama:1b"]},
}


def test_a_fallback_keeps_its_own_address_and_key() -> None:
    made = entries(model="strong", models=CHAIN)
    assert [(one.config.name, one.config.base_url, one.config.api_key) for one in made["strong"].fallbacks] == [
        ("qwen:7b", HOME, ""),
        ("openai:v3", "https://api.deepseek.com", "ds"),
        ("openai:gpt-x", "", "oa"),
    ]
    assert [(one.config.name, one.config.base_url) for one in made["small"].fallbacks] == [("llama:1b", HOME)]


def test_a_reply_costs_what_the_model_that_gave_it_costs() -> None:
    tables = {
        "strong": {**CHAIN["strong"], "price_input": 9, "price_output": 90},
        "small": {**CHAIN["small"], "price_input": 1, "price_output": 2},
    }
    made = entries(model="strong", models=tables, price_input=5, price_output=6)["strong"]
    own, unnamed, other = made.fallbacks
    assert made.find_price(made.label, stood_in=False) == Price(9, 90)
    assert made.find_price(own.label, stood_in=True) == Price(1, 2)
    assert made.find_price(unnamed.label, stood_in=True) == made.find_price(other.label, stood_in=True) == Price(5, 6)


def test_the_fallbacks_of_the_default_model_are_also_those_of_a_named_one_without_its_own() -> None:
    tables = {"near": {"model": "qwen:7b", "base_url": HOME}, "far": {"model": "deepseek:v4"}}
    made = entries(model="near", models=tables, model_fallback=("far",))
    assert [one.label for one in made["near"].fallbacks] == ["deepseek:v4"]
    assert made["far"].fallbacks == ()
    own = entries(model="strong", models=CHAIN, model_fallback=("openai:other",))
    assert "openai:other" not in [one.config.name for one in own["strong"].fallbacks]


@pytest.mark.parametrize(
    ("fallback", "message"),
    [
        ("builtin", "the fallback cannot be 'builtin'"),
        ("a", "model 'a' is its own fallback"),
        ("smal", "the fallback 'smal' of model 'a' is not configured"),
    ],
)
def test_a_fallback_that_cannot_be_is_refused(fallback: str, message: str) -> None:
    tables = {"a": {"model": "openai:m", "fallback": fallback}, "small": {"model": "ollama:m"}}
    with pytest.raises(InvalidSettings) as caught:
        entries(model="a", models=tables)
    assert caught.value.message == message


def test_a_description_has_no_secret() -> None:
    table = {
        "model": "m",
        "base_url": "https://me:secret@host/v1?token=secret",
        "api_key": "secret",
        "options": {"default_headers": {"X": "secret"}},
    }
    made = entry(model="a", models={"a": table})
    assert made.to_json()["address"] == "https://host/v1"
    assert "secret" not in f"{made!r} {made.to_json()}"


@pytest.mark.parametrize(
    ("settings", "own"),
    [
        ({"model": "openai:gpt-x"}, False),
        ({"model": "deepseek:v4"}, False),
        ({"model": "ollama:qwen3"}, True),
        ({"model": "m", "base_url": HOME}, True),
        ({"model": "m", "base_url": "http://192.168.1.20:8000/v1"}, True),
        ({"model": "m", "base_url": "http://vllm:8000/v1"}, True),
        ({"model": "m", "base_url": "http://[::1]:8000/v1"}, True),
        ({"model": "m", "base_url": "https://models.example.com/v1"}, False),
        ({"model": "builtin"}, False),
    ],
)
def test_a_model_on_this_machine_or_a_private_network_is_self_hosted(settings: dict[str, Any], own: bool) -> None:
    assert entry(**settings).is_self_hosted is own
