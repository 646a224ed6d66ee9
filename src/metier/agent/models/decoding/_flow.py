"""A streamed reply on its way through a model that reads text: what is passed on now, and what at the end."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from langchain_core.messages import AIMessage, AIMessageChunk, ToolCall
from langchain_core.messages.ai import UsageMetadata, add_ai_message_chunks
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk
from langchain_core.outputs import ChatGenerationChunk

from metier.agent.models.providers import METIER, REASONING, reasoning_of_block
from metier.json_values import JsonInvalid, JsonValue, load_json, to_plain_json
from metier.tools import TextReply

RestoreArguments: TypeAlias = Callable[[str, JsonValue], JsonValue]


class TextStream(Protocol):
    """Reader of a reply that arrives in pieces, such as `ReplyStream`."""

    def add(self, piece: str) -> str:
        """Add a piece; returns the text that may be shown now."""

    def take_reasoning(self) -> str:
        """Reasoning that arrived since the last call."""

    def finish(self) -> TextReply:
        """End the reply."""


@dataclass(slots=True)
class ReplyFlow:
    """A streamed reply: prose is passed on at once, a possible call is held back, native calls pass through.

    Metadata come with the last chunk: they are those of the reply that was accepted, which may be a repaired one.
    """

    stream: TextStream
    restore: RestoreArguments | None = None
    keeps_blocks: bool = False
    _parts: list[AIMessageChunk] = field(default_factory=list)
    _whole: AIMessage | None = None
    _reasoning_chars: int = 0
    _shown: bool = False

    def add(self, piece: AIMessageChunk | AIMessage) -> ChatGenerationChunk | None:
        """Add a chunk; returns the chunk to pass on now, if any."""
        chunk = piece if isinstance(piece, AIMessageChunk) else AIMessageChunk(**fields_of(piece))
        self._parts.append(chunk)
        if self.restore is not None and chunk.tool_call_chunks:  # passed on when they are complete
            chunk = chunk.model_copy(update={"tool_call_chunks": [], "tool_calls": [], "invalid_tool_calls": []})
        chunk = chunk.model_copy(update={"response_metadata": {}})
        if self.keeps_blocks and isinstance(chunk.content, list):
            return ChatGenerationChunk(message=chunk)
        text = self.stream.add(chunk.text)
        self._shown = self._shown or bool(text.strip())
        more = {**chunk.additional_kwargs, **self._take_reasoning(chunk)}
        if not (text or more or chunk.tool_call_chunks or chunk.usage_metadata):
            return None
        message = AIMessageChunk(**{**fields_of(chunk), "content": text, "additional_kwargs": more})
        return ChatGenerationChunk(message=message)

    def finish(self) -> TextReply:
        return self.stream.finish()

    @property
    def message(self) -> AIMessage:
        """The whole reply as the wrapped model gave it, when all of it has arrived."""
        if self._whole is None:
            first, *others = self._parts or [AIMessageChunk(content="")]
            whole = add_ai_message_chunks(first, *others)
            text = "".join(part.text for part in self._parts)
            self._whole = AIMessage(
                text,
                tool_calls=whole.tool_calls,
                additional_kwargs=whole.additional_kwargs,
                usage_metadata=whole.usage_metadata,
                response_metadata=whole.response_metadata,
            )
        return self._whole

    def final_chunk(self, answer: AIMessage, read: TextReply, *, repaired: bool) -> ChatGenerationChunk:
        """Last chunk: held text that turned out to be prose, or the calls, or what replaces them."""
        text, calls = read.rest, answer.tool_calls if read.calls else []
        if repaired or "problem" in answer.response_metadata.get(METIER, {}):
            text, calls = f"\n{answer.text}" if self._shown and answer.text else answer.text, answer.tool_calls
        message = AIMessageChunk(
            content=text,
            tool_call_chunks=self._restored_calls() or to_call_chunks(calls),
            usage_metadata=self._usage_of_repairs(answer),
            response_metadata=answer.response_metadata,
            additional_kwargs=self._rest_of_reasoning(read),
        )
        return ChatGenerationChunk(message=message)

    def _restored_calls(self) -> list[ToolCallChunk]:
        """Native calls that were held. Arguments that are no JSON stay as they are, for others to refuse."""
        if self.restore is None or not self._parts:
            return []
        whole = add_ai_message_chunks(*self._parts) if len(self._parts) > 1 else self._parts[0]
        return [{**one, "args": _restore_text(self.restore, one)} for one in whole.tool_call_chunks]

    def _take_reasoning(self, chunk: AIMessageChunk) -> dict[str, Any]:
        new = self.stream.take_reasoning()
        self._reasoning_chars += len(new)
        given = chunk.additional_kwargs.get(REASONING)
        blocks = chunk.content if isinstance(chunk.content, list) else ()
        texts = [given if isinstance(given, str) else "", *map(reasoning_of_block, blocks), new]
        return {REASONING: whole} if (whole := "".join(texts)) else {}

    def _rest_of_reasoning(self, read: TextReply) -> dict[str, Any]:
        rest = read.reasoning[self._reasoning_chars :]
        return {REASONING: rest} if rest else {}

    def _usage_of_repairs(self, answer: AIMessage) -> UsageMetadata | None:
        """Tokens beyond those that the streamed chunks have reported already: chunks are added up."""
        total, streamed = answer.usage_metadata, self.message.usage_metadata
        if total is None or streamed is None:
            return total
        inside = total["input_tokens"] - streamed["input_tokens"]
        outside = total["output_tokens"] - streamed["output_tokens"]
        if not inside and not outside:
            return None
        return UsageMetadata(input_tokens=inside, output_tokens=outside, total_tokens=inside + outside)


def to_call_chunks(calls: Sequence[ToolCall]) -> list[ToolCallChunk]:
    """Complete calls as chunks of a stream."""
    return [
        tool_call_chunk(name=one["name"], args=json.dumps(one["args"], ensure_ascii=False), id=one["id"], index=number)
        for number, one in enumerate(calls)
    ]


def _restore_text(restore: RestoreArguments, call: ToolCallChunk) -> str | None:
    try:
        arguments = load_json(call["args"] or "{}")
    except JsonInvalid:
        return call["args"]
    return json.dumps(to_plain_json(restore(call["name"] or "", arguments)), ensure_ascii=False)


def fields_of(message: AIMessage) -> dict[str, Any]:
    names = ("content", "additional_kwargs", "response_metadata", "usage_metadata", "id", "name")
    calls = ("tool_call_chunks",) if isinstance(message, AIMessageChunk) else ("tool_calls", "invalid_tool_calls")
    return {name: getattr(message, name) for name in (*names, *calls)}
