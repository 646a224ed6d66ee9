"""LangChain's client for Anthropic, for turns in which not every call is the model's own."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_anthropic import ChatAnthropic
from langchain_core.language_models import LanguageModelInput

_THINKING: Final = frozenset({"thinking", "redacted_thinking"})


class AnthropicClient(ChatAnthropic):
    """`ChatAnthropic` that does not ask for thinking where the API would refuse it.

    With `thinking` of the type `enabled`, the last message with calls must begin with the reasoning that led to them. A
    call that a plan made, that another model made, or that was recovered after a crash has none.
    """

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        payload: dict[str, Any] = super()._get_request_payload(input_, stop=stop, **kwargs)
        asked = payload.get("thinking")
        if isinstance(asked, Mapping) and asked.get("type") == "enabled" and _lacks_thinking(payload["messages"]):
            del payload["thinking"]
        return payload


def _lacks_thinking(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the last message with calls does not begin with reasoning."""
    for message in reversed(messages):
        content = message["content"]
        if message["role"] == "assistant" and isinstance(content, list):
            kinds = [block["type"] for block in content if isinstance(block, Mapping)]
            if "tool_use" in kinds:
                return kinds[0] not in _THINKING
    return False
