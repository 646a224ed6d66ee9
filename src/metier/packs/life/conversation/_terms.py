"""Explanations from the pack's own texts: sections of its documents, and the cards of the deck."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject
from metier.language import Sentences, choose, language_of
from metier.packs.life.tarot import TarotCard, load_deck

_FOLDER: Final = Path(__file__).parents[1] / "knowledge"
_ENGLISH: Final = "English:"
_HEADING: Final = re.compile(r"^##\s+(.+?)\s*$", re.MULTILINE)
_TEXTS: Final = Sentences(
    {
        "missing": (
            "The documents do not explain this. Ask about a card (the Tower), reversals, RIASEC, day master, "
            "ten gods, luck pillars, true solar time, rising sign, retrograde or if-then plans.",
            "资料里没有这个词。可以问某张牌（比如高塔）、逆位、霍兰德代码、日主、十神、大运、"
            "真太阳时、上升星座、逆行、如果就计划。",
        ),
        "card": (
            "**{name}**. Upright: {upright} Reversed: {reversed}",
            "**{name}**。正位：{upright}逆位：{reversed}",
        ),
        "source": ("Source: {source}", "来源：{source}"),
    }
)


@dataclass(frozen=True, slots=True)
class ExplainedTerm:
    """A section of a document: its words, its text in both languages and its citation."""

    id: str
    words: tuple[str, ...]
    text_zh: str
    text_en: str


def explain_term(question: str) -> JsonObject:
    """Answer a question about a card or a term, with the source."""
    language, lower = language_of(question), question.lower()
    card = _find_card(lower)
    hits = [(len(word), term) for term in read_terms() for word in term.words if _names(lower, word)]
    if card is not None and not any(length > len(card.name.zh) and "#" in term.id for length, term in hits):
        said = {"upright": card.upright.text(language), "reversed": card.reversed.text(language)}
        text = _TEXTS.render("card", language, name=card.name.text(language), **said)
        return _cite(text, f"tarot/cards#{card.id}", question)
    if not hits:
        return {"found": False, "answer": _TEXTS.render("missing", language), "citations": []}
    term = max(hits, key=lambda hit: hit[0])[1]
    return _cite(choose(language, zh=term.text_zh, en=term.text_en), term.id, question)


def _cite(text: str, source: str, question: str) -> JsonObject:
    told = _TEXTS.render("source", language_of(question), source=source)
    return {"found": True, "answer": f"{text}\n\n{told}", "citations": [source]}


def _find_card(lower: str) -> TarotCard | None:
    named = [card for card in load_deck() if card.name.zh in lower or _names(lower, card.name.en.lower())]
    named = named or [card for card in load_deck() if _names(lower, card.name.en.lower().removeprefix("the "))]
    named = [card for card in named if card.suit != "major" or _is_about_card(card, lower)]
    return max(named, key=lambda card: len(card.name.zh), default=None)


def _is_about_card(card: TarotCard, lower: str) -> bool:
    """Whether the words speak of the card: names such as sun or justice are everyday words too."""
    return len(card.name.zh) > 2 or re.search(r"牌|塔罗|正位|逆位|card|tarot|reversed|upright", lower) is not None


@cache
def read_terms() -> tuple[ExplainedTerm, ...]:
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
            found.append(ExplainedTerm(f"{file.stem}#{at + 1}", words, chinese.strip(), english.strip()))
    return tuple(found)


def _names(text: str, word: str) -> bool:
    if not word.isascii():
        return word in text
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text) is not None
