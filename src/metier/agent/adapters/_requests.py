"""What the hooks of a middleware receive: types of the handlers, the call of a request, the message of a response."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.tools import ToolCall

ModelHandler: TypeAlias = Callable[[ModelRequest[Any]], ModelResponse[Any]]
AsyncModelHandler: TypeAlias = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
ToolHandler: TypeAlias = Callable[[ToolCallRequest], ToolMessage | Command[Any]]
AsyncToolHandler: TypeAlias = Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]

_CHECKPOINTER: Final = "__pregel_checkpointer"


def get_tool_call(request: ToolCallRequest) -> ToolCall:
    """Return the call that a request is about to run."""
    call = request.tool_call
    return ToolCall(call["id"] or "", call["name"], call["args"])


def get_last_message(response: ModelResponse[Any] | AIMessage) -> AIMessage:
    """Return the last AIMessage of a model response; an empty one if there is none."""
    if isinstance(response, AIMessage):
        return response
    return next((one for one in reversed(response.result) if isinstance(one, AIMessage)), AIMessage(""))


def get_state(request: ToolCallRequest | ModelRequest[Any]) -> Mapping[str, Any]:
    """Return the agent's state as a mapping; LangGraph's tool node may also pass a bare list of messages."""
    state: object = request.state
    return state if isinstance(state, Mapping) else {"messages": state}


def can_pause(request: ToolCallRequest) -> bool:
    """Whether the run has a checkpointer; without one an interrupt can never be answered."""
    return bool(request.runtime.config.get("configurable", {}).get(_CHECKPOINTER))
