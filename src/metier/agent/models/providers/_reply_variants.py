"""What servers of OpenAI's protocol write differently and mean the same, read as the protocol says it."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any, Final, Literal

from metier.clock import random_id

_MARK: Final = b"\xef\xbb\xbf"  # UTF-8 byte order mark: with it, the first frame of a stream is no frame


def normalise_reply(reply: Mapping[str, Any], part: Literal["delta", "message"]) -> dict[str, Any]:
    """The reply, or the piece of one, with calls and refusals where the protocol has them today.

    Arguments may be an object instead of its text, the id of a call a number, a single call the older `function_call`.
    A `refusal` is what the model says instead of an answer, and becomes its text.
    """
    choices = [
        {**choice, part: _tidy_message(choice[part])}
        if isinstance(choice, Mapping) and isinstance(choice.get(part), Mapping)
        else choice
        for choice in reply["choices"]
    ]
    return {**reply, "choices": choices}


def needs_normalising(message: object) -> bool:
    """Whether a message or a piece of one has something to tidy: nearly none has."""
    if not isinstance(message, Mapping):
        return False
    return bool(message.get("tool_calls") or message.get("function_call") or message.get("refusal"))


def _tidy_message(message: Mapping[str, Any]) -> dict[str, Any]:
    tidy = dict(message)
    old = tidy.pop("function_call", None)
    if isinstance(old, Mapping) and not tidy.get("tool_calls"):
        # The older call has no id, and its result must name one; pieces after the first belong to the same call.
        known = {"id": f"call_{random_id()}"} if old.get("name") else {}
        tidy["tool_calls"] = [{"index": 0, **known, "type": "function", "function": old}]
    if isinstance(calls := tidy.get("tool_calls"), list):
        tidy["tool_calls"] = [_tidy_call(call) if isinstance(call, Mapping) else call for call in calls]
    if isinstance(refusal := tidy.pop("refusal", None), str) and refusal:
        content = tidy.get("content") or ""
        parts = [*content, {"type": "text", "text": refusal}] if isinstance(content, list) else []
        tidy["content"] = parts or f"{content}{refusal}"
    return tidy


def _tidy_call(call: Mapping[str, Any]) -> dict[str, Any]:
    tidy = dict(call)
    if not isinstance(given := tidy.get("id"), str | None):
        tidy["id"] = str(given) if isinstance(given, int) and not isinstance(given, bool) else None
    if isinstance(function := tidy.get("function"), Mapping):
        arguments = function.get("arguments")
        is_text = arguments is None or isinstance(arguments, str)
        tidy["function"] = function if is_text else {**function, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return tidy


async def skip_mark(response: Any) -> None:
    """Hook of an asynchronous HTTP client: the body, unpacked, is read without a byte order mark at its start.

    The response is one of `httpx` or of `httpx2`: each package of a provider brings its own.
    """
    response.aiter_bytes = partial(_read_without_mark, response.aiter_bytes)


async def _read_without_mark(
    read: Callable[[int | None], AsyncIterator[bytes]], chunk_size: int | None = None
) -> AsyncIterator[bytes]:
    start: bytes | None = b""
    async for piece in read(chunk_size):
        if start is None:
            yield piece
            continue
        start += piece
        if len(start) >= len(_MARK) or not _MARK.startswith(start):
            yield start.removeprefix(_MARK)
            start = None
    if start:
        yield start
