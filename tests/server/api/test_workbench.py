"""Share links, branches, what waits, feedback and figures through the API."""

import errno
import fcntl
import os
import time
from pathlib import Path
from typing import Any

import pytest

from metier.facts import Fact
from metier.server.api import remove_abandoned_branches
from metier.workspaces import workspace_folder
from tests.server.support import Open, app_in, opened

ASK = "帮我写这周的周报"
KEYS = {"ann": "key-of-ann-0123456789", "bob": "key-of-bob-0123456789"}


def _as(user: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {KEYS[user]}"}


def _read_databases(folder: Path) -> str:
    return "".join(path.read_bytes().decode("latin-1") for path in folder.rglob("*.sqlite3*"))


async def _answered(server: Open) -> tuple[str, list[str]]:
    """A conversation with two turns that are over, and their ids."""
    told = await server.chat(ASK)
    conversation, pause = told[0]["conversation"], told[-1]["data"]["pause"]
    await server.client.post(f"/api/pauses/{pause}", json={"answer": "一切顺利"})
    await server.chat("再见", conversation_id=conversation)
    turns = (await server.client.get(f"/api/conversations/{conversation}/turns")).json()["turns"]
    return conversation, [one["id"] for one in reversed(turns)]


async def test_a_share_link_shows_one_conversation_as_it_was_until_it_is_revoked(server: Open) -> None:
    conversation, _ = await _answered(server)
    folder = workspace_folder(server.here.settings.storage_dir, conversation)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "told.csv").write_text("a,b\n", "utf-8")
    (folder / "secret.csv").write_text("c,d\n", "utf-8")
    await server.here.store.events.append(conversation, "file", {"path": "told.csv", "name": "told.csv", "bytes": 4})
    made = await server.client.post(f"/api/conversations/{conversation}/shares", json={"expires_in_days": 7})
    assert made.status_code == 201
    link = f"/api{made.json()['path']}"
    token = link.rsplit("/", 1)[1]
    title = (await server.client.get(link)).json()["title"]
    await server.chat("这句是后来说的", conversation_id=conversation)
    await server.client.patch(f"/api/conversations/{conversation}", json={"title": "后来的标题"})
    shared = (await server.client.get(link)).json()
    assert shared["title"] == title
    events = (await server.client.get(f"{link}/events.json")).json()["events"]
    assert {one["seq"] for one in events} <= set(range(1, shared["last_seq"] + 1))
    assert "context.built" not in {one["kind"] for one in events}
    assert not any("by" in one["data"] for one in events)
    assert "这句是后来说的" not in str(events)
    assert (await server.client.get(f"{link}/files/told.csv")).text == "a,b\n"
    later = time.time() + 60
    (folder / "told.csv").write_text("written later\n", "utf-8")
    os.utime(folder / "told.csv", (later, later))
    assert (await server.client.get(f"{link}/files/told.csv")).status_code == 404
    for closed in (f"{link}/files/secret.csv", f"{link}/files/../told.csv", f"/api/shared/{token}x", f"{link}/turns"):
        assert (await server.client.get(closed)).status_code == 404, closed
    listed = await server.client.get(f"/api/conversations/{conversation}/shares")
    assert token not in listed.text
    (share,) = listed.json()["shares"]
    assert (await server.client.delete(f"/api/shares/{share['id']}")).json()["revoked_at"]
    for gone in (link, f"{link}/events.json", f"{link}/files/told.csv"):
        assert (await server.client.get(gone)).status_code == 404, gone
    audit = (await server.client.get("/api/audit?action=share.*")).json()["entries"]
    assert [one["action"] for one in audit] == ["share.created", "share.revoked"]
    assert token not in str(audit)
    assert token not in _read_databases(server.here.settings.storage_dir)


async def test_a_link_needs_no_key_and_only_the_owner_makes_or_revokes_one(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, api_keys=KEYS)) as server:
        made = await server.client.post("/api/conversations", json={"title": "mine"}, headers=_as("ann"))
        conversation = made.json()["id"]
        asked = f"/api/conversations/{conversation}/shares"
        share = (await server.client.post(asked, json={}, headers=_as("ann"))).json()
        assert (await server.client.get(f"/api{share['path']}")).json()["title"] == "mine"
        for method, address in (("GET", asked), ("POST", asked), ("DELETE", f"/api/shares/{share['id']}")):
            answer = await server.client.request(method, address, headers=_as("bob"), json={})
            assert answer.status_code == 404, (method, address)
        assert (await server.client.get(f"/api/conversations/{conversation}")).status_code == 401


async def test_a_message_is_edited_in_a_branch_that_holds_what_came_before(server: Open) -> None:
    conversation, (_, second) = await _answered(server)
    folder = workspace_folder(server.here.settings.storage_dir, conversation)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("told.csv", "copied.csv", "later.csv"):
        (folder / name).write_text("a,b\n", "utf-8")
    for name in ("told.csv", "copied.csv"):
        os.utime(folder / name, (0, 0))
    await server.here.store.events.append(
        conversation, "file", {"path": "copied.csv", "name": "copied.csv", "bytes": 4}
    )
    (folder / "link").symlink_to("/etc/passwd")
    os.mkfifo(folder / "pipe")
    made = await server.client.post(f"/api/conversations/{conversation}/branch", json={"turn": second})
    assert made.status_code == 201, made.text
    copies = workspace_folder(server.here.settings.storage_dir, made.json()["id"])
    assert [one.name for one in copies.iterdir()] == ["told.csv"]
    branch = made.json()
    assert branch["branch_of"] == conversation
    read = (await server.client.get(f"/api/conversations/{branch['id']}")).json()
    said = [one["content"] for one in read["messages"] if one["role"] == "user"]
    assert said[0] == ASK
    assert "再见" not in said
    assert (await server.client.get(f"/api/conversations/{branch['id']}/files/told.csv")).text == "a,b\n"
    assert (await server.chat("换一种说法", conversation_id=branch["id"]))[-1]["kind"]
    missing = await server.client.post(f"/api/conversations/{conversation}/branch", json={"turn": "no"})
    assert missing.status_code == 404


