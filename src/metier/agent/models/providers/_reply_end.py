"""How a reply ended and what was dropped of it, as the reply's metadata says it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, cast, get_args

from langchain_core.messages import AIMessage

ReplyEnd = Literal["complete", "length", "filter", "connection", "repetition", "too_long"]

METIER: Final = "metier"  # our part of a message's `response_metadata`
REASONING: Final = "reasoning_content"  # where LangChain's clients put reasoning, in `additional_kwargs`
_END_KEYS: Final = ("finish_reason", "stop_reason", "done_reason")  # OpenAI and Google, Anthropic, Ollama
_LENGTH: Final = frozenset({"length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"})
_FILTER: Final = frozenset(
    {
        *("blocklist", "content_filter", "image_safety", "prohibited_content", "recitation", "refusal", "safety"),
        *("sensitive", "spii"),
    }
)


# Ends of a reply that broke off at the server: DeepSeek, OpenRouter, SGLang, Google, Ollama.
_BROKEN: Final = frozenset(
    {
        *("abort", "aborted", "cancelled", "canceled", "error", "failed", "insufficient_system_resource", "load"),
        *("malformed_function_call", "other", "timeout", "unexpected_tool_call", "unload"),
    }
)


class DroppedCall(NamedTuple):
    """Tool call that cannot run: `why` is how its reply ended, or `no_json`; `detail` says what the arguments lack."""

    tool: str
    why: str
    detail: str = ""


def read_end(metadata: Mapping[str, Any]) -> ReplyEnd | None:
    """How the provider says that the reply ended; None if it does not say."""
    reasons = [metadata.get(key) for key in _END_KEYS]
    incomplete = metadata.get("incomplete_details")  # OpenAI's newer API
    if isinstance(incomplete, Mapping):
        reasons.insert(0, incomplete.get("reason"))
    elif metadata.get("status") == "completed":
        return "complete"
    said = next((reason.lower() for reason in reasons if isinstance(reason, str) and reason), None)
    if said is None:
        return None
    if said in _BROKEN:
        return "connection"
    return "length" if said in _LENGTH else "filter" if said in _FILTER else "complete"


def reply_end(message: AIMessage) -> ReplyEnd:
    """How a reply ended. A reply of a model that is not a provider's is complete."""
    end = _ours(message).get("end")
    return cast("ReplyEnd", end) if end in get_args(ReplyEnd) else "complete"


def has_stood_in(message: AIMessage) -> bool:
    """Whether a fallback gave this reply, because the model before it did not."""
    return _ours(message).get("fallback") is True


def dropped_calls(message: AIMessage) -> tuple[DroppedCall, ...]:
    """Calls of the reply that were dropped, with the reason of each."""
    found = _ours(message).get("dropped")
    listed: Sequence[Any] = found if isinstance(found, list) else ()
    return tuple(DroppedCall(str(one["tool"]), str(one["why"]), str(one["detail"])) for one in listed)


def find_reasoning(message: AIMessage) -> str:
    """Reasoning of a reply, which is no part of its text."""
    text = message.additional_kwargs.get(REASONING)
    return text if isinstance(text, str) else ""


def _ours(message: AIMessage) -> Mapping[str, Any]:
    found = message.response_metadata.get(METIER)
    return found if isinstance(found, Mapping) else {}
