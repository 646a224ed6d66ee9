"""Anthropic's messages."""

import json
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, Final

from tests.providers.server import MODEL, Ability, Api, Received, Reply, split, sse

SIGNATURE: Final = "c2lnbmVk"
_ENDS: Final = MappingProxyType({"length": "max_tokens", "filter": "refusal"})
_KINDS: Final = MappingProxyType(
    {
        400: "invalid_request_error",
        401: "authentication_error",
        402: "billing_error",
        403: "permission_error",
        404: "not_found_error",
        429: "rate_limit_error",
        529: "overloaded_error",
    }
)


class AnthropicApi(Api):
    """`/v1/messages` and `/v1/models`."""

    provider = "anthropic"

    def url(self, root: str) -> str:
        return root

    def is_chat(self, path: str) -> bool:
        return path == "/v1/messages"

    def get(self, path: str) -> object:
        listed = {"id": MODEL, "type": "model", "display_name": "Test", "created_at": "2026-01-01T00:00:00Z"}
        return {"data": [listed], "has_more": False} if path == "/v1/models" else None

    def key(self, request: Received) -> str:
        return request.headers.get("x-api-key") or request.headers.get("authorization", "").removeprefix("Bearer ")

    def wants_stream(self, request: Received) -> bool:
        return request.body.get("stream") is True

    def refusal(self, request: Received, ability: Ability) -> Reply | None:
        thinks = request.body.get("thinking", {}).get("type") == "enabled"
        if thinks and ability.reasoning == "required" and (wrong := _find_missing_thinking(request.body["messages"])):
            return Reply(status=400, text=(wrong,))
        return super().refusal(request, ability)

    def frames(self, reply: Reply, request: Received) -> Iterator[bytes]:
        count = reply.usage or (0, 0)
        start = {**_head(reply), "content": [], "stop_reason": None, "usage": _usage((count[0], 1))}
        yield _event("message_start", message=start)
        blocks = list(_blocks(reply))
        for index, (block, deltas) in enumerate(blocks):
            yield _event("content_block_start", index=index, content_block=block)
            for delta in deltas:
                yield _event("content_block_delta", index=index, delta=delta)
            if reply.end not in ("none", "cut") or index + 1 < len(blocks):
                yield _event("content_block_stop", index=index)
        if reply.error:
            yield _event("error", error={"type": "overloaded_error", "message": reply.error})
            return
        if reply.end in ("none", "cut"):
            return
        yield _event("message_delta", delta={"stop_reason": _stop(reply), "stop_sequence": None}, usage=_usage(count))
        yield _event("message_stop")

    def whole(self, reply: Reply, request: Received) -> object:
        content = []
        for block, deltas in _blocks(reply):
            joined = dict(block)
            for delta in deltas:
                for key in ("text", "thinking", "signature"):
                    if key in delta:
                        joined[key] = joined.get(key, "") + delta[key]
            if block["type"] == "tool_use":
                joined["input"] = json.loads("".join(delta["partial_json"] for delta in deltas) or "{}")
            content.append(joined)
        return {**_head(reply), "content": content, "stop_reason": _stop(reply), "usage": _usage(reply.usage or (0, 0))}

    def error(self, status: int, message: str) -> object:
        return {"type": "error", "error": {"type": _KINDS.get(status, "api_error"), "message": message}}


def _event(kind: str, **data: Any) -> bytes:
    return sse({"type": kind, **data}, kind)


def _head(reply: Reply) -> dict[str, Any]:
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "stop_sequence": None}


def _blocks(reply: Reply) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    if reply.reasoning:
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in reply.reasoning]
        signed = {"type": "signature_delta", "signature": SIGNATURE}
        yield {"type": "thinking", "thinking": "", "signature": ""}, [*deltas, signed]
    if reply.redacted:
        yield {"type": "redacted_thinking", "data": reply.redacted}, []
    if reply.text:
        yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in reply.text]
    for call in reply.calls:
        parts = [{"type": "input_json_delta", "partial_json": piece} for piece in split(call.arguments)]
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}, parts


def _find_missing_thinking(messages: list[dict[str, Any]]) -> str:
    """Error of the API for the last message with calls, if it does not begin with signed reasoning; else empty."""
    for at in range(len(messages) - 1, -1, -1):
        content = messages[at]["content"] if messages[at]["role"] == "assistant" else ""
        if isinstance(content, str) or all(block["type"] != "tool_use" for block in content):
            continue
        first = content[0]
        if first["type"] == "redacted_thinking" and first.get("data"):
            return ""
        if first["type"] != "thinking":
            found = f"found `{first['type']}`"
            return f"messages.{at}.content.0.type: Expected `thinking` or `redacted_thinking`, but {found}."
        return "" if first.get("signature") == SIGNATURE else f"messages.{at}.content.0: Invalid `signature`"
    return ""


def _stop(reply: Reply) -> str:
    return _ENDS.get(reply.end, "tool_use" if reply.calls else "end_turn")


def _usage(usage: tuple[int, int]) -> dict[str, int]:
    return {"input_tokens": usage[0], "output_tokens": usage[1]}
