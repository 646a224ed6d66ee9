"""What the user sees of a result does not depend on the way its call came: by the model, approved, filled in, again."""

import asyncio
import hashlib
import threading
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, cast

import pytest

from metier.agent import Runtime, TurnRequest
from metier.store import Event
from metier.testing import FakeModel
from metier.tools import ALWAYS, Tool, ToolContext, function_tool
from tests.e2e.support import Told, answered, said, settings_in, told, written

TUNE = """---
name: tune
title: 参数下发
description: 把推荐的参数下发到小区
triggers: [参数下发]
examples: [做一次参数下发]
priority: 60
allowed_tools: [apply, survey, export, write_file]
---

# 参数下发

先看清单，再下发。
"""
STEPS = TUNE.replace(
    "priority: 60", "priority: 60\nsop:\n  - {id: list, title: 看清单, call: survey, with: {region: 东城}}"
)
ASK = "做一次参数下发"
ROWS: list[Any] = [{"cell": f"A{number}", "tilt": number} for number in range(12)]
FOUND = {
    "changed": 12,
    "table": {"title": "变更", "rows": ROWS},
    "chart": {"kind": "line", "title": "下倾角", "rows": ROWS, "x": "cell", "y": ["tilt"]},
}


def tools(**options: Any) -> tuple[Tool, ...]:
    def apply(cell: str) -> dict[str, Any]:
        """Apply the parameters."""
        return FOUND

    def survey(region: str) -> dict[str, Any]:
        """List the cells of a region."""
        return FOUND

    return function_tool(apply, approval=ALWAYS), function_tool(survey, **options)


def opened(
    folder: Path, model: FakeModel | None = None, *more: Tool, skill: str = TUNE, **options: Any
) -> AbstractAsyncContextManager[Runtime]:
    home = folder / "skills"
    skills = home if home.exists() else written(folder, tune=skill)
    settings = settings_in(folder, skills_dir=(skills,))
    return Runtime.open(settings, model=model, tools=more or tools(), **options)


def shows_all_to_the_user_and_a_digest_to_the_model(turn: Told, model: FakeModel) -> None:
    assert (turn.one("table")["total"], turn.one("table")["title"]) == (12, "变更")
    assert turn.one("chart")["spec"]["kind"] == "line"  # type: ignore[index,call-overload]
    assert turn.kinds.index("table") < turn.kinds.index("tool.result")
    assert turn.one("tool.result")["data"] == FOUND
    read = next(one.text for one in reversed(model.prompts[-1].messages) if one.type == "tool")
    assert "共 12 条，仅列出前 5 条" in read
    assert "A11" not in read


async def test_a_call_of_the_model(tmp_path: Path) -> None:
    model = FakeModel().call("survey", region="东城").say("好")
    async with opened(tmp_path, model) as runtime:
        turn = await said(runtime, ASK)
    shows_all_to_the_user_and_a_digest_to_the_model(turn, model)


async def test_a_call_that_a_person_approved(tmp_path: Path) -> None:
    model = FakeModel().call("apply", cell="A1").say("已下发")
    async with opened(tmp_path, model) as runtime:
        first = await said(runtime, ASK)
        assert "table" not in first.kinds
        turn = await answered(runtime, first.pause, {"decision": "approve"})
    shows_all_to_the_user_and_a_digest_to_the_model(turn, model)
    assert turn.text == "已下发"


async def test_a_call_whose_form_was_filled_in(tmp_path: Path) -> None:
    model = FakeModel().call("survey").say("好")
    async with opened(tmp_path, model) as runtime:
        first = await said(runtime, ASK)
        assert first.one("pause.opened")["purpose"] == "parameters"
        turn = await answered(runtime, first.pause, {"region": "东城"})
    shows_all_to_the_user_and_a_digest_to_the_model(turn, model)


