"""OpenAI's chat completions, as OpenAI, vLLM, llama.cpp, DeepSeek and many others speak them."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from tests.providers.server import MODEL, Ability, Api, Call, Received, Reply, split, sse

_ENDS: Final = MappingProxyType({"length": "length", "filter": "content_filter"})


class OpenAIApi(Api):
    """`/v1/chat/completions` and `/v1/models`."""

    provider = "openai"
    silent_frames = 1  # the role

    def url(self, root: str) -> str:
        return f"{root}/v1"

    def is_chat(self, path: str) -> bool:
        return path == "/v1/chat/completions"

    def get(self, path: str) -> object:
        listed = {"id": MODEL, "object": "model", "created": 1, "owned_by": "us", "max_model_len": 8192}
        return {"object": "list", "data": [listed]} if path == "/v1/models" else None

    def key(self, request: Received) -> str:
        return request.headers.get("authorization", "").removeprefix("Bearer ")

    def wants_stream(self, request: Received) -> bool:
        return request.body.get("stream") is True

    def refusal(self, request: Received, ability: Ability) -> Reply | None:
        if not ability.usage_option and "stream_options" in request.body:
            return Reply(status=400, text=("Unknown parameter: 'stream_options'.",))
        if ability.reasoning and (wrong := _find_wrong_reasoning(request.body["messages"], ability)):
            return Reply(status=400, text=(wrong,))
        return super().refusal(request, ability)

    def frames(self, reply: Reply, request: Received) -> Iterator[bytes]:
        for delta in _deltas(reply):
            for index in range(reply.choices):  # a second choice says the same, marked with its index
                yield sse(_chunk({"index": index, "delta": delta, "finish_reason": None}))
        if reply.error:
            yield sse({"error": {"message": reply.error, "type": "server_error", "code": None, "param": None}})
            return
        if reply.end in ("none", "cut"):
            return
        for index in range(reply.choices):
            yield sse(_chunk({"index": index, "delta": {}, "finish_reason": _finish(reply)}))
        if reply.usage and (request.body.get("stream_options") or {}).get("include_usage"):
            yield sse({**_chunk(), "usage": _usage(reply.usage)})
        yield sse("[DONE]")

    def whole(self, reply: Reply, request: Received) -> object:
        message: dict[str, Any] = {"role": "assistant", "content": "".join(reply.text) or None}
        if reply.reasoning:
            message[reply.reasoning_field] = "".join(reply.reasoning)
        if reply.calls:
            message["tool_calls"] = [_call(one) for one in reply.calls]
        choices = [
            {"index": index, "message": message, "finish_reason": _finish(reply)} for index in range(reply.choices)
        ]
        usage = {"usage": _usage(reply.usage)} if reply.usage else {}
        head = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": MODEL}
        return {**head, "choices": choices, **usage}

    def error(self, status: int, message: str) -> object:
        return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}


def _find_wrong_reasoning(messages: list[dict[str, Any]], ability: Ability) -> str:
    """Error about messages with calls: of DeepSeek (`required`), or of servers that know no such field; else empty."""
    for at, message in enumerate(messages):
        back = [field for field in ("reasoning_content", "reasoning") if field in message]
        if ability.reasoning == "refused" and back:
            return f"messages.{at}: property '{back[0]}' is unsupported"
        if ability.reasoning == "required" and message.get("tool_calls") and not back:
            return "Missing `reasoning_content` field in the assistant message"
    return ""


def _deltas(reply: Reply) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    for piece in reply.reasoning:
        yield {reply.reasoning_field: piece}
    for piece in reply.text:
        yield {"content": piece}
    for index, call in enumerate(reply.calls):
        yield {"tool_calls": [{"index": index, **_call(Call(call.name, "", call.id))}]}
        for piece in split(call.arguments):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}


def _chunk(*choices: Mapping[str, Any]) -> dict[str, Any]:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": MODEL}
    return {**head, "choices": list(choices)}


def _call(call: Call) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _finish(reply: Reply) -> str:
    return _ENDS.get(reply.end, "tool_calls" if reply.calls else "stop")


def _usage(usage: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
