"""The guide to language models: its settings can be read, and its table is that of the code."""

import re
import tomllib
from pathlib import Path

import pytest

from metier.agent import ModelPool
from metier.agent.models._presets import PRESETS
from metier.settings import Settings

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "models.md").read_text("utf-8")
COMMANDS = [line for block in re.findall(r"```bash\n(.*?)```", GUIDE, re.S) for line in block.splitlines()]


@pytest.mark.parametrize("name", PRESETS)
def test_every_service_has_a_section_and_a_line_with_its_key(name: str) -> None:
    preset = PRESETS[name]
    assert f"{{#{name}}}" in GUIDE
    (line,) = [line for line in GUIDE.splitlines() if line.startswith(f"| [`{name}:…`]")]
    assert f"metier[{preset.extra}]" in line
    assert all(variable in line for variable in preset.key_variables)
    assert any(f"METIER_MODEL={name}:" in command for command in COMMANDS)


@pytest.mark.parametrize("model", sorted(set(re.findall(r"METIER_MODEL=(\S+)", "\n".join(COMMANDS)))))
def test_every_model_that_the_guide_names_has_a_service(model: str) -> None:
    entry = ModelPool.from_settings(Settings(model=model, api_key="k"))[model]
    assert entry.preset is not None
    assert entry.config.label == model


def test_the_table_of_several_models_can_be_used() -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", GUIDE, re.S)
    pool = ModelPool.from_settings(Settings(**tomllib.loads(text)))
    assert (pool.default, pool.stages, pool.names) == ("strong", {"choose": "small"}, ("strong", "small"))
