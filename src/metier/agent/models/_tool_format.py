"""How the tools of a request reach a model, to count what is sent."""

from functools import partial
from typing import Any

from langchain_core.runnables import RunnableBinding

from metier.agent.adapters import spec_from_langchain
from metier.agent.models._text_tools import TextToolModel
from metier.agent.models._wrapping import WrappingModel
from metier.context import JSON_TOOLS, ToolFormat
from metier.json_values import JsonObject
from metier.language import Language
from metier.tools import tool_instructions


def get_tool_format(model: Any, language: Language) -> ToolFormat:
    """Lines in the prompt for a model that calls tools as text; JSON for any other."""
    while isinstance(model, WrappingModel | RunnableBinding):
        if isinstance(model, TextToolModel):
            heading = tool_instructions((), language=language)
            return ToolFormat(partial(_render_line, heading, language), heading)
        model = model.answered_by(None) if isinstance(model, WrappingModel) else model.bound
    return JSON_TOOLS


def _render_line(heading: str, language: Language, definition: JsonObject) -> str:
    spec = spec_from_langchain(dict(definition))
    return tool_instructions((spec,), language=language).removeprefix(heading)
