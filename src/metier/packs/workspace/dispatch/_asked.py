"""Recorded replies of a real model, found by the digest of the request."""

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.messages.tool import tool_call_chunk

from metier.errors import NotFound
from metier.packs.workspace.dispatch._taped import ModelReply, TapedModel
from metier.packs.workspace.dispatch._tasks import DATA
from metier.packs.workspace.dispatch._view import RequestView

RECORDINGS: Final = DATA / "recordings.jsonl"
_SENT: Final = ("tools", "tool_choice", "extra_body")
Ask = Callable[[Sequence[BaseMessage], dict[str, Any]], AIMessage]


class ReplayModel(TapedModel):
    """Model whose replies come from a function, such as a lookup in the recordings."""

    ask: Ask

    @property
    def _llm_type(self) -> str:
        return "metier-asked-bench"

    def answer(
        self, view: RequestView, messages: Sequence[BaseMessage], options: dict[str, Any]
    ) -> tuple[ModelReply, AIMessageChunk]:
        """The reply of the function, as it came."""
        given = self.ask(messages, options)
        chunks = [
            tool_call_chunk(name=one["name"], args=json.dumps(one["args"]), id=one["id"], index=number)
            for number, one in enumerate(given.tool_calls)
        ]
        return _read_reply(given, view), AIMessageChunk(content=given.text, tool_call_chunks=chunks)


def digest_request(messages: Sequence[BaseMessage], options: dict[str, Any]) -> str:
    """Key of a recording: what is sent, messages with their calls, tools and schema."""
    said = [[one.type, one.text, getattr(one, "tool_calls", [])] for one in messages]
    sent = {name: options[name] for name in _SENT if options.get(name)}
    text = json.dumps([said, sent], ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def replay_request(messages: Sequence[BaseMessage], options: dict[str, Any]) -> AIMessage:
    """The recorded reply to exactly this request; raises `NotFound` if there is none: then nothing was measured."""
    found = _read_recordings().get(digest_request(messages, options))
    if found is None:
        raise NotFound("no recording of this request", hint="record it with a live model")
    return AIMessage(found["text"], tool_calls=found.get("calls", []))


def has_recordings() -> bool:
    """Whether any request was recorded."""
    return bool(_read_recordings())


@cache
def _read_recordings() -> dict[str, dict[str, Any]]:
    if not RECORDINGS.exists():
        return {}
    rows = [json.loads(line) for line in RECORDINGS.read_text("utf-8").splitlines() if line]
    return {row["request"]: row for row in rows}


def _read_reply(message: AIMessage, view: RequestView) -> ModelReply:
    if message.tool_calls:
        return ModelReply(message.tool_calls[0]["name"], message.tool_calls[0]["args"])
    try:
        read = json.loads(message.text) if view.is_held else None
    except ValueError:
        read = None
    if not isinstance(read, dict):
        return ModelReply(text=message.text)
    if view.demanded == "":
        return ModelReply("", read)
    given = read.get("arguments")
    return ModelReply(str(read.get("tool", "")), given if isinstance(given, dict) else {}, str(read.get("answer", "")))
