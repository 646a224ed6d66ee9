"""Public skill files with descriptions and no examples, as corpora for the heads."""

import json
from pathlib import Path
from typing import Final

from metier.routing.text import parse_scope
from metier.textsearch import has_cjk, id_to_words
from training._corpus import Corpus

# Beyond these, skills without a message only cost time.
_MAX_SKILLS: Final = 500


def load_described(data: Path) -> tuple[Corpus, ...]:
    """Load every `described/*.json` of the folder: messages for exactly one skill, and the skills around them."""
    return tuple(_read(file) for file in sorted((data / "described").glob("*.json")))


def _read(file: Path) -> Corpus:
    content = json.loads(file.read_text("utf-8"))
    messages: dict[str, list[str]] = {}
    for row in content["messages"]:
        if len(row["expect"]) == 1:
            messages.setdefault(row["expect"][0], []).append(row["text"])
    for row in content["skills"]:
        if len(messages) < _MAX_SKILLS:
            messages.setdefault(row["name"], [])
    about = {
        row["name"]: _list_about(row["name"], row["description"])
        for row in content["skills"]
        if row["name"] in messages
    }
    chinese = any(has_cjk(text) for said in messages.values() for text in said)
    return Corpus(file.stem, file.stem, {name: tuple(messages[name]) for name in sorted(about)}, about, chinese)


def _list_about(name: str, description: str) -> tuple[str, ...]:
    scope = parse_scope(description)
    return tuple(text for text in (id_to_words(name), scope.covered, ", ".join(scope.phrases)) if text)
