"""Bad input of every kind: an answer with a code and a hint, never a 500, and the same body everywhere."""

import json
import re
from typing import Any

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from metier import errors
from metier.errors import MetierError
from metier.language import language_of
from metier.server.http import install_handlers
from metier.server.http._errors import build_error_response
from tests.server.support import Open

BODIES: list[tuple[str, bytes, int]] = [
    ("not json", b"{", 400),
    ("empty", b"", 400),
    ("text", b"hello", 400),
    ("a list", b"[]", 400),
    ("a number", b"1", 400),
    ("null", b"null", 400),
    ("depth 100k", b"[" * 100_000, 400),
    ("depth 100k of objects", b'{"a":' * 100_000, 400),
    ("5,000 digits", b'{"title": ' + b"9" * 5000 + b"}", 400),
    ("NaN", b'{"title": NaN}', 400),
    ("Infinity", b'{"title": -Infinity}', 400),
    ("1e999", b'{"title": 1e999}', 400),
    ("a key twice", b'{"title": "a", "title": "b"}', 400),
    ("half a character", rb'{"title": "\ud800"}', 400),
    ("bad UTF-8", b'{"title": "\xff"}', 400),
    ("UTF-16", '{"title": "x"}'.encode("utf-16"), 400),
    ("a byte order mark", b'\xef\xbb\xbf{"title": "x"}', 400),
    ("an unknown field", b'{"titel": "x"}', 400),
    ("a wrong type", b'{"title": {"a": 1}}', 400),
    ("a NUL", rb'{"title": "a\u0000b"}', 400),
    ("prototype", b'{"__proto__": {"x": 1}}', 400),
    ("fine", b'{"title": "x"}', 201),
]


def _is_problem(body: Any) -> bool:
    told = body["error"]
    return set(body) == {"error"} and set(told) == {"code", "message", "hint"} and all(map(str, told.values()))


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("body", "status"), [row[1:] for row in BODIES], ids=[row[0] for row in BODIES])
async def test_a_bad_body_is_refused_with_a_reason(server: Open, body: bytes, status: int) -> None:
    answer = await server.client.post("/api/conversations", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    if status != 201:
        assert _is_problem(answer.json())
        assert answer.json()["error"]["code"] in ("invalid_input", "invalid_record")
        assert (await server.client.get("/api/conversations")).json()["conversations"] == []


ADDRESSES = [
    ("GET", "/api/conversations?limit=-1", 400),
    ("GET", "/api/conversations?limit=0", 400),
    ("GET", "/api/conversations?limit=1000000000", 400),
    ("GET", "/api/conversations?limit=ten", 400),
    ("GET", "/api/conversations?before=x", 400),
    ("GET", "/api/conversations?before=2026-01-01~", 400),
    ("GET", "/api/conversations?before=2026-01-01T00:00:00~x", 400),
    ("GET", "/api/conversations?q=%00", 400),
    ("GET", "/api/conversations/%00", 400),
    ("GET", "/api/conversations/%20", 400),
    ("GET", "/api/conversations/%ff", 404),
    ("GET", "/api/conversations/' OR 1=1--", 404),
    ("GET", "/api/conversations/x/events?after=-1", 400),
    ("GET", "/api/conversations/x/events?after=99999999999999999999", 400),
    ("GET", "/api/conversations/x/events?follow=perhaps", 400),
    ("GET", "/api/conversations/x/export?format=exe", 400),
    ("GET", "/api/plans", 400),
    ("GET", "/api/exceptions?state=1;drop", 400),
    ("GET", "/api/violations?conversation=nope", 404),
    ("GET", "/api/skills/nope", 404),
    ("GET", "/api/skills/..%2F..%2Fetc%2Fpasswd", 404),
    ("GET", "/api/bench/..%2F..%2Fetc%2Fpasswd", 404),
    ("GET", "/api/turns/nope", 404),
    ("GET", "/api/nope", 404),
    ("GET", "/dev/telemetry/events", 404),
    ("DELETE", "/api/info", 405),
    ("PUT", "/api/conversations", 405),
    ("POST", "/healthz", 405),
    ("OPTIONS", "/api/info", 405),
    ("BREW", "/api/info", 405),
]


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("method", "address", "status"), ADDRESSES, ids=[f"{row[0]} {row[1]}" for row in ADDRESSES])
async def test_a_bad_address_is_answered_with_a_reason(server: Open, method: str, address: str, status: int) -> None:
    answer = await server.client.request(method, address)
    assert answer.status_code == status, answer.text
    assert _is_problem(answer.json())


async def test_a_client_that_prefers_chinese_gets_the_error_in_chinese(server: Open) -> None:
    for accepted, language in (("zh-CN,zh;q=0.9,en;q=0.8", "zh"), ("en-US,en;q=0.9,zh;q=0.8", "en"), ("fr", "en")):
        for method, address, status in ADDRESSES:
            answer = await server.client.request(method, address, headers={"Accept-Language": accepted})
            told = answer.json()["error"]
            assert answer.status_code == status
            assert (language_of(told["message"]), "detail" in told) == (language, language == "zh"), told
            assert language_of(told["hint"]) == language, told
    answer = await server.client.get("/api/skills/nope", headers={"Accept-Language": "zh"})
    assert "「nope」" in answer.json()["error"]["message"]


async def test_headers_that_are_too_many_are_refused(server: Open) -> None:
    answer = await server.client.get("/healthz", headers={"X-Long": "x" * 40_000})
    assert (answer.status_code, answer.json()["error"]["code"]) == (431, "too_large")


ERRORS = sorted(
    (one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, MetierError)),
    key=lambda one: one.__name__,
)


@pytest.mark.parametrize("kind", ERRORS, ids=lambda one: one.__name__)
def test_every_error_has_a_status_of_its_kind(kind: type[MetierError]) -> None:
    answer = build_error_response(kind("it went wrong", hint="try again"))
    assert answer.status_code == 500 if kind is MetierError else 400 <= answer.status_code <= 503
    told = json.loads(bytes(answer.body))
    assert told == {"error": {"code": kind.code, "message": "it went wrong", "hint": "try again"}}


async def test_a_bug_is_answered_without_its_insides() -> None:
    app = FastAPI()
    install_handlers(app)

    @app.get("/bug")
    async def bug() -> None:
        raise ValueError("the secret is 42")

    transport = ASGITransport(app=app, raise_app_exceptions=False)
    async with AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        answer = await client.get("/bug")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "failed")
    assert "42" not in answer.text


async def test_no_address_sends_a_long_name_back(server: Open) -> None:
    paths = (await server.client.get("/openapi.json")).json()["paths"]
    asked = [(path, method) for path, known in paths.items() if "{" in path for method in known]
    assert len(asked) > 20
    for path, method in asked:
        filled = re.sub(r"\{[^}]+\}", "a" * 10_000, path)
        answer = await server.client.request(method, filled, json=None if method in ("get", "delete") else {})
        assert len(answer.content) < 1_500, f"{method} {path}: {answer.status_code}"


@pytest.mark.parametrize("name", ["a" * 10_000, "a b " * 2_500], ids=["a word", "words"])
def test_a_name_in_an_error_is_cut_and_the_sentence_stays(name: str) -> None:
    told = json.loads(bytes(build_error_response(errors.RecordNotFound(f"there is no turn {name!r}")).body))
    assert told["error"]["message"].startswith("there is no turn 'a")
    assert len(told["error"]["message"]) < 2_100
