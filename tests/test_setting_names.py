"""A misspelt setting does not pass in silence."""

from pathlib import Path

import pytest

from metier.errors import InvalidSettings
from metier.setting_names import warn_once
from metier.settings import Settings, find_unknown_settings, load_settings


@pytest.mark.parametrize(
    ("write", "sentence"),
    [
        ("variable", "METIER_MODLE is no setting; did you mean 'METIER_MODEL'?"),
        (".env", "METIER_MODLE is no setting; did you mean 'METIER_MODEL'?"),
        ("metier.toml", "metier.toml: modle is no setting; did you mean 'model'?"),
    ],
)
def test_a_misspelt_setting_is_told(
    write: str, sentence: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    if write == "variable":
        monkeypatch.setenv("METIER_MODLE", "openai:x")
    else:
        Path(write).write_text("METIER_MODLE=openai:x" if write == ".env" else 'modle = "openai:x"', "utf-8")
    assert find_unknown_settings() == (sentence,)
    warn_once.cache_clear()
    load_settings()
    load_settings()
    assert caplog.messages.count(sentence) == 1


def test_variables_of_other_programs_are_no_settings_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODLE", "x")
    Path(".env").write_text("OPENAI_API_KEY=x\nMETIER_MODEL=builtin\nSKILLS_DIR=x", "utf-8")
    assert find_unknown_settings() == ()


def test_a_misspelt_argument_is_refused_instead_of_dropped() -> None:
    assert Settings(storage_dir=Path("b"), skills_dir=(Path("a"),)).storage_dir == Path("b")
    with pytest.raises(InvalidSettings) as caught:
        load_settings({"storage_dirs": "elsewhere"})
    assert (caught.value.message, caught.value.hint) == ("'storage_dirs' is no setting", "did you mean 'storage_dir'?")
    with pytest.raises(InvalidSettings, match="storage_dirs"):
        Settings(storage_dirs="elsewhere")