async def test_a_branch_whose_files_cannot_be_copied_is_not_made(server: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    conversation, (_, second) = await _answered(server)
    folder = workspace_folder(server.here.settings.storage_dir, conversation)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "told.csv").write_text("a,b\n", "utf-8")
    os.utime(folder / "told.csv", (0, 0))
    monkeypatch.setattr("shutil.copyfileobj", fail)
    made = await server.client.post(f"/api/conversations/{conversation}/branch", json={"turn": second})
    assert (made.status_code, made.json()["error"]["code"]) == (503, "storage_full")
    listed = (await server.client.get("/api/conversations")).json()["conversations"]
    assert [one["id"] for one in listed] == [conversation]


async def test_a_branch_that_a_dead_process_had_begun_leaves_nothing_and_one_that_it_stored_is_whole(
    server: Open,
) -> None:
    conversation, (_, second) = await _answered(server)
    storage, store = server.here.settings.storage_dir, server.here.store
    stored = await store.branches.create(conversation, second, "local")
    folders = {name: workspace_folder(storage, name) for name in ("begun", "live", stored)}
    for name, folder in folders.items():
        folder.mkdir(parents=True)
        (folder / "told.csv").write_text("a,b\n", "utf-8")
        (storage / "branching").mkdir(exist_ok=True)
        (storage / "branching" / name).touch()
    with (storage / "branching" / "live").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # another server is at work on it
        await remove_abandoned_branches(storage, store)
    assert {name for name, folder in folders.items() if folder.exists()} == {"live", stored}
    assert [one.name for one in (storage / "branching").iterdir()] == ["live"]


async def test_who_changed_a_fact_is_known_in_a_branch_too(server: Open) -> None:
    conversation, _ = await _answered(server)
    await server.here.store.facts.save(conversation, Fact("place", "Paris"))
    answer = await server.client.patch(f"/api/conversations/{conversation}/facts/place", json={"value": "Rome"})
    assert answer.status_code == 200, answer.text
    (before,) = await server.here.store.facts.list(conversation)
    turn = (await server.chat("再见", conversation_id=conversation))[0]["turn"]
    made = await server.client.post(f"/api/conversations/{conversation}/branch", json={"turn": turn})
    (after,) = await server.here.store.facts.list(made.json()["id"])
    assert (after.fact.value, after.set_by, after.set_key) == ("Rome", before.set_by, before.set_key)
    assert after.set_by is not None


async def test_pins_and_open_questions_are_listed(server: Open) -> None:
    told = await server.chat(ASK)
    conversation = told[0]["conversation"]
    assert (await server.client.get("/api/waiting")).json() == {"conversations": {conversation: 1}, "approvals": 0}
    pinned = await server.client.patch(f"/api/conversations/{conversation}", json={"pinned": True})
    assert pinned.json()["pinned"] is True
    await server.create_conversation("newer")
    page = (await server.client.get("/api/conversations?limit=1")).json()
    assert [one["id"] for one in page["pinned"]] == [conversation]
    assert (await server.client.get("/api/conversations?q=newer")).json()["pinned"] == []


async def test_feedback_is_kept_listed_and_becomes_a_routing_case(server: Open) -> None:
    conversation, (first, _) = await _answered(server)
    body = {"verdict": "down", "reason": "wrong_skill", "note": "要的是天气"}
    assert (await server.client.put(f"/api/turns/{first}/feedback", json=body)).status_code == 200
    (own,) = (await server.client.get(f"/api/conversations/{conversation}/feedback")).json()["feedback"]
    (kept,) = (await server.client.get("/api/feedback?verdict=down")).json()["feedback"]
    assert (own["id"], kept["message"], kept["skill"], kept["note"]) == (kept["id"], ASK, "weekly-report", "要的是天气")
    case = (await server.client.get(f"/api/feedback/{kept['id']}/case")).json()
    assert case == {
        "skill": "weekly-report",
        "file": "evals/weekly-report.json",
        "queries": [{"query": ASK, "should_trigger": False}],
    }
    assert (await server.client.delete(f"/api/turns/{first}/feedback")).json() == {"removed": True}
    assert (await server.client.put(f"/api/turns/{'0' * 32}/feedback", json=body)).status_code == 404


@pytest.mark.parametrize("step", ["hour", "day"])
async def test_figures_over_time_count_turns_latency_and_skills(server: Open, step: str) -> None:
    await _answered(server)
    stats: dict[str, Any] = (await server.client.get(f"/api/stats?days=2&step={step}")).json()
    assert len(stats["steps"]) == (48 if step == "hour" else 2)
    assert stats["total"]["turns"] == sum(one["turns"] for one in stats["steps"]) >= 2
    assert stats["total"]["p50_ms"] <= stats["total"]["p95_ms"]
    assert "weekly-report" in {one["skill"] for one in stats["skills"]}
