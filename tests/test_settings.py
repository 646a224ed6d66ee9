from pathlib import Path

import pytest

from metier.errors import InvalidSettings
from metier.settings import (
    Settings,
    load_settings,
    read_variable,
    render_env_example,
)


def test_a_fresh_machine_needs_no_settings() -> None:
    settings = load_settings()
    assert settings.skills_dir == (Path("skills"),)
    assert settings.database_url == "sqlite:///storage/metier.sqlite3"


@pytest.mark.parametrize("name", ["METIER_SKILLS_DIR", "SKILLS_DIR"])
def test_both_names_of_the_skills_folder_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "one:two")
    assert load_settings().skills_dir == (Path("one"), Path("two"))


def test_our_own_name_of_the_skills_folder_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKILLS_DIR", "theirs")
    monkeypatch.setenv("METIER_SKILLS_DIR", "ours")
    assert load_settings().skills_dir == (Path("ours"),)


def test_the_home_folder_is_spelt_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_SKILLS_DIR", "~/skills")
    assert load_settings().skills_dir == (Path.home() / "skills",)


def test_a_variable_wins_over_env_file_wins_over_toml(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("metier.toml").write_text('durability = "full"\nbusy_timeout_s = 1\nstorage_dir = "toml"\n', "utf-8")
    Path(".env").write_text("METIER_BUSY_TIMEOUT_S=2\nMETIER_STORAGE_DIR=dotenv\n", "utf-8")
    monkeypatch.setenv("METIER_STORAGE_DIR", "variable")
    settings = load_settings()
    assert (settings.durability, settings.busy_timeout_s, settings.storage_dir) == ("full", 2, Path("variable"))


def test_a_toml_list_names_several_folders() -> None:
    Path("metier.toml").write_text('skills_dir = ["甲", "b"]\n', "utf-8")
    assert load_settings().skills_dir == (Path("甲"), Path("b"))


def test_an_override_wins_over_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_SKILLS_DIR", "variable")
    assert load_settings({"skills_dir": ["option"]}).skills_dir == (Path("option"),)


@pytest.mark.parametrize(
    ("name", "value"),
    [("METIER_DURABILITY", "maybe"), ("METIER_BUSY_TIMEOUT_S", "-1"), ("METIER_ALLOWED_TOOLS_MODE", "all")],
)
def test_a_bad_value_names_the_setting_and_the_value(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidSettings) as caught:
        load_settings()
    assert name.removeprefix("METIER_").lower() in caught.value.message
    assert repr(value) in caught.value.message


def test_a_broken_toml_file_is_an_error_of_ours() -> None:
    Path("metier.toml").write_text("skills_dir = [\n", "utf-8")
    with pytest.raises(InvalidSettings) as caught:
        load_settings()
    assert "metier.toml" in caught.value.message


def test_the_example_file_lists_every_setting_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = load_settings()
    Path(".env").write_text(render_env_example().replace("# METIER_", "METIER_"), "utf-8")
    assert load_settings() == defaults
    assert all(f"# METIER_{name.upper()}=" in render_env_example() for name in Settings.model_fields)


@pytest.mark.parametrize("name", ["METIER_API_KEYS", "METIER_MCP_SERVERS"])
def test_a_table_that_is_not_json_is_refused_without_being_repeated(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "secret, not json")
    with pytest.raises(InvalidSettings, match=name.removeprefix("METIER_").lower()) as caught:
        load_settings()
    assert "secret" not in str(caught.value)


MODELS = """
model = "strong"

[models.strong]
model = "deepseek:deepseek-v4-pro"
api_key = "sk-strong-secret"
window = 64000
options = { temperature = 0.2, default_headers = { X-Team = "header-secret" } }
fallback = ["small", "openai:gpt-x"]

[models.small]
model = "qwen2.5:1.5b"
base_url = "http://me:url-secret@127.0.0.1:11434/v1"
api_key_env = "SMALL_KEY"

[stage_models]
choose = "small"
"""


def test_several_models_have_names() -> None:
    Path("metier.toml").write_text(MODELS, "utf-8")
    settings = load_settings()
    assert list(settings.models) == ["strong", "small"]
    assert settings.models["strong"].fallback == ("small", "openai:gpt-x")
    assert settings.stage_models == {"choose": "small"}


def test_several_models_can_be_named_in_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METIER_MODELS", '{"small": {"model": "ollama:qwen3:4b", "fallback": "a,b"}}')
    monkeypatch.setenv("METIER_STAGE_MODELS", "choose=small, act = strong")
    monkeypatch.setenv("METIER_MODEL_OPTIONS", '{"temperature": 0}')
    settings = load_settings()
    assert settings.models["small"].fallback == ("a", "b")
    assert settings.stage_models == {"choose": "small", "act": "strong"}
    assert settings.model_options == {"temperature": 0}


BAD_MODELS = [
    ('METIER_MODELS={"a b": {"model": "x:y"}}', "models.a b"),
    ('METIER_MODELS={"a": {"model": "x:y", "api_key": 12345678}}', "models.a.api_key"),
    ('METIER_MODELS={"a": {"model": "x:y", "apikey": "sk-12345678"}}', "models.a.apikey"),
    ('METIER_MODELS={"a": {"model": {"sk": "12345678"}}}', "models.a.model"),
    ("METIER_STAGE_MODELS=chose=small", "stage_models.chose"),
    ("METIER_STAGE_MODELS={choose", "stage_models"),
    ("METIER_MODEL_WINDOW=-1", "model_window"),
]


@pytest.mark.parametrize(("line", "place"), BAD_MODELS, ids=[line for line, _ in BAD_MODELS])
def test_a_wrong_model_is_refused_by_its_place_and_no_key_is_repeated(
    line: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, value = line.partition("=")
    monkeypatch.setenv(name, value)
    with pytest.raises(InvalidSettings) as caught:
        load_settings()
    assert place in caught.value.message
    assert "12345678" not in f"{caught.value.message} {caught.value.__cause__} {caught.value.hint}"


def test_a_providers_variable_is_read_from_the_environment_or_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("SOME_KEY=of the file\nOTHER_KEY=only here\n", "utf-8")
    monkeypatch.setenv("SOME_KEY", "of the environment")
    assert read_variable("SOME_KEY") == "of the environment"
    assert read_variable("OTHER_KEY") == "only here"
    assert read_variable("NO_KEY") == ""


def test_without_the_file_nothing_looks_up_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metier.settings.TomlConfigSettingsSource", lambda *_: pytest.fail("it was opened"))
    assert load_settings().storage_dir == Path("storage")
    Path("metier.toml").write_text("busy_timeout_s = 1\n", "utf-8")
    with pytest.raises(pytest.fail.Exception, match="it was opened"):
        load_settings()
