"""Sections of `knowledge/terms.md` that a question names by their heading or a synonym of the glossary."""

from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from metier.json_values import JsonObject
from metier.language import BilingualText, Language, Sentences, choose, join_names
from metier.pack import choose_terms, describe_unexplained, read_terms
from metier.tools import FunctionTool, ToolResult, add_title, function_tool, show_as

__all__ = ["build_term_tool", "explain_office_word", "explain_word"]

_FOLDER: Final = Path(__file__).parents[1] / "knowledge"
_WORDS: Final = Sentences(
    {
        "unknown": (
            "The pack's documents do not explain this. They explain: {words}.",
            "资料里没有这个词。可以问：{words}。",
        ),
        "document": ("From: {name}", "出自：{name}"),
    }
)

Query = Annotated[
    str,
    Field(
        min_length=1, max_length=1000, description="问题 · the question", json_schema_extra=show_as("问题", "Question")
    ),
]
TermLanguage = Annotated[
    Language, Field(description="语言 · language", json_schema_extra=show_as("语言", "Language", hidden=True))
]


def explain_office_word(question: str, language: Language) -> JsonObject:
    """The sections of this pack's documents that a question names."""
    return explain_word(_FOLDER, question, language)


def explain_word(folder: Path, question: str, language: Language) -> JsonObject:
    """The sections that a question names, at most two, in the order of the question; else what can be asked."""
    terms = read_terms(folder, "·")
    chosen = choose_terms(terms, question)
    if not chosen:
        names = join_names((choose(language, zh=one.names[0], en=one.names[-1]) for one in terms), language)
        return {"found": False, "answer": _WORDS.render("unknown", language, words=names), "citations": []}
    parts = [f"**{choose(language, zh=one.names[0], en=one.names[-1])}** {one.text(language)}" for one in chosen]
    parts.append(describe_unexplained(question, (word for one in chosen for word in one.words), language))
    return {"found": True, "answer": "\n\n".join(filter(None, parts)), "citations": [one.id for one in chosen]}


def explain_office_term(query: Query, language: TermLanguage = "zh") -> ToolResult:
    """用资料解释办公用语，注明出处。Explain a word of the office from the documents, with its source."""
    return ToolResult(explain_office_word(query, language))


def build_term_tool() -> FunctionTool:
    """The tool with its name for people."""
    tool = function_tool(explain_office_term, idempotent=True, effects=frozenset({"reads"}), retrieves="knowledge")
    return add_title(tool, BilingualText("解释用语", "Explain a term"))
