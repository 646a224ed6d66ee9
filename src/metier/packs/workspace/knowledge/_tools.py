"""The tool that explains a word of the workspace."""

from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from metier.language import BilingualText, Language
from metier.pack import PackContext
from metier.packs.office.terms import explain_word
from metier.tools import FunctionTool, ToolResult, add_title, function_tool, show_as

_FOLDER: Final = Path(__file__).parent
Query = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1000,
        description="问题 · the question",
        json_schema_extra=show_as("问题", "Question"),
    ),
]
TermLanguage = Annotated[
    Language,
    Field(
        description="语言 · language",
        json_schema_extra=show_as("语言", "Language", hidden=True),
    ),
]


def explain_workspace_term(query: Query, language: TermLanguage = "zh") -> ToolResult:
    """用资料解释研究、数据、文档和代码的用语。Explain a word of research, data, documents or code."""
    return ToolResult(explain_word(_FOLDER, query, language))


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """The tool with its name for people."""
    del context
    tool = function_tool(explain_workspace_term, idempotent=True, effects=frozenset({"reads"}), retrieves="knowledge")
    return (add_title(tool, BilingualText("解释用语", "Explain a term")),)
