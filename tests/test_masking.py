"""Keys, tokens and passwords are never shown."""

from pathlib import Path

import pytest

from metier.masking import is_secret, mask_secrets
from metier.settings import Settings, load_settings
from tests.test_settings import MODELS


def test_no_secret_of_the_settings_is_shown() -> None:
    Path("metier.toml").write_text(MODELS, "utf-8")
    settings = load_settings()
    shown = f"{settings!r} {[mask_secrets(getattr(settings, name), name) for name in Settings.model_fields]}"
    assert "secret" not in shown
    assert "127.0.0.1:11434" in shown
    assert "SMALL_KEY" in shown


@pytest.mark.parametrize("name", ["api_key", "API_KEYS", "token", "client_secret", "password", "headers", "x_headers"])
def test_what_may_hold_a_key_is_masked(name: str) -> None:
    assert is_secret(name)
    assert "abc" not in str(mask_secrets({name: {"x": "abc"}}))
    assert "abc" not in str(mask_secrets([{name: "abc"}]))


def test_a_password_in_an_address_is_masked_and_the_address_is_not() -> None:
    assert mask_secrets("postgresql://ann:abc@db:5432/x", "database_url") == "postgresql://ann:***@db:5432/x"
    assert mask_secrets("key_env", "api_key_env") == "key_env"
