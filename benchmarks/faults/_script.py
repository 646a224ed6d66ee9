"""What the servers of the fault suite work with: a scripted model, skills, and tools that write every effect down."""

import asyncio
import os
import re
import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.outputs import ChatGenerationChunk

from metier.faults import fault_point
from metier.json_values import JsonObject
from metier.testing._fake_model import FakeModel, _Reply
from metier.tools import ALWAYS, Tool, ToolError, function_tool

_KEY: Final = re.compile(r"key-[0-9a-z]+")
_PACE: Final = re.compile(r"pace=([0-9.]+)")
_HOLD: Final = re.compile(r"hold=([0-9.]+)")
_PIECES: Final = tuple(f"a piece of the answer, {word} " for word in ("one", "two", "three", "four", "five") * 2)
# Tools that must never run twice for one key.
ONCE_TOOLS: Final = frozenset({"send", "pay", "book"})

_CLERK: Final = """---
name: clerk
title: Clerk
description: Takes notes, sends letters and pays bills for the fault suite.
tools: [note, send, pay]
---
Do what the message says.
"""
_STEPS: Final = """---
name: steps
title: Steps
description: Books by fixed steps for the fault suite.
tools: [book, note]
sop:
  - id: booked
    call: book
    with: {key: $.message}
  - id: noted
    call: note
    with: {key: $.message}
milestones:
  - name: booked
    after: booked
    check: {kind: expr, expr: $.booked.key}
---
Book, then note.
"""
_MEND: Final = """---
name: mend
title: Mend
description: Fails at its first step and needs another plan, for the fault suite.
tools: [broken, book]
sop:
  - id: first
    call: broken
    with: {key: $.message}
    on_fail: replan
---
Book in another way.
"""


def write_skills(folder: Path) -> Path:
    """Write the skills of the suite; returns their folder."""
    for name, text in (("clerk", _CLERK), ("steps", _STEPS), ("mend", _MEND)):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "SKILL.md").write_text(text, "utf-8")
    return folder


class Ledger:
    """Effects outside of the database: one line per effect, appended by the process that had it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, tool: str, key: str) -> None:
        line = f"{tool} {key} {os.getpid()} {time.time():.6f}\n"
        file = os.open(self._path, os.O_APPEND | os.O_CREAT | os.O_WRONLY, 0o600)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)

    def read(self) -> list[tuple[str, str]]:
        """Tool and key of every effect."""
        if not self._path.exists():
            return []
        return [(one.split()[0], one.split()[1]) for one in self._path.read_text("utf-8").splitlines()]


def make_tools(ledger: Ledger) -> tuple[Tool, ...]:
    """Tools that have an effect and then take as long as their key says."""

    def do(tool: str, text: str) -> JsonObject:
        key = find_key(text)
        ledger.add(tool, key)
        fault_point("tool_running")
        if hold := _HOLD.search(text):
            time.sleep(float(hold[1]))
        return {"key": key}

    def note(key: str) -> JsonObject:
        """Note a key; may run twice."""
        return do("note", key)

    def send(key: str) -> JsonObject:
        """Send a letter."""
        return do("send", key)

    def pay(key: str) -> JsonObject:
        """Pay a bill."""
        return do("pay", key)

    def book(key: str) -> JsonObject:
        """Book a place."""
        return do("book", key)

    def broken(key: str) -> JsonObject:
        """Fail."""
        raise ToolError(f"cannot work on {find_key(key)}")

    plain = [function_tool(one) for one in (send, book, broken)]
    return (function_tool(note, idempotent=True), *plain, function_tool(pay, approval=ALWAYS))


def find_key(text: str) -> str:
    """Key in a text; empty if it has none."""
    found = _KEY.findall(text)
    return found[-1] if found else ""


class ScriptedModel(FakeModel):
    """Model whose replies depend on the prompt alone, so that another process goes on where one was killed."""

    def _next_reply(self, messages: Sequence[BaseMessage], options: Mapping[str, Any]) -> _Reply:
        question, done = _read_prompt(messages)
        offered = [tool["function"]["name"] for tool in options.get("tools", ())]
        if "write_plan" in offered and "mend" in question:
            step: JsonObject = {"id": "a", "call": "book", "with": {"key": _argument(question)}}
            return _Reply(calls=(("write_plan", {"goal": "book", "steps": [step]}),))
        for tool in _wanted_tools(question):
            if tool in offered and tool not in done:
                pieces = _PIECES if tool == "note" else ()
                return _Reply(pieces=pieces, calls=((tool, {"key": _argument(question)}),))
        return _Reply(pieces=_PIECES)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        pace = _PACE.search(_read_prompt(messages)[0])
        for chunk in self._chunks(messages, kwargs):
            if run_manager:
                await run_manager.on_llm_new_token(chunk.text, chunk=chunk)
            yield chunk
            await asyncio.sleep(float(pace[1]) if pace else 0)

    def _number_calls(self, reply: _Reply) -> list[ToolCall]:
        ids = [f"call-{uuid.uuid4().hex[:12]}" for _ in reply.calls]
        return [
            ToolCall(name=name, args=dict(given), id=call, type="tool_call")
            for (name, given), call in zip(reply.calls, ids, strict=True)
        ]


def _read_prompt(messages: Sequence[BaseMessage]) -> tuple[str, set[str]]:
    """The last message of the user, and the tools that were called since and have a result."""
    said = [number for number, one in enumerate(messages) if isinstance(one, HumanMessage) and one.name is None]
    since = messages[said[-1] :] if said else messages
    names = {call["id"]: call["name"] for one in since if isinstance(one, AIMessage) for call in one.tool_calls}
    done = {names.get(one.tool_call_id, "") for one in since if isinstance(one, ToolMessage)}
    return since[0].text if since else "", done


def _wanted_tools(question: str) -> tuple[str, ...]:
    if "talk" in question:
        return ("note", "send")
    return ("pay",) if "bill" in question else ()


def _argument(question: str) -> str:
    hold = _HOLD.search(question)
    return f"{find_key(question)} {hold[0] if hold else ''}".strip()
