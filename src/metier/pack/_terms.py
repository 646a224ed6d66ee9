"""Terms that a pack's own documents explain: sections by their heading, with the synonyms of its glossary."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from metier.language import Language, choose

GLOSSARY_FILE: Final = "glossary.toml"
_ENGLISH: Final = "English:"
_HEADING: Final = re.compile(r"^##\s+(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DocumentedTerm:
    """A section of a document: its names, all words that mean it, its text in both languages, and its citation."""

    id: str
    names: tuple[str, ...]
    words: tuple[str, ...]
    zh: str
    en: str

    def text(self, language: Language) -> str:
        """The explanation in a language."""
        return choose(language, zh=self.zh, en=self.en)


class TermHit(NamedTuple):
    """A term that a question names: at which character, and by a word of which length."""

    term: DocumentedTerm
    place: int
    length: int


@cache
def read_terms(folder: Path, separators: str = "/·（）()") -> tuple[DocumentedTerm, ...]:
    """Terms of all documents of a folder. A heading may hold several names between the separators."""
    groups = tomllib.loads((folder / GLOSSARY_FILE).read_text("utf-8"))["groups"]
    found = []
    for file in sorted(folder.glob("*.md")):
        text = file.read_text("utf-8")
        headings = list(_HEADING.finditer(text))
        for at, heading in enumerate(headings):
            until = headings[at + 1].start() if at + 1 < len(headings) else len(text)
            chinese, _, english = text[heading.end() : until].strip().partition(_ENGLISH)
            names = tuple(one.strip() for one in re.split(f"[{re.escape(separators)}]", heading[1]) if one.strip())
            more = [word for group in groups if set(names) & set(group) for word in group]
            words = tuple(dict.fromkeys(word.lower() for word in (*names, *more)))
            found.append(DocumentedTerm(f"{file.stem}#{at + 1}", names, words, chinese.strip(), english.strip()))
    return tuple(found)


def find_terms(terms: Iterable[DocumentedTerm], question: str) -> list[TermHit]:
    """Terms whose words stand in the question, each by every word; Latin words only as whole words."""
    lower = question.lower()
    return [
        TermHit(term, place, len(word))
        for term in terms
        for word in term.words
        if (place := find_word(lower, word)) is not None
    ]


def find_word(text: str, word: str) -> int | None:
    """Where a word stands in a text, both in lower case; a Latin word only as a whole word."""
    if not word.isascii():
        return text.find(word) if word in text else None
    match = re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text)
    return match.start() if match else None
