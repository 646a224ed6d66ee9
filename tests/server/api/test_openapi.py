"""The description of the API: complete, with a named schema for every answer, and true."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from metier.server import schema
from tests.server.support import Open, app_in, opened, prepared


def operations(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return app_in(tmp_path_factory.mktemp("openapi"), dev_routes=True).openapi()


DOORS = {
    "POST /api/chat",
    "GET /api/approvals",
    "POST /api/approvals/{pause}",
    "GET /api/audit",
    "GET /api/pauses",
    "POST /api/pauses/{pause}",
    "GET /api/conversations",
    "POST /api/conversations",
    "GET /api/conversations/{conversation}",
    "PATCH /api/conversations/{conversation}",
    "DELETE /api/conversations/{conversation}",
    "POST /api/conversations/{conversation}/stop",
    "GET /api/conversations/{conversation}/events",
    "GET /api/conversations/{conversation}/events.json",
    "GET /api/conversations/{conversation}/turns",
    "GET /api/conversations/{conversation}/export",
    "GET /api/turns/{turn}",
    "GET /api/skills",
    "GET /api/skills/log",
    "GET /api/skills/{skill}",
    "POST /api/route",
    "GET /api/tools",
    "GET /api/tools/pending",
    "POST /api/tools/approve",
    "POST /api/gate",
    "GET /api/violations",
    "GET /api/exceptions",
    "GET /api/plans",
    "GET /api/packs",
    "GET /api/bench",
    "GET /api/bench/{name}",
    "GET /api/info",
    "GET /api/schema/events.json",
    "POST /telemetry/events",
    "GET /dev/telemetry/events",
    "GET /dev/telemetry/summary",
    "GET /healthz",
    "GET /readyz",
    "GET /metrics",
}


def test_every_door_is_described(document: dict[str, Any]) -> None:
    assert set(dict(operations(document))) >= DOORS


def test_every_operation_says_what_it_does_and_names_the_schema_of_its_answer(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    for name, operation in operations(document):
        assert operation.get("summary"), name
        assert operation.get("description"), name
        good = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
        for kind, content in good["content"].items():
            if kind == "application/json":
                assert content["schema"]["$ref"].rsplit("/", 1)[-1] in schemas, name
            else:
                assert "example" in content, name


def test_a_stream_names_the_schema_of_its_events(document: dict[str, Any]) -> None:
    content = document["paths"]["/api/chat"]["post"]["responses"]["200"]["content"]
    assert content["text/event-stream"]["itemSchema"] == {"$ref": "#/components/schemas/StoredEvent"}
    assert "TextDelta" in document["components"]["schemas"]


def test_every_operation_shows_how_it_fails(document: dict[str, Any]) -> None:
    for name, operation in operations(document):
        assert {"400", "401", "403", "429", "503"} <= operation["responses"].keys(), name
        assert "422" not in operation["responses"], name
        for status, answer in operation["responses"].items():
            if not status.startswith("2"):
                schema = answer["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ErrorBody"}, (name, status)


def test_every_body_has_an_example(document: dict[str, Any]) -> None:
    """Of its own, or in one of its fields."""
    schemas = document["components"]["schemas"]
    for name, operation in operations(document):
        if "requestBody" in operation:
            (content,) = operation["requestBody"]["content"].values()
            reference = content.get("schema", {}).get("$ref", "")
            fields = schemas[reference.rsplit("/", 1)[-1]].get("properties", {}).values() if reference else []
            assert "example" in content or any("examples" in str(field) for field in fields), name


@dataclass(frozen=True, slots=True)
class Described:
    """A server after a turn with a question, the names in its addresses, and the model of every answer."""

    server: Open
    names: dict[str, str]
    models: dict[tuple[str, str], type[BaseModel]]


@pytest.fixture
async def described(tmp_path: Path, document: dict[str, Any]) -> AsyncIterator[Described]:
    async with opened(app_in(tmp_path, dev_routes=True)) as server:
        await prepared(server)
        told = await server.chat("帮我写这周的周报")
        names = {
            "conversation": told[0]["conversation"],
            "turn": told[0]["turn"],
            "skill": "weekly-report",
            "model": "metier",
        }
        await _recorded(server, names["conversation"])
        yield Described(server, names, dict(_answer_models(document)))


def _answer_models(document: dict[str, Any]) -> Iterator[tuple[tuple[str, str], type[BaseModel]]]:
    for name, operation in operations(document):
        good = next(answer for status, answer in operation["responses"].items() if status.startswith("2"))
        if (told := good["content"].get("application/json")) is not None:
            method, path = name.split()
            yield (method, path), getattr(schema, told["schema"]["$ref"].rsplit("/", 1)[-1])


ASKED = [
    ("GET", "/api/conversations", None),
    ("POST", "/api/conversations", {}),
    ("GET", "/api/conversations/{conversation}", None),
    ("PATCH", "/api/conversations/{conversation}", {"title": "新"}),
    ("GET", "/api/conversations/{conversation}/events.json", None),
    ("GET", "/api/conversations/{conversation}/turns", None),
    ("GET", "/api/conversations/{conversation}/export", None),
    ("GET", "/api/turns/{turn}", None),
    ("GET", "/api/pauses", None),
    ("GET", "/api/skills", None),
    ("GET", "/api/skills/log", None),
    ("GET", "/api/skills/{skill}", None),
    ("POST", "/api/route", {"message": "周报"}),
    ("GET", "/api/tools", None),
    ("GET", "/api/tools/pending", None),
    ("POST", "/api/gate", {"tool": "get_current_time"}),
    ("GET", "/api/violations", None),
    ("GET", "/api/exceptions", None),
    ("GET", "/api/plans", None),
    ("GET", "/api/packs", None),
    ("GET", "/api/bench", None),
    ("GET", "/api/info", None),
    ("GET", "/api/schema/events.json", None),
    ("GET", "/v1/models", None),
    ("GET", "/v1/models/{model}", None),
    ("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": "你好"}]}),
    ("GET", "/healthz", None),
    ("GET", "/readyz", None),
    ("POST", "/telemetry/events", {"events": [{"event_name": "ui.clicked"}]}),
    ("GET", "/dev/telemetry/events", None),
    ("GET", "/dev/telemetry/summary", None),
]


@pytest.mark.shares_fixtures
@pytest.mark.parametrize(("method", "path", "body"), ASKED, ids=[f"{row[0]} {row[1]}" for row in ASKED])
async def test_a_real_answer_has_the_fields_of_its_model_and_no_others(
    method: str, path: str, body: dict[str, Any] | None, described: Described
) -> None:
    params = {"conversation": described.names["conversation"]} if path == "/api/plans" else None
    answer = await described.server.client.request(method, path.format(**described.names), json=body, params=params)
    assert answer.status_code in (200, 201), answer.text
    model = described.models[method, path]
    model.model_validate_json(answer.content, strict=True, extra="forbid")


async def _recorded(server: Open, conversation: str) -> None:
    store = server.here.store
    await store.violations.record(
        conversation, tool="shell", args_digest="", layer="skill", code="not_allowed_by_skill", reason="no"
    )
    await store.exceptions.request(conversation, tool="shell", reason="needed")
