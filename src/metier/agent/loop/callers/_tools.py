"""Tools that middleware of the caller brings: offered and checked like any other, run where LangChain runs them.

Such a tool may read the state of its middleware and change it, which only LangChain's own tool node lets it do.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from langchain_core.messages import ToolCall as MessageCall
from langchain_core.messages import ToolMessage
from langchain_core.tools import BaseTool
from langchain_core.tools import tool as make_langchain_tool
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import AsyncToolHandler, find_tool_message, result_data, spec_from_langchain
from metier.agent.loop._stack import Middleware
from metier.agent.loop.callers._check import check_middleware
from metier.agent.middleware import TASK, WRITE_TODOS
from metier.errors import InvalidTool
from metier.json_values import JsonObject
from metier.tools import CONTROL_TOOLS, Registry, SideEffect, Tool, ToolContext, ToolError, ToolResult, ToolSpec

_TIMEOUT_S: Final = 120.0  # LangChain sets none; the longest of its own tools, its shell, gives a command 30 s
# LangChain does not say what a tool does, so it is taken to do everything.
_ALL_EFFECTS: Final[frozenset[SideEffect]] = frozenset({"reads", "writes", "network", "executes"})

_RunTool: TypeAlias = Callable[[JsonObject], Awaitable[ToolResult]]
_RUN: Final[ContextVar[_RunTool | None]] = ContextVar("run_middleware_tool", default=None)


@dataclass(frozen=True, slots=True)
class MiddlewareTool:
    """Tool of a middleware. It runs in the tool node of the turn's agent, so only inside of a turn."""

    spec: ToolSpec
    tool: BaseTool

    async def run(self, arguments: JsonObject, context: ToolContext) -> ToolResult:
        run = _RUN.get()
        if run is None:
            raise ToolError(f"{self.spec.name} belongs to middleware of an agent", hint="call it in a conversation")
        return await run(arguments)


@dataclass(slots=True)
class _Handled:
    """What LangChain's tool node made of a call: its result, or the interrupt that its tool raised."""

    result: ToolMessage | Command[Any] | None = None
    interrupt: GraphBubbleUp | None = field(default=None, repr=False)


def list_middleware_tools(
    middleware: Sequence[Middleware], others: Sequence[Tool], skill_tool: str
) -> tuple[MiddlewareTool, ...]:
    """Tools that the middleware brings, if a turn can run with it; else `UsageError`, or `InvalidTool` for a tool.

    A tool that is the runtime's own todo list is left out: the runtime runs it.
    """
    check_middleware(middleware)
    reserved = {*CONTROL_TOOLS, TASK, skill_tool, *(tool.spec.name for tool in others)}
    made = tuple(made for part in middleware for made in _iter_tools(part, reserved))
    Registry(made)  # refuses what cannot be a tool here
    return made


def _iter_tools(part: Middleware, reserved: set[str]) -> Iterator[MiddlewareTool]:
    for given in getattr(part, "tools", ()):
        if isinstance(given, dict):
            continue  # executed by the provider of the model, never here
        tool = given if isinstance(given, BaseTool) else make_langchain_tool(given)
        described = spec_from_langchain(tool)
        if described.name == WRITE_TODOS.name and _list_arguments(described) == _list_arguments(WRITE_TODOS):
            continue
        if described.name in reserved:
            reason = f"{part.name} brings a tool {described.name!r}, which is the name of another tool here"
            raise InvalidTool(reason, hint="give the tool another name, or leave out this middleware")
        yield MiddlewareTool(_build_spec(described, part), tool)


def _build_spec(described: ToolSpec, part: Middleware) -> ToolSpec:
    return ToolSpec(
        described.name,
        described.description,
        described.parameters,
        source=part.name,
        timeout_s=_TIMEOUT_S,
        effects=_ALL_EFFECTS,
    )


def _list_arguments(spec: ToolSpec) -> set[str]:
    declared = spec.parameters.get("properties")
    return set(declared) if isinstance(declared, Mapping) else set()


async def run_with_handler(
    request: ToolCallRequest, handler: AsyncToolHandler, run: Callable[[], Awaitable[ToolMessage]]
) -> ToolMessage | Command[Any]:
    """Run a call of any tool; one of a middleware goes through `handler`, and may change the state of the agent.

    An interrupt that a tool raises leaves as it came, as LangGraph wants it.
    """
    handled = _Handled()
    token = _RUN.set(lambda arguments: _call_handler(request, handler, arguments, handled))
    try:
        message = await run()
    finally:
        _RUN.reset(token)
    if handled.interrupt is not None:
        raise handled.interrupt
    return _replace_message(handled.result, message)


async def _call_handler(
    request: ToolCallRequest, handler: AsyncToolHandler, arguments: JsonObject, handled: _Handled
) -> ToolResult:
    call: MessageCall = {**request.tool_call, "args": dict(arguments)}
    try:
        handled.result = await handler(request.override(tool_call=call))
    except GraphBubbleUp as interrupt:
        handled.interrupt = interrupt
        raise
    message = find_tool_message(handled.result)
    if message is None:
        return ToolResult(data={"done": True})
    if message.status == "error":
        return ToolResult.fail("tool_failed", message.text)
    data = result_data(message)
    return ToolResult(data=dict(data) if isinstance(data, Mapping) else {"text": message.text})


def _replace_message(result: ToolMessage | Command[Any] | None, message: ToolMessage) -> ToolMessage | Command[Any]:
    """The state that a tool changed, with the message that is recorded in the place of its own."""
    if not isinstance(result, Command) or not isinstance(result.update, Mapping):
        return message
    others = [one for one in result.update.get("messages", ()) if not isinstance(one, ToolMessage)]
    return Command(graph=result.graph, goto=result.goto, update={**result.update, "messages": [*others, message]})
