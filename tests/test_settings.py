from pathlib import Path

import pytest

from metier.errors import InvalidSettings
from metier.settings import Settings, load_settings, render_env_example


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
