"""What is known of a user: only they see, correct, export and delete it, and it is nowhere else."""

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path

import pytest

from metier.errors import Conflict
from metier.facts import Fact
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.pack import GuardedMessage, GuardReply, LoadProfile
from metier.store import Principal, Store
from metier.user_data import correct_profile
from tests.server.support import Open, app_in, opened

KEYS = {"ann": "key-of-ann-0123456789", "bob": "key-of-bob-0123456789"}
MARKER = "1987-03-21"
FORTUNE = """---
name: fortune
title: 运势
description: 根据出生信息解读
triggers: [运势]
examples: [看看我的运势]
priority: 90
requires_birth_info: true
allowed_tools: [get_current_time]
sop:
  - {id: now, title: 日期, call: get_current_time}
---

# 运势

解读。
"""


def _as(user: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {KEYS[user]}"}


async def _fill(server: Open) -> None:
    store = server.here.store
    await store.profiles.set("ann", {"birth_info": {"date": MARKER}, "extracted": [{"text": "my words"}]})
    await store.skill_data.merge("ann", "tarot", {"draws": {"x": 1}})
    conversation = await store.conversations.create("ann", title="t")
    await store.facts.save(conversation.id, Fact("place", "Oslo", "place", "Oslo"))
    for state in ("running", "done"):
        await store.plans.save(conversation.id, {"profile": MARKER}, state)
    await store.profiles.set("bob", {"job": "baker"})


async def test_the_profile_is_seen_corrected_exported_and_deleted_by_its_owner_only(tmp_path: Path) -> None:
    async with opened(app_in(tmp_path, api_keys=KEYS, rate_limit=0)) as server:
        await _fill(server)
        seen = (await server.client.get("/api/profile", headers=_as("ann"))).json()
        assert seen["profile"]["birth_info"] == {"date": MARKER}
        assert seen["skill_data"] == {"tarot": {"version": 1, "data": {"draws": {"x": 1}}}}
        assert [one["name"] for one in seen["facts"]] == ["place"]
        assert (await server.client.get("/api/profile", headers=_as("bob"))).json()["profile"] == {"job": "baker"}
        changes = {"changes": {"birth_info.date": "1990-01-01", "extracted": None}}
        fixed = await server.client.patch("/api/profile", json=changes, headers=_as("ann"))
        assert fixed.json()["profile"] == {"birth_info": {"date": "1990-01-01"}}
        empty = await server.client.patch("/api/profile", json={"changes": {}}, headers=_as("ann"))
        assert empty.status_code in (400, 422)
        file = await server.client.get("/api/profile/export", headers=_as("ann"))
        assert "attachment" in file.headers["content-disposition"]
        assert file.json()["profile"] == fixed.json()["profile"]
        gone = await server.client.delete("/api/profile", headers=_as("ann"))
        assert gone.json() == {"deleted": "ann"}
        left = (await server.client.get("/api/profile", headers=_as("ann"))).json()
        assert (left["profile"], left["skill_data"], left["facts"]) == ({}, {}, [])
        assert (await server.here.store.profiles.get("bob")) == {"job": "baker"}
        (conversation,) = await server.here.store.owned.list_conversations("ann")
        assert await server.here.store.plans.list(conversation) == ()  # their data is a copy of the profile's


async def test_birth_data_is_in_no_log_and_no_telemetry(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "fortune.md").write_text(FORTUNE, "utf-8")
    async with opened(app_in(tmp_path, telemetry_mode="local", rate_limit=0, model=None)) as server:
        told = await server.chat("看看我的运势")
        pause = next(one["data"]["pause"] for one in told if one["kind"] == "pause.opened")
        answered = await server.client.post(f"/api/pauses/{pause}", json={"answer": {"birth_info.date": MARKER}})
        assert answered.status_code == 200
        assert (await server.here.store.profiles.get("local")) == {"birth_info": {"date": MARKER}}
        await server.client.patch("/api/profile", json={"changes": {"birth_info.date": f"{MARKER}"}})
        await server.client.get("/api/profile")
    assert MARKER not in caplog.text
    files = [path for path in (tmp_path / "storage" / "telemetry").rglob("*") if path.is_file()]
    assert files
    assert [path for path in files if MARKER.encode() in path.read_bytes()] == []
    audit = [path for path in (tmp_path / "storage").glob("audit*") if MARKER.encode() in path.read_bytes()]
    assert audit == []


class MeddlingGuard:
    """Guard that looks at an age, and is slow: meanwhile somebody else writes, as often as told."""

    def __init__(self, store: Store, writes: int) -> None:
        self.store, self.writes, self.seen = store, writes, list[JsonObject]()

    async def check_message(self, message: GuardedMessage) -> GuardReply | None:
        return None

    async def check_data(
        self, changes: Mapping[str, JsonValue], language: Language, load_profile: LoadProfile
    ) -> GuardReply | None:
        self.seen.append(await load_profile(["age"]))
        if self.writes:
            self.writes -= 1
            async with asyncio.timeout(2):  # a transaction that is open here would keep it waiting for ever
                await self.store.profiles.merge("ann", {"age": 30 + len(self.seen)})
        return None

    def check_sentence(self, sentence: str, language: Language, skill: str, profile: JsonObject) -> str:
        return ""


async def test_a_slow_guard_holds_up_nobody_and_looks_again_at_what_was_changed_meanwhile(tmp_path: Path) -> None:
    async with Store.open(f"sqlite:///{tmp_path / 'own.sqlite3'}") as store:
        await store.profiles.set("ann", {"age": 30})
        guard = MeddlingGuard(store, writes=1)
        told = await correct_profile(store, "ann", {"age": 50}, by=Principal("ann"), guards=[guard])
        assert guard.seen == [{"age": 30}, {"age": 31}]
        assert told["profile"] == {"age": 50}


async def test_all_guards_of_one_try_judge_the_same_values(tmp_path: Path) -> None:
    async with Store.open(f"sqlite:///{tmp_path / 'own.sqlite3'}") as store:
        await store.profiles.set("ann", {"age": 30})
        first, second = MeddlingGuard(store, writes=1), MeddlingGuard(store, writes=0)
        await correct_profile(store, "ann", {"age": 50}, by=Principal("ann"), guards=[first, second])
        assert first.seen == second.seen == [{"age": 30}, {"age": 31}]


async def test_a_profile_that_never_comes_to_rest_is_not_corrected(tmp_path: Path) -> None:
    async with Store.open(f"sqlite:///{tmp_path / 'own.sqlite3'}") as store:
        await store.profiles.set("ann", {"age": 30})
        guard = MeddlingGuard(store, writes=9)
        with pytest.raises(Conflict):
            await correct_profile(store, "ann", {"age": 50}, by=Principal("ann"), guards=[guard])
        assert await store.profiles.get("ann") == {"age": 33}
        assert [one.action for one in await store.audit.list()] == []
