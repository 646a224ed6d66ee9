"""A draw: the seed comes from the operating system, its hash is shown before the cards, the seed after them."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from metier.json_values import JsonObject, JsonValue
from metier.packs.life.tarot._deck import DrawnCard
from metier.packs.life.tarot._shuffle import shuffle_cards
from metier.packs.life.tarot._spreads import SPREADS, Position, Spread

_SEED_BYTES: Final = 16
_ID_BYTES: Final = 5


@dataclass(frozen=True, slots=True)
class Commitment:
    """A seed that is settled before the draw, and the hash that shows it was."""

    id: str
    seed: str
    spread: str

    @property
    def seed_hash(self) -> str:
        """SHA-256 of the seed's bytes."""
        return sha256(bytes.fromhex(self.seed)).hexdigest()

    def to_json(self) -> JsonObject:
        return {"id": self.id, "seed": self.seed, "spread": self.spread}


@dataclass(frozen=True, slots=True)
class Draw:
    """Cards of a spread, and all that is needed to draw them again."""

    commitment: Commitment
    at: str
    cards: tuple[DrawnCard, ...]

    @property
    def spread(self) -> Spread:
        return SPREADS[self.commitment.spread]

    @property
    def positions(self) -> tuple[tuple[Position, DrawnCard], ...]:
        """Positions of the spread with their cards."""
        return tuple(zip(self.spread.positions, self.cards, strict=True))

    def to_json(self) -> JsonObject:
        """The draw as it is kept: the seed says which cards they are."""
        cards: list[JsonValue] = [f"{one.card.id}{'-r' if one.is_reversed else ''}" for one in self.cards]
        told = self.commitment
        return {"id": told.id, "seed": told.seed, "spread": told.spread, "at": self.at, "cards": cards}


def commit(spread: str) -> Commitment:
    """Settle a seed by the operating system's generator; nobody can pass one in."""
    return Commitment(secrets.token_hex(_ID_BYTES), secrets.token_hex(_SEED_BYTES), SPREADS[spread].id)


def draw_from(commitment: Commitment, at: datetime | str) -> Draw:
    """The draw of a settled seed: always the same cards."""
    count = len(SPREADS[commitment.spread].places)
    cards = shuffle_cards(bytes.fromhex(commitment.seed))[:count]
    return Draw(commitment, at if isinstance(at, str) else at.isoformat(timespec="seconds"), cards)


def draw_from_json(kept: JsonValue) -> Draw | None:
    """A kept draw, or a settled seed, drawn again; None if it is neither."""
    if not isinstance(kept, Mapping) or kept.get("spread") not in SPREADS:
        return None
    seed = str(kept.get("seed", ""))
    try:
        bytes.fromhex(seed)
    except ValueError:
        return None
    return draw_from(Commitment(str(kept.get("id", "")), seed, str(kept["spread"])), str(kept.get("at", "")))


def verify(kept: JsonObject) -> bool:
    """Whether the kept cards are those of the kept seed, by the shuffle in use."""
    drawn = draw_from_json(kept)
    return drawn is not None and drawn.to_json()["cards"] == kept.get("cards")
