"""Tarot: 78 cards, an own shuffle from a seed that is committed to before the draw, three spreads, readings, faces."""

from metier.packs.life.tarot._deck import DrawnCard, TarotCard, load_deck
from metier.packs.life.tarot._draw import Commitment, Draw, commit, draw_from, draw_from_json, verify
from metier.packs.life.tarot._faces import draw_spread
from metier.packs.life.tarot._fairness import measure_draws
from metier.packs.life.tarot._readings import read_draw, read_position
from metier.packs.life.tarot._shuffle import ALGORITHM, shuffle_cards
from metier.packs.life.tarot._spreads import SPREADS, Position, Spread, match_spread

__all__ = [
    "ALGORITHM",
    "SPREADS",
    "Commitment",
    "Draw",
    "DrawnCard",
    "Position",
    "Spread",
    "TarotCard",
    "commit",
    "draw_from",
    "draw_from_json",
    "draw_spread",
    "load_deck",
    "match_spread",
    "measure_draws",
    "read_draw",
    "read_position",
    "shuffle_cards",
    "verify",
]
