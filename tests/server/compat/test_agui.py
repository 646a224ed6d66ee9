"""AG-UI: what our events become, and AG-UI's own client against a real server."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from ag_ui.core import Event as AguiEvent
from pydantic import TypeAdapter

from metier.json_values import JsonObject
from metier.server import create_app
from metier.server.compat._agui_events import AguiRun
from metier.settings import Settings
from metier.store import Event, EventKind
from metier.testing import FakeModel
from metier.tools import tool
from tests.server.live import served, skill_folder, week_items

_CLIENT = Path(__file__).parents[3] / "web" / "tests" / "agui-client.mjs"
_KNOWN: TypeAdapter[Any] = TypeAdapter(AguiEvent)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("agui")
    settings = Settings(skills_dir=(skill_folder(place / "skills"),), storage_dir=place / "storage", embedder="none")
    with served(create_app(settings, tools=[tool(week_items)])) as found:
        yield found


def _event(seq: int, kind: EventKind, data: JsonObject) -> Event:
    return Event("c", "t", seq, datetime(2026, 1, 1, tzinfo=UTC), kind, data)


def _types(run: AguiRun, *events: Event) -> list[str]:
    told = [*run.start(), *(one for event in events for one in run.convert(event)), *run.end()]
    return [str(one.type.value) for one in told]


def _ask(address: str, thread: str, message: str, **more: object) -> list[dict[str, Any]]:
    body = {"threadId": thread, "runId": f"{thread}-run", "messages": [], **more}
    if message:
        body["messages"] = [{"id": "m", "role": "user", "content": message}]
    told = httpx.post(f"{address}/agui", json=body, timeout=180)
    told.raise_for_status()
    events = [json.loads(line.removeprefix("data: ")) for line in told.text.splitlines() if line.startswith("data: ")]
    for event in events:
        _KNOWN.validate_python(event)
    return events


def test_pieces_of_text_open_and_close_one_message() -> None:
    events = (
        _event(1, "turn.started", {}),
        _event(2, "text.delta", {"text": "你"}),
        _event(3, "text.delta", {"text": "好"}),
        _event(4, "text.done", {"text": "你好"}),
        _event(5, "turn.done", {}),
    )
    content = "TEXT_MESSAGE_CONTENT"
    expected = ["RUN_STARTED", "TEXT_MESSAGE_START", content, content, "TEXT_MESSAGE_END", "RUN_FINISHED"]
    assert _types(AguiRun("c", "r"), *events) == expected


def test_what_is_open_is_closed_before_the_run_ends() -> None:
    events = (_event(1, "step.started", {"step": "a"}), _event(2, "text.delta", {"text": "x"}))
    assert _types(AguiRun("c", "r"), *events)[-3:] == ["TEXT_MESSAGE_END", "STEP_FINISHED", "RUN_FINISHED"]


def test_a_failed_turn_is_an_error_and_nothing_follows() -> None:
    run = AguiRun("c", "r")
    (failed,) = run.convert(_event(1, "turn.failed", {"code": "model_failed", "message": "down"}))
    assert (failed.type.value, run.convert(_event(2, "text.done", {"text": "x"})), run.end()) == ("RUN_ERROR", [], [])


def test_a_stopped_turn_was_cancelled() -> None:
    finished = AguiRun("c", "r").convert(_event(1, "error", {"code": "stopped"}))[-1]
    assert finished.model_dump()["outcome"] == {"type": "cancelled"}


def test_a_question_interrupts_and_its_answer_goes_on(address: str) -> None:
    asked = _ask(address, "t1", "写周报", forwardedProps={"skill": "weekly"})
    (interrupt,) = asked[-1]["outcome"]["interrupts"]
    assert (interrupt["reason"], interrupt["message"]) == ("question", "要发出去吗？")
    resume = [{"interruptId": interrupt["id"], "status": "resolved", "payload": True}]
    told = _ask(address, "t1", "", resume=resume)
    said = "".join(event["delta"] for event in told if event["type"] == "TEXT_MESSAGE_CONTENT")
    assert (told[-1]["type"], said) == ("RUN_FINISHED", "本周共 8 项。")


def test_a_question_that_is_cancelled_is_answered_with_no(address: str) -> None:
    asked = _ask(address, "t2", "写周报", forwardedProps={"skill": "weekly"})
    (interrupt,) = asked[-1]["outcome"]["interrupts"]
    told = _ask(address, "t2", "", resume=[{"interruptId": interrupt["id"], "status": "cancelled"}])
    answered = [event["value"] for event in told if event.get("name") == "metier.pause.answered"]
    assert [one["answer"] for one in answered] == [False]


@pytest.mark.parametrize("status", ["resolved", "cancelled"])
def test_a_question_is_answered_in_its_own_thread_only(address: str, status: str) -> None:
    asked = _ask(address, f"own-{status}", "写周报", forwardedProps={"skill": "weekly"})
    _ask(address, f"other-{status}", "写周报", forwardedProps={"skill": "weekly"})
    (interrupt,) = asked[-1]["outcome"]["interrupts"]
    resume = [{"interruptId": interrupt["id"], "status": status, "payload": True}]
    body = {"threadId": f"other-{status}", "runId": "r", "messages": [], "resume": resume}
    answer = httpx.post(f"{address}/agui", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "record_not_found")
    open_pauses = httpx.get(f"{address}/api/pauses").json()["pauses"]
    assert interrupt["id"] in [one["pause"] for one in open_pauses]


def test_answering_creates_no_thread(address: str) -> None:
    body = {"threadId": "nowhere", "runId": "r", "messages": [], "resume": [{"interruptId": "?", "status": "resolved"}]}
    assert httpx.post(f"{address}/agui", json=body).status_code == 404
    assert httpx.get(f"{address}/api/conversations/nowhere").status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"runId": "r", "messages": []}, 400),
        ({"threadId": "x" * 10_001, "runId": "r", "messages": [{"id": "m", "role": "user", "content": "hi"}]}, 400),
        ({"threadId": "x", "runId": "r", "messages": []}, 400),
        ({"threadId": "x", "runId": "r", "messages": [{"id": "m", "role": "wizard", "content": "?"}]}, 400),
        ({"threadId": "x", "runId": "r", "messages": [], "resume": [{"interruptId": "?", "status": "resolved"}]}, 404),
        ([], 400),
    ],
    ids=["no thread", "endless thread", "no message", "unknown role", "unknown question", "no object"],
)
def test_what_cannot_be_run_is_refused(address: str, body: object, status: int) -> None:
    told = httpx.post(f"{address}/agui", json=body)
    assert told.status_code == status, told.text
    assert set(told.json()["error"]) >= {"code", "message", "hint"}


@pytest.mark.skipif(
    shutil.which("node") is None or not (_CLIENT.parents[1] / "node_modules" / "@ag-ui").exists(),
    reason="`make web` installs AG-UI's client",
)
def test_the_client_library_of_ag_ui_understands_a_turn_and_answers_its_question(address: str) -> None:
    command = ["node", str(_CLIENT), f"{address}/agui", "t3", "/weekly 写周报", "true"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr
    asked, answered = map(json.loads, done.stdout.splitlines())
    assert asked["outcome"]["type"] == "interrupt"
    assert "TOOL_CALL_RESULT" in asked["seen"]
    assert asked["state"]["skill"] == "weekly"
    assert answered["outcome"]["type"] == "success"
    assert answered["messages"][-1]["content"] == "本周共 8 项。"


@pytest.mark.parametrize("place", ["forwardedProps", "state"])
def test_a_configured_model_can_be_named(tmp_path: Path, place: str) -> None:
    settings = Settings(skills_dir=(), storage_dir=tmp_path, embedder="none")
    models = {"strong": FakeModel().say("I am strong.")}
    with served(create_app(settings, model=FakeModel(), models=models)) as address:
        told = _ask(address, "named", "who is there?", **{place: {"model": "strong"}})
        body = {"threadId": "t", "runId": "r", "messages": [{"id": "m", "role": "user", "content": "hello"}]}
        wrong = httpx.post(f"{address}/agui", json={**body, place: {"model": "stong"}}, timeout=180)
    assert "".join(one["delta"] for one in told if one["type"] == "TEXT_MESSAGE_CONTENT") == "I am strong."
    assert wrong.status_code == 404
    assert wrong.json()["error"] == {
        "code": "model_not_found",
        "message": "there is no model 'stong'",
        "hint": "did you mean 'strong'? configured: strong, given",
    }
