"""`run_python` in a conversation: one approval, and what its code leaves."""

import zipfile
from pathlib import Path
from typing import Any

import pytest

from metier.testing import FakeModel
from metier.tools import function_tool
from metier.tools.sandbox import probe
from metier.workspaces import workspace_folder
from tests.server.support import Open, app_in, events_of, opened

pytestmark = pytest.mark.skipif(not probe().tier, reason="there is no sandbox on this machine")


async def approve(server: Open, pause: str) -> list[Any]:
    return events_of((await server.client.post(f"/api/pauses/{pause}", json={"answer": {"decision": "approve"}})).text)


async def test_a_person_agrees_once_and_later_runs_of_the_conversation_need_no_question(tmp_path: Path) -> None:
    model = FakeModel().call("run_python", code="print(6 * 7)").say("42").call("run_python", code="print(6 * 9)")
    async with opened(app_in(tmp_path, model=model.say("54").call("run_python", code="1").say("no"))) as server:
        asked = (await server.chat("multiply"))[-1]["data"]
        assert asked["kind"] == "approval"
        assert "all of this conversation" in asked["text"]
        told = await approve(server, asked["pause"])
        assert [one["data"]["data"]["output"] for one in told if one["kind"] == "tool.result"] == ["42\n"]
        conversation = told[0]["conversation"]
        again = await server.chat("once more", conversation_id=conversation)
        assert [one["data"]["data"]["output"] for one in again if one["kind"] == "tool.result"] == ["54\n"]
        other = (await server.chat("and in another conversation"))[-1]
        assert other["data"]["kind"] == "approval"


def pptx(title: str) -> str:
    """Make a deck."""
    return title


async def test_a_deck_past_the_gate_is_not_kept_and_is_a_violation(tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('forbidden = ["pptx"]\npreapproved = ["run_python", "run_in_terminal"]\n', "utf-8")
    deck = (
        "import zipfile\n"
        "with zipfile.ZipFile('report.dat', 'w') as z:\n    z.writestr('ppt/presentation.xml', '<p/>')\n"
        "open('notes.txt', 'w').write('kept')\n"
    )
    model = FakeModel().call("run_python", code=deck).say("no deck").call("write_file", path="a.pdf", content="%PDF-1")
    model = model.call("run_in_terminal", command="mv users.pptx moved.pptx && cp moved.pptx copy.pptx").say("done")
    app = app_in(tmp_path, model=model, tools=[function_tool(pptx)], policy_file=policy)
    async with opened(app) as server:
        told = await server.chat("please help")
        (refused,) = [one["data"] for one in told if one["kind"] == "tool.violation"]
        assert (refused["tool"], refused["code"]) == ("pptx", "file_not_kept")
        assert "report.dat was not kept" in refused["reason"]
        assert [one["data"]["path"] for one in told if one["kind"] == "file"] == ["notes.txt"]
        (result,) = [one["data"] for one in told if one["kind"] == "tool.result"]
        assert "report.dat was not kept" in result["content"]  # the model reads it
        conversation = told[0]["conversation"]
        (kept,) = await server.here.store.violations.list(conversation=conversation)
        assert (kept.tool, kept.code) == ("pptx", "file_not_kept")
        folder = workspace_folder(server.here.settings.storage_dir, conversation)
        assert not (folder / "report.dat").exists()
        with zipfile.ZipFile(folder / "users.pptx", "w") as brought:  # a file of the user's: moved and copied, not made
            brought.writestr("ppt/presentation.xml", "<p/>")
        told = await server.chat("go on", conversation_id=conversation)
        assert [one for one in told if one["kind"] == "tool.violation"] == []
        assert {one["data"]["path"] for one in told if one["kind"] == "file"} == {"a.pdf", "moved.pptx", "copy.pptx"}
