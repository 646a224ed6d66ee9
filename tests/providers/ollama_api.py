"""Ollama's chat."""

import json
from collections.abc import Iterator
from typing import Any

from tests.providers.server import MODEL, Api, Call, Received, Reply

_AT = "2026-01-01T00:00:00Z"


class OllamaApi(Api):
    """`/api/chat` and `/api/tags`. Calls arrive whole: half a call can not be streamed."""

    provider = "ollama"
    stream_type = "application/x-ndjson"

    def url(self, root: str) -> str:
        return root

    def is_chat(self, path: str) -> bool:
        return path == "/api/chat"

    def get(self, path: str) -> object:
        return {"models": [{"name": MODEL, "model": MODEL}]} if path == "/api/tags" else None

    def key(self, request: Received) -> str:
        return request.headers.get("authorization", "").removeprefix("Bearer ")

    def wants_stream(self, request: Received) -> bool:
        return request.body.get("stream", True) is True

    def frames(self, reply: Reply, request: Received) -> Iterator[bytes]:
        for piece in reply.reasoning:
            yield _line({"content": "", "thinking": piece})
        for piece in reply.text:
            yield _line({"content": piece})
        for call in reply.calls:
            yield _line({"content": "", "tool_calls": [_call(call)]})
        if reply.error:
            yield json.dumps({"error": reply.error}).encode() + b"\n"
        elif reply.end not in ("none", "cut"):
            yield _line({"content": ""}, **_end(reply))

    def whole(self, reply: Reply, request: Received) -> object:
        message: dict[str, Any] = {"role": "assistant", "content": "".join(reply.text)}
        if reply.reasoning:
            message["thinking"] = "".join(reply.reasoning)
        if reply.calls:
            message["tool_calls"] = [_call(one) for one in reply.calls]
        return {"model": MODEL, "created_at": _AT, "message": message, **_end(reply)}

    def error(self, status: int, message: str) -> object:
        return {"error": message}


def _line(message: dict[str, Any], **more: Any) -> bytes:
    told = {"model": MODEL, "created_at": _AT, "message": {"role": "assistant", **message}, "done": False, **more}
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def _call(call: Call) -> dict[str, Any]:
    try:
        arguments = json.loads(call.arguments or "{}")
    except ValueError:
        arguments = call.arguments
    return {"function": {"name": call.name, "arguments": arguments}}


def _end(reply: Reply) -> dict[str, Any]:
    counts = {"prompt_eval_count": reply.usage[0], "eval_count": reply.usage[1]} if reply.usage else {}
    return {"done": True, "done_reason": "length" if reply.end == "length" else "stop", **counts}
