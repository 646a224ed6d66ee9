"""Loads the pack's documents and synonyms, once per process: they are shipped with it."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from metier.packs.telecom._knowledge import KnowledgeBase, Synonyms, extract_headings, read_passages

_FOLDER: Final = Path(__file__).parent / "knowledge"


@cache
def read_synonyms() -> Synonyms:
    """Read the domain's synonyms."""
    return Synonyms(tomllib.loads((_FOLDER / "glossary.toml").read_text("utf-8"))["groups"])


@cache
def read_knowledge(synonyms: Synonyms) -> KnowledgeBase:
    """Read all documents of the pack, in the collections terminology, design and corpus."""
    passages = read_passages(_FOLDER)
    terms = extract_headings(one for one in passages if one.collection == "terminology")
    return KnowledgeBase(passages, synonyms, terms)
