"""Several middleware combined into one.

LangChain traces every hook of every middleware, which costs two thread switches and a task each, with tracing on or
off: more than half of what a turn cost. Combined, the middleware call each other directly and are traced once.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import AsyncModelHandler, AsyncToolHandler

Middleware = AgentMiddleware[Any, Any, Any]


class Stack(AgentMiddleware[AgentState[Any], Any, Any]):
    """Runs several middleware as one, the outermost first; only `awrap_model_call` and `awrap_tool_call` are used."""

    def __init__(self, parts: Sequence[Middleware], *, name: str) -> None:
        super().__init__()
        self._name = name
        self._model_middleware = [
            part for part in parts if type(part).awrap_model_call is not AgentMiddleware.awrap_model_call
        ]
        self._tool_middleware = [
            part for part in parts if type(part).awrap_tool_call is not AgentMiddleware.awrap_tool_call
        ]

    @property
    def name(self) -> str:
        return self._name

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: AsyncModelHandler
    ) -> ModelResponse[Any] | AIMessage:
        call: Any = handler
        for part in reversed(self._model_middleware):
            call = partial(part.awrap_model_call, handler=call)
        answer: ModelResponse[Any] | AIMessage = await call(request)
        return answer

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        call: Any = handler
        for part in reversed(self._tool_middleware):
            call = partial(part.awrap_tool_call, handler=call)
        answer: ToolMessage | Command[Any] = await call(request)
        return answer
