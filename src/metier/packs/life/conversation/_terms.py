"""Explanations from the pack's own texts: sections of its documents, and the cards of the deck."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from metier.json_values import JsonObject
from metier.language import Language, Sentences, join_names, language_of
from metier.pack import choose_terms, describe_unexplained, find_terms, find_word, read_terms, split_compared
from metier.packs.life.conversation._sun_signs import explain_sign
from metier.packs.life.tarot import TarotCard, load_deck

_FOLDER: Final = Path(__file__).parents[1] / "knowledge"
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
        "deck": ("Tarot cards › {name}", "塔罗牌义 › {name}"),
    }
)


def explain_term(question: str) -> JsonObject:
    """Answer a question about a card or a term, with the source."""
    language, lower = language_of(question), question.lower()
    if sign := explain_sign(question, language):
        return {"found": True, "answer": sign, "citations": []}
    found_cards = [_find_card(side.lower(), lower) for side in split_compared(question) or (question,)]
    cards = [card for card in found_cards if card is not None]
    hits = find_terms(read_terms(_FOLDER), question)
    if cards and not any(hit.length > max(len(card.name.zh) for card in cards) for hit in hits):
        told = [_describe_card(card, language) for card in cards]
        names = [name for card in cards for name in (card.name.zh, card.name.en, card.name.en.removeprefix("The "))]
        told.append(describe_unexplained(question, names, language))
        cited = {
            f"tarot/cards#{card.id}": _TEXTS.render("deck", language, name=card.name.text(language)) for card in cards
        }
        return _cite("\n\n".join(filter(None, told)), cited, language)
    if not hits:
        return {"found": False, "answer": _TEXTS.render("missing", language), "citations": []}
    found = choose_terms(read_terms(_FOLDER), question)
    told = [f"**{one.name(language)}** {one.text(language)}" for one in found]
    told.append(describe_unexplained(question, (word for one in found for word in one.words), language))
    cited = {one.id: one.source(language) for one in found}
    return _cite("\n\n".join(filter(None, told)), cited, language)


def _cite(text: str, cited: Mapping[str, str], language: Language) -> JsonObject:
    """The answer with its sources as people find them; programs get their ids."""
    told = _TEXTS.render("source", language, source=join_names(cited.values(), language))
    return {"found": True, "answer": f"{text}\n\n{told}", "citations": list(cited)}


def _describe_card(card: TarotCard, language: Language) -> str:
    said = {"upright": card.upright.text(language), "reversed": card.reversed.text(language)}
    return _TEXTS.render("card", language, name=card.name.text(language), **said)


def _find_card(lower: str, whole: str) -> TarotCard | None:
    """The card that a part of a question names."""
    named = [card for card in load_deck() if card.name.zh in lower or _is_named(lower, card.name.en.lower())]
    named = named or [card for card in load_deck() if _is_named(lower, card.name.en.lower().removeprefix("the "))]
    named = [card for card in named if card.suit != "major" or _is_about_card(card, whole)]
    return max(named, key=lambda card: len(card.name.zh), default=None)


def _is_about_card(card: TarotCard, lower: str) -> bool:
    """Whether the words speak of the card: names such as sun or justice are everyday words too."""
    is_alone = re.match(rf"(?:{card.name.zh})(?:是什么|的含义|的意思|代表什么|什么意思)", lower) is not None
    return (
        len(card.name.zh) > 2
        or is_alone
        or re.search(r"牌|塔罗|正位|逆位|card|tarot|reversed|upright", lower) is not None
    )


def _is_named(lower: str, name: str) -> bool:
    return find_word(lower, name) is not None
