"""Middleware that reads tool results: tables and charts go to the user, a digest to the model."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from langchain.agents.middleware.types import AgentMiddleware, AgentState
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import AsyncToolHandler, ToolHandler
from metier.agent.middleware._events import EventSink, LanguageOption, aemit_events, emit_events, resolve_language
from metier.agent.results import (
    CHART_KEYS,
    SHOW_CHART,
    TABLE_KEYS,
    Extraction,
    draw_chart,
    extract,
    extract_charts,
    extract_tables,
)
from metier.json_values import JsonValue
from metier.language import Language
from metier.store import EventDraft


class ResultMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Extracts data from tool results: emitted in full through `on_event`, left as a digest for the model."""

    keys: tuple[str, str] = ("", "")

    def __init__(self, on_event: EventSink | None, language: LanguageOption, name: str) -> None:
        super().__init__()
        self._on_event = on_event
        self._language = language
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    @abstractmethod
    def extract(self, data: JsonValue, call: str, language: Language) -> Extraction | None:
        """Extract from this result; None if it holds nothing for this middleware."""

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        result = handler(request)
        if not isinstance(result, ToolMessage):
            return result
        message, drafts = self._extract(result, request)
        emit_events(self._on_event, drafts, request.runtime)
        return message

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        result = await handler(request)
        if not isinstance(result, ToolMessage):
            return result
        message, drafts = self._extract(result, request)
        await aemit_events(self._on_event, drafts, request.runtime)
        return message

    def _extract(self, message: ToolMessage, request: ToolCallRequest) -> tuple[ToolMessage, Iterable[EventDraft]]:
        return extract(message, self.keys, self.extract, resolve_language(request.state, self._language))


class TableMiddleware(ResultMiddleware):
    """Extracts tables from tool results.

    `on_event` gets `table` events: `{"table": id, "call", "title", "columns", "total", "kept", "offset", "rows",
    "more"}`; a large table comes in several, of which only the first has title and columns. The model reads a digest
    instead; `result_data(message)` still returns the whole result.
    """

    keys = TABLE_KEYS

    def __init__(
        self, *, on_event: EventSink | None = None, language: LanguageOption = "auto", name: str = "TableMiddleware"
    ) -> None:
        super().__init__(on_event, language, name)

    def extract(self, data: JsonValue, call: str, language: Language) -> Extraction | None:
        return extract_tables(data, call, language)


class ChartMiddleware(ResultMiddleware):
    """`show_chart` for the model, and `chart` or `charts` in tool results.

    `on_event` gets `chart` events: `{"chart": id, "call", "spec"}`, where `spec` is `ChartSpec.to_json()`. An invalid
    chart is answered with the field and the reason, and nothing is shown.
    """

    keys = CHART_KEYS

    def __init__(
        self, *, on_event: EventSink | None = None, language: LanguageOption = "auto", name: str = "ChartMiddleware"
    ) -> None:
        super().__init__(on_event, language, name)
        self.tools = [show_chart_tool()]

    def extract(self, data: JsonValue, call: str, language: Language) -> Extraction | None:
        return extract_charts(data, call, language)

    def wrap_tool_call(self, request: ToolCallRequest, handler: ToolHandler) -> ToolMessage | Command[Any]:
        if request.tool_call["name"] != SHOW_CHART.name:
            return super().wrap_tool_call(request, handler)
        message, drafts = self._draw_chart(request)
        emit_events(self._on_event, drafts, request.runtime)
        return message

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        if request.tool_call["name"] != SHOW_CHART.name:
            return await super().awrap_tool_call(request, handler)
        message, drafts = self._draw_chart(request)
        await aemit_events(self._on_event, drafts, request.runtime)
        return message

    def _draw_chart(self, request: ToolCallRequest) -> tuple[ToolMessage, Iterator[EventDraft]]:
        language = resolve_language(request.state, self._language)
        return draw_chart(request.tool_call["args"], request.tool_call["id"] or "", language)


def show_chart_tool() -> StructuredTool:
    """The `show_chart` tool as the model sees it; the middleware runs it."""

    def show_chart(**_: object) -> str:
        return "no ChartMiddleware is there to show it"

    return StructuredTool.from_function(
        show_chart, name=SHOW_CHART.name, description=SHOW_CHART.description, args_schema=dict(SHOW_CHART.parameters)
    )
