"""Explanations from the pack's own documents: the section whose heading or synonym the question names."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject
from metier.language import choose, language_of

_FOLDER: Final = Path(__file__).parents[1] / "knowledge"
_ENGLISH: Final = "English:"
_HEADING: Final = re.compile(r"^##\s+(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Term:
    """A section of a document: its words, its text in both languages and its citation."""

    id: str
    words: tuple[str, ...]
    text_zh: str
    text_en: str


def explain_term(question: str) -> JsonObject:
    """Answer a question about a term from the documents, with the source."""
    language = language_of(question)
    lower = question.lower()
    hits = [(len(word), term) for term in read_terms() for word in term.words if _names(lower, word)]
    if not hits:
        told = choose(
            language,
            zh="资料里没有这个词。可以问：BPFO、BPFI、包络谱、峭度、预白化、谱峭度、转速校正、边带、健康指数、剩余寿命。",
            en="The documents do not explain this. Ask about BPFO, BPFI, envelope spectrum, kurtosis, pre-whitening, "
            "kurtogram, speed refinement, side bands, health index or remaining life.",
        )
        return {"found": False, "answer": told, "citations": []}
    term = max(hits, key=lambda hit: hit[0])[1]
    text = choose(language, zh=term.text_zh, en=term.text_en)
    source = choose(language, zh=f"来源：{term.id}", en=f"Source: {term.id}")
    return {"found": True, "answer": f"{text}\n\n{source}", "citations": [term.id]}


@cache
def read_terms() -> tuple[Term, ...]:
    """Terms of all documents, with the synonyms of the glossary."""
    groups = tomllib.loads((_FOLDER / "glossary.toml").read_text("utf-8"))["groups"]
    found = []
    for file in sorted(_FOLDER.glob("*.md")):
        text = file.read_text("utf-8")
        headings = list(_HEADING.finditer(text))
        for at, heading in enumerate(headings):
            until = headings[at + 1].start() if at + 1 < len(headings) else len(text)
            chinese, _, english = text[heading.end() : until].strip().partition(_ENGLISH)
            own = [word.strip() for word in re.split(r"[/·（）()]", heading[1]) if word.strip()]
            more = [word for group in groups if set(own) & set(group) for word in group]
            words = tuple(dict.fromkeys(word.lower() for word in (*own, *more)))
            found.append(Term(f"{file.stem}#{at + 1}", words, chinese.strip(), english.strip()))
    return tuple(found)


def _names(text: str, word: str) -> bool:
    if not word.isascii():
        return word in text
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text) is not None
