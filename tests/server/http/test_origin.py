"""From where a request may come, and in which form."""

from pathlib import Path

import pytest

from tests.server.support import Open, app_in, opened


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "LOCALHOST", "127.0.0.1:8321", "localhost:1", "[::1]", "[::1]:8321"]
)
async def test_the_machines_own_names_are_answered(server: Open, host: str) -> None:
    assert (await server.client.get("/healthz", headers={"Host": host})).status_code == 200


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:8321",
        "127.0.0.2",
        "",
        "localhost@evil.example",
        "[::2]",
        "localhost:80:80",
    ],
)
async def test_a_forged_name_is_refused(server: Open, host: str) -> None:
    """A page elsewhere that has its own name point at this machine sends its own name."""
    answer = await server.client.get("/api/info", headers={"Host": host})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "refused")


async def test_a_configured_name_is_answered_and_no_other(tmp_path: Path) -> None:
    async with opened(
        app_in(tmp_path, allowed_hosts=("metier.example",), api_keys={"ann": "ann-key-0123456789"})
    ) as server:
        for host, status in (("metier.example", 200), ("METIER.example:443", 200), ("other.example", 403)):
            assert (await server.client.get("/healthz", headers={"Host": host})).status_code == status


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1", 200),
        ("https://127.0.0.1", 200),
        ("http://127.0.0.1:81", 403),
        ("http://localhost", 403),
        ("http://evil.example", 403),
        ("http://127.0.0.1.evil.example", 403),
        ("null", 403),
        ("", 403),
        ("file://127.0.0.1", 403),
        ("http://[", 403),
    ],
)
async def test_only_our_own_page_may_ask(server: Open, origin: str, status: int) -> None:
    for method, address in (("GET", "/api/info"), ("POST", "/api/conversations")):
        body: dict[str, str] | None = {} if method == "POST" else None
        answer = await server.client.request(method, address, headers={"Origin": origin}, json=body)
        assert answer.status_code == (201 if status == 200 and method == "POST" else status)


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "application/jsonx"],
)
async def test_a_form_changes_nothing(server: Open, kind: str) -> None:
    answer = await server.client.post("/api/conversations", content=b'{"title": "x"}', headers={"Content-Type": kind})
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "usage")
    assert (await server.client.get("/api/conversations")).json()["conversations"] == []


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
async def test_json_is_taken_however_it_is_written(server: Open, kind: str) -> None:
    answer = await server.client.post("/api/conversations", content=b"{}", headers={"Content-Type": kind})
    assert answer.status_code == 201


async def test_an_empty_body_from_a_page_elsewhere_changes_nothing(server: Open) -> None:
    made = (await server.client.post("/api/conversations", json={})).json()["id"]
    for method, address in (("POST", "/stop"), ("DELETE", "")):
        answer = await server.client.request(
            method, f"/api/conversations/{made}{address}", headers={"Sec-Fetch-Site": "cross-site"}
        )
        assert answer.status_code == 403
    assert (await server.client.get(f"/api/conversations/{made}")).status_code == 200


async def test_pages_and_answers_tell_the_browser_what_is_allowed(server: Open) -> None:
    for address in ("/", "/api/info", "/nope", "/openapi.json"):
        headers = (await server.client.get(address)).headers
        policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
        assert (policy["default-src"], policy["script-src"]) == ("'self'", "'self'")
        assert (policy["frame-ancestors"], policy["img-src"]) == ("'none'", "'self' data:")
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
    refused = await server.client.get("/", headers={"Host": "evil.example"})
    assert refused.headers["x-content-type-options"] == "nosniff"
