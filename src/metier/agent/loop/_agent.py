"""The LangChain agent that runs every turn (compiled once, without tools or state of its own), and text streaming."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, TypeVar
from uuid import UUID

from langchain.agents import create_agent
from langchain.agents.middleware.types import AgentMiddleware
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.outputs import ChatGenerationChunk, GenerationChunk
from langchain_core.tracers._streaming import _StreamingCallbackHandler
from langgraph.graph.state import CompiledStateGraph

from metier.agent.adapters import clean_text
from metier.agent.loop._delegate import DelegateMiddleware
from metier.agent.loop._model_call import RepairMiddleware
from metier.agent.loop._parts import form_middleware
from metier.agent.loop._plan import PlanMiddleware
from metier.agent.loop._profile_form import ProfileFormMiddleware
from metier.agent.loop._prompt import PromptMiddleware
from metier.agent.loop._record import RecordMiddleware, ToolMiddleware, TurnGate
from metier.agent.loop._skill_choice import SkillMiddleware
from metier.agent.loop._stack import Middleware, Stack
from metier.agent.loop._trackers import Tracker, TrackerMiddleware
from metier.agent.models import MAX_OUTPUT_CHARS, displayable_length
from metier.agent.turn import TurnState
from metier.store import EventDraft

T = TypeVar("T")
_MIN_DELTA_CHARS = 16


def turn_agent(
    model: BaseChatModel,
    skill_tool: str,
    more: Sequence[AgentMiddleware[Any, Any, Any]] = (),
    trackers: Sequence[Tracker] = (),
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the agent that serves all turns; what differs between them is in the `TurnState` passed as its context.

    Middleware from the outside in: record events, trackers, profile form, plan, prompt, choice of skill, sub-agents,
    forms for missing arguments, gate, the caller's own middleware (`more`), the model call, the tools.
    """
    outer: list[Middleware] = [
        RecordMiddleware(),
        *([TrackerMiddleware(trackers)] if trackers else []),
        ProfileFormMiddleware(),
        PlanMiddleware(),
        PromptMiddleware(),
        SkillMiddleware(tool=skill_tool),
        DelegateMiddleware(model),
        form_middleware(),
        TurnGate(),
    ]
    inner: list[Middleware] = [RepairMiddleware(), ToolMiddleware()]
    parts: list[Middleware] = [Stack([*outer, *inner], name="Turn")]
    if more:
        parts = [Stack(outer, name="Turn"), *more, Stack(inner, name="TurnEnd")]
    return create_agent(model, [], middleware=parts, context_schema=TurnState)


class TextStreamer(AsyncCallbackHandler, _StreamingCallbackHandler[Any]):
    """Callback that emits the model's text as `text.delta` events. Being a streaming handler, it makes models stream.

    LangGraph's own stream would deliver a delta after the message that the delta belongs to.
    """

    run_inline = True

    def __init__(self, work: TurnState) -> None:
        self._work = work
        self._text = ""
        self._emitted_chars = 0

    async def on_llm_new_token(
        self,
        token: str | list[str | dict[str, Any]],
        *,
        chunk: GenerationChunk | ChatGenerationChunk | None = None,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        **kwargs: Any,
    ) -> None:
        self._text += token if isinstance(token, str) else ""
        enough = len(self._text) >= _MIN_DELTA_CHARS or "\n" in self._text
        if enough and (piece := self._take_piece(displayable_length(self._text))):
            await self._work.emit(piece)
        self._work.journal.unsent_text = self._text

    async def on_llm_end(self, *args: Any, **kwargs: Any) -> None:
        if last := self._take_piece(displayable_length(self._text, whole=True)):
            self._work.journal.queue(last)  # stored with the end of the message, which follows at once
        self._text, self._work.journal.unsent_text, self._emitted_chars = "", "", 0

    async def on_llm_error(self, *args: Any, **kwargs: Any) -> None:
        self._text = self._work.journal.unsent_text = ""

    def _take_piece(self, until: int) -> EventDraft | None:
        """Next delta. Blocks addressed to the program (suggestions, params_request) are not streamed."""
        text, self._text = self._text[:until], self._text[until:]
        text = text[: max(0, MAX_OUTPUT_CHARS - self._emitted_chars)]  # never more than `text.done` stores
        self._emitted_chars += len(text)
        return EventDraft("text.delta", {"text": clean_text(text)}) if text else None

    def tap_output_aiter(self, run_id: UUID, output: AsyncIterator[T]) -> AsyncIterator[T]:
        return output

    def tap_output_iter(self, run_id: UUID, output: Iterator[T]) -> Iterator[T]:
        return output
