"""What the tests of user data share: a server on which two users have filled every table and every folder."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from metier.facts import Fact
from metier.projects import add_project
from metier.skills import SkillLibrary, add_skills, open_skill_approvals
from metier.store import StoredCheckpoint
from metier.store.database import metadata
from metier.testing import FakeModel
from metier.workspaces import user_folder
from tests.server.support import SKILL, Open, app_in, opened

# One word each: they are found in texts, terms of an index, names of files and digests of nothing.
MARKERS = {"ann": "zebraquartzann", "bob": "walrusopalbob"}
KEYS = {name: f"{name}-key-0123456789" for name in MARKERS}
NOTES = """---
name: notes
title: Notes
description: Keeps notes of all kinds.
triggers: [note]
allowed_tools: [memory, write_file]
---

Keep what is said.
"""


def as_user(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {KEYS[name]}"}


@asynccontextmanager
async def open_filled(folder: Path, *users: str, **settings: Any) -> AsyncIterator[tuple[Open, dict[str, list[str]]]]:
    """A server with data of these users everywhere, and the ids of their conversations."""
    (folder / "skills").mkdir()
    (folder / "skills" / "notes.md").write_text(NOTES, "utf-8")
    (folder / "skills" / "weekly-report.md").write_text(SKILL, "utf-8")
    model = FakeModel()
    given = {"api_keys": KEYS, "telemetry_mode": "local", "telemetry_content": "on", "rate_limit": 0, **settings}
    async with opened(app_in(folder, model=model, **given)) as server:
        yield server, {user: await fill(server, model, user) for user in users}


async def fill(server: Open, model: FakeModel, user: str) -> list[str]:
    """Leave this user's marker in every table and folder; the ids of the conversations."""
    mark, headers = MARKERS[user], as_user(user)
    model.call("memory", action="remember", text=f"the pet is called {mark}")
    model.call("write_file", path=f"{mark}.txt", content=f"{mark} in a file")
    model.call("terminal", command=f"echo {mark}")  # refused by the gate
    model.say(f"noted {mark}")
    body = {"message": f"a note about {mark}", "skill": "notes"}
    told = await server.client.post("/api/chat", json=body, headers={**headers, "Idempotency-Key": f"key-{mark}"})
    assert told.status_code == 200, told.text
    talk = told.headers["x-conversation-id"]
    await ask_over_agui(server, model, user)
    asked = await server.client.post("/api/chat", json={"message": "帮我写这周的周报"}, headers=headers)
    open_pauses = (await server.client.get("/api/pauses", headers=headers)).json()["pauses"]
    answered = await server.client.post(
        f"/api/pauses/{open_pauses[0]['pause']}", json={"answer": mark}, headers=headers
    )
    assert answered.status_code == 200, answered.text
    sent = {"events": [{"event_name": "ui.clicked", "payload": {"on": mark}, "session_id": f"thread-{mark}"}]}
    assert (await server.client.post("/telemetry/events", json=sent, headers=headers)).json()["accepted"] == 1
    await fill_store(server, user, talk)
    install_own_skill(server, user)
    server.here.telemetry.flush()
    found = await server.here.store.owned.list_conversations(user)
    assert {talk, asked.headers["x-conversation-id"]} < set(found)
    return list(found)


async def ask_over_agui(server: Open, model: FakeModel, user: str) -> None:
    """A thread whose id the client chose."""
    mark = MARKERS[user]
    model.say(f"hello {mark}")
    run = {
        "threadId": f"thread-{mark}",
        "runId": "r1",
        "messages": [{"id": "m1", "role": "user", "content": f"hello from {mark}"}],
        "state": {},
        "tools": [],
        "context": [],
        "forwardedProps": {"skill": "notes"},
    }
    answer = await server.client.post("/agui", json=run, headers=as_user(user))
    assert answer.status_code == 200, answer.text


async def fill_store(server: Open, user: str, conversation: str) -> None:
    """What no short conversation leaves: a profile, data of a skill, an exception, words in a violation, a key."""
    mark, store = MARKERS[user], server.here.store
    await store.profiles.set(user, {"name": mark})
    await store.skill_data.merge(user, "notes", {"last": mark})
    await store.exceptions.request(conversation, tool="terminal", reason=f"for {mark}")
    await store.facts.save(conversation, Fact("pet", mark, title="Pet"))
    await store.checkpoints.put(conversation, [StoredCheckpoint(mark, "", "1", content=mark)])
    await store.violations.record(
        conversation, tool="terminal", args_digest="0", layer="skill", code="not_allowed", reason=f"{mark} is refused"
    )
    turn = await store.turns.list(conversation, limit=1)
    await store.feedback.put(conversation, turn[0].id, user, "down", reason="other", note=f"{mark} says so")
    with TemporaryDirectory() as source:  # a project that was copied from a folder
        (Path(source) / "notes.txt").write_text(mark, "utf-8")
        add_project(server.here.settings.storage_dir, server.here.places.get_workspace(conversation), Path(source))
    await store.shares.create(conversation)
    await store.users.add(user)
    await store.keys.create(user, label=f"laptop of {mark}")


def install_own_skill(server: Open, user: str) -> None:
    """A skill that belongs to this user alone, and what a pack keeps of the user."""
    mark, settings = MARKERS[user], server.here.settings
    folder, storage = settings.skills_dir[0], settings.storage_dir / "packs" / "workspace"
    with TemporaryDirectory() as source:
        text = NOTES.replace("name: notes", f"name: {mark}").replace("Keeps notes", f"Keeps {mark}")
        (Path(source) / mark).mkdir()
        (Path(source) / mark / "SKILL.md").write_text(text, "utf-8")
        add_skills(Path(source) / mark, folder)
    made = SkillLibrary.from_folders(folder).catalog()[mark]
    open_skill_approvals(settings).pin([made], user, owner=user)
    user_folder(storage, user).mkdir(parents=True)
    (user_folder(storage, user) / "made.json").write_text(mark, "utf-8")


def find_files_with(folder: Path, marker: str) -> list[str]:
    """Files below the folder that hold the marker, in their bytes or in their names."""
    wanted = marker.encode()
    files = (path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    return sorted(
        str(path.relative_to(folder))
        for path in files
        if wanted in str(path).encode() or wanted in path.read_bytes().lower()
    )


async def find_tables_with(server: Open, marker: str) -> set[str]:
    """Tables of the store that have a row with the marker."""

    def dump(connection: Any) -> set[str]:
        return {
            name
            for name, table in metadata.tables.items()
            if any(marker in json.dumps(tuple(row), default=str) for row in connection.execute(table.select()))
        }

    return await server.here.store._session.read(dump)
