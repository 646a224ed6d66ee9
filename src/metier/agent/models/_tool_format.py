"""How the tools of a request reach a model, to count what is sent."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from metier.agent.adapters import spec_from_langchain, to_langchain_messages
from metier.agent.models._chat_templates import find_chat_template
from metier.agent.models._text_tools import TextToolModel
from metier.agent.models._text_transcript import to_schema_transcript, to_text_transcript
from metier.agent.models._tool_modes import AskedToolModel
from metier.agent.models._wrapping import iter_wrapped
from metier.agent.models.decoding import SchemaToolModel, ToolMode
from metier.context import ToolFormat
from metier.json_values import JsonObject
from metier.language import Language
from metier.tools import ToolSpec, schema_instructions, tool_instructions


def get_tool_format(model: Any, language: Language) -> ToolFormat:
    """Lines in the prompt for a model that reads its tools there; JSON for any other."""
    mode = next(filter(None, map(_find_mode, iter_wrapped(model))), "native")
    if mode == "native":
        return ToolFormat(heading=find_chat_template(model).tools_heading)
    explain = partial(schema_instructions if mode == "schema" else tool_instructions, language=language)
    heading = explain(())
    is_schema = mode == "schema"
    demand = partial(_render_demanded, language) if is_schema else None
    write = partial(to_schema_transcript if is_schema else to_text_transcript, tools=(), language=language)
    return ToolFormat(
        partial(_render_line, explain, heading),
        heading,
        demand,
        lambda messages: [one.text for one in write(to_langchain_messages(messages))],
    )


def _find_mode(model: Any) -> ToolMode | None:
    if isinstance(model, AskedToolModel):
        return model.capabilities.mode if model.capabilities is not None else None
    return "text" if isinstance(model, TextToolModel) else "schema" if isinstance(model, SchemaToolModel) else None


def _render_line(explain: Callable[[Sequence[ToolSpec]], str], heading: str, definition: JsonObject) -> str:
    return explain((spec_from_langchain(dict(definition)),)).removeprefix(heading)


def _render_demanded(language: Language, definition: JsonObject) -> str:
    spec = spec_from_langchain(dict(definition))
    return schema_instructions((spec,), language=language, must=spec.name)
