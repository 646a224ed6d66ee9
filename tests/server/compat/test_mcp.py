"""Other agents at our MCP door: the library's own client, in memory and over standard input and output."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from pydantic import ConfigDict

from metier.agent import Runtime, TurnRequest
from metier.routing import open_router
from metier.server.compat._mcp import SKILLS_EXTENSION, McpHandlers
from metier.settings import Settings
from metier.skills import LockFile
from metier.store import Principal, parse_roles
from metier.testing import FakeModel
from metier.tools import ALWAYS, tool
from tests.server.live import skill_folder, week_items


@tool(approval=ALWAYS)
def send_report(to: str) -> dict[str, object]:
    """Send the report."""
    raise AssertionError("nobody agreed to this")


@asynccontextmanager
async def _client(place: Path) -> AsyncIterator[tuple[Client, Runtime]]:
    settings = Settings(skills_dir=(skill_folder(place / "skills"),), storage_dir=place / "storage", embedder="none")
    router = open_router(settings)
    async with (
        Runtime.open(settings, tools=[tool(week_items), send_report], router=router) as runtime,
        Client(McpHandlers(runtime, router).build_server()) as client,
    ):
        yield client, runtime


def _text(result: Any) -> str:
    return str(result.content[0].text)


async def test_tools_that_need_nobody_are_offered_and_the_others_are_not(tmp_path: Path) -> None:
    async with _client(tmp_path) as (client, _):
        names = {one.name for one in (await client.list_tools()).tools}
    assert {"metier_run", "metier_answer", "metier_route", "week_items"} <= names
    assert "send_report" not in names


async def test_a_task_runs_its_skill_and_its_question_can_be_answered(tmp_path: Path) -> None:
    async with _client(tmp_path) as (client, _):
        asked = await client.call_tool("metier_run", {"message": "写周报", "skill": "weekly"})
        told = asked.structured_content
        assert told is not None
        assert told["pause"]["text"] == "要发出去吗？"
        done = await client.call_tool("metier_answer", {"pause": told["pause"]["pause"], "answer": True})
    assert _text(done) == "本周共 8 项。"


async def test_a_tool_can_be_called_by_itself(tmp_path: Path) -> None:
    async with _client(tmp_path) as (client, _):
        told = await client.call_tool("week_items", {})
    assert (told.structured_content or {})["total"] == 8


async def test_what_needs_a_person_does_not_run(tmp_path: Path) -> None:
    async with _client(tmp_path) as (client, _):
        told = await client.call_tool("send_report", {"to": "boss"})
    assert told.is_error
    assert "send_report" in _text(told)


async def test_an_agent_cannot_approve_what_it_asked_for_and_a_person_can(tmp_path: Path) -> None:
    settings = Settings(skills_dir=(skill_folder(tmp_path / "skills"),), storage_dir=tmp_path / "s", embedder="none")
    router, sent = open_router(settings), list[str]()

    @tool(approval=ALWAYS)
    def mail_report(to: str) -> dict[str, object]:
        """Mail the report."""
        sent.append(to)
        return {"sent": to}

    model = FakeModel().call("mail_report", to="boss").say("sent")
    async with (
        Runtime.open(settings, tools=[mail_report], router=router, model=model) as runtime,
        Client(McpHandlers(runtime, router).build_server()) as client,
    ):
        asked = await client.call_tool("metier_run", {"message": "mail it to my boss"})
        told = asked.structured_content or {}
        pause = {"pause": told["pause"]["pause"], "answer": {"decision": "approve"}}
        refused = await client.call_tool("metier_answer", pause)
        assert refused.is_error
        assert _text(refused).startswith("role_missing: ")
        in_words = await client.call_tool("metier_run", {"message": "yes", "conversation": told["conversation"]})
        assert _text(in_words).startswith("role_missing: ")
        assert sent == []
        assert [(one.user, one.key, one.action) for one in await runtime.store.audit.list()] == [
            ("mcp", "mcp", "approval.refused")
        ] * 2
        by = Principal("ann", "k1", parse_roles("approver"))
        done = [event.kind async for event in runtime.answer(pause["pause"], pause["answer"], by=by)]
        assert done[-1] == "turn.done"
        assert sent == ["boss"]


async def test_the_question_of_another_user_is_not_there_and_names_no_conversation(tmp_path: Path) -> None:
    async with _client(tmp_path) as (client, runtime):
        request = TurnRequest("写周报", skill="weekly", user="ann")
        events = [event async for event in runtime.turn(request)]
        pause = str(events[-1].data["pause"])
        told = await client.call_tool("metier_answer", {"pause": pause, "answer": True})
        unknown = await client.call_tool("metier_answer", {"pause": "nope", "answer": True})
    assert _text(told).replace(pause, "nope") == _text(unknown)
    assert events[0].conversation not in _text(told)


async def test_a_refused_call_is_on_record(tmp_path: Path) -> None:
    async with _client(tmp_path) as (client, runtime):
        told = await client.call_tool("no_such_tool", {})
        kept = await runtime.store.violations.list()
    assert told.is_error
    assert [one.tool for one in kept] == ["no_such_tool"]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("metier_run", {}),
        ("metier_run", {"message": " "}),
        ("metier_run", {"message": "hi", "conversation": "nobody's"}),
        ("metier_answer", {"pause": "none", "answer": 1}),
        ("metier_route", {"message": ""}),
    ],
    ids=["no message", "empty message", "unknown conversation", "unknown question", "nothing to route"],
)
async def test_bad_calls_are_answered_with_a_code(tmp_path: Path, name: str, given: dict[str, Any]) -> None:
    async with _client(tmp_path) as (client, _):
        told = await client.call_tool(name, given)
    assert told.is_error
    assert _text(told).partition(":")[0] in ("invalid_arguments", "invalid_input", "record_not_found")


async def test_a_message_is_routed_without_running_anything(tmp_path: Path) -> None:
    async with _client(tmp_path) as (client, runtime):
        told = (await client.call_tool("metier_route", {"message": "写一份周报"})).structured_content
        assert await runtime.store.conversations.list("mcp") == ()
    assert told is not None
    assert told["candidates"][0]["skill"] == "weekly"


async def test_skills_are_listed_with_the_digest_of_every_file(tmp_path: Path) -> None:
    async with _client(tmp_path) as (client, runtime):
        assert SKILLS_EXTENSION in (client.server_capabilities.extensions or {})
        told = await _asked(client, "skills/list", {})
        (entry,) = told["skills"]
        assert entry == (await _asked(client, "skills/get", {"uri": "skill://weekly"}))["skill"]
        assert entry["digest"] == f"sha256:{runtime.catalog()['weekly'].digest}"
        (file,) = entry["files"]
        read = await client.read_resource(file["uri"])
    assert isinstance(read.contents[0], types.TextResourceContents)
    assert read.contents[0].text == (tmp_path / "skills" / "weekly.md").read_text("utf-8")


@pytest.mark.parametrize("uri", ["skill://weekly/../../secret", "skill://nobody", "file:///etc/passwd", "skill://"])
async def test_what_is_no_file_of_a_skill_cannot_be_read(tmp_path: Path, uri: str) -> None:
    (tmp_path / "secret").write_text("secret")
    async with _client(tmp_path) as (client, _):
        with pytest.raises(MCPError):
            await client.read_resource(uri)


class _Anything(types.Result):
    """An answer to a method that the library has no type for."""

    model_config = ConfigDict(extra="allow")


async def _asked(client: Client, method: str, params: dict[str, Any]) -> dict[str, Any]:
    request = types.Request[dict[str, Any], str](method=method, params=params)
    told = await client.session.send_request(request, _Anything)
    return told.model_extra or {}


async def test_the_command_speaks_mcp_on_its_standard_streams(tmp_path: Path) -> None:
    folder = skill_folder(tmp_path / "skills")
    command = StdioServerParameters(
        command=sys.executable,
        args=["-m", "metier", "mcp", "--skills", str(folder)],
        env={"METIER_STORAGE_DIR": str(tmp_path / "storage"), "METIER_EMBEDDER": "none"},
        cwd=tmp_path,
    )
    async with Client(stdio_client(command)) as client:
        told = await client.call_tool("metier_route", {"message": "/weekly"})
    assert (told.structured_content or {})["skill"] == "weekly"


async def test_a_skill_of_a_user_is_neither_listed_nor_read_nor_routed_to(tmp_path: Path) -> None:
    async with _client(tmp_path) as (client, runtime):
        assert runtime.library.approvals is not None
        runtime.library.approvals.lock = LockFile(tmp_path / "skills.lock")
        runtime.library.approvals.pin([runtime.catalog()["weekly"]], "ann", owner="ann")
        assert runtime.catalog()["weekly"].owner == "ann"
        resources = await client.list_resources()
        assert "weekly" not in resources.model_dump_json()
        with pytest.raises(MCPError):
            await client.read_resource("skill://weekly/SKILL.md")
        routed = await client.call_tool("metier_route", {"message": "写周报"})
    assert "weekly" not in _text(routed)
