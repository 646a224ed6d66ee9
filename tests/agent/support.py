"""What the agent's tests share: tools that remember that they ran, and agents that are asked both ways."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AnyMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.graph.state import CompiledStateGraph

from metier.langchain import GateMiddleware
from metier.testing import FakeModel

Ask = Callable[..., Any]


class Toolbox:
    """Two tools, and what was done with them."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, Mapping[str, object]]] = []

    def tools(self) -> list[BaseTool]:
        def web_search(query: str) -> str:
            """Search the web."""
            self.ran.append(("web_search", {"query": query}))
            return f"found {query}"

        def delete_file(path: str) -> str:
            """Delete a file for good."""
            self.ran.append(("delete_file", {"path": path}))
            return f"deleted {path}"

        return [StructuredTool.from_function(web_search), StructuredTool.from_function(delete_file)]

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.ran]


def agent_of(model: FakeModel, box: Toolbox, *middleware: GateMiddleware, **options: Any) -> CompiledStateGraph[Any]:
    return create_agent(model, box.tools(), middleware=middleware, **options)


def asked(text: str = "do it") -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


async def run(way: str, agent: CompiledStateGraph[Any], given: Any, config: Any = None) -> dict[str, Any]:
    """Ask an agent by its synchronous or its asynchronous door."""
    result = agent.invoke(given, config) if way == "sync" else await agent.ainvoke(given, config)
    return dict(result)


def answers(result: Mapping[str, Any]) -> list[ToolMessage]:
    messages: list[AnyMessage] = result["messages"]
    return [message for message in messages if isinstance(message, ToolMessage)]


both_ways = pytest.mark.parametrize("way", ["sync", "async"])
