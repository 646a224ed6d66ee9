"""Whatever is sent, the answer is never a 500 and always JSON or a stream."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.server.support import app_in, opened

TEXTS = st.text(max_size=30)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["message", "messages", "conversation_id", "skill", "voice_mode", "host", "document", "idempotency_key", "title"]
) | st.sampled_from(
    [
        "tool",
        "arguments",
        "task_type",
        "without",
        "history",
        "active",
        "answer",
        "events",
        "context",
        "model",
        "threadId",
    ]
)
BODIES = st.dictionaries(FIELDS | TEXTS, VALUES, max_size=5)
POSTS = [
    ("POST", "/api/chat"),
    ("POST", "/api/conversations"),
    ("PATCH", "/api/conversations/{id}"),
    ("POST", "/api/pauses/{id}"),
    ("POST", "/api/route"),
    ("POST", "/api/gate"),
    ("POST", "/telemetry/events"),
    ("POST", "/v1/chat/completions"),
    ("POST", "/agui"),
]
GETS = [
    "/api/conversations",
    "/api/conversations/{id}",
    "/api/conversations/{id}/events",
    "/api/conversations/{id}/events.json",
    "/api/conversations/{id}/export",
    "/api/violations",
    "/api/exceptions",
    "/api/plans",
    "/api/skills/{id}",
    "/api/bench/{id}",
    "/dev/telemetry/events",
    "/console/{id}.json",
    "/{id}",
]
NAMES = st.sampled_from(["limit", "before", "q", "after", "turn", "state", "tool", "conversation", "format", "since"])
REQUESTS = st.one_of(
    st.tuples(st.sampled_from(POSTS), TEXTS, BODIES | VALUES, st.just({})),
    st.tuples(
        st.sampled_from([("GET", path) for path in GETS]), TEXTS, st.none(), st.dictionaries(NAMES, TEXTS, max_size=3)
    ),
)


def test_nothing_that_is_sent_makes_the_server_fail(tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        app = app_in(tmp_path, dev_routes=True, rate_limit=0)
        running = opened(app)
        server = runner.run(running.__aenter__())

        @given(REQUESTS)
        @settings(deadline=None, suppress_health_check=list(HealthCheck))
        def ask(request: tuple[tuple[str, str], str, Any, dict[str, str]]) -> None:
            (method, path), name, body, params = request
            runner.run(_asked(server.client, method, path.replace("{id}", name), body, params))

        try:
            ask()
        finally:
            runner.run(running.__aexit__(None, None, None))


async def _asked(client: httpx.AsyncClient, method: str, path: str, body: Any, params: dict[str, str]) -> None:
    address = quote(path.encode("utf-8", "replace"))
    headers = {"Content-Type": "application/json"}
    content = None if method == "GET" else json.dumps(body).encode()
    clean = {name: value.encode("utf-8", "replace").decode() for name, value in params.items()}
    answer = await client.request(method, address, content=content, params=clean, headers=headers)
    assert answer.status_code < 500 or answer.status_code == 503, (method, path, body, answer.text)
    if answer.status_code >= 400 and answer.status_code != 503:
        assert answer.json()["error"], (method, path)