async def test_a_call_that_was_made_again_after_its_process_had_ended(tmp_path: Path) -> None:
    async def survey(region: str) -> dict[str, Any]:
        """List the cells of a region."""
        await asyncio.Event().wait()
        return {}

    stuck = function_tool(survey, idempotent=True)
    async with opened(tmp_path, FakeModel().call("survey", region="东城"), stuck) as runtime:
        turns = runtime.turn(TurnRequest(ASK))
        async for event in turns:
            if event.kind == "tool.called":
                break
    model = FakeModel().say("好")
    async with opened(tmp_path, model, *tools(idempotent=True)) as runtime:
        turn = await told(runtime.resume(str(event.turn)))
    shows_all_to_the_user_and_a_digest_to_the_model(turn, model)


async def test_a_planned_call_and_the_report_only_points_to_what_was_shown(tmp_path: Path) -> None:
    async with opened(tmp_path, skill=STEPS) as runtime:
        turn = await said(runtime, ASK)
    assert turn.one("table")["total"] == 12
    assert turn.text.endswith("**看清单**\n\n- **changed**: 12\n\n见上方表格、图表。")


async def test_a_chart_of_the_model_that_waited_beside_an_approval_is_drawn(tmp_path: Path) -> None:
    chart: dict[str, Any] = {"kind": "line", "title": "下倾角", "rows": ROWS, "x": "cell", "y": ["tilt"]}
    model = FakeModel().calls(("apply", {"cell": "A1"}), ("show_chart", chart)).say("好")
    async with opened(tmp_path, model) as runtime:
        first = await said(runtime, ASK)
        second = await answered(runtime, first.pause, {"decision": "approve"})
    charts = [*first.all("chart"), *second.all("chart")]
    assert [one["call"] for one in charts] == ["call-2", "call-1"]
    results = [*first.all("tool.result"), *second.all("tool.result")]
    assert {str(one["tool"]): one["ok"] for one in results} == {"show_chart": True, "apply": True}


def exporting(make: Any) -> tuple[Tool, ...]:
    def export(*, context: ToolContext) -> dict[str, Any]:
        """Write files."""
        context.workspace.mkdir(parents=True, exist_ok=True)
        found: dict[str, Any] = make(context.workspace)
        return found

    return (function_tool(export, effects=frozenset({"writes"})),)


async def test_a_file_that_the_model_writes_is_told_with_its_size_and_digest(tmp_path: Path) -> None:
    model = FakeModel().call("write_file", path="周报/第一周.md", content="# 周报\n").say("写好了")
    async with opened(tmp_path, model) as runtime:
        turn = await said(runtime, ASK)
    data = "# 周报\n".encode()
    assert turn.one("file") == {
        "file": "call-1-file-1",
        "path": "周报/第一周.md",
        "title": "第一周.md",
        "media_type": "text/markdown",
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "call": "call-1",
    }
    assert turn.kinds.index("file") < turn.kinds.index("tool.result")


async def test_pictures_are_told_as_such_and_a_result_may_name_its_files(tmp_path: Path) -> None:
    def make(folder: Path) -> dict[str, Any]:
        (folder / "run-1").mkdir()
        (folder / "run-1" / "map.webp").write_bytes(b"RIFF")
        (folder / "cells.csv").write_text("cell\nA1\n", "utf-8")
        (folder / ".cache").write_text("x", "utf-8")
        return {"image": {"path": "map.webp", "title": "覆盖图", "alt": "东城的覆盖"}, "rows": 1}

    model = FakeModel().call("export").say("好")
    async with opened(tmp_path, model, *exporting(make)) as runtime:
        turn = await said(runtime, ASK)
    picture, file = turn.one("image"), turn.one("file")
    assert (picture["path"], picture["title"], picture["alt"]) == ("run-1/map.webp", "覆盖图", "东城的覆盖")
    assert picture["media_type"] == "image/webp"
    assert (file["path"], file["bytes"]) == ("cells.csv", 8)


