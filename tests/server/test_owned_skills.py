"""A skill of one user, asked for at every door by its owner, by another user and by an operator."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from metier.skills import SkillLibrary, open_skill_approvals
from tests.server.support import Open, app_in, opened, settings_in

OWNED = """---
name: quote-check
title: 报价核对
description: 核对供应商的报价。Check a quote against the price list.
triggers: [核对报价]
examples: [帮我核对报价]
colour: blue
---

逐项核对。
"""
DOORS = ("/api/skills", "/api/skills/log", "/v1/models")


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Open]:
    lock = tmp_path / "skills.lock"
    settings = settings_in(tmp_path, skill_lock=lock)
    async with opened(app_in(tmp_path, skill_lock=lock)) as running:
        running.here.reloads.check_catalog()
        draft = tmp_path / "draft" / "quote-check"
        draft.mkdir(parents=True)
        (draft / "SKILL.md").write_text(OWNED, "utf-8")
        found = SkillLibrary.from_folders(draft.parent).catalog()["quote-check"]
        open_skill_approvals(settings).pin([found], "ann", owner="ann")
        draft.rename(tmp_path / "skills" / "quote-check")
        await running.here.runtime.library.refresh()
        assert running.here.runtime.catalog()["quote-check"].owner == "ann"
        yield running


async def _make_headers(server: Open, user: str, *roles: str) -> dict[str, str]:
    await server.here.store.users.add(user)
    made = await server.here.store.keys.create(user, roles)  # type: ignore[arg-type]
    return {"Authorization": f"Bearer {made.secret}"}


async def _list_doors_that_tell(server: Open, headers: dict[str, str]) -> set[str]:
    """Doors that know the skill: it is in what they list, or naming it is not answered with 404."""
    client = server.client
    lists = {door: (await client.get(door, headers=headers)).text for door in DOORS}
    routed = await client.post("/api/route", json={"message": "帮我核对报价"}, headers=headers)
    named = {
        "/api/skills/ID": await client.get("/api/skills/quote-check", headers=headers),
        "/v1/models/ID": await client.get("/v1/models/metier/quote-check", headers=headers),
        "/api/conversations": await client.post("/api/conversations", json={"skill": "quote-check"}, headers=headers),
        "/api/gate": await client.post(
            "/api/gate", json={"tool": "calculate", "skill": "quote-check"}, headers=headers
        ),
    }
    told = {door for door, text in {**lists, "/api/route": routed.text}.items() if "quote-check" in text}
    assert {one.status_code for one in named.values()} <= {200, 201, 404}
    return told | {door for door, answer in named.items() if answer.status_code != 404}


async def test_no_door_tells_another_user_of_a_skill_and_every_door_tells_its_owner(server: Open) -> None:
    ann, ben = await _make_headers(server, "ann"), await _make_headers(server, "ben")
    every = {*DOORS, "/api/route", "/api/skills/ID", "/v1/models/ID", "/api/conversations", "/api/gate"}
    assert await _list_doors_that_tell(server, ann) == every
    assert await _list_doors_that_tell(server, ben) == set()
    operator = await _make_headers(server, "olga", "operator")  # sees it, but it is not hers to use
    assert await _list_doors_that_tell(server, operator) == {
        "/api/skills",
        "/api/skills/log",
        "/api/skills/ID",
        "/api/gate",
    }
    told = {
        user: (await server.client.get("/api/info", headers=headers)).json()["skills"]
        for user, headers in (("ann", ann), ("ben", ben), ("olga", operator))
    }
    assert told == {"ann": 2, "ben": 1, "olga": 2}
