"""Emits the model's text and its reasoning while they are being generated."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, Final, TypeVar
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessageChunk
from langchain_core.outputs import ChatGenerationChunk, GenerationChunk
from langchain_core.tracers._streaming import _StreamingCallbackHandler

from metier.agent.adapters import MAX_OUTPUT_CHARS, find_complete_length
from metier.agent.models import displayable_length, find_reasoning
from metier.agent.turn import TurnState
from metier.faults import fault_point
from metier.json_values import clean_text
from metier.store import EventDraft

T = TypeVar("T")
_MIN_DELTA_CHARS: Final = 16


class TextStreamer(AsyncCallbackHandler, _StreamingCallbackHandler[Any]):
    """Callback that emits the model's text as `text.delta` events. Being a streaming handler, it makes models stream.

    LangGraph's own stream would deliver a delta after the message that the delta belongs to. Joined, the deltas are the
    text that is stored: white space around it is not streamed either. Reasoning is emitted as `reasoning.delta` and
    ended when the text begins, also where the text itself is held back until it is checked. What middleware of the
    caller asks a model is not the turn's reply, and not streamed.
    """

    run_inline = True

    def __init__(self, state: TurnState) -> None:
        self._state = state
        self._text = ""

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
        if not self._state.calls.is_model_running:
            return
        journal = self._state.journal
        fault_point("report_delta" if self._state.holds_text else "model_delta")
        if (thought := _find_reasoning(chunk)) and (delta := journal.reasoning.add(thought)):
            await journal.emit(delta)
        text = token if isinstance(token, str) else ""
        if text.strip() and (ended := journal.reasoning.finish()):
            await journal.emit(*ended)
        if self._state.holds_text:
            return
        self._text += text
        enough = len(self._text) >= _MIN_DELTA_CHARS or "\n" in self._text
        if enough and (piece := self._take_piece(displayable_length(self._text))):
            await self._state.emit(piece)
        journal.unsent_text = self._text

    async def on_llm_end(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.calls.is_model_running:
            return
        self._state.journal.queue(*self._state.journal.reasoning.finish())
        if last := self._take_piece(displayable_length(self._text, whole=True)):
            self._state.journal.queue(last)  # stored with the end of the message, which follows at once
        self._text = self._state.journal.unsent_text = ""

    async def on_llm_error(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.calls.is_model_running:
            return
        self._state.journal.queue(*self._state.journal.reasoning.finish())
        self._text = self._state.journal.unsent_text = ""

    def _take_piece(self, until: int) -> EventDraft | None:
        """Next delta. Blocks addressed to the program (suggestions, params_request) are not streamed."""
        journal = self._state.journal
        text = self._text[: self._guarded_length(until)].rstrip()
        self._text = self._text[len(text) :]
        text = text if journal.streamed_text else text.lstrip()
        text = text[: max(0, MAX_OUTPUT_CHARS - len(journal.streamed_text))]  # never more than `text.done` stores
        if not text:
            return None
        journal.streamed_text += (piece := clean_text(text))
        return EventDraft("text.delta", {"text": piece})

    def _guarded_length(self, until: int) -> int:
        """How much of the text may be shown: with guards only complete sentences, and none from a refused one on."""
        if not self._state.resources.guards:
            return until
        ready = self._text[: min(until, find_complete_length(self._text[:until]))]
        return len(ready) if self._state.guard_text(ready) == ready else 0

    def tap_output_aiter(self, run_id: UUID, output: AsyncIterator[T]) -> AsyncIterator[T]:
        return output

    def tap_output_iter(self, run_id: UUID, output: Iterator[T]) -> Iterator[T]:
        return output


def _find_reasoning(chunk: GenerationChunk | ChatGenerationChunk | None) -> str:
    message = chunk.message if isinstance(chunk, ChatGenerationChunk) else None
    return find_reasoning(message) if isinstance(message, AIMessageChunk) else ""
