"""Charts: the `show_chart` tool, and keys of tool results. The user sees the chart, the model reads one line."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from langchain_core.messages import ToolMessage

from metier.agent.adapters import tool_message
from metier.agent.results._chart_spec import CHART_SCHEMA, ChartSpec, read_chart
from metier.agent.results._digest import Extraction, replace_each
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.store import EventDraft
from metier.tools import ToolSpec

CHART_KEYS: Final = ("chart", "charts")
SHOW_CHART: Final = ToolSpec(
    "show_chart",
    "Show the user a chart of data you have. The chart is data only: rows, and which columns go where. "
    "向用户展示图表：只传数据行，以及各列的用途。",
    CHART_SCHEMA,
)


def draw_chart(arguments: JsonObject, call: str, language: Language) -> tuple[ToolMessage, Iterator[EventDraft]]:
    """Answer a call of `show_chart`: ToolMessage and the chart's event; for an invalid chart the reason, no event."""
    try:
        spec = read_chart(arguments)
    except InvalidInput as error:
        text = f"{error.message}. {error.hint}".strip()
        return tool_message(call, SHOW_CHART.name, text, error="invalid_chart"), iter(())
    return tool_message(call, SHOW_CHART.name, spec.digest(language)), _chart_events([spec], call)


def extract_charts(data: JsonValue, call: str, language: Language) -> Extraction | None:
    """Extract the charts of a result: one line each in their place, and their events."""
    if not isinstance(data, Mapping) or not any(key in data for key in CHART_KEYS):
        return None
    found: list[ChartSpec] = []
    made = replace_each(data, CHART_KEYS, lambda value, where: _digest_chart(value, where, found, language))
    return Extraction(made, _chart_events(found, call))


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
