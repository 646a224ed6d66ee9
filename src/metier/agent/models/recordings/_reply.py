"""One answer of an endpoint, as it came: text, native calls, how it ended, tokens as the endpoint counted them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, UsageMetadata
from langchain_core.messages.tool import ToolCallChunk, tool_call_chunk

from metier.json_values import JsonObject, JsonValue

_DIGEST_CHARS: Final = 16
_COMPLETE: Final = "stop"


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """Answer of an endpoint to one request.

    `calls` are native tool calls with their arguments as text, `end` is the endpoint's own word for how the answer
    ended, `prompt` the digest of what was sent. `elapsed_ms` is the time it took, where that was measured.
    """

    text: str
    calls: tuple[tuple[str, str], ...] = ()
    end: str = _COMPLETE
    input_tokens: int | None = None
    output_tokens: int | None = None
    prompt: str = ""
    elapsed_ms: float | None = None

    @classmethod
    def from_message(cls, message: AIMessage, prompt: str) -> "RecordedReply":
        """The answer as the provider's client read it."""
        used = message.usage_metadata
        return cls(
            text=message.text,
            calls=tuple(_read_calls(message)),
            end=str(message.response_metadata.get("finish_reason") or ""),
            input_tokens=used["input_tokens"] if used else None,
            output_tokens=used["output_tokens"] if used else None,
            prompt=prompt,
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "RecordedReply":
        calls = tuple((str(name), str(arguments)) for name, arguments in data.get("calls", ()))
        return cls(**{**data, "calls": calls})

    def to_json(self) -> JsonObject:
        """The fields that are not empty."""
        calls: list[JsonValue] = [[name, arguments] for name, arguments in self.calls]
        return {
            "text": self.text,
            **({"calls": calls} if calls else {}),
            "end": self.end,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "prompt": self.prompt,
            **({} if self.elapsed_ms is None else {"elapsed_ms": self.elapsed_ms}),
        }

    def to_whole_message(self) -> AIMessage:
        """The answer as a client would hand it over that does not stream."""
        given = self.to_message()
        return AIMessage(
            given.content,
            tool_calls=given.tool_calls,
            invalid_tool_calls=given.invalid_tool_calls,
            response_metadata=given.response_metadata,
            usage_metadata=given.usage_metadata,
        )

    def to_message(self) -> AIMessageChunk:
        """The answer as a client would hand it over, in one piece."""
        return AIMessageChunk(
            content=self.text,
            tool_call_chunks=[_to_chunk(number, *call) for number, call in enumerate(self.calls)],
            response_metadata={"finish_reason": self.end},
            usage_metadata=self._usage(),
        )

    def _usage(self) -> UsageMetadata | None:
        if self.input_tokens is None or self.output_tokens is None:
            return None
        total = self.input_tokens + self.output_tokens
        return UsageMetadata(input_tokens=self.input_tokens, output_tokens=self.output_tokens, total_tokens=total)


def digest_prompt(messages: Sequence[BaseMessage], options: Mapping[str, Any]) -> str:
    """Digest of what is sent: messages, tools and the schema to which the reply is held."""
    said = [[one.type, one.text, [call["name"] for call in getattr(one, "tool_calls", ())]] for one in messages]
    held = {name: options[name] for name in ("tools", "extra_body", "response_format") if options.get(name)}
    text = json.dumps([said, held], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARS]


def _read_calls(message: AIMessage) -> list[tuple[str, str]]:
    if isinstance(message, AIMessageChunk):
        return [(one["name"] or "", one["args"] or "") for one in message.tool_call_chunks]
    whole = [(one["name"], json.dumps(one["args"], ensure_ascii=False)) for one in message.tool_calls]
    return whole + [(one["name"] or "", one["args"] or "") for one in message.invalid_tool_calls]


def _to_chunk(number: int, name: str, arguments: str) -> ToolCallChunk:
    return tool_call_chunk(name=name, args=arguments, id=f"call_{number + 1}", index=number)
