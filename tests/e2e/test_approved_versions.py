"""An approval counts for what was shown: the script, its arguments and how the tool is described."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from metier.agent import Runtime, TurnRequest
from metier.settings import Settings
from metier.store import Event, Principal, parse_roles
from metier.testing import FakeModel

SKILL = """---
name: mailing
title: Mailing
description: Sends mails. 发邮件。
triggers: [mailing]
tools:
  - name: send_mail
    description: Send a mail.
    approval: always
    parameters:
      type: object
      properties: {to: {type: string}}
      required: [to]
---

Send the mail.
"""
SCRIPT = "from pathlib import Path\n\ndef send_mail(to):\n    return {'sent': to, 'version': 1}\n"
BOB = Principal("bob", "k2", parse_roles("approver"))
APPROVE = {"decision": "approve"}


def write_skill(folder: Path) -> Path:
    place = folder / "skills" / "mailing"
    (place / "scripts").mkdir(parents=True)
    (place / "SKILL.md").write_text(SKILL, "utf-8")
    (place / "scripts" / "send_mail.py").write_text(SCRIPT, "utf-8")
    (place / "scripts" / "helper.py").write_text("x = 1\n", "utf-8")
    return place


@asynccontextmanager
async def runtime_with(folder: Path) -> AsyncIterator[Runtime]:
    settings = Settings(
        skills_dir=(folder / "skills",),
        trusted_skills_dir=(folder / "skills",),
        storage_dir=folder / "storage",
        embedder="none",
        sandbox="off",
    )
    model = FakeModel().call("send_mail", to="ann").say("sent")
    async with Runtime.open(settings, model=model) as runtime:
        yield runtime


async def ask(runtime: Runtime) -> str:
    events = [event async for event in runtime.turn(TurnRequest("mail ann", skill="mailing", user="ann"))]
    assert events[-1].data.get("kind") == "approval", events[-1]
    return str(events[-1].data["pause"])


async def approve(runtime: Runtime, pause: str, answer: Any = None) -> list[Event]:
    return [event async for event in runtime.answer(pause, answer or APPROVE, by=BOB)]


def find_result(events: list[Event]) -> Any:
    return next(event.data.get("data") for event in events if event.kind == "tool.result")


def change_script(place: Path) -> None:
    (place / "scripts" / "send_mail.py").write_text(SCRIPT.replace("1}", "2}"), "utf-8")


def change_module_beside_it(place: Path) -> None:
    (place / "scripts" / "helper.py").write_text("x = 2\n", "utf-8")


def add_module_beside_it(place: Path) -> None:
    (place / "scripts" / "other.py").write_text("x = 2\n", "utf-8")


def change_description(place: Path) -> None:
    (place / "SKILL.md").write_text(SKILL.replace("Send a mail.", "Send a mail to everybody."), "utf-8")


async def test_what_is_as_it_was_shown_runs_once_approved(tmp_path: Path) -> None:
    write_skill(tmp_path)
    async with runtime_with(tmp_path) as runtime:
        events = await approve(runtime, await ask(runtime))
        assert find_result(events) == {"sent": "ann", "version": 1}
        assert [one.action for one in await runtime.store.audit.list()] == ["approval.approved"]


@pytest.mark.parametrize("change", [change_script, change_module_beside_it, add_module_beside_it, change_description])
async def test_what_changed_after_it_was_shown_is_asked_for_again(tmp_path: Path, change: Any) -> None:
    place = write_skill(tmp_path)
    async with runtime_with(tmp_path) as runtime:
        pause = await ask(runtime)
        change(place)
        events = await approve(runtime, pause)
        assert [event.kind for event in events if event.kind == "tool.result"] == []
        question = events[-1]
        assert question.kind == "pause.opened"
        assert "changed" in str(question.data["text"])
        again = await approve(runtime, str(question.data["pause"]))
        assert find_result(again)["sent"] == "ann"
        lines = await runtime.store.audit.list()
        assert [one.action for one in lines] == ["approval.approved", "approval.void", "approval.approved"]
        assert lines[1].data["approved"] != lines[1].data["digest"]
        calls: Any = lines[2].data["calls"]
        assert calls[0]["digest"] == lines[1].data["digest"]


async def test_arguments_that_the_approver_edits_are_recorded_by_the_digest_of_what_runs(tmp_path: Path) -> None:
    write_skill(tmp_path)
    async with runtime_with(tmp_path) as runtime:
        pause = await ask(runtime)
        batch: Any = (await runtime.store.pauses.get(pause)).payload["exchange"]
        events = await approve(runtime, pause, {"decision": "edit", "arguments": {"to": "eve"}})
        assert find_result(events)["sent"] == "eve"
        (line,) = await runtime.store.audit.list()
        calls: Any = line.data["calls"]
        assert calls[0]["decision"] == "edit"
        assert calls[0]["digest"].startswith("sha256:")
        assert calls[0]["digest"] != batch["held"][0]["data"]["digest"]
