"""The pack's own documents and synonyms, where they lie."""

import tomllib
from pathlib import Path
from typing import Final

from metier.packs.telecom._knowledge import Knowledge, Synonyms, headings, read_passages

_FOLDER: Final = Path(__file__).parent / "knowledge"


def read_synonyms() -> Synonyms:
    """The words of the trade that mean the same."""
    return Synonyms(tomllib.loads((_FOLDER / "glossary.toml").read_text("utf-8"))["groups"])


def read_knowledge(synonyms: Synonyms) -> Knowledge:
    """All documents of the pack, on their shelves: terminology, design, corpus."""
    passages = read_passages(_FOLDER)
    terms = headings(one for one in passages if one.shelf == "terminology")
    return Knowledge(passages, synonyms, terms)
