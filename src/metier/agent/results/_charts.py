"""Charts: the `show_chart` tool, and a key in tool results. The user sees the chart, the model one line."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from metier.agent.adapters import AsyncToolHandler, ToolHandler, tool_message
from metier.agent.results._chart_spec import CHART_SCHEMA, ChartSpec, read_chart
from metier.agent.results._digest import (
    EventSink,
    Extraction,
    LanguageOption,
    ResultMiddleware,
    aemit_events,
    emit_events,
    replace_each,
    resolve_language,
)
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.store import EventDraft
from metier.tools import Language

SHOW_CHART: Final = "show_chart"
CHART_KEYS: Final = ("chart", "charts")
CHART_DESCRIPTION: Final = (
    "Show the user a chart of data you have. The chart is data only: rows, and which columns go where. "
    "向用户展示图表：只传数据行，以及各列的用途。"
)


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
        if request.tool_call["name"] != SHOW_CHART:
            return super().wrap_tool_call(request, handler)
        message, drafts = self._draw_chart(request)
        emit_events(self._on_event, drafts, request.runtime)
        return message

    async def awrap_tool_call(self, request: ToolCallRequest, handler: AsyncToolHandler) -> ToolMessage | Command[Any]:
        if request.tool_call["name"] != SHOW_CHART:
            return await super().awrap_tool_call(request, handler)
        message, drafts = self._draw_chart(request)
        await aemit_events(self._on_event, drafts, request.runtime)
        return message

    def _draw_chart(self, request: ToolCallRequest) -> tuple[ToolMessage, Iterator[EventDraft]]:
        language = resolve_language(request.state, self._language)
        return draw_chart(request.tool_call["args"], request.tool_call["id"] or "", language)


def draw_chart(arguments: JsonObject, call: str, language: Language) -> tuple[ToolMessage, Iterator[EventDraft]]:
    """Answer a call of `show_chart`: ToolMessage and the chart's event; for an invalid chart the reason, no event."""
    try:
        spec = read_chart(arguments)
    except InvalidInput as error:
        text = f"{error.message}. {error.hint}".strip()
        return tool_message(call, SHOW_CHART, text, error="invalid_chart"), iter(())
    return tool_message(call, SHOW_CHART, spec.digest(language)), _chart_events([spec], call)


def extract_charts(data: JsonValue, call: str, language: Language) -> Extraction | None:
    """Extract the charts of a result: one line each in their place, and their events."""
    if not isinstance(data, Mapping) or not any(key in data for key in CHART_KEYS):
        return None
    found: list[ChartSpec] = []
    made = replace_each(data, CHART_KEYS, lambda value, where: _digest_chart(value, where, found, language))
    return Extraction(made, _chart_events(found, call))


def show_chart_tool() -> StructuredTool:
    """The `show_chart` tool as the model sees it; the middleware runs it."""

    def show_chart(**_: object) -> str:
        return "no ChartMiddleware is there to show it"

    return StructuredTool.from_function(
        show_chart, name=SHOW_CHART, description=CHART_DESCRIPTION, args_schema=dict(CHART_SCHEMA)
    )


def _digest_chart(value: JsonValue, where: str, found: list[ChartSpec], language: Language) -> JsonValue:
    try:
        spec = read_chart(value, where)
    except InvalidInput as error:
        return {"error": error.message, "hint": error.hint}
    found.append(spec)
    return spec.digest(language)


def _chart_events(specs: Sequence[ChartSpec], call: str) -> Iterator[EventDraft]:
    for number, spec in enumerate(specs, 1):
        yield EventDraft("chart", {"chart": f"{call}-chart-{number}", "call": call, "spec": spec.to_json()})
