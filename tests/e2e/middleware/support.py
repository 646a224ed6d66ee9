"""What the tests of a caller's middleware share: a recorder of calls, a review, a turn that was interrupted."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

from langchain.agents.middleware import AgentMiddleware, HumanInTheLoopMiddleware
from langchain_core.messages import ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.store import EventDraft
from metier.testing import FakeModel
from tests.e2e.support import opened

Result: TypeAlias = ToolMessage | Command[Any]
Handler: TypeAlias = Callable[[ToolCallRequest], Awaitable[Result]]

CHAT = "hello there"
SKILL = "帮我算个八字"  # a skill that allows find_terms


class Recorder(AgentMiddleware[Any, Any, Any]):
    """Records every tool call that is about to run."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[tuple[str, dict[str, Any]]] = []

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.calls]

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Result:
        self.calls.append((request.tool_call["name"], dict(request.tool_call["args"])))
        return await handler(request)


def chat() -> FakeModel:
    """A model that chooses no skill, so that every tool may run."""
    return FakeModel().call("use_skill", skill="none")


async def interrupted_turn(folder: Path, *drafts: EventDraft) -> None:
    """A turn whose process died after it had stored these events."""
    async with opened(folder) as runtime:
        talk = await runtime.store.conversations.create("local")
        lease = await runtime.store.turns.start(talk.id, "a process that is gone", 1)
        started = EventDraft("turn.started", {"message": CHAT, "skill": None})
        await runtime.store.events.append_many(talk.id, [started, *drafts], turn=lease.id, fence=lease.fence)


def reviewing(mode: Any = "batched", **tools: Any) -> HumanInTheLoopMiddleware[Any, Any, Any]:
    return HumanInTheLoopMiddleware(interrupt_on=tools or {"find_order": True}, interrupt_mode=mode)
