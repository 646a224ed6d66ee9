"""What the tests of the server share: an application on a real store, a client, and streams as lists of events."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI

from metier.pack import Packs
from metier.server import create_app
from metier.server.http import AppContext
from metier.settings import Settings
from metier.testing import FakeModel
from metier.tools import Tool

SKILL = """---
name: weekly-report
title: 周报
description: 汇总一周的工作，写成周报。Write the weekly report.
triggers: [周报, weekly report]
examples: [帮我写这周的周报, write my weekly report]
allowed_tools: [get_current_time]
sop:
  - {id: now, title: 日期, call: get_current_time, save: now}
  - {id: found, title: 结论, ask: "这周有什么结论？", save: found}
---

先问结论，再写一页。
"""
QUESTION = "这周有什么结论？"


def settings_in(folder: Path, **more: Any) -> Settings:
    """Settings of a server whose skills and files are in this folder."""
    skills = folder / "skills"
    if not skills.exists():
        skills.mkdir(parents=True)
        (skills / "weekly-report.md").write_text(SKILL, "utf-8")
    given = {"skills_dir": (skills,), "storage_dir": folder / "storage", "embedder": "none", "sandbox": "off"}
    return Settings(**{**given, **more})


def app_in(folder: Path, *, model: FakeModel | None = None, tools: Sequence[Tool] = (), **more: Any) -> FastAPI:
    """The application over these settings, without packs."""
    return create_app(
        settings_in(folder, **more), packs=Packs(), model=model, tools=tools, bench_folder=folder / "bench"
    )


@dataclass(frozen=True, slots=True)
class Open:
    """A running application and a client of it."""

    app: FastAPI
    client: httpx.AsyncClient

    @property
    def here(self) -> AppContext:
        found = self.app.state.serving
        assert isinstance(found, AppContext)
        return found

    async def chat(self, message: str, **more: Any) -> list[dict[str, Any]]:
        """Say something and read the turn to its end."""
        answer = await self.client.post("/api/chat", json={"message": message, **more})
        assert answer.status_code == 200, answer.text
        return events_of(answer.text)

    async def create_conversation(self, title: str, **more: Any) -> str:
        """Create an empty conversation; its id."""
        answer = await self.client.post("/api/conversations", json={"title": title, **more})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])


@asynccontextmanager
async def opened(app: FastAPI, **headers: str) -> AsyncIterator[Open]:
    """The application running, asked in this process."""
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as client:
            yield Open(app, client)


async def prepared(server: Open) -> None:
    """Wait until the server has prepared the first message."""
    while server.here.preparation.status != "ok":  # noqa: ASYNC110 - nothing is signalled to clients either
        await asyncio.sleep(0)


def events_of(text: str) -> list[dict[str, Any]]:
    """The events of a stream, with its ids checked against them."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in fields:
            event = json.loads(fields["data"])
            assert (fields["id"], fields["event"]) == (str(event["seq"]), event["kind"])
            found.append(event)
    return found


def kinds(events: Sequence[dict[str, Any]]) -> list[str]:
    return [event["kind"] for event in events]
