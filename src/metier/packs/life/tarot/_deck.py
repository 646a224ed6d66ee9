"""The 78 cards with their texts, read from `cards.txt`."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from metier.language import BilingualText, Language, choose

Suit = Literal["major", "wands", "cups", "swords", "pentacles"]

_FILE: Final = Path(__file__).with_name("cards.txt")
_COLUMNS: Final = 7


@dataclass(frozen=True, slots=True)
class TarotCard:
    """One card: its suit and number, its name, and its text upright and reversed."""

    id: str
    suit: Suit
    number: int
    name: BilingualText
    upright: BilingualText
    reversed: BilingualText


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card of a draw, upright or reversed."""

    card: TarotCard
    is_reversed: bool

    def title(self, language: Language) -> str:
        """Name of the card and which way up it lies."""
        name = choose(language, zh=self.card.name.zh, en=self.card.name.en)
        if self.is_reversed:
            return choose(language, zh=f"{name}（逆位）", en=f"{name} (reversed)")
        return choose(language, zh=f"{name}（正位）", en=f"{name} (upright)")

    def text(self, language: Language) -> str:
        """What the card says the way it lies."""
        said = self.card.reversed if self.is_reversed else self.card.upright
        return choose(language, zh=said.zh, en=said.en)


@cache
def load_deck() -> tuple[TarotCard, ...]:
    """All cards in the order of the deck before it is shuffled; the order is part of the shuffle's definition."""
    rows = [line.split(" | ") for line in _FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return tuple(_read_card(row) for row in rows if len(row) == _COLUMNS)


def _read_card(row: list[str]) -> TarotCard:
    suit, _, number = row[0].partition("-")
    suits: dict[str, Suit] = {one: one for one in ("major", "wands", "cups", "swords", "pentacles")}
    texts = [BilingualText(row[at].strip(), row[at + 1].strip()) for at in (1, 3, 5)]
    return TarotCard(row[0], suits[suit], int(number), *texts)
