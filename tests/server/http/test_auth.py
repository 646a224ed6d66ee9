"""Who may ask, and from where."""

from pathlib import Path

import httpx
import pytest
from pydantic import SecretStr

from metier.errors import InvalidSettings
from metier.server import check_binding
from metier.server.http import is_loopback
from metier.store import SettingsKeys
from tests.server.support import app_in, opened, prepared

KEYS = {"安": "ann-key-0123456789", "bob": "bob-key-0123456789"}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong-key-0123456"},
        {"Authorization": "Bearer "},
        {"Authorization": "ann-key-0123456789"},
        {"Authorization": "Basic ann-key-0123456789"},
        {"X-API-Key": "ann-key-012345678"},
        {"X-API-Key": "钥匙" * 10},
    ],
    ids=["none", "wrong", "empty", "bare", "basic", "cut", "chinese"],
)
async def test_without_a_key_nothing_is_told(tmp_path: Path, headers: dict[str, str]) -> None:
    async with opened(app_in(tmp_path, api_keys=KEYS)) as server:
        for address in ("/api/info", "/api/conversations", "/api/skills", "/metrics", "/api/conversations/x/events"):
            answer = await server.client.get(address, headers=httpx.Headers(headers, encoding="utf-8"))
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "unauthorized"), address
            assert answer.headers["www-authenticate"] == "Bearer"
        await prepared(server)
        for address in ("/healthz", "/readyz"):
            assert (await server.client.get(address)).status_code == 200


@pytest.mark.parametrize("headers", [{"Authorization": f"bearer {KEYS['bob']}"}, {"X-API-Key": KEYS["bob"]}])
async def test_a_key_says_who_asks(tmp_path: Path, headers: dict[str, str]) -> None:
    async with opened(app_in(tmp_path, api_keys=KEYS)) as server:
        assert (await server.client.get("/api/info", headers=headers)).json()["user"] == "bob"


def test_a_short_key_is_no_key() -> None:
    with pytest.raises(InvalidSettings, match="'ann' is too short"):
        SettingsKeys({"ann": SecretStr("short")})


@pytest.mark.parametrize(
    ("host", "alone"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("127.9.9.9", True), ("0.0.0.0", False), ("::", False)],
)
def test_listening_for_others_needs_keys(host: str, alone: bool) -> None:
    assert is_loopback(host) is alone
    check_binding(host, {"ann": SecretStr("x" * 16)})
    check_binding(host, {}, unsafe=True)
    if alone:
        check_binding(host, {})
    else:
        with pytest.raises(InvalidSettings, match="lets others in") as caught:
            check_binding(host, {})
        assert "--unsafe-no-auth" in caught.value.hint
