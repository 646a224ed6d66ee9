"""The tool that explains a word of the workspace."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import Field

from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.pack import PackContext
from metier.packs.office.terms import explain_word
from metier.tools import FunctionTool, ToolResult, function_tool

_FOLDER: Final = Path(__file__).parent
_HINTS: Final[Mapping[str, JsonValue]] = MappingProxyType(
    {
        "title": {"zh": "解释用语", "en": "Explain a term"},
        "description": {
            "zh": "用资料解释研究、数据、文档和代码的用语。",
            "en": "Explain a word of research, data, documents or code.",
        },
    }
)
Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="问题 · the question",
        json_schema_extra={"x-ui": {"title": {"zh": "问题", "en": "Question"}}},
    ),
]
TermLanguage = Annotated[
    Language,
    Field(
        description="语言 · language",
        json_schema_extra={"x-ui": {"title": {"zh": "语言", "en": "Language"}, "hidden": True}},
    ),
]


def explain_workspace_term(query: Query, language: TermLanguage = "zh") -> ToolResult:
    """用资料解释研究、数据、文档和代码的用语。Explain a word of research, data, documents or code."""
    return ToolResult(explain_word(_FOLDER, query, language))


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """The tool with its name for people."""
    del context
    tool = function_tool(explain_workspace_term, idempotent=True, effects=frozenset({"reads"}), retrieves="knowledge")
    parameters: JsonObject = {**tool.spec.parameters, "x-ui": dict(_HINTS)}
    return (replace(tool, spec=replace(tool.spec, parameters=parameters)),)
