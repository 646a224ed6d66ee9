"""A store that is locked or gone: every operation says so soon, as JSON with a code, a sentence and a hint."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg
import httpx
from fastapi.routing import APIRoute

from metier.server.http import find_required_role
from tests.postgres import PostgresServer
from tests.server.support import Open, app_in, opened

SAID = {"id": "m", "role": "user", "content": "hello"}
BODIES: dict[str, dict[str, object]] = {
    "/api/chat": {"message": "hello"},
    "/api/conversations": {},
    "/agui": {"threadId": "t", "runId": "r", "messages": [SAID]},
    "/v1/chat/completions": {"messages": [SAID], "stream": True},
    "/api/pauses/{pause}": {"answer": 1},
    "/api/approvals/{pause}": {"decision": "approve"},
}


def requests_of(server: Open) -> Iterator[tuple[str, str, dict[str, object] | None]]:
    """Every operation that needs a key, once."""
    for route in server.app.routes:
        if isinstance(route, APIRoute) and find_required_role(route) is not None:
            for method in sorted((route.methods or set()) - {"HEAD"}):
                yield method, route.path, BODIES.get(route.path) if method != "GET" else None


async def ask_all(server: Open, headers: dict[str, str]) -> dict[str, httpx.Response]:
    return {
        f"{method} {path}": await server.client.request(
            method, path.replace("{", "").replace("}", "").replace(":path", ""), json=body, headers=headers
        )
        for method, path, body in requests_of(server)
    }


def find_wrong_answers(answers: dict[str, httpx.Response], code: str) -> list[str]:
    """Those that are no 503 with this code, a sentence, a hint and the time to try again."""
    wrong = []
    for name, answer in answers.items():
        told: Any = answer.json().get("error", {}) if answer.headers["content-type"] == "application/json" else {}
        is_right = answer.status_code == 503 and told.get("code") == code and told.get("message") and told.get("hint")
        if not is_right or "retry-after" not in answer.headers:
            wrong.append(f"{name}: {answer.status_code} {answer.text[:200]}")
    return wrong


@asynccontextmanager
async def all_tables_locked(url: str) -> AsyncIterator[None]:
    other = await asyncpg.connect(url)
    async with other.transaction():
        await other.execute("LOCK TABLE api_keys, users, conversations IN ACCESS EXCLUSIVE MODE")
        yield
    await other.close()


async def test_every_operation_is_refused_while_the_tables_are_locked_and_while_postgresql_is_down(
    tmp_path: Path, postgres_url: str, postgres_server: PostgresServer
) -> None:
    settings: dict[str, Any] = {"database_url": postgres_url, "busy_timeout_s": 0.05, "rate_limit": 0}
    async with opened(app_in(tmp_path, **settings)) as server:
        await server.here.store.users.add("ann")
        key = await server.here.store.keys.create("ann", ["operator", "approver"])
        headers = {"Authorization": f"Bearer {key.secret}"}
        async with all_tables_locked(postgres_url):
            answers = await ask_all(server, headers)
            assert len(answers) > 30
            assert find_wrong_answers(answers, "store_busy") == []
        postgres_server.stop()
        try:
            assert find_wrong_answers(await ask_all(server, headers), "store_unavailable") == []
            assert (await server.client.get("/healthz")).status_code == 200
            assert (await server.client.get("/readyz")).status_code == 503
        finally:
            await asyncio.to_thread(postgres_server.ensure_postgres_running)
        assert (await server.client.get("/api/conversations", headers=headers)).status_code == 200


async def test_a_server_that_drains_refuses_turns_with_a_code_and_answers_what_it_can(server: Open) -> None:
    await server.here.runtime.drain(0)
    asked = [path for path in BODIES if path not in ("/api/conversations", "/api/approvals/{pause}")]
    answers = {path: await server.client.post(path, json=BODIES[path]) for path in asked}
    assert find_wrong_answers(answers, "unavailable") == []
    assert (await server.client.get("/api/conversations")).status_code == 200
