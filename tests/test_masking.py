"""Keys, tokens and passwords are never shown."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metier.errors import InvalidSettings
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
    plain = "postgresql://db:5432/x?sslmode=require&user=ann"
    assert mask_secrets(plain, "database_url") == plain
    assert mask_secrets("https://x.example/?format=json&k=abc") == "https://x.example/?format=json&k=***"


def test_in_a_sentence_only_what_looks_like_a_secret_is_masked() -> None:
    plain = "see https://x.example/?q=coverage&page=2&id=20261118 please"
    assert mask_secrets(plain, "prompt") == plain
    hidden = "see https://x.example/?q=coverage&k=a1B2c3D4e5F6g7H8&token=short please"
    assert mask_secrets(hidden, "prompt") == "see https://x.example/?q=coverage&k=***&token=*** please"


@pytest.mark.parametrize(
    "query",
    [
        "code=abc123",
        "auth=s3cr3tpw",
        "x-sig=AbCdEf%3D",
        "session_id=12ab",
        "k=ABCDEFGHIJKLMNOPQRSTUVWXYZABCD",
        "n=748392018374650192837465",
        "k=12345:AAEabcdefghijklmnop",
        "k=correcthorsebatterystaple",
        "k=1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
    ],
)
def test_what_looks_like_a_secret_is_masked_in_a_sentence(query: str) -> None:
    name = query.partition("=")[0]
    assert mask_secrets(f"see https://x.example/?{query}&page=2 now") == f"see https://x.example/?{name}=***&page=2 now"


@pytest.mark.parametrize("query", ["q=weak+coverage+in+the+north", "encoding=utf8", "design=blue", "day=2026-11-18"])
def test_what_is_there_to_be_read_is_shown_in_a_sentence(query: str) -> None:
    text = f"see https://x.example/?{query} now"
    assert mask_secrets(text) == text


def test_in_a_command_the_query_is_masked_as_in_an_address_alone() -> None:
    assert mask_secrets("npx x --url https://x.example/?k=abc") == "npx x --url https://x.example/?k=***"


SECRET = "hunter2hunter2hunter2"
PLACES: dict[str, tuple[str, object]] = {
    "API key of a user": ("api_keys", {"ann": SECRET}),
    "key of a model": ("api_key", SECRET),
    "password of a database": ("database_url", f"postgresql://ann:{SECRET}@db/x"),
    "password in a query": ("database_url", f"postgresql://db/x?user=ann&password={SECRET}"),
    "user in an address": ("telemetry_url", f"https://{SECRET}@collector.example/"),
    "token in a query": ("telemetry_url", f"https://collector.example/?access_token={SECRET}"),
    "password of a proxy": ("otlp_endpoint", f"http://u:{SECRET}@proxy.example:4318"),
    "key of a search": ("web_search_key", SECRET),
    "short name in the address of a search": ("web_search_url", f"https://search.example/?format=json&k={SECRET}"),
    "address of a search": ("web_search_url", f"https://search.example/?api_key={SECRET}"),
    "header of an MCP server": ("mcp_servers", {"m": {"url": "https://m", "headers": {"X-Any": SECRET}}}),
    "variable of an MCP server": ("mcp_servers", {"m": {"command": "x", "env": {"ANY": SECRET}}}),
    "argument of an MCP server": ("mcp_servers", {"m": {"command": "x", "args": ["--token", SECRET]}}),
    "argument with =": ("mcp_servers", {"m": {"command": "x", "args": [f"--api-key={SECRET}"]}}),
    "header as an argument": (
        "mcp_servers",
        {"m": {"command": "x", "args": ["--header", f"Authorization: Bearer {SECRET}"]}},
    ),
    "bearer as an argument": ("mcp_servers", {"m": {"command": "x", "args": ["-H", f"bearer {SECRET}"]}}),
    "password in the address of an MCP server": ("mcp_servers", {"m": {"url": f"https://u:{SECRET}@m.example/"}}),
    "option of a model": ("model_options", {"default_headers": {"x": SECRET}, "auth": SECRET}),
}


@pytest.mark.parametrize("place", PLACES)
def test_no_secret_that_a_setting_can_carry_is_shown(place: str) -> None:
    name, value = PLACES[place]
    assert SECRET not in str(mask_secrets(value, name))


@pytest.mark.parametrize("place", [place for place, (name, _) in PLACES.items() if name in Settings.model_fields])
def test_a_refused_setting_does_not_repeat_its_secret(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, value = PLACES[place]
    monkeypatch.setenv(f"METIER_{name.upper()}", value if isinstance(value, str) else json.dumps(value))
    monkeypatch.setenv("METIER_PORT", "no number")
    with pytest.raises(InvalidSettings) as caught:
        load_settings()
    assert SECRET not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize(
    "text", ["http://127.0.0.1:11434/v1", "sqlite:////data/metier.sqlite3", "--port=8080", "zh", "max_tokens 12"]
)
def test_what_holds_no_secret_is_shown_as_it_is(text: str) -> None:
    assert mask_secrets(text, "anything") == text


@given(st.lists(st.text(max_size=40), max_size=6))
def test_masking_twice_is_masking_once(texts: list[str]) -> None:
    once = mask_secrets(texts, "args")
    assert mask_secrets(once, "args") == once
