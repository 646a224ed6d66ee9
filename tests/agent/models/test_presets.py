"""Presets: every service has an address, a package that an extra brings, and a client that knows our options."""

import importlib
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from langchain.chat_models.base import _BUILTIN_PROVIDERS

from metier.agent.models._presets import PRESETS, PROTOCOLS, find_preset, get_preset
from metier.errors import InvalidSettings

EXTRAS = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_names_an_extra_that_brings_its_client(name: str) -> None:
    preset = PRESETS[name]
    assert any(line.startswith(preset.package) for line in EXTRAS[preset.extra])
    module, class_name, _ = _BUILTIN_PROVIDERS[preset.provider]
    assert module.replace("_", "-") == preset.package
    assert hasattr(importlib.import_module(module), class_name)
    assert urlsplit(preset.base_url).scheme in ("http", "https")
    assert preset.key_variables or not preset.needs_key


@pytest.mark.parametrize("provider", PROTOCOLS)
def test_a_client_has_the_options_that_limits_are_passed_as(provider: str) -> None:
    module, class_name, _ = _BUILTIN_PROVIDERS[provider]
    fields = getattr(importlib.import_module(module), class_name).model_fields
    protocol = PROTOCOLS[provider]
    assert {protocol.max_output, protocol.window} - {""} <= fields.keys()


def test_a_service_has_other_names_too() -> None:
    assert find_preset("qwen") is PRESETS["dashscope"]
    assert find_preset("nobody") is None


def test_an_unknown_preset_names_the_nearest() -> None:
    with pytest.raises(InvalidSettings) as caught:
        get_preset("deepsek")
    assert (caught.value.message, caught.value.hint) == ("there is no preset 'deepsek'", "did you mean 'deepseek'?")
