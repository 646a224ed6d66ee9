"""One reply while it comes in: what is passed on at once, what is held until the reply is complete, how it ended."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk

from metier.agent.models._output_guard import OutputGuard
from metier.agent.models.providers._reply_end import METIER, REASONING, DroppedCall, ReplyEnd, read_end
from metier.agent.models.providers._thinking import PROVIDER_REPLY, keep_provider_reply, reasoning_of_block
from metier.agent.models.providers._usage import check_usage
from metier.json_values import JsonInvalid, load_json

_MAX_DETAIL_CHARS: Final = 200
_PLAIN_METADATA: Final = frozenset({"model_provider"})


@dataclass(slots=True)
class _StreamedCall:
    """Tool call of which more and more arrives."""

    id: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class _Calls:
    """Calls of one reply. A new id at a known index is a new call: some servers number all calls 0."""

    calls: list[_StreamedCall] = field(default_factory=list)
    _places: dict[int | str, _StreamedCall] = field(default_factory=dict)

    def add(self, piece: ToolCallChunk) -> str:
        """Add a piece; returns its part of the arguments."""
        index, call_id = piece.get("index"), piece.get("id") or ""
        call = self._places.get(index) if index is not None else None
        if call is None or (call_id and call.id and call_id != call.id):
            call = _StreamedCall()
            self.calls.append(call)
            if index is not None:
                self._places[index] = call
        call.id = call.id or call_id
        name = piece.get("name") or ""
        call.name += "" if name == call.name else name  # some servers repeat the name with every piece
        arguments = piece.get("args") or ""
        call.arguments += arguments
        return arguments


class IncomingReply:
    """Reply of a provider. Text and reasoning are passed on as they arrive, tool calls when the reply is complete.

    A call runs only if the reply came to its end and the call's arguments are one JSON object. LangChain completes JSON
    that breaks off, so that half a call would look like a whole one.
    """

    def __init__(self, max_chars: int, *, model: str = "", says_end: bool = False) -> None:
        self._model = model
        self._says_end = says_end
        self._text_guard, self._reasoning_guard = OutputGuard(max_chars), OutputGuard(max_chars)
        # A list of five hundred similar steps is a good argument; the same text over and over is none.
        self._arguments_guard = OutputGuard(max_chars, near=False)
        self._parts: list[AIMessageChunk] = []
        self._calls = _Calls()
        self._end: ReplyEnd | None = None
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self.separates_reasoning = False  # from that of an attempt that broke off, which was passed on already

    @property
    def has_text(self) -> bool:
        return bool(self._text)

    @property
    def has_reasoned(self) -> bool:
        return bool(self._reasoning)

    @property
    def is_over(self) -> bool:
        """Whether reading should stop: the reply repeats itself or is too long."""
        return any(guard.reason for guard in self._guards)

    @property
    def _guards(self) -> tuple[OutputGuard, ...]:
        return self._text_guard, self._reasoning_guard, self._arguments_guard

    def add(self, piece: AIMessageChunk | AIMessage) -> AIMessageChunk | None:
        """Add a piece; returns what may be passed on now."""
        chunk = piece if isinstance(piece, AIMessageChunk) else _to_chunk(piece)
        self._end = read_end(chunk.response_metadata) or self._end
        for part in chunk.tool_call_chunks:
            self._arguments_guard.admit(self._calls.add(part))
        text, reasoning = self._text_guard.admit(chunk.text), self._reasoning_guard.admit(_reasoning_of(chunk))
        if not _is_plain(chunk):
            self._parts.append(chunk)
        if not text and not reasoning:
            return None
        self._text += [text] if text else []
        self._reasoning += [reasoning] if reasoning else []
        if reasoning and self.separates_reasoning:
            reasoning, self.separates_reasoning = f"\n\n{reasoning}", False
        return AIMessageChunk(content=text, additional_kwargs={REASONING: reasoning} if reasoning else {})

    def finish(self, more: Mapping[str, Any] | None = None, *, broken: bool = False) -> AIMessageChunk:
        """Last chunk: complete calls, usage, and in the metadata `more`, how the reply ended and what was dropped."""
        end: ReplyEnd = "connection" if broken else self._find_end()
        calls, dropped = self._read_calls(end)
        whole = _join(self._parts)
        ours = {**whole.response_metadata.get(METIER, {}), **(more or {})}
        if end != "complete":
            ours["end"] = end
        if dropped:
            ours["dropped"] = [one._asdict() for one in dropped]
        metadata = {key: value for key, value in whole.response_metadata.items() if key != METIER}
        kept = keep_provider_reply(whole, self._model, "".join(self._reasoning)) if calls else None
        return AIMessageChunk(
            content="",
            tool_call_chunks=calls,
            usage_metadata=check_usage(whole.usage_metadata),
            response_metadata={**metadata, **({METIER: ours} if ours else {})},
            additional_kwargs={PROVIDER_REPLY: kept} if kept else {},
        )

    def to_message(self, last: AIMessageChunk) -> AIMessage:
        """The whole reply as a message; `last` is what `finish` returned."""
        reasoning = "".join(self._reasoning)
        return AIMessage(
            "".join(self._text),
            tool_calls=last.tool_calls,
            usage_metadata=last.usage_metadata,
            response_metadata=last.response_metadata,
            additional_kwargs={**last.additional_kwargs, **({REASONING: reasoning} if reasoning else {})},
        )

    def _find_end(self) -> ReplyEnd:
        for guard in self._guards:
            if guard.reason:
                return "too_long" if guard.reason == "length" else "repetition"
        return self._end or ("connection" if self._says_end else "complete")

    def _read_calls(self, end: ReplyEnd) -> tuple[list[ToolCallChunk], list[DroppedCall]]:
        """Complete calls, or those that were dropped: of a reply with one call that cannot be read, none runs."""
        found, dropped = [], []
        for number, call in enumerate(self._calls.calls):
            arguments, detail = _read_arguments(call.arguments)
            if end != "complete" or arguments is None:
                dropped.append(DroppedCall(call.name, "no_json" if end == "complete" else end, detail))
            else:
                found.append(tool_call_chunk(name=call.name, args=arguments, id=call.id, index=number))
        return ([], [*dropped]) if dropped else (found, [])


def _read_arguments(text: str) -> tuple[str | None, str]:
    """The arguments as exact JSON; or None and the reason why they are no JSON object."""
    try:
        value = load_json(text, any_text=True) if text.strip() else {}
    except JsonInvalid as error:
        return None, str(error)[:_MAX_DETAIL_CHARS]
    if not isinstance(value, dict):
        return None, "no JSON object"
    return json.dumps(value, ensure_ascii=False), ""


def _reasoning_of(chunk: AIMessageChunk) -> str:
    told = chunk.additional_kwargs.get(REASONING)
    blocks = chunk.content if isinstance(chunk.content, list) else ()
    texts = [told if isinstance(told, str) else "", *(reasoning_of_block(block) for block in blocks)]
    return "".join(texts)


def _is_plain(chunk: AIMessageChunk) -> bool:
    """Whether the chunk is nothing but text: thousands of them need not be kept."""
    more = chunk.tool_call_chunks or chunk.usage_metadata or chunk.response_metadata.keys() - _PLAIN_METADATA
    return isinstance(chunk.content, str) and not more and not (chunk.additional_kwargs.keys() - {REASONING})


def _join(parts: Iterable[AIMessageChunk]) -> AIMessageChunk:
    first, *others = list(parts) or [AIMessageChunk(content="")]
    return add_ai_message_chunks(first, *others) if others else first


def _to_chunk(message: AIMessage) -> AIMessageChunk:
    """A whole reply as one chunk, for a model that does not stream."""
    calls = [
        tool_call_chunk(name=one["name"], args=json.dumps(one["args"], ensure_ascii=False), id=one["id"], index=at)
        for at, one in enumerate(message.tool_calls)
    ]
    broken = [
        tool_call_chunk(name=one["name"], args=one["args"] or "?", id=one["id"], index=len(calls) + at)
        for at, one in enumerate(message.invalid_tool_calls)
    ]
    return AIMessageChunk(
        content=message.content,
        tool_call_chunks=[*calls, *broken],
        usage_metadata=message.usage_metadata,
        response_metadata=message.response_metadata,
        additional_kwargs=message.additional_kwargs,
    )
