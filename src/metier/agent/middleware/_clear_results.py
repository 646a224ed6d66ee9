"""Clears old tool results from the prompt: the state keeps them, the model reads a placeholder.

The same rule as for the stored history (`metier.context.Clearing`), applied within a growing turn.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from metier.context import ClearingPolicy, TokenCounter

_MIN_CLEARED_TOKENS: Final = 100


class EditingMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Clears old tool results from the messages sent to the model, never from the state.

    Beyond `clearing.trigger_tokens` of results the oldest are replaced as a whole; the newest `keep` stay, and so do
    those of `keep_tools` (skills and knowledge). The placeholder says what was there.
    """

    def __init__(
        self,
        clearing: ClearingPolicy | None = None,
        *,
        count: Callable[[str], int] | None = None,
        name: str = "EditingMiddleware",
    ) -> None:
        super().__init__()
        self._clearing = ClearingPolicy() if clearing is None else clearing
        self._count: Callable[[str], int] = TokenCounter() if count is None else count
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        return handler(self._edit_request(request))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        return await handler(self._edit_request(request))

    def _edit_request(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        edited = clear_results(request.messages, self._clearing, self._count)
        return request if edited is None else request.override(messages=edited)


def clear_results(
    messages: Sequence[AnyMessage], clearing: ClearingPolicy, count: Callable[[str], int]
) -> list[AnyMessage] | None:
    """Messages with old results cleared; None if nothing has to be cleared."""
    results = [(at, one, count(one.text)) for at, one in enumerate(messages) if isinstance(one, ToolMessage)]
    excess = sum(tokens for _, _, tokens in results) - clearing.trigger_tokens
    if excess <= 0:
        return None
    names = {call["id"]: call["name"] for one in messages if isinstance(one, AIMessage) for call in one.tool_calls}
    edited = list(messages)
    for at, message, tokens in results[: max(0, len(results) - clearing.keep)]:
        tool = message.name or names.get(message.tool_call_id, "tool")
        if excess <= 0:
            break
        if tool in clearing.keep_tools or tokens < _MIN_CLEARED_TOKENS:
            continue
        placeholder = clearing.placeholder(tool, tokens)
        edited[at] = message.model_copy(update={"content": placeholder, "artifact": None})
        excess -= tokens - count(placeholder)
    return edited
