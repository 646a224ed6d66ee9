"""Sections of `knowledge/terms.md` that a question names by their heading or a synonym of the glossary."""

import re
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from metier.json_values import JsonObject, JsonValue
from metier.language import Language, Sentences, choose, join_names
from metier.tools import FunctionTool, ToolResult, function_tool

__all__ = ["OfficeTerm", "build_term_tool", "explain_office_word", "read_office_terms"]

_FOLDER: Final = Path(__file__).parents[1] / "knowledge"
_HEADING: Final = re.compile(r"^##\s+(.+?)\s*$", re.MULTILINE)
_ENGLISH: Final = "English:"
_WORDS: Final = Sentences(
    {
        "unknown": (
            "The pack's documents do not explain this. They explain: {words}.",
            "资料里没有这个词。可以问：{words}。",
        ),
        "document": ("From: {name}", "出自：{name}"),
        "title": ("Explain a term", "解释用语"),
        "tool": ("Explain a word of the office from the documents, with its source.", "用资料解释办公用语，注明出处。"),
    }
)


def _hint(zh: str, en: str, *, hidden: bool = False) -> dict[str, JsonValue]:
    return {"x-ui": {"title": {"zh": zh, "en": en}, **({"hidden": True} if hidden else {})}}


Query = Annotated[
    str,
    Field(
        min_length=1, max_length=1000, description="问题 · the question", json_schema_extra=_hint("问题", "Question")
    ),
]
TermLanguage = Annotated[
    Language, Field(description="语言 · language", json_schema_extra=_hint("语言", "Language", hidden=True))
]


@dataclass(frozen=True, slots=True)
class OfficeTerm:
    """One section: its names, its text in both languages, and where it stands."""

    place: str
    names: tuple[str, ...]
    words: tuple[str, ...]
    zh: str
    en: str


@cache
def read_office_terms() -> tuple[OfficeTerm, ...]:
    """All sections, with the synonyms of the glossary."""
    groups = tomllib.loads((_FOLDER / "glossary.toml").read_text("utf-8"))["groups"]
    text = (_FOLDER / "terms.md").read_text("utf-8")
    headings = list(_HEADING.finditer(text))
    found = []
    for number, heading in enumerate(headings):
        end = headings[number + 1].start() if number + 1 < len(headings) else len(text)
        chinese, _, english = text[heading.end() : end].strip().partition(_ENGLISH)
        names = tuple(name.strip() for name in heading[1].split("·") if name.strip())
        more = [word for group in groups if set(names) & set(group) for word in group]
        words = tuple(dict.fromkeys(word.lower() for word in (*names, *more)))
        found.append(OfficeTerm(f"terms#{number + 1}", names, words, chinese.strip(), english.strip()))
    return tuple(found)


def explain_office_word(question: str, language: Language) -> JsonObject:
    """The sections that a question names, at most two, in the order of the question; else what can be asked."""
    lower = question.lower()
    hits = []
    for term in read_office_terms():
        places = [(place, -len(word)) for word in term.words if (place := _find_word(lower, word)) >= 0]
        if places:
            hits.append((min(places), term))
    if not hits:
        names = join_names(
            (choose(language, zh=one.names[0], en=one.names[-1]) for one in read_office_terms()), language
        )
        return {"found": False, "answer": _WORDS.render("unknown", language, words=names), "citations": []}
    chosen = [term for _, term in sorted(hits, key=lambda hit: hit[0])][:2]
    parts = [
        f"**{choose(language, zh=one.names[0], en=one.names[-1])}** {choose(language, zh=one.zh, en=one.en)}"
        for one in chosen
    ]
    return {"found": True, "answer": "\n\n".join(parts), "citations": [one.place for one in chosen]}


def _find_word(text: str, word: str) -> int:
    if not word.isascii():
        return text.find(word)
    match = re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text)
    return match.start() if match else -1


def explain_office_term(query: Query, language: TermLanguage = "zh") -> ToolResult:
    """用资料解释办公用语，注明出处。Explain a word of the office from the documents, with its source."""
    return ToolResult(explain_office_word(query, language))


def build_term_tool() -> FunctionTool:
    """The tool with its name for people."""
    tool = function_tool(explain_office_term, idempotent=True, effects=frozenset({"reads"}), retrieves="knowledge")
    hints = {
        "title": {"zh": _WORDS.render("title", "zh"), "en": _WORDS.render("title", "en")},
        "description": {"zh": _WORDS.render("tool", "zh"), "en": _WORDS.render("tool", "en")},
    }
    return replace(tool, spec=replace(tool.spec, parameters={**tool.spec.parameters, "x-ui": hints}))