async def test_nothing_outside_the_folder_is_told_whatever_a_result_or_a_link_says(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("s", "utf-8")

    def make(folder: Path) -> dict[str, Any]:
        (folder / "link.txt").symlink_to(secret)
        (folder / "second-name.txt").hardlink_to(secret)
        (folder / "inner").symlink_to(tmp_path)
        paths = ["link.txt", "inner/secret.txt", str(secret), "../../../secret.txt", "second-name.txt", "none.txt", ""]
        return {"files": [{"path": path} for path in paths]}

    model = FakeModel().call("export").say("好")
    async with opened(tmp_path, model, *exporting(make)) as runtime:
        turn = await said(runtime, ASK)
    assert "file" not in turn.kinds
    notes = turn.one("tool.result")["notes"]
    assert len(notes) == 7  # type: ignore[arg-type]
    assert "is no file of the conversation's folder" in str(notes)


async def test_a_file_is_told_again_only_when_it_was_written_again(tmp_path: Path) -> None:
    texts = iter(["one", "one", "three!"])

    def make(folder: Path) -> dict[str, Any]:
        text = next(texts)
        file = folder / "a.txt"
        if not file.exists() or file.read_text("utf-8") != text:
            file.write_text(text, "utf-8")
        return {}

    model = FakeModel().call("export").call("export").call("export").say("好")
    async with opened(tmp_path, model, *exporting(make)) as runtime:
        turn = await said(runtime, ASK)
    assert [(one["call"], one["bytes"]) for one in turn.all("file")] == [("call-1", 3), ("call-3", 6)]


async def test_a_tool_tells_how_far_it_is_while_it_runs(tmp_path: Path) -> None:
    heard = threading.Event()

    def survey(region: str, *, context: ToolContext) -> dict[str, Any]:
        """List the cells of a region."""
        assert context.progress is not None
        context.progress(0.1, "第 1 轮")
        assert heard.wait(60)  # somebody is told before the tool is done
        for number in range(500):
            context.progress(number / 499, f"第 {number} 轮")
        return {"rounds": 500}

    def listen(event: Event) -> None:
        if event.kind == "tool.progress":
            heard.set()

    model = FakeModel().call("survey", region="东城").say("好")
    async with opened(tmp_path, model, function_tool(survey), observers=[listen]) as runtime:
        turn = await said(runtime, ASK)
        stored = await runtime.store.events.read(turn.conversation)
    shares = [one["share"] for one in turn.all("tool.progress")]
    assert shares[0] == 0.1
    assert shares[-1] == 1
    assert len(shares) < 100
    last = turn.all("tool.progress")[-1]
    assert last == {"call": "call-1", "tool": "survey", "share": 1.0, "text": "第 499 轮"}
    assert turn.kinds[turn.kinds.index("tool.result") - 1] == "tool.progress"
    assert [one.kind for one in stored] == turn.kinds


@pytest.mark.parametrize(
    ("message", "words"),
    [("做一次参数下发", "毒舌俏皮"), ("please leave a note", "dry wit")],
    ids=["with a skill, in Chinese", "without, in English"],
)
async def test_the_prompt_says_which_tone_the_conversation_has(tmp_path: Path, message: str, words: str) -> None:
    model = FakeModel().say("好").say("再说")
    async with opened(tmp_path, model) as runtime:
        first = await said(runtime, message, voice_mode="sarcastic")
        await runtime.store.conversations.set_voice_mode(first.conversation, "warm")
        await said(runtime, message, first.conversation)
    assert words in model.prompts[0].system
    assert words not in model.prompts[1].system
    assert ("体贴" in model.prompts[1].system) or ("warmly" in model.prompts[1].system)


async def test_usage_and_the_skill_say_whom_they_are_about(tmp_path: Path) -> None:
    skill = TUNE.replace("title: 参数下发", "title: 参数下发\nversion: 1.2.0")
    async with opened(tmp_path, FakeModel().say("好"), skill=skill) as runtime:
        turn = await said(runtime, ASK)
    usage = turn.one("usage")
    assert usage["model"] == "metier-fake"
    assert usage["elapsed_ms"] >= 0  # type: ignore[operator]
    assert turn.one("skill.activated")["version"] == "1.2.0"
    (candidate,) = cast("list[dict[str, Any]]", turn.one("skill.routed")["candidates"])
    assert {"words", "triggers"} <= {one["feature"] for one in candidate["why"]}
    assert all(one["text"] for one in candidate["why"])
