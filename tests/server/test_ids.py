"""Ids from outside: none becomes a path, none reaches what belongs to another user, whatever the endpoint."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi.routing import APIRoute

from metier.agent import TurnRequest
from tests.server.support import Open, app_in, opened

KEYS = {"ann": "ann-key-0123456789", "bob": "bob-key-0123456789"}
SECRET = "what only ann may read"
TRAVERSALS = [
    ".",
    "..",
    "../..",
    "../../storage",
    "/etc/passwd",
    "....//....//",
    "..\\..\\",
    "%2e%2e",
    "%2e%2e%2f%2e%2e",
    "..%c0%af",
    "~root",
    "C:\\Windows",
    "file:///etc/passwd",
    "a\x00b",
    "．．／",
    "con",
    "'; DROP TABLE conversations; --",
    "${HOME}",
    "x" * 5000,
]


def iter_addresses(server: Open) -> Iterator[tuple[str, str]]:
    """Method and path of every endpoint of ours that takes an id."""
    for route in server.app.routes:
        if isinstance(route, APIRoute) and "{" in route.path and route.path.startswith(("/api", "/v1")):
            for method in sorted(route.methods or ()):
                yield method, route.path


def fill(path: str, value: str, names: dict[str, str]) -> Iterator[str]:
    """The path with this value in place of each of its ids in turn, the others being real ones."""
    parts = path.split("/")
    for at, part in enumerate(parts):
        if part.startswith("{"):
            filled = [names.get(one.strip("{}").split(":")[0], "x") if one.startswith("{") else one for one in parts]
            yield "/".join([*filled[:at], quote(value, safe=""), *filled[at + 1 :]])


def as_user(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {KEYS[name]}"}


def snapshot(folder: Path) -> dict[str, int]:
    """Every file below the folder that is not part of the database."""
    files = (one for one in folder.rglob("*") if one.is_file() and ".sqlite3" not in one.name)
    return {str(one.relative_to(folder)): one.stat().st_size for one in files}


async def _ann(server: Open) -> dict[str, str]:
    """What ann has: a conversation with a question, and a file."""
    request = TurnRequest("帮我写这周的周报", user="ann")
    told = [event async for event in server.here.runtime.turn(request)]
    conversation, pause = told[0].conversation, str(told[-1].data["pause"])
    folder = server.here.settings.storage_dir / "workspaces" / conversation
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "note.txt").write_text(SECRET, "utf-8")
    return {"conversation": conversation, "pause": pause, "path": "note.txt", "turn": str(told[0].turn)}


async def test_no_id_is_a_path_and_no_id_of_another_user_is_known(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, api_keys=KEYS, rate_limit=0)) as server:
        names = await _ann(server)
        before = snapshot(tmp_path)
        problems: list[Any] = []
        asked = 0
        for method, path in iter_addresses(server):
            for value in (*TRAVERSALS, *names.values()):
                for address in fill(path, value, names):
                    answer = await server.client.request(method, address, headers=as_user("bob"), json={})
                    asked += 1
                    if SECRET in answer.text or answer.status_code >= 500 or "root:" in answer.text:
                        problems.append((method, address[:120], answer.status_code))
        assert problems == []
        assert asked > 300
        assert snapshot(tmp_path) == before
        mine = await server.client.get(
            f"/api/conversations/{names['conversation']}/files/note.txt", headers=as_user("ann")
        )
        assert mine.text == SECRET


async def test_a_thread_of_agui_may_have_any_id_and_stays_in_its_own_folder(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, api_keys=KEYS)) as server:
        names = await _ann(server)
        for thread in (one for one in TRAVERSALS if "\x00" not in one):
            await _use_thread(server, thread, names["conversation"], tmp_path)


async def _use_thread(server: Open, thread: str, first: str, folder: Path) -> None:
    before = snapshot(folder)
    known = len(await server.here.store.conversations.list("bob"))
    body = {"runId": "r", "messages": [{"id": "m", "role": "user", "content": "帮我写这周的周报"}]}
    rest: dict[str, Any] = {"state": {}, "tools": [], "context": [], "forwardedProps": {}}
    for user in KEYS:
        told = await server.client.post("/agui", json={"threadId": thread, **body, **rest}, headers=as_user(user))
        assert told.status_code == 200, told.text
        events = [json.loads(one[6:]) for one in told.text.splitlines() if one.startswith("data: ")]
        assert events[0]["threadId"] == thread
        listed = (await server.client.get("/api/conversations", headers=as_user(user))).json()
        ids = [one["id"] for one in listed["conversations"]]
        assert thread not in ids, thread
        assert (
            await server.client.delete(f"/api/conversations/{quote(thread, safe='')}", headers=as_user(user))
        ).status_code >= 400
    assert snapshot(folder) == before, thread
    assert len(await server.here.store.conversations.list("bob")) == known + 1
    assert first in [one.id for one in await server.here.store.conversations.list("ann")]
