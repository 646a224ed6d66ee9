"""The guide to language models: its settings can be read, and its table is that of the code."""

import re
import tomllib
from pathlib import Path

import pytest

from metier.agent import ModelPool
from metier.agent.models._presets import PRESETS
from metier.settings import Settings

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
GUIDE = (GUIDES / "models.md").read_text("utf-8")
IN_CHINESE = (GUIDES / "models.zh-CN.md").read_text("utf-8")
PAGES = {name: (GUIDES / "models" / f"{name}.md").read_text("utf-8") for name in PRESETS}
COMMANDS = [
    line
    for text in PAGES.values()
    for block in re.findall(r"```bash\n(.*?)```", text, re.S)
    for line in block.splitlines()
]


@pytest.mark.parametrize("name", PRESETS)
def test_every_service_has_a_page_and_a_line_with_its_key_in_both_languages(name: str) -> None:
    preset = PRESETS[name]
    assert f"pip install 'metier[{preset.extra}]'" in PAGES[name]
    assert f"METIER_MODEL={name}:" in PAGES[name]
    for guide in (GUIDE, IN_CHINESE):
        (line,) = [line for line in guide.splitlines() if line.startswith(f"| [`{name}:…`](models/{name}.md)")]
        assert f"metier[{preset.extra}]" in line
        assert all(variable in line for variable in preset.key_variables)


@pytest.mark.parametrize("model", sorted(set(re.findall(r"METIER_MODEL=(\S+)", "\n".join(COMMANDS)))))
def test_every_model_that_the_guide_names_has_a_service(model: str) -> None:
    entry = ModelPool.from_settings(Settings(model=model, api_key="k"))[model]
    assert entry.preset is not None
    assert entry.config.label == model


@pytest.mark.parametrize("guide", [GUIDE, IN_CHINESE], ids=["en", "zh"])
def test_the_table_of_several_models_can_be_used(guide: str) -> None:
    (text,) = re.findall(r"```toml\n(.*?)```", guide, re.S)
    pool = ModelPool.from_settings(Settings(**tomllib.loads(text)))
    assert (pool.default, pool.stages, pool.names) == ("strong", {"choose": "small"}, ("strong", "small"))
