"""Results that no database takes as they are: the effect has happened, so the turn goes on and tells what it can."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from metier.agent import Runtime
from metier.tools import ToolContext, function_tool
from tests.e2e.middleware.support import CHAT, chat
from tests.e2e.support import said, settings_in


def nested(depth: int) -> Any:
    value: Any = "end"
    for _ in range(depth):
        value = [value]
    return value


ODD: dict[str, Any] = {
    "a big integer": {"n": 10**40},
    "a huge integer": {"n": 10**6000},
    "NUL": {"text": "a\x00b", "k\x00": 1},
    "a lone surrogate": {"text": "half \ud83d", "\udc00": 1},
    "numbers that are none": {"a": float("nan"), "b": [float("inf"), -float("inf")]},
    "deep nesting": {"deep": nested(400)},
    "a wide table": {"rows": [{f"c{column}": column for column in range(300)} for _ in range(50)]},
    "bytes": {"raw": b"\xff\xfe"},
    "a date": {"at": datetime(2026, 1, 1, tzinfo=UTC)},
    "a set": {"names": {"a"}},
    "keys that are no texts": {1: "a", None: "b", (1, 2): "c"},
}


@pytest.mark.parametrize("name", ODD)
async def test_an_odd_result_does_not_fail_the_turn_after_the_effect(tmp_path: Path, name: str) -> None:
    ran: list[str] = []

    def act() -> dict[str, Any]:
        """Act."""
        ran.append("act")
        found: dict[str, Any] = ODD[name]
        return found

    model = chat().call("act").say("done")
    async with Runtime.open(settings_in(tmp_path), model=model, tools=[function_tool(act)]) as runtime:
        turn = await said(runtime, CHAT)
        events = await runtime.store.events.read(turn.conversation)
    assert (ran, turn.text, turn.kinds[-1]) == (["act"], "done", "turn.done")
    assert [event.kind for event in events] == turn.kinds
    result = turn.all("tool.result")[-1]
    assert result["ok"] or result["error"]


async def test_a_file_whose_name_is_no_text_does_not_fail_the_turn(tmp_path: Path) -> None:
    def act(context: ToolContext) -> dict[str, Any]:
        """Act."""
        context.workspace.mkdir(parents=True, exist_ok=True)
        for name in (b"\xff\xfe.txt", b"a\nb.csv", "图.png".encode()):
            (context.workspace / os.fsdecode(name)).write_text("x", "utf-8")
        return {"path": "图.png"}

    model = chat().call("act").say("done")
    async with Runtime.open(settings_in(tmp_path), model=model, tools=[function_tool(act)]) as runtime:
        turn = await said(runtime, CHAT)
    assert (turn.text, turn.kinds[-1]) == ("done", "turn.done")
